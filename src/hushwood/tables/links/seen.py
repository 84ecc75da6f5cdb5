"""What must be known of all records before linked columns can be changed: noted batch by batch.

Categorical columns that change as one become a single column, of whose categories each is a combination that occurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.errors import InternalFault
from hushwood.tables.domains import from_steps, to_steps
from hushwood.tables.links.links import Condition
from hushwood.tables.links.numbers import AllowedValues, StreamRows, folded, largest
from hushwood.tables.links.structure import After, JoinedColumns, Looked, Structure, Total
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import missing_values

_PARTS = 200  # of the distribution from which gaps are filled


@dataclass(frozen=True, slots=True)
class Filling:
    """How gaps are filled that a condition no longer asks for.

    `known` is the share of records that had a value where one was allowed; `numbers` are points of the distribution of
    each column, `shares` the running shares of its categories.
    """

    known: float
    numbers: Mapping[str, Floats]
    shares: Mapping[str, Floats]

    def drawn(self, name: str, attribute: Attribute, room: AllowedValues, place: StreamRows) -> Array | None:
        """A value for every record; None if no value is known."""
        u = place.uniform(name)
        if attribute.kind == "numeric":
            points = self.numbers[name]
            if not len(points):
                return None
            found = np.interp(u, (np.arange(len(points)) + 0.5) / len(points), points)
            found = from_steps(to_steps(found, attribute.precision), attribute.precision)
            return folded(found, *room.ranges[name]) if name in room.ranges else found
        shares = self.shares[name]
        if not shares.any():
            return None
        if name not in room.allowed:
            return np.asarray(np.searchsorted(np.cumsum(shares), u * shares.sum()), np.int32)
        here = np.cumsum(np.where(room.allowed[name][:, : len(shares)], shares, 0.0), axis=1)
        there = here[:, -1] > 0
        code = np.minimum((here <= (u * here[:, -1])[:, None]).sum(axis=1), len(shares) - 1)
        return np.where(there, code, -1).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Seen:
    """Facts about linked columns.

    `on_their_own` are columns that follow from others which are missing somewhere, so that they also lead; `distances`
    are the smallest and the largest, `looked` the known numbers, ascending, with the values that go with them, the last
    for a missing number.
    """

    combined: Mapping[JoinedColumns, Combined] = field(default_factory=dict)
    distances: Mapping[After, tuple[float, float]] = field(default_factory=dict)
    on_their_own: frozenset[str] = frozenset()
    looked: Mapping[Looked, tuple[Floats, Array]] = field(default_factory=dict)
    fillings: Mapping[Condition, Filling] = field(default_factory=dict)


def see(
    schema: Schema,
    structure: Structure,
    batches: Iterable[Mapping[str, Array]],
    sample: Mapping[str, Array],
) -> Seen:
    """Look at all records; what need not be exact is taken from the sample."""
    rows: dict[JoinedColumns, list[Floats]] = {whole: [] for whole in structure.together}
    pairs: dict[Looked, list[Floats]] = {one: [] for one in structure.derived if isinstance(one, Looked)}
    ends: dict[After, tuple[float, float]] = {}
    own: set[str] = set()
    for columns in batches:
        for whole, before in rows.items():
            rows[whole] = [distinct_rows(np.concatenate([*before, rows_of(whole, columns)]))]
        for one in structure.derived:
            if isinstance(one, Looked):
                here = np.column_stack([columns[one.given], np.asarray(columns[one.column], np.float64)])
                pairs[one] = [distinct_rows(np.concatenate([*pairs[one], distinct_rows(here)]))]
            elif isinstance(one, After):
                base, values = largest([columns[name] for name in one.bases]), columns[one.column]
                own |= {one.column} if np.any(np.isnan(base) & ~np.isnan(values)) else set()
                ends[one] = _wider(ends.get(one), np.asarray(values - base))
            else:
                own |= {one.column} if _not_its_parts(one, columns) else set()
    return Seen(
        {whole: Combined.from_rows(whole, found[0]) for whole, found in rows.items()},
        {one: _rounded(found, one, schema) for one, found in ends.items()},
        frozenset(own),
        {one: _table(found[0], schema[one.column]) for one, found in pairs.items()},
        {condition: _filling(condition, schema, structure, sample) for condition in structure.known_if},
    )


def _wider(ends: tuple[float, float] | None, distances: Floats) -> tuple[float, float]:
    known = distances[~np.isnan(distances)]
    low, high = ends or (np.inf, -np.inf)
    return float(known.min(initial=low)), float(known.max(initial=high))


def _rounded(ends: tuple[float, float], after: After, schema: Schema) -> tuple[float, float]:
    """The ends on the grid of the distance; 0 if none is known."""
    decimals = [schema[name].precision for name in (after.column, *after.bases)]
    places = None if None in decimals else max(d for d in decimals if d is not None)
    low, high = (
        0.0 if np.isinf(end) else float(from_steps(to_steps(np.array(end), places), places)) for end in ends
    )
    return max(low, 0.0), max(high, 0.0)


def _not_its_parts(total: Total, columns: Mapping[str, Array]) -> bool:
    """Whether the total is missing where its parts are known, or known where one of them is missing."""
    without = np.any([np.isnan(columns[name]) for name in total.parts], axis=0)
    return bool(np.any(np.isnan(columns[total.column]) != without))


def _table(rows: Floats, attribute: Attribute) -> tuple[Floats, Array]:
    """Known numbers and their values; the first value counts where a number has several."""
    unknown = np.isnan(rows[:, 0])
    known, first = np.unique(rows[~unknown, 0], return_index=True)
    for_missing = rows[unknown, 1][:1] if unknown.any() else np.array([np.nan])
    values = np.append(rows[~unknown, 1][first], for_missing)
    if attribute.kind == "categorical":
        return known, np.nan_to_num(values, nan=-1.0).astype(np.int32)
    return known, values


def _filling(
    condition: Condition, schema: Schema, structure: Structure, sample: Mapping[str, Array]
) -> Filling:
    when, column = schema[condition.when], schema[condition.column]
    place = {text: code for code, text in enumerate(when.categories)}
    barred = [-1 if value is None else place.get(value, -2) for value in condition.values]
    free = ~np.isin(sample[condition.when], barred)
    values = sample[condition.column]
    there = free & ~missing_values(values)
    known = float(there.sum() / max(int(free.sum()), 1))
    if column.kind == "categorical":
        counts = np.bincount(values[there], minlength=len(column.categories)).astype(np.float64)
        return Filling(known, {}, {column.name: counts})
    numbers = {column.name: _points(values[there])}
    derived = structure.derivation(column.name)
    if isinstance(derived, After):
        distances = values - largest([sample[name] for name in derived.bases])
        numbers[derived.name] = _points(distances[there & ~np.isnan(distances)])
    return Filling(known, numbers, {})


def _points(values: Floats) -> Floats:
    """Points of a distribution that are no single record's: the middles of its hundredths and half hundredths."""
    if not len(values):
        return values
    return np.asarray(np.quantile(values, (np.arange(_PARTS) + 0.5) / _PARTS))


