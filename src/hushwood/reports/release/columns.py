"""What became of every column, cut into rows of text, and what to know of columns before signing.

Notices are about what went out as it was, and about who is easily recognised. Inside, sentences say how many records it
is about; outsiders get the kind of a notice and the names of the columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.release_facts import ColumnFacts, DrawnTogether, RareCategories, RareColumn
from hushwood.measures.publishing import SMALL, percent
from hushwood.measures.risk.unchanged_cells import CellDetails, UnchangedCells, UnchangedColumn
from hushwood.reports.release.findings import NumberTable, year_columns
from hushwood.reports.release.judgement import details_of, made_here
from hushwood.reports.wording import count, short_number, things
from hushwood.tables.columns.value_texts import value_text, without_separators
from hushwood.tables.schema import CARRIED_ROLES, UNIT_ROLES

_UNCHANGED = re.compile(r"\b(copied|released unchanged)\b", re.IGNORECASE)
_COMPARED = "Compared."
_COARSER = "Compared; some of its values are generalised."
_COPIED = "Copied without change: everyone who reads the release sees the true values."
_NUMBERED = "Fresh numbers in random order: rows with the same number belong together."
_DROPPED = "Dropped: the release does not have this column."


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One column: what it is, what was done to it, and the share of its cells that are unchanged.

    `care` tells that its values may expose people, `copied` that nothing was done to it.
    """

    name: str
    role: str
    what: str
    missing: str
    done: str
    technique: str
    unchanged: str
    care: bool
    copied: bool


@dataclass(frozen=True, slots=True)
class ExtremeRow:
    """A lowest or highest value that one record had, and whether that record still has it."""

    column: str
    end: str
    value: str
    unchanged: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """What was done to a column and by which technique."""

    says: str
    technique: str = ""
    care: bool = False
    copied: bool = False


def column_rows(evaluation: Evaluation) -> list[ColumnRow]:
    """All columns, those that could not be compared among them."""
    shares = {column["column"]: percent(column["share"]) for column in _unchanged_columns(evaluation)}
    years = year_columns(evaluation)
    return [
        _column_row(column, _done(column, evaluation), shares, column.name in years)
        for column in evaluation.columns
    ]


def copied_columns(evaluation: Evaluation) -> list[str]:
    """Columns that are released without change because nothing was to be done to them."""
    return [row.name for row in column_rows(evaluation) if row.copied]


def copy_warnings(evaluation: Evaluation) -> list[str]:
    """What the release warned about: columns or records that went out unchanged."""
    return [text for text in evaluation.release.warnings if _UNCHANGED.search(text)]


def unchanged_everywhere(evaluation: Evaluation) -> list[str]:
    """Columns every known cell of which is as it was."""
    return [column["column"] for column in _unchanged_columns(evaluation) if column["share"] == 1]


def _unchanged_columns(evaluation: Evaluation) -> list[UnchangedColumn]:
    details: CellDetails | None = details_of(evaluation, UnchangedCells)
    return details["columns"] if details else []


def still_identifying(evaluation: Evaluation) -> list[str]:
    """Identifiers that are in the release all the same."""
    return [entry.column for entry in evaluation.audit.left_out if entry.still_identifies]


def not_compared(evaluation: Evaluation) -> list[str]:
    """Columns of the original that should have been compared and could not be: risks may be higher."""
    roles = {column.name: column.role for column in evaluation.columns}
    left_out = [entry.column for entry in evaluation.audit.left_out]
    return [name for name in left_out if roles.get(name, "identifier") not in CARRIED_ROLES]


def extreme_rows(evaluation: Evaluation) -> list[ExtremeRow]:
    """The extremes that one record had; outsiders are shown none."""
    columns = {column.name: column for column in evaluation.columns}
    years, found = year_columns(evaluation), evaluation.release.unique_extremes
    rows = []
    for extreme in found.values if found else ():
        column = columns[extreme.column]
        text = value_text(extreme.value, column.storage, column.domain.precision if column.domain else None)
        shown = without_separators(text) if extreme.column in years else text
        rows.append(ExtremeRow(extreme.column, extreme.end, shown, extreme.unchanged))
    return rows


def drawn_together_table(found: DrawnTogether) -> NumberTable:
    """The ways in which numbers were drawn together, and the errors of their averages and covariances."""
    rows = tuple((way.description, count(way.segments), count(way.records)) for way in found.ways)
    where = "over the whole table" if found.within == "table" else "inside segments"
    says = (
        f"{things(len(found.columns), 'numeric column')} drawn together {where}, so that averages and "
        f"correlations are kept. {_errors(found)}"
    )
    if len(rows) > 1:
        says += " Where the technique cannot be used, the next way in this order is."
    return NumberTable("Numbers drawn together", says, ("How", "Segments", "Records"), rows)


def _errors(found: DrawnTogether) -> str:
    means, covariances = found.mean_error, found.covariance_error
    if not means or not covariances:
        return "No segment has two records with different numbers, so there are no averages to compare."
    said = (
        "After rounding to each column's decimals, the averages of the records of a segment with the same columns "
        f"filled are off by {_error(means.mean)} standard deviations and its covariances, in the same unit, by "
        f"{_error(covariances.mean)}, in the worst column and pair of columns (means over records; lower is "
        "better, 0 is exact)."
    )
    if means.largest is None or covariances.largest is None:
        return said
    largest = _error(means.largest), _error(covariances.largest)
    return f"{said} In the worst such group of two records or more it is {largest[0]} and {largest[1]}."


