"""Whether released columns keep what their techniques promise: missing values, types, ranges and counts.

Knows the original table, the released file and the promises alone, so that a fault of a technique cannot hide itself
here. `certificate` asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.tables.coding import dense_codes
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.formats.files import ColumnsOnDisk
from hushwood.tables.frames.storage import TEXT_STORAGES, numbers_of, storage_name, texts_of
from hushwood.tables.generalised.columns import numeric_cells
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.laws.promises import Promise

if TYPE_CHECKING:
    import polars as pl

# This many redrawn values do not all become missing by chance.
NEVER_ALL_MISSING = 100
# A counting table may be this many times as long as a column before sorting is the cheaper way.
DENSEST = 4


class Source(Protocol):
    """A frame, or a file that gives one column at a time."""

    @property
    def height(self) -> int:
        """How many rows there are."""

    @property
    def schema(self) -> Mapping[str, pl.DataType]:
        """The columns in their order, with their types."""

    def __getitem__(self, name: str, /) -> pl.Series:
        """One column."""


class Compared(NamedTuple):
    """A column as a tree compares it: numbers, or codes (-1: missing) with their texts.

    `ends` are the smallest and the largest number of every row where numbers became ranges.
    """

    values: Array
    texts: tuple[str, ...] | None
    gaps: int
    ends: tuple[Array, Array] | None = None


def compared(table: Source | Table, attribute: Mapping[str, Any]) -> Compared:
    """One column of a table, as an attribute of a forest.json describes it; its known values have the first codes."""
    name = attribute["name"]
    texts: tuple[str, ...] | None = None
    if isinstance(table, Table):
        values: Array = np.asarray(table.columns[name])
        texts = None if attribute["kind"] == "numeric" else table.schema[name].categories
    elif "ranges" in attribute and storage_name(table[name].dtype) in TEXT_STORAGES:
        return _ranges(table[name], attribute["ranges"])
    elif attribute["kind"] == "numeric":
        values = numbers_of(table[name], attribute.get("precision"))
    else:
        values, texts = _coded(texts_of(table[name]), tuple(attribute.get("values", ())))
    missing = values < 0 if texts is not None else np.isnan(values)
    return Compared(values, texts, int(np.count_nonzero(missing)))


def _ranges(column: pl.Series, attribute: Attribute) -> Compared:
    """Texts of ranges as numbers inside them; a text that is none is a range that holds nothing."""
    low, high = attribute.low or 0.0, attribute.high or 0.0
    texts, moments = texts_of(column), attribute if is_temporal(attribute.storage) else None
    cells = numeric_cells(texts, low, high, moments=moments)
    there = ~texts.is_null().to_numpy()
    strange = there & np.isnan(cells.values)
    ends = np.where(strange, np.inf, cells.low), np.where(strange, -np.inf, cells.high)
    return Compared(np.where(strange, 0.0, cells.values), None, int(np.count_nonzero(~there)), ends)


def _coded(column: pl.Series, known: tuple[str, ...]) -> tuple[Codes, tuple[str, ...]]:
    """Codes of texts, and the texts that they stand for: the known ones first, then new ones."""
    import polars as pl

    codes = column.cast(pl.Enum(known), strict=False)
    if codes.null_count() > column.null_count():
        new = set(column.drop_nulls().unique().to_list()).difference(known)
        known = (*known, *sorted(new))
        codes = column.cast(pl.Enum(known))
    return codes.to_physical().cast(pl.Int32).fill_null(-1).to_numpy(), known


class Found(NamedTuple):
    """Released columns that are needed again, what the certificate says of every column, and what is broken."""

    read: Mapping[str, Compared]
    columns: Mapping[str, Mapping[str, Any]]
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColumnChecks:
    """A table, and what is promised of each of its columns that go out, in their order."""

    table: Table
    promises: Mapping[str, Promise]

    @property
    def attributes(self) -> dict[str, Mapping[str, Any]]:
        """The table's columns, described as in a forest.json."""
        return {
            a.name: {"name": a.name, "kind": a.kind, "precision": a.precision, "values": a.categories}
            | ({"ranges": a} if self.promises[a.name].values == "ranges" else {})
            for a in self.table.schema.kept
        }

    def shape_faults(self, released: Source) -> tuple[str, ...]:
        """What is wrong with the rows, the names and the types of a released file."""
        if released.height != self.table.rows:
            return (f"the file has {released.height:,} records instead of {self.table.rows:,}",)
        if list(released.schema) != list(self.promises):
            return ("the file has other columns than those that were to go out",)
        typed = not (isinstance(released, ColumnsOnDisk) and released.kind == "csv")
        faults = (
            type_fault(self.table.schema[name], released.schema[name], promise, typed)
            for name, promise in self.promises.items()
            # Without any value, a column of a text file has no type.
            if typed or released[name].null_count() < released.height
        )
        return tuple(fault for fault in faults if fault)

    def run(
        self,
        released: Source,
        leaves: Sequence[Codes],
        wanted: Collection[str],
        pool: ThreadPoolExecutor,
    ) -> Found:
        """Read every released column once and compare it with the original; `wanted` columns are handed back."""
        attributes, groups = self.attributes, self._groups(leaves)

        def look(name: str) -> tuple[Compared | None, int, str | None]:
            promise = self.promises[name]
            if name not in attributes:
                column = released[name]
                return None, column.null_count(), carried_fault(self.table.carried[name], column)
            found = compared(released, attributes[name])
            before, within = np.asarray(self.table.columns[name]), groups.get(promise.within)
            fault = column_fault(self.table.schema[name], promise, before, found.values, within, found.ends)
            return found if name in wanted else None, found.gaps, fault

        looked = dict(zip(self.promises, pool.map(look, self.promises), strict=True))
        read = {name: column for name, (column, _, _) in looked.items() if column is not None}
        said = {name: self.promises[name].to_json() | {"gaps": gaps} for name, (_, gaps, _) in looked.items()}
        return Found(read, said, tuple(fault for _, _, fault in looked.values() if fault))

    def _groups(self, leaves: Sequence[Codes]) -> dict[str, Groups]:
        """The segments, and the table as one group, where a promise is about them."""
        found: dict[str, Groups] = {}
        for within in {promise.within for promise in self.promises.values() if promise.by_group}:
            ids = np.zeros(self.table.rows, np.int64)
            for leaf in leaves if within == "segment" else ():
                ids = dense_codes(ids * (int(leaf.max(initial=0)) + 1) + leaf)[1]
            moving = [self.table.columns[n] for n, p in self.promises.items() if p.lone_moves]
            found[within] = Groups.of(ids, moving)
        return found


