"""The summaries that commands print when they are done: plain text, at most a hundred columns wide."""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.reports.release.attack_views import attack_row
from hushwood.reports.release.columns import copied_columns, not_compared, still_identifying
from hushwood.reports.release.findings import NotAnswered, not_answered
from hushwood.reports.release.headlines import Headline, intruder_headlines, miners_headlines
from hushwood.reports.release.standing_out import class_finding, standing_out
from hushwood.reports.release.verdicts import certificate_verdict as verdict
from hushwood.reports.words.text_tables import columns, wrapped
from hushwood.reports.words.wording import amount

_HEAD = ("", "release", "better", "untouched", "noise")


def summary_lines(evaluation: Evaluation) -> list[str]:
    """After a release: the verdict, who stands out, the first numbers of both sides, and columns that were copied."""
    moved = class_finding(evaluation)
    counted = [(f.title, f.answer, "lower is better") for f in standing_out(evaluation.release)]
    counted += [(moved.title, moved.answer, "")] if moved else []
    about = evaluation.release.about
    lines = wrapped(verdict(evaluation).headline)
    lines += wrapped(f"Released with {about.technique}. {about.why}") if about.why else []
    lines += _titled("Who might still stand out", columns(counted))
    lines += _titled("What miners keep", _headlines(miners_headlines(evaluation)))
    lines += _titled("What an intruder learns", _headlines(intruder_headlines(evaluation)))
    copied = copied_columns(evaluation)
    return lines + wrapped(f"WARNING: copied without any change: {', '.join(copied)}.") if copied else lines


def audit_lines(evaluation: Evaluation) -> list[str]:
    """After an audit: the verdict, every number of both sides, the attacks, and all that could not be answered."""
    lines = wrapped(verdict(evaluation).headline)
    for name in still_identifying(evaluation):
        lines += wrapped(f"WARNING: column {name} names people and is still in the release.")
    lost = not_compared(evaluation)
    if lost:
        lines += wrapped(
            f"WARNING: {', '.join(lost)} could not be compared; an intruder may learn more than these numbers say."
        )
    lines += _titled("What miners keep", _measures(evaluation, "utility"))
    lines += _titled("What an intruder learns", _measures(evaluation, "risk"))
    lines += _titled("Attacks: how often they succeeded; lower is better", _attacks(evaluation))
    by_side = sorted(evaluation.measures, key=lambda answer: answer.measure.side == "risk")
    lines += _titled("Not answered", _reasons(not_answered([*by_side, *evaluation.attacks])))
    left_out = evaluation.audit.left_out
    lines += _titled("Not compared", _paragraphs([f"{entry.column}: {entry.reason}" for entry in left_out]))
    return lines + _titled("Notes", _paragraphs(_notes(evaluation)))


def _titled(title: str, lines: list[str]) -> list[str]:
    return ["", title, *lines] if lines else []


def _paragraphs(texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in wrapped(text, indent=2)]


def _headlines(items: Sequence[Headline]) -> list[str]:
    return columns([(item.title, item.answer, item.badge) for item in items])


def _measures(evaluation: Evaluation, side: Side) -> list[str]:
    rows = []
    for answer in evaluation.answered(side):
        measure = answer.measure
        compared = ("–" if n is None else amount(n, measure.unit) for n in (answer.untouched, answer.noise))
        rows.append((measure.title, amount(answer.value, measure.unit), measure.better, *compared))
    return columns(rows, _HEAD) if rows else []


def _attacks(evaluation: Evaluation) -> list[str]:
    found = [attack_row(answer) for answer in evaluation.tried]
    rows = [(row.label, row.success, row.interval, row.naive, row.verdict) for row in found]
    return columns(rows, ("", "success", "interval", "guessing", "verdict")) if rows else []


def _reasons(items: Sequence[NotAnswered]) -> list[str]:
    """One paragraph per reason, for all questions that share it."""
    titles: dict[str, list[str]] = {}
    for item in items:
        titles.setdefault(item.reason, []).append(item.title)
    return _paragraphs([f"{', '.join(named)}: {reason}" for reason, named in titles.items()])


def _notes(evaluation: Evaluation) -> list[str]:
    audit, records = evaluation.audit, evaluation.release.records
    notes = [*evaluation.release.warnings, *audit.notes]
    if audit.records < records:
        notes.append(f"Judged by a sample of {audit.records:,} of the {records:,} records.")
    if audit.control:
        notes.append(f"Control: {audit.control}.")
    return notes
