"""Columns of years: their numbers are written without thousands separators."""

from __future__ import annotations

from typing import TypeGuard

from hushwood.evaluation.evaluation import Evaluation
from hushwood.evaluation.release_facts import ColumnFacts, NumericDomain
from hushwood.tables.columns.value_texts import are_years, can_be_year


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
