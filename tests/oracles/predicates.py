"""Predicates over plain records, the obvious way: every record is asked every term. None is a missing value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import median

Value = float | str | None
Record = Mapping[str, Value]
Term = tuple[str, str, Value]
Predicate = frozenset[Term]


def fulfils(record: Record, predicate: Iterable[Term]) -> bool:
    return all(_holds(record[column], operator, value) for column, operator, value in predicate)


def _holds(own: Value, operator: str, value: Value) -> bool:
    if operator == "missing":
        return own is None
    if own is None or value is None:
        return False
    if operator == "==":
        return own == value
    assert isinstance(own, float) and isinstance(value, float)
    return own <= value if operator == "<=" else own >= value


def matching(records: Sequence[Record], predicate: Iterable[Term]) -> list[int]:
    terms = list(predicate)
    return [i for i, record in enumerate(records) if fulfils(record, terms)]


def distinct(records: Sequence[Record]) -> list[Record]:
    found: list[Record] = []
    for record in records:
        if record not in found:
            found.append(record)
    return found


def univariate(records: Sequence[Record], numeric: set[str]) -> set[Predicate]:
    """All predicates of one term that single out a distinct record, by the rules of algorithms 7."""
    rows = distinct(records)
    candidates: list[Term] = []
    for column in rows[0]:
        known = [v for v in (row[column] for row in rows) if v is not None]
        candidates.append((column, "missing", None))
        candidates += [(column, "==", value) for value in known]
        if column in numeric and known:
            candidates += [(column, "<=", min(known)), (column, ">=", max(known))]
    return {frozenset([term]) for term in candidates if len(matching(rows, [term])) == 1}


def multivariate(records: Sequence[Record], numeric: set[str], columns: int) -> set[Predicate]:
    """All predicates from some columns of some record that single out a distinct record."""
    rows = distinct(records)
    middle = {column: _median(rows, column) for column in rows[0] if column in numeric}
    chosen = min(columns, len(rows[0]))
    return {
        predicate
        for row in rows
        for names in combinations(row, chosen)
        for predicate in [frozenset(_terms(row, names, middle))]
        if len(matching(rows, predicate)) == 1
    }


def _median(rows: Sequence[Record], column: str) -> float | None:
    known = [v for v in (row[column] for row in rows) if isinstance(v, float)]
    return median(known) if known else None


def _terms(row: Record, names: Iterable[str], middle: Mapping[str, float | None]) -> Iterator[Term]:
    for name in names:
        value, half = row[name], middle.get(name)
        if value is None:
            yield name, "missing", None
        elif half is None or value == half:
            yield name, "==", value
        else:
            assert isinstance(value, float)
            yield name, ">=" if value > half else "<=", value