def _error(value: float) -> str:
    """An error with three digits; rounding errors of exact arithmetic are not spelt out."""
    return "less than 0.000001" if 0 < value < 1e-6 else short_number(value)


def _done(column: ColumnFacts, evaluation: Evaluation) -> _Done:
    """What was done to a column, as far as it is known."""
    name, audit = column.name, evaluation.audit
    if not made_here(evaluation):
        reasons = {entry.column: entry.reason for entry in audit.left_out}
        if name not in reasons:
            return _Done(_COARSER if name in audit.generalised else _COMPARED)
        says = f"Not part of the comparison. {reasons[name]}".strip()
        return _Done(says, care=name in still_identifying(evaluation))
    if column.role == "identifier":
        return _Done(_DROPPED)
    if column.role in UNIT_ROLES:
        return _Done(_NUMBERED)
    steps = [step for step in evaluation.release.plan if name in step.columns]
    if not steps:
        return _Done(_COPIED, care=True, copied=True)
    return _Done(
        " ".join(step.says for step in steps),
        ", ".join(step.acronym for step in steps),
        any(not step.keeps_segment for step in steps),
    )


def _column_row(column: ColumnFacts, done: _Done, shares: Mapping[str, str], is_year: bool) -> ColumnRow:
    what = _what(column)
    return ColumnRow(
        name=column.name,
        role="" if column.role == "ordinary" else column.role,
        what=without_separators(what) if is_year else what,
        missing=f"{count(column.missing)} missing" if column.missing != 0 else "",
        done=done.says,
        technique=done.technique,
        unchanged=shares.get(column.name, ""),
        care=done.care,
        copied=done.copied,
    )


def _what(column: ColumnFacts) -> str:
    domain = column.domain
    if column.categories is not None:
        return things(column.categories, "category", "categories")
    if domain is None or domain.low is None or domain.high is None:
        return column.kind
    kind = "dates" if column.storage.startswith("Date") else _decimals(domain.precision)
    shown = None if domain.rounded else domain.precision
    low, high = (value_text(end, column.storage, shown) for end in (domain.low, domain.high))
    return f"{kind}, about {low} to {high}" if domain.rounded else f"{kind}, {low} to {high}"


def _decimals(precision: int | None) -> str:
    if precision is None:
        return "real numbers"
    return f"numbers with {things(precision, 'decimal')}" if precision else "whole numbers"


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to know before signing; `columns` are those that outsiders may be told of."""

    kind: str
    says: str
    columns: tuple[str, ...] = ()


def notices(evaluation: Evaluation) -> list[Notice]:
    """All of them, what went out unchanged first; none for outsiders, from whom the counts are withheld."""
    return [] if evaluation.public else [*_unchanged(evaluation), *_recognised(evaluation)]


def announced(evaluation: Evaluation) -> list[dict[str, Any]]:
    """For the manifest: the kinds of the notices, and the columns, without a count or value."""
    copied = copied_columns(evaluation)
    found = {"copied": copied, "unchanged": [n for n in unchanged_everywhere(evaluation) if n not in copied]}
    columns: dict[str, list[str]] = {kind: names for kind, names in found.items() if names}
    for notice in notices(evaluation):
        columns.setdefault(notice.kind, []).extend(notice.columns)
    return [{"kind": kind, "columns": list(dict.fromkeys(names))} for kind, names in columns.items()]


def _unchanged(evaluation: Evaluation) -> Iterator[Notice]:
    for text in copy_warnings(evaluation):
        yield Notice("unchanged", text)


def _recognised(evaluation: Evaluation) -> Iterator[Notice]:
    """Rare levels, classes of one record and unique extremes, where rows are paired."""
    rare, extremes = evaluation.release.rare_categories, evaluation.release.unique_extremes
    if rare is not None and rare.columns:
        yield _rare(rare)
        classes = {column.name for column in evaluation.columns if column.role == "class"}
        alone = [c for c in rare.columns if c.column in classes and any(k.records == 1 for k in c.categories)]
        if alone:
            counted = _counted(alone, single=True)
            says = f"A class that only one record has is in the release: {counted}. It points to one person."
            yield Notice("rare levels", says)
    if extremes is not None and extremes.unchanged:
        still = ", ".join(dict.fromkeys(one.column for one in extremes.values if one.unchanged))
        says = f"A lowest or highest value that only one record had is still on that record: {still}."
        yield Notice("extremes", says)


def _rare(rare: RareCategories) -> Notice:
    return Notice(
        "rare levels",
        f"Levels that fewer than {SMALL} records have are in the release: {_counted(rare.columns)}. Records that still "
        f"have theirs: {rare.unchanged:,} of {rare.records:,}.",
        tuple(column.column for column in rare.columns),
    )


def _counted(columns: Sequence[RareColumn], *, single: bool = False) -> str:
    numbers = (
        (c.column, sum(k.records == 1 for k in c.categories) if single else len(c.categories))
        for c in columns
    )
    return ", ".join(f"{name} ({things(number, 'level')})" for name, number in numbers)