_MISSING = "?"


@dataclass(frozen=True, slots=True)
class Combined:
    """The combinations of some columns, in the order of their codes: `codes` [combination, column], -1 for missing.

    `numbers` [combination, number] are the values of the numbers that follow from them.
    """

    of: JoinedColumns
    codes: Integers
    numbers: Floats

    @classmethod
    def from_rows(cls, of: JoinedColumns, rows: Floats) -> Combined:
        """From the distinct rows that `rows_of` found, put together; the first number wins where rows differ in it."""
        width = len(of.categories)
        codes, first = np.unique(rows[:, :width], axis=0, return_index=True)
        return cls(of, codes.astype(np.int64), rows[first, width:])

    def attribute(self, name: str, schema: Schema) -> Attribute:
        """The column that stands for all of them."""
        own = [schema[column].categories for column in self.of.categories]
        texts = [
            " & ".join(values[code] if code >= 0 else _MISSING for values, code in zip(own, row, strict=True))
            for row in self.codes.tolist()
        ]
        if len(set(texts)) < len(texts):  # names that contain what stands between them
            texts = [f"{text} ({place})" for place, text in enumerate(texts)]
        # A class that moves with other columns is changed like them.
        roles = [schema[column].role for column in self.of.categories]
        role = next((role for role in roles if role != "class"), roles[0])
        return Attribute(name, "categorical", role, "String", categories=tuple(texts))

    def encoded(self, columns: Mapping[str, Array]) -> Codes:
        """The combination of every record."""
        # Column by column, so that no key grows beyond the number of combinations times that of categories.
        ids = np.zeros(len(columns[self.of.categories[0]]), np.int64)
        known = np.zeros(len(self.codes), np.int64)
        for place, name in enumerate(self.of.categories):
            own = self.codes[:, place] + 1
            width = int(own.max(initial=0)) + 1
            keys, inverse = np.unique(known * width + own, return_inverse=True)
            wanted = ids * width + np.minimum(columns[name].astype(np.int64) + 1, width)
            ids = np.searchsorted(keys, wanted)
            if np.any(keys[np.minimum(ids, len(keys) - 1)] != wanted):
                raise InternalFault(f"A combination of {self.of.name} was never seen; please report this.")
            known = inverse.reshape(-1)
        return np.argsort(known)[ids].astype(np.int32)

    def decoded(self, combination: Codes) -> dict[str, Array]:
        """The columns of every record's combination."""
        found: dict[str, Array] = {
            name: self.codes[:, place].astype(np.int32)[combination]
            for place, name in enumerate(self.of.categories)
        }
        return found | {
            name: self.numbers[:, place][combination] for place, name in enumerate(self.of.numbers)
        }


def rows_of(of: JoinedColumns, columns: Mapping[str, Array]) -> Floats:
    """The distinct combinations in some records, one a row: codes, then numbers."""
    names = (*of.categories, *of.numbers)
    return distinct_rows(np.column_stack([np.asarray(columns[name], np.float64) for name in names]))


def distinct_rows(rows: Floats) -> Floats:
    """The distinct rows of a matrix; NaN equals NaN."""
    if not len(rows):
        return rows
    ids = np.zeros(len(rows), np.int64)
    for column in rows.T:
        _, codes = np.unique(column, return_inverse=True)
        _, ids = np.unique(ids * (int(codes.max()) + 1) + codes, return_inverse=True)
    _, first = np.unique(ids, return_index=True)
    return rows[first]