@dataclass(frozen=True, slots=True)
class Groups:
    """The group of every record; `lone` marks groups in which a number has no partner to change places with."""

    ids: Integers
    count: int
    lone: Flags

    @classmethod
    def of(cls, ids: Integers, partners: list[Array]) -> Groups:
        """Groups by their numbers; `partners` are the columns whose numbers change places."""
        count = int(ids.max(initial=-1)) + 1
        lone = np.zeros(count, bool)
        for column in partners:
            lone |= np.bincount(ids[~missing_values(column)], minlength=count) == 1
        return cls(ids, count, lone)

    def counts(
        self, before: NDArray[np.integer], after: NDArray[np.integer], width: int
    ) -> tuple[Array, Array, Array, Array]:
        """How often every group has every code before and after: the group, the code + 1, and both counts."""
        base = self.ids * width + 1
        size = self.count * width
        if size <= DENSEST * len(base) + 1000:
            had, has = (np.bincount(base + codes, minlength=size) for codes in (before, after))
            keys = np.flatnonzero(had | has)
            return keys // width, keys % width, had[keys], has[keys]
        keys, place = np.unique(np.concatenate([base + before, base + after]), return_inverse=True)
        had, has = (np.bincount(half, minlength=len(keys)) for half in np.split(place, 2))
        return keys // width, keys % width, had, has


def type_fault(attribute: Attribute, dtype: pl.DataType, promise: Promise, typed: bool) -> str | None:
    """What is wrong with the type of a released column; a file that is not `typed` has only rough types."""
    wanted, found = _type(attribute.storage, typed), _type(storage_name(dtype), typed)
    relabelled = promise.values == ("generalised" if attribute.kind == "categorical" else "ranges")
    if wanted == found or (relabelled and (found == "text" or not typed)):
        return None
    return f"column {attribute.name!r} was written as {storage_name(dtype)} and not as {attribute.storage}"


def _type(storage: str, typed: bool) -> str:
    """What a storage is compared by: texts are texts, and a text file does not say how wide its numbers are."""
    if storage in TEXT_STORAGES:
        return "text"
    outer, nested, _ = storage.partition("(")
    if nested and outer in {"List", "Array", "Struct"}:
        return outer  # categories inside go out as texts; the values are compared one by one
    if typed:
        return storage
    name = storage.partition("[")[0]
    return {"I": "whole", "U": "whole", "F": "real"}.get(name[0], name)


