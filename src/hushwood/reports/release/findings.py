"""Every measure as a card: question, answer, meaning, good direction and comparison; and the tables behind it.

Counts of the release itself are in `standing_out`, attacks in `attack_views`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hushwood.detail_tables import Cell, DetailTable, DetailUnit
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side, Unit
from hushwood.reports.release.judgement import TONES, badge, grade_of_measure, place_of
from hushwood.reports.release.samples import interval_words
from hushwood.reports.release.years import is_year, plain_number, year_columns
from hushwood.reports.words.wording import Tone, amount, band, count, share_or_dash, short_number

_ENDS: dict[Side, tuple[str, str]] = {
    "utility": ("pure noise", "untouched table"),
    "risk": ("untouched table", "pure noise"),
}
_FROM_GUESSING = ("most frequent class", "untouched table")
WAYS = {"higher": "Higher is better.", "lower": "Lower is better."}


@dataclass(frozen=True, slots=True)
class Finding:
    """One number of the report, with all that a reader needs to judge it.

    `badge` is the tone in words; `place` is where the number stands on a line between two ends, from 0 to 1, and
    `ends` are their labels.
    """

    name: str
    question: str
    answer: str
    meaning: str
    good_way: str
    compares: str
    tone: Tone = "plain"
    title: str = ""
    badge: str = ""
    place: float | None = None
    ends: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A question that has no answer for this release, and why."""

    title: str
    question: str
    reason: str


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table of texts with a title and what it shows in a sentence."""

    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def measure_findings(evaluation: Evaluation, side: Side, full: Evaluation | None = None) -> list[Finding]:
    """The measures of one side that have a number, except those with a section of their own.

    Here and below, `full` is the evaluation before anything was withheld from it: judgements are made by that one.
    """
    pairs = zip(evaluation.answered(side), (full or evaluation).answered(side), strict=True)
    return [measure_finding(m, judged) for m, judged in pairs if not m.measure.own_section]


def not_answered(answers: Iterable[MeasureAnswer | AttackAnswer]) -> list[NotAnswered]:
    """The measures or attacks that have no answer."""
    asked = [(a.measure if isinstance(a, MeasureAnswer) else a.attack, a.reason) for a in answers]
    return [NotAnswered(one.title, one.question, reason) for one, reason in asked if reason is not None]


def measure_finding(answer: MeasureAnswer, judged: MeasureAnswer | None = None) -> Finding:
    """One measure as a card; `judged` is the answer before numbers were withheld from it."""
    measure, whole = answer.measure, judged or answer
    grade, idle = grade_of_measure(whole), answer.measure.says_nothing(whole.details)
    meaning = measure.meaning.format(like=_equally_likely(answer.value))
    said = meaning, measure.remarks(answer.details), by_class_words(answer), interval_words(answer)
    return Finding(
        measure.name,
        measure.question,
        "–" if idle else amount(answer.value, measure.unit),
        idle or " ".join(part for part in said if part),
        WAYS[measure.better],
        "" if idle else compared(answer.untouched, answer.noise, measure.unit),
        TONES[grade],
        title=measure.title,
        badge=badge(measure.side, grade),
        place=None if idle else place_of(answer),
        ends=_ENDS[measure.side] if measure.floor(answer.details) is None else _FROM_GUESSING,
    )


def by_class_words(answer: MeasureAnswer) -> str:
    """The number of every class, where there are several, or of the columns that trees predict where there is none."""
    if not answer.by_class:
        return ""
    unit = answer.measure.unit
    each = (
        f"{name} {amount(value, unit) if value is not None else '–'}"
        for name, value in answer.by_class.items()
    )
    only = "The number is about" if len(answer.by_class) == 1 else "The worst counts; each by itself:"
    return f"{only} {', '.join(each)}."


def compared(untouched: float | None, noise: float | None, unit: Unit) -> str:
    """What the untouched table and pure noise score, as a sentence.

    >>> compared(1.0, 0.25, "share")
    'The untouched table scores 100\\xa0%, pure noise 25\\xa0%.'
    """
    if untouched is None:
        return "" if noise is None else f"Pure noise scores {amount(noise, unit)}."
    other = "" if noise is None else f", pure noise {amount(noise, unit)}"
    return f"The untouched table scores {amount(untouched, unit)}{other}."


def detail_tables(evaluation: Evaluation, side: Side) -> list[NumberTable]:
    """The tables behind the measures of one side; those behind attacks are among the risks."""
    found = [table for m in evaluation.answered(side) for table in m.measure.tables(m.details)]
    if side == "risk":
        found += [table for a in evaluation.tried for table in a.attack.tables(a.details)]
    years = year_columns(evaluation)
    return [_in_words(table, years) for table in found if table.rows]


def _in_words(table: DetailTable, years: frozenset[str]) -> NumberTable:
    """All cells in words; rows about a column of years have no thousands separators."""
    units = [column.unit for column in table.columns]
    rows = (
        tuple(
            plain_number(c) if row[0] in years and is_year(c) else cell_text(c, u)
            for c, u in zip(row, units, strict=True)
        )
        for row in table.rows
    )
    return NumberTable(table.title, table.says, tuple(column.title for column in table.columns), tuple(rows))


def cell_text(cell: Cell, unit: DetailUnit) -> str:
    """A cell of a table in words; points are a difference of shares, with its sign.

    >>> cell_text(0.0123, "points"), cell_text(-0.5, "points"), cell_text((5, None), "band"), cell_text(None, "bits")
    ('+1.2', '-50', '5+', '–')
    """
    if isinstance(cell, tuple):
        return band(*cell)
    if isinstance(cell, str):
        return cell
    match unit:
        case "share":
            return share_or_dash(cell)
        case "count":
            return count(cell)
        case "bits" if cell is not None:
            return f"{cell:.2f}"
        case "points" if cell is not None:
            return f"{100 * cell:+.1f}".removesuffix(".0") if abs(cell) >= 0.0005 else "0"
    return short_number(cell)


def _equally_likely(bits: float | None) -> str:
    """How many equally likely things are as uncertain.

    >>> _equally_likely(3.0), _equally_likely(0.5), _equally_likely(None)
    ('8', '1.4', 'a few')
    """
    if bits is None or not 0 <= bits < 60:
        return "a few"
    number = 2.0**bits
    return f"{number:,.0f}" if number >= 10 or number.is_integer() else f"{number:.1f}"
