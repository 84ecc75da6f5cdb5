"""The summaries that commands print when they are done; the whole story is in `page`.

Plain text, at most a hundred columns wide; tables are set by `text_tables`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.reports.attack_views import (
    attempted,
    interval_text,
    label_of,
    not_attempted,
    success_text,
)
from hushwood.reports.findings import Finding, class_finding, standing_out
from hushwood.reports.headlines import Headline, intruder_headlines, miners_headlines
from hushwood.reports.measure_findings import NotAnswered, not_answered
from hushwood.reports.measure_words import words_of
from hushwood.reports.text_tables import columns, wrapped
from hushwood.reports.verdicts import verdict
from hushwood.reports.views import copied_columns, not_compared, still_named
from hushwood.reports.wording import Unit, amount, percent

_HEAD = ("", "release", "better", "untouched", "noise")


def summary_lines(document: Mapping[str, Any]) -> list[str]:
    """After a release: the verdict, who stands out, the first numbers of both sides, and columns that were copied."""
    moved = class_finding(document)
    found = [*standing_out(document), *([moved] if moved else [])]
    lines = wrapped(verdict(document).headline)
    lines += _titled("Who might still stand out", columns([_counted(finding) for finding in found]))
    lines += _titled("What miners keep", columns([_headline(h) for h in miners_headlines(document)]))
    lines += _titled("What an intruder learns", columns([_headline(h) for h in intruder_headlines(document)]))
    copied = copied_columns(document)
    return lines + wrapped(f"WARNING: copied without any change: {', '.join(copied)}.") if copied else lines


def audit_lines(document: Mapping[str, Any]) -> list[str]:
    """After an audit: the verdict, every number of both sides, the attacks, and all that could not be said."""
    lines = wrapped(verdict(document).headline)
    for name in still_named(document):
        lines += wrapped(f"WARNING: column {name} names people and is still in the release.")
    lost = not_compared(document)
    if lost:
        lines += wrapped(
            f"WARNING: {', '.join(lost)} could not be compared; what an intruder learns may be more than is said here."
        )
    lines += _titled("What miners keep", _measures(document, "utility"))
    lines += _titled("What an intruder learns", _measures(document, "risk"))
    lines += _titled("Attacks: how often they were right; lower is better", _attacks(document))
    unanswered = [
        *not_answered(document, "utility"),
        *not_answered(document, "risk"),
        *not_attempted(document),
    ]
    lines += _titled("Not answered", _reasons(unanswered))
    lines += _titled("Left out", _left_out(document))
    return lines + _titled("Notes", _notes(document))


def _titled(title: str, lines: list[str]) -> list[str]:
    return ["", title, *lines] if lines else []


def _counted(finding: Finding) -> tuple[str, ...]:
    way = "" if finding.name == "changed_classes" else "lower is better"
    return finding.title, finding.answer, way


def _headline(item: Headline) -> tuple[str, ...]:
    return item.title, item.answer, item.badge


def _measures(document: Mapping[str, Any], side: str) -> list[str]:
    rows = []
    for entry in document["measures"]:
        if entry["side"] == side and "value" in entry:
            words = words_of(entry)
            beside = (_maybe(entry[key], words.unit) for key in ("untouched", "noise"))
            rows.append((words.title, amount(entry["value"], words.unit), entry["better"], *beside))
    return columns(rows, _HEAD) if rows else []


def _maybe(value: float | None, unit: Unit) -> str:
    return "–" if value is None else amount(value, unit)


def _attacks(document: Mapping[str, Any]) -> list[str]:
    rows = [
        (
            label_of(entry),
            success_text(entry),
            interval_text(entry["interval"]),
            percent(entry["naive"]),
            entry["verdict"],
        )
        for entry in attempted(document)
    ]
    return columns(rows, ("", "success", "interval", "guessing", "verdict")) if rows else []


def _reasons(items: Sequence[NotAnswered]) -> list[str]:
    """One paragraph per reason, for all that have it."""
    titles: dict[str, list[str]] = {}
    for item in items:
        titles.setdefault(item.reason, []).append(item.title)
    return [
        line
        for reason, named in titles.items()
        for line in wrapped(f"{', '.join(named)}: {reason}", indent=2)
    ]


def _left_out(document: Mapping[str, Any]) -> list[str]:
    found = document["audit"]["left_out"]
    return [line for e in found for line in wrapped(f"{e['column']}: {e['reason']}", indent=2)]


def _notes(document: Mapping[str, Any]) -> list[str]:
    audit, records = document["audit"], document["release"]["records"]
    notes = [*document["release"]["warnings"], *audit["notes"]]
    if audit["records"] < records:
        notes.append(f"Judged by a sample of {audit['records']:,} of the {records:,} records.")
    if audit["control"]:
        notes.append(f"Control: {audit['control']}.")
    return [line for note in notes for line in wrapped(note, indent=2)]