def carried_fault(before: pl.Series, after: pl.Series) -> str | None:
    """Whether a column that travels with the table arrived as it was; unused categories may be gone."""
    import polars as pl

    if before.dtype.is_nested() and before.dtype != after.dtype:
        before = before.cast(after.dtype)
    first, second = (
        column.cast(pl.String) if isinstance(column.dtype, pl.Enum | pl.Categorical) else column
        for column in (before, after)
    )
    same = first.equals(second, null_equal=True)
    return None if same else f"column {before.name!r} has other values than the original though it is copied"


def column_fault(
    attribute: Attribute,
    promise: Promise,
    before: Array,
    after: Array,
    groups: Groups | None = None,
    ends: tuple[Array, Array] | None = None,
) -> str | None:
    """The first broken promise of a column, as a phrase; codes from the number of categories on are new categories."""
    fault = (
        _lost(promise, missing_values(before), missing_values(after))
        or _strange(attribute, promise, before, after, ends or (after, after))
        or (_miscounted(promise, before, after, groups) if groups and promise.by_group else None)
    )
    return fault and f"column {attribute.name!r} {fault}"


def _lost(promise: Promise, before: Flags, after: Flags) -> str | None:
    """Values missing in the wrong cells; counts of groups are compared elsewhere."""
    wrong = np.zeros(0, bool)
    if promise.missing == "same":
        wrong = before != after
    elif promise.missing == "added":
        wrong = before & ~after
    elif promise.missing == "filled":
        wrong = ~before & after
    cells = int(np.count_nonzero(wrong))
    if cells:
        return f"has gaps in other records than the original ({cells:,} of {len(before):,})"
    if not promise.blanks and after.all() and np.count_nonzero(~before) >= NEVER_ALL_MISSING:
        return "lost all its values"
    return None


def _strange(
    attribute: Attribute, promise: Promise, before: Array, after: Array, ends: tuple[Array, Array]
) -> str | None:
    """Values that differ though they are copied, or lie outside the domain or the released range."""
    if promise.values == "same":
        changed = (before != after) & ~missing_values(before) & ~missing_values(after)
        cells = int(np.count_nonzero(changed))
        return (
            f"has other values than the original ({cells:,} of {len(after):,}) though it is copied"
            if cells
            else None
        )
    if promise.values == "ranges":
        cells = int(np.count_nonzero((before < ends[0]) | (before > ends[1])))
        return (
            f"has ranges that do not hold the original's number ({cells:,} of {len(after):,})"
            if cells
            else None
        )
    if attribute.kind == "numeric":
        free = promise.values == "any" or attribute.low is None or attribute.high is None
        low, high = (
            (attribute.low, attribute.high) if not free else (-np.finfo(float).max, np.finfo(float).max)
        )
        cells = int(np.count_nonzero((after < low) | (after > high)))
        return f"has numbers outside {low:g} to {high:g} ({cells:,} of {len(after):,})" if cells else None
    if promise.values in ("generalised", "any"):
        return None
    cells = int(np.count_nonzero(after >= len(attribute.categories)))
    return f"has values that are none of its categories ({cells:,} of {len(after):,})" if cells else None


def _miscounted(promise: Promise, before: Array, after: Array, groups: Groups) -> str | None:
    """Groups in which a value or a gap occurs in a number that is not allowed."""
    if promise.values not in ("dealt", "held"):
        # Only gaps are counted, and sorting all values to find them would take most of the time.
        before, after = (np.where(missing_values(column), -1, 0) for column in (before, after))
    before, after, width = _codes(before, after)
    group, code, had, has = groups.counts(before, after, width)
    gap = code == 0
    wrong = _wrong_counts(promise.missing, had, has, promise.blanks) & gap
    wrong |= _wrong_counts(promise.values, had, has, promise.blanks) & ~gap
    if promise.lone_moves:
        wrong &= ~groups.lone[group]
    if not wrong.any():
        return None
    where = f" (in {len(np.unique(group[wrong])):,} of {groups.count:,} segments)"
    return f"has other counts of its values than the original{'' if promise.within == 'table' else where}"


def _wrong_counts(word: str, had: Array, has: Array, blanks: bool) -> Flags:
    if word == "dealt":
        return np.asarray(has > had if blanks else has != had)
    if word in ("held", "drawn"):
        return np.asarray((has > 0) & (had == 0))
    return np.zeros(len(had), bool)


def _codes(before: Array, after: Array) -> tuple[NDArray[np.integer], NDArray[np.integer], int]:
    """Both columns as codes of the same values, from -1 for missing to `width` - 2."""
    if before.dtype.kind == "f":
        values, codes = np.unique(np.concatenate([before, after]), return_inverse=True)
        known = int(np.count_nonzero(~np.isnan(values)))
        first, second = np.split(np.where(codes < known, codes, -1), 2)
        return first, second, known + 1
    return before, after, int(max(before.max(initial=-1), after.max(initial=-1))) + 2
