"""The summaries that commands print when they are done: plain text, at most a hundred columns wide.

The verdict comes first, risk before utility; `audit_lines` go on to every number.
"""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.policies.verdict import Verdict
from hushwood.reports.release.changes import (
    coarsening_sentences,
    distribution_sentence,
    link_rows,
    link_sentences,
    mean_sentence,
    most_changed,
)
from hushwood.reports.release.clearance import CheckRow, clearance, unblocked
from hushwood.reports.release.columns import copied_columns, not_compared, still_identifying
from hushwood.reports.release.findings import NotAnswered, not_answered, people_words, sample_words
from hushwood.reports.release.headlines import (
    Headline,
    attack_row,
    intruder_headlines,
    miners_headlines,
    use_verdict,
)
from hushwood.reports.release.judgement import certificate_verdict
from hushwood.reports.wording import amount, columns, wrapped

NO_POLICY = "No policy was applied, so nothing says whether this may be handed out."
_HEAD = ("", "release", "better", "untouched", "noise")


def verdict_lines(verdict: Verdict, warnings: Sequence[str] = ()) -> list[str]:
    """The verdict alone: the status, a line per check with its mark, what blocks, and what to change."""
    found = clearance(verdict)
    lines = wrapped(f"{found.headline.upper()}. Policy: {found.policy}. {found.counted}")
    lines += columns([_check(row) for row in found.rows])
    lines += _paragraphs(
        list(dict.fromkeys(f"{row.status.capitalize()}: {row.reason}" for row in found.rows if row.reason))
    )
    for text in found.blocking:
        lines += wrapped(f"HOLD IT BACK: {text}")
    lines += _warned(warnings)
    advice = dict.fromkeys(row.advice for row in found.rows if row.advice)
    options = [f"Use {' '.join(found.options)}"] if found.options else []
    return lines + _titled("What to change", _paragraphs([*options, *advice, *found.tried]))


def summary_lines(evaluation: Evaluation, verdict: Verdict | None = None) -> list[str]:
    """After a release: the verdict, what changed most, and the first numbers of both sides."""
    lines = _answer(evaluation, verdict)
    shifts = (mean_sentence(evaluation), distribution_sentence(most_changed(evaluation)))
    lines += _titled("What coarsening took", _paragraphs(coarsening_sentences(evaluation)))
    lines += _titled("What changed most", _paragraphs([said for said in shifts if said]))
    lines += _titled("What an intruder learns", _headlines(intruder_headlines(evaluation)))
    kept = miners_headlines(evaluation)
    lines += _titled("What miners keep", [*_headlines(kept), *_use(kept)])
    lines += _titled("Links between columns", _paragraphs(link_sentences(evaluation)))
    about = evaluation.release.about
    made = f" Released with {about.technique}. {about.why}" if about.why else ""
    return [*lines, "", *wrapped(f"{certificate_verdict(evaluation).headline}{made}")]


def audit_lines(evaluation: Evaluation, verdict: Verdict | None = None) -> list[str]:
    """After an audit: the verdict, every number of both sides, the attacks, and all that could not be answered."""
    lines = _answer(evaluation, verdict)
    short = [*wrapped(certificate_verdict(evaluation).headline, indent=2)]
    lines += _titled("In short", [*short, *_use(miners_headlines(evaluation))])
    lines += _titled("What an intruder learns", _measures(evaluation, "risk"))
    lines += _titled(
        "Attacks: the excess where it is known, or the success; lower is better", _attacks(evaluation)
    )
    lines += _titled("What miners keep", _measures(evaluation, "utility"))
    links = link_rows(evaluation)
    head = ("", "broken before", "after", "kept")
    lines += _titled("Links between columns", columns(links, head) if links else [])
    by_side = sorted(evaluation.measures, key=lambda answer: answer.measure.side == "utility")
    lines += _titled("Not answered", _reasons(not_answered([*evaluation.attacks, *by_side])))
    left_out = evaluation.audit.left_out
    lines += _titled("Not compared", _paragraphs([f"{entry.column}: {entry.reason}" for entry in left_out]))
    return lines + _titled("Notes", _paragraphs(_notes(evaluation)))


def _answer(evaluation: Evaluation, verdict: Verdict | None) -> list[str]:
    """The verdict, and warnings about columns that it does not speak of."""
    named = unblocked(still_identifying(evaluation), verdict)
    copied, lost = unblocked(copied_columns(evaluation), verdict), not_compared(evaluation)
    warnings = [f"column {name} names people and is still in the release." for name in named]
    if lost:
        warnings.append(
            f"{', '.join(lost)} could not be compared; an intruder may learn more than these numbers say."
        )
    if copied:
        warnings.append(f"copied without any change: {', '.join(copied)}.")
    if verdict is None:
        return [*wrapped(NO_POLICY), *_warned(warnings)]
    return verdict_lines(verdict, warnings)


def _warned(warnings: Sequence[str]) -> list[str]:
    return [line for warning in warnings for line in wrapped(f"WARNING: {warning}")]


def _check(row: CheckRow) -> tuple[str, str, str, str]:
    """A check as a line: result, what was tried, what was found, and the limit."""
    found = ", ".join(part for part in (row.found, row.upper) if part) or "–"
    return f"{row.mark} {row.status}", row.title, found, f"{row.limit} ({row.own})" if row.own else row.limit


def _titled(title: str, lines: list[str]) -> list[str]:
    return ["", title, *lines] if lines else []


def _paragraphs(texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in wrapped(text, indent=2)]


def _headlines(items: Sequence[Headline]) -> list[str]:
    return columns([(item.title, item.answer, item.badge) for item in items])


def _use(kept: Sequence[Headline]) -> list[str]:
    found = use_verdict(kept)
    return [] if found is None else wrapped(f"{found.headline} {found.check}".strip(), indent=2)


def _measures(evaluation: Evaluation, side: Side) -> list[str]:
    rows = []
    for answer in evaluation.answered(side):
        measure = answer.measure
        compared = ("–" if n is None else amount(n, measure.unit) for n in (answer.untouched, answer.noise))
        value = "–" if measure.says_nothing(answer.details) else amount(answer.value, measure.unit)
        rows.append((measure.title, value, measure.better, *compared))
    return columns(rows, _HEAD) if rows else []


def _attacks(evaluation: Evaluation) -> list[str]:
    found = [attack_row(answer) for answer in evaluation.tried]
    rows = [
        (row.label, row.first, row.within.removesuffix(" points"), f"{row.success}, {row.naive}", row.badge)
        for row in found
    ]
    return columns(rows, ("", "first", "interval", "right, guessing", "in short")) if rows else []


def _reasons(items: Sequence[NotAnswered]) -> list[str]:
    """One paragraph per reason, for all questions that share it."""
    titles: dict[str, list[str]] = {}
    for item in items:
        titles.setdefault(item.reason, []).append(item.title)
    return _paragraphs([f"{', '.join(named)}: {reason}" for reason, named in titles.items()])


def _notes(evaluation: Evaluation) -> list[str]:
    audit, records = evaluation.audit, evaluation.release.counted_records
    notes = [*evaluation.release.warnings, *audit.notes]
    if evaluation.release.sample is not None:
        notes.append(sample_words(evaluation))
    if audit.people is not None:
        notes.append(people_words(evaluation))
    elif audit.records < records:
        which = "the" if evaluation.release.sample is None else "these"
        notes.append(f"Judged by a sample of {audit.records:,} of {which} {records:,} records.")
    if audit.builder:
        notes.append(f"Trees that are compared: {audit.builder}.")
    if audit.control:
        notes.append(f"Control: {audit.control}.")
    return notes
