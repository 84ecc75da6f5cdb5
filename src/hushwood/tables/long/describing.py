"""What a long table's columns are, found batch by batch: the same schema as reading the table whole would give.

Of every column a few values are kept from which the same follows: its extremes, the values with the most decimals, all
its categories, and some rows in between.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
import polars as pl

from hushwood.ahead import ahead
from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.columns.codes import code_kind, may_be_codes
from hushwood.tables.columns.meanings import FEW_ROWS
from hushwood.tables.columns.precision import precision_of
from hushwood.tables.frames.storage import check_calendar, default_kind, literal
from hushwood.tables.long.files import ParquetFiles

SHOWN_ROWS = 20_000  # rows in between, which say whether a column looks as if it identifies people
MOST_TEXTS = 1_000_000  # different ones of a column
_FEW = 1000  # values that show quickly that there are more than two


@dataclass(slots=True)
class Witness:
    """Values of one column from which follows what it is; `counts` are the records of every category.

    Numbers are `watched`: their values are counted while they may be flags or codes, which are categories.
    """

    name: str
    dtype: pl.DataType
    counted: bool
    watched: bool = False
    kept: pl.Series = field(init=False)
    shown: list[pl.Series] = field(default_factory=list)
    counts: pl.DataFrame | None = None
    seen: int = 0

    def __post_init__(self) -> None:
        self.kept = pl.Series(self.name, [], dtype=self.dtype)

    def add(self, column: pl.Series, every: int) -> None:
        """Look at a batch of the column, and keep what says more than the values before."""
        check_calendar(column)
        self.seen += len(column)
        self.shown.append(column.gather_every(every))
        if self.counted:
            self._count(column)
        elif default_kind(self.dtype) == "numeric":
            self._extremes(column)
            self._watch(column)
        self.kept = pl.concat(
            [self.kept, column.filter(column.is_null()).gather([0] if column.null_count() else [])]
        )
        if len(self.kept) > 1000:
            self.kept = literal(self.kept).unique().alias(self.name)

    def merge(self, other: Witness) -> None:
        """Add what was seen in other records of the column."""
        self.seen += other.seen
        self.shown += other.shown
        self.kept = pl.concat([self.kept, other.kept])
        if len(self.kept) > 1000:
            self.kept = literal(self.kept).unique().alias(self.name)
        if self.watched and not other.watched:
            self._stop_watching()
        if other.counts is not None and (self.counted or self.watched):
            self._add_counts(other.counts)
            self._check_watched()

    def _watch(self, column: pl.Series) -> None:
        """Count numbers as long as they may be categories."""
        if not self.watched:
            return
        known = finite_values(literal(column))
        if not may_be_codes(self.name) and known.head(_FEW).n_unique() > 2:
            self.kept = pl.concat([self.kept, known.head(_FEW).unique().head(3).alias(self.name)])
            self._stop_watching()
            return
        self._count(known)
        self._check_watched()

    def _check_watched(self) -> None:
        """Numbers of three values are not flags, and those of several widths are not codes."""
        if not self.watched or self.counts is None or self.counts.height <= 2:
            return
        values = self.counts["value"].alias(self.name)
        if not may_be_codes(self.name) or code_kind(values, self.name) is None:
            self._stop_watching()
        elif len(values) > MOST_TEXTS:
            raise self._too_many()

    def _stop_watching(self) -> None:
        """Keep as many values as show that the column holds numbers."""
        if self.counts is not None:
            values = self.counts["value"].cast(self.dtype).alias(self.name).sort()
            self.kept = pl.concat([self.kept, values.head(2), values.tail(1)])
        self.watched, self.counts = False, None

    def _count(self, column: pl.Series) -> None:
        self._add_counts(literal(column).drop_nulls().alias("value").value_counts(name="count"))

    def _add_counts(self, counts: pl.DataFrame) -> None:
        if self.counts is not None:
            counts = pl.concat([self.counts, counts]).group_by("value").agg(pl.col("count").sum())
        if counts.height > MOST_TEXTS and default_kind(self.dtype) == "categorical":
            raise self._too_many()
        self.counts = counts

    def _too_many(self) -> InputError:
        return InputError(
            f"Column {self.name!r} has more than {MOST_TEXTS:,} different texts, too many for categories. Drop it "
            "with --identifier, copy it with --ignore, or group its values first."
        )

    def _extremes(self, column: pl.Series) -> None:
        known = literal(column).drop_nulls()
        if known.dtype.is_float():
            odd = known.filter(~known.is_finite()).unique()
            known = finite_values(known)
            self.kept = pl.concat([self.kept, odd.alias(self.name)])
        if known.is_empty():
            return
        # Gathered, not sliced: a slice would keep the whole batch in memory.
        ends = [known.gather([at]) for at in (known.arg_min(), known.arg_max()) if at is not None]
        self.kept = pl.concat([self.kept, *(end.alias(self.name) for end in ends)])
        if not known.dtype.is_integer() and not isinstance(known.dtype, pl.Date):
            self._most_precise(known)

    def _most_precise(self, known: pl.Series) -> None:
        """Keep a value with more decimals than those that are kept, if there is one."""
        finite = self.kept.drop_nulls()
        finite = finite.filter(finite.is_finite()) if finite.dtype.is_float() else finite
        so_far = _decimals(finite)
        needed = so_far if so_far == inf else _decimals(known)
        if needed <= so_far:
            return
        while len(known) > 1:
            half = known[: len(known) // 2]
            known = half if _decimals(half) == needed else known[len(known) // 2 :]
        self.kept = pl.concat([self.kept, known.gather([0]).alias(self.name)])

    def column(self) -> pl.Series:
        """The values to infer from."""
        if self.counts is not None and self.counted and default_kind(self.dtype) == "numeric":
            # Of a numeric class the frequencies matter, too.
            every = self.counts.sort("value")
            return every.select(pl.col("value").repeat_by("count").explode())["value"].alias(self.name)
        shown = pl.concat(self.shown) if self.shown else self.kept.clear()
        if len(shown) == self.seen:
            return shown
        extra = literal(self.kept)
        if self.counts is not None and self.counts.height == 2 and self.watched:
            return pl.concat([shown, extra.alias(self.name), self._enough_of_two(self.counts)])
        if self.counts is not None:
            extra = pl.concat([extra, self.counts["value"].cast(extra.dtype).alias(self.name)])
        # A value that stood here twice would make a column whose values all differ look harmless.
        known = pl.DataFrame({"": literal(shown)}).unique()
        more = pl.DataFrame({"": extra}).unique().join(known, on="", how="anti", nulls_equal=True)
        return pl.concat([shown, more[""].sort().cast(self.dtype).alias(self.name)])

    def _enough_of_two(self, counts: pl.DataFrame) -> pl.Series:
        """Both values of a column that has but two, so often that it counts as a flag if it would in full."""
        often = pl.col("count").clip(0, FEW_ROWS)
        repeated = counts.select(pl.col("value").repeat_by(often).explode())["value"]
        return repeated.cast(self.dtype).alias(self.name)


def finite_values(column: pl.Series) -> pl.Series:
    """The known values, without infinities."""
    known = column.drop_nulls()
    return known.filter(known.is_finite()) if known.dtype.is_float() else known


def _decimals(values: pl.Series) -> float:
    found = precision_of(values)
    return inf if found is None else found


@dataclass(frozen=True, slots=True)
class Described:
    """Of every column the values to infer from, and the records of every category as texts."""

    columns: Mapping[str, pl.Series]
    counts: Mapping[str, Mapping[str, int]]
    sample: pl.DataFrame | None = None


@dataclass(frozen=True, slots=True)
class Witnesses:
    """One for every column of some records; those that are only carried along are not looked into."""

    of: Mapping[str, Witness]
    carried: frozenset[str]
    every: int

    @classmethod
    def for_table(
        cls, types: Mapping[str, pl.DataType], rows: int, carried: frozenset[str], classes: frozenset[str]
    ) -> Witnesses:
        """Witnesses that have seen nothing yet, for a table of that many rows."""
        found = {
            name: Witness(
                name,
                dtype,
                default_kind(dtype) == "categorical" or (name in classes and name not in carried),
                (dtype.is_integer() or dtype.is_float()) and name not in classes,
            )
            for name, dtype in types.items()
        }
        return cls(found, carried, max(1, rows // SHOWN_ROWS))

    def add(self, frame: pl.DataFrame, pool: ThreadPoolExecutor) -> None:
        """Look at a batch."""
        looked_at = [name for name in self.of if name not in self.carried]
        list(pool.map(lambda name: self.of[name].add(frame[name], self.every), looked_at))
        for name in self.carried:
            self.of[name].shown.append(frame[name].gather_every(self.every))

    def merge(self, other: Witnesses) -> None:
        """Add what was seen in other records of the table."""
        for name, witness in self.of.items():
            witness.merge(other.of[name])

    def described(self) -> Described:
        """What the columns are to be inferred from."""
        return Described(
            {
                name: each.column() if name not in self.carried else pl.concat(each.shown)
                for name, each in self.of.items()
            },
            {name: _texts(each) for name, each in self.of.items() if each.counts is not None},
        )


def described(
    files: ParquetFiles,
    carried: frozenset[str],
    classes: frozenset[str],
    size: int,
    threads: int,
    places: Integers | None = None,
) -> Described:
    """Look at all rows once; rows at `places` are kept."""
    found = Witnesses.for_table(files.schema, files.total, carried, classes)
    some: list[pl.DataFrame] = []

    def look_at(batch: tuple[int, pl.DataFrame]) -> None:
        first, frame = batch
        if places is not None:
            begin, end = np.searchsorted(places, [first, first + frame.height])
            some.append(frame[places[begin:end] - first])
        found.add(frame, pool)

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        for _ in ahead(look_at, files.frames(size), 1):
            pass  # the next batch is read meanwhile
    return replace(found.described(), sample=pl.concat(some) if some else None)


def _texts(witness: Witness) -> dict[str, int]:
    from hushwood.tables.frames.storage import texts_of

    if witness.counts is None:
        return {}
    texts = texts_of(witness.counts["value"].alias(witness.name))
    return dict(zip(texts.to_list(), witness.counts["count"].to_list(), strict=True))
