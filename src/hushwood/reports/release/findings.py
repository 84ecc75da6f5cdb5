"""Every measure as a card: question, answer, meaning, good direction and comparison; and the tables behind it.

Also what counting shows of who might stand out, and whether as many classes changed as should have; attacks are in
`headlines`. Numbers of columns of years are written without thousands separators.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeGuard

from hushwood.detail_tables import Cell, DetailTable, DetailUnit
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation, PeopleFacts, ReleaseFacts
from hushwood.evaluation.release_facts import (
    ColumnFacts,
    NumericDomain,
    RareCategories,
    SegmentFacts,
    UniqueExtremes,
)
from hushwood.measures.protocol import Side, Unit
from hushwood.measures.publishing import SMALL
from hushwood.measures.risk.changed_classes import ChangedClasses, ClassDetails, usual_changes
from hushwood.reports.release.judgement import TONES, badge, details_of, grade_of_measure, place_of
from hushwood.reports.wording import (
    FEW,
    Tone,
    amount,
    band,
    count,
    part_of,
    share_or_dash,
    short_number,
    things,
)
from hushwood.tables.columns.value_texts import are_years, can_be_year

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


def standing_out(release: ReleaseFacts, people: PeopleFacts | None = None) -> list[Finding]:
    """All counts that are known for this release; segments count people, where those have several rows."""
    found = []
    if release.segments is not None:
        total = release.counted_records if people is None else people.count
        found += [_alone(release.segments, total), _small_segments(release.segments, total)]
    if release.rare_categories is not None:
        found.append(_rare(release.rare_categories))
    if release.unique_extremes is not None:
        found.append(_extremes(release.unique_extremes))
    return found


def class_finding(evaluation: Evaluation) -> Finding | None:
    """Whether as many classes changed as a shuffle within segments would change."""
    answer = evaluation.measure(ChangedClasses.name)
    if answer is None:
        return None
    changes: ClassDetails = details_of(evaluation, ChangedClasses)
    expected, mean, range_text = changes["expected"], FEW, ""
    if expected is not None:
        low, high = usual_changes(changes, expected)
        mean = f"about {count(expected) if expected >= SMALL else f'{expected:.1f}'}"
        range_text = f", and in 19 of 20 releases between {low:,.0f} and {high:,.0f}"
    shuffle = (
        "Shuffling the whole column"
        if changes.get("within") == "whole table"
        else "Shuffling within these segments"
    )
    return Finding(
        answer.name,
        "How many records have a different class now?",
        part_of(changes["changed"], changes["records"]),
        answer.measure.meaning,
        "Close to the expected number is right: more would blur the rules, fewer would say more about people.",
        f"{shuffle} changes {mean} on average{range_text}; the untouched table has none.",
        title=answer.measure.title,
    )


def _marked(found: Finding, number: int | None) -> Finding:
    """None is good; some are where an intruder would look first, which is no risk by itself."""
    return replace(found, tone=TONES["none"], badge=badge("risk", "none")) if number == 0 else found


def _out_of(number: int | None, total: int | None) -> str:
    return count(number) if total is None else f"{count(number)} of {count(total)}"


def _alone(segments: SegmentFacts, records: int) -> Finding:
    found = Finding(
        "alone",
        "How many records are alone in their segment?",
        part_of(segments.alone, records),
        "A segment is a group of records that follow the same rules in every tree. "
        "A record alone in its segment has no other record to swap categories or class with.",
        "Lower is better; none is best.",
        "With a single segment for the whole table no record would be alone, but no rule would be kept. "
        "Fewer trees, a larger minimum leaf size or a larger k make larger segments.",
        title="Alone in their segment",
    )
    return _marked(found, segments.alone)


def _small_segments(segments: SegmentFacts, records: int) -> Finding:
    small = segments.small
    found = Finding(
        "small_segments",
        f"How many records share their segment with fewer than {small - 1} others?",
        part_of(segments.below_small, records),
        f"In a segment of fewer than {small} records there are few others that a record can be mistaken for.",
        "Lower is better.",
        f"Half of all {things(segments.count, 'segment')} have {count(segments.median)} records or fewer.",
        title=f"In segments of fewer than {small}",
    )
    return _marked(found, segments.below_small)


def _rare(rare: RareCategories) -> Finding:
    if rare.count == 0:
        answer, compares = "none", f"No category has {FEW} records."
    else:
        answer = _out_of(rare.unchanged, rare.records)
        compares = (
            f"The table has {things(rare.count, 'rare category', 'rare categories')}; "
            "in the untouched table, all of these records keep theirs."
        )
    found = Finding(
        "rare_categories",
        "How many records kept a rare category?",
        answer,
        f"A category that {FEW} records have points to a handful of people. "
        "What counts here is whether the same record still has it.",
        "Lower is better.",
        compares,
        title="Kept a rare category",
    )
    return _marked(found, rare.unchanged)


def _extremes(extremes: UniqueExtremes) -> Finding:
    if extremes.count == 0:
        answer, compares = "none", "Every lowest and highest value is shared by several records."
    else:
        answer = _out_of(extremes.unchanged, extremes.count)
        compares = "In the untouched table all are."
    found = Finding(
        "unique_extremes",
        "How many lowest or highest values that only one record had are still on that record?",
        answer,
        "The oldest person or the highest income is easily recognised by anyone who knows of it.",
        "Lower is better; none is best.",
        compares,
        title="Kept a unique extreme",
    )
    return _marked(found, extremes.unchanged)


def sample_words(evaluation: Evaluation) -> str:
    """Which numbers are about all records, and which about a sample of them; empty if all are about all."""
    sample = evaluation.release.sample
    if sample is None:
        return ""
    titles = [answer.measure.title for answer in evaluation.measures if answer.name in sample.exact]
    rest = f"was measured on a random sample of {sample.records:,} of the {sample.of:,} records."
    if not titles:
        return f"Everything here {rest}"
    return f"Counted over all {sample.of:,} records: {', '.join(titles)}. Everything else {rest}"


def people_words(evaluation: Evaluation) -> str:
    """Whose risks these are, where people have several rows; empty if every row is a person."""
    audit = evaluation.audit
    people = audit.people
    if people is None:
        return ""
    said = (
        f"Risks are those of {people.count:,} {people.words} with {people.rows:,} rows in all. An intruder is taken to "
        "know all rows of one: what is the same in all of them, of other columns the mean and the extremes or the most "
        "frequent value, and how many rows there are. What miners keep is measured on rows."
    )
    sampled = f" Risks were judged by a sample of {audit.records:,} {people.words}."
    return said + (sampled if audit.records < people.count else "")


def interval_words(answer: MeasureAnswer) -> str:
    """Where the number of the whole table lies, if that of a sample has an interval."""
    if answer.interval is None:
        return ""
    low, high = (amount(end, answer.measure.unit) for end in answer.interval)
    return f"This is the number of a sample; that of the whole table lies between {low} and {high} (95 % interval)."


def year_columns(evaluation: Evaluation) -> frozenset[str]:
    """The names of the columns of whole numbers that look like years."""
    edges = {e.column: e.histogram.edges for e in evaluation.release.distributions if e.histogram}
    return frozenset(c.name for c in evaluation.columns if _holds_years(c, edges.get(c.name, ())))


def plain_number(value: float | None) -> str:
    """A number with one decimal and without separators; a dash where there is none.

    >>> plain_number(1998.26), plain_number(2000.0), plain_number(None)
    ('1998.3', '2000', '–')
    """
    return "–" if value is None else f"{value:.1f}".removesuffix(".0")


def is_year(cell: object) -> TypeGuard[float]:
    """Whether a cell of a table is a number in the range of years.

    >>> is_year(1998.26), is_year(0.5), is_year("1998")
    (True, False, False)
    """
    return isinstance(cell, float | int) and can_be_year(cell)


def _holds_years(column: ColumnFacts, edges: tuple[float, ...]) -> bool:
    domain = column.domain
    if domain is None or domain.precision != 0 or column.storage.startswith("Date"):
        return False
    return are_years(column.name, *_ends(domain, edges))


def _ends(domain: NumericDomain, edges: tuple[float, ...]) -> tuple[float | None, float | None]:
    """The domain or, where outsiders are not shown it, what its histogram covers."""
    if domain.low is not None and domain.high is not None:
        return domain.low, domain.high
    return (edges[0], edges[-1]) if edges else (None, None)
