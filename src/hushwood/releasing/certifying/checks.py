"""Whether released columns keep what their techniques promise, and which links between columns hold before and after.

Every check takes the original and the released column batch by batch and says at the end what is broken. It knows
the promise alone, so that a fault of a technique cannot hide itself here. `certificate` asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.releasing.certifying.counts import GroupCounts, Groups
from hushwood.releasing.certifying.records import Compared, Firsts, Together
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.links import Link, kind_of, publicly
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, missing_values
from hushwood.techniques.laws.promises import Promise

# This many redrawn values do not all become missing by chance.
NEVER_ALL_MISSING = 100


class ColumnChecks:
    """All columns that go out, in their order, and what is promised of each; `sizes` are those of the trees."""

    def __init__(
        self, schema: Schema, rows: int, promises: Mapping[str, Promise], sizes: Sequence[int]
    ) -> None:
        self.promises = promises
        held = {a.name: a for a in schema.kept if a.name in promises}
        self._checks = {name: ColumnCheck(a, promises[name], rows) for name, a in held.items()}
        self._together = {
            name: Together(name, promises, sizes) for name, p in promises.items() if p.values == "numbered"
        }
        carried = [name for name in promises if name not in held and name not in self._together]
        self._carried = {name: CarriedCheck() for name in carried}
        movers = [name for name in held if promises[name].lone_moves]
        self._groups: dict[str, Groups] = {
            promise.within: Groups(sizes if promise.within == "segment" else (), movers)
            for promise in promises.values()
            if promise.by_group
        }

    @property
    def names(self) -> Collection[str]:
        """The columns that are compared as numbers or codes."""
        return self._checks.keys()

    def add(
        self,
        original: Table,
        released: pl.DataFrame,
        columns: Mapping[str, Compared],
        leaves: Sequence[Codes],
        pool: ThreadPoolExecutor,
        reached: Sequence[Codes] = (),
    ) -> None:
        """Compare a batch; `columns` are those of the released frame.

        `leaves` are those of the original's records, `reached` those of the released ones.
        """
        values = {name: column.values for name, column in columns.items()} if self._together else {}
        firsts = {
            name: each.add(original.carried[name], released[name], values, reached)
            for name, each in self._together.items()
        }
        ids = {
            within: groups.of(leaves, original.columns, original.rows)
            for within, groups in self._groups.items()
        }

        def look(name: str) -> None:
            if name in self._carried:
                self._carried[name].add(original.carried[name], released[name])
            elif name in self._checks:
                before, promise = np.asarray(original.columns[name]), self.promises[name]
                self._checks[name].add(
                    before, columns[name], ids.get(promise.within), firsts.get(promise.per)
                )

        list(pool.map(look, self.promises))

    def said(self) -> dict[str, dict[str, Any]]:
        """What the certificate says of every column."""
        checks: Mapping[str, CarriedCheck | ColumnCheck] = {**self._checks, **self._carried}
        gaps = {name: checks[name].gaps if name in checks else 0 for name in self.promises}
        return {name: p.to_json() | {"gaps": gaps[name]} for name, p in self.promises.items()}

    def together(self) -> dict[str, dict[str, int]]:
        """How many persons or households there are, and how many of them are in one segment."""
        return {name: each.said() for name, each in self._together.items()}

    def faults(self) -> tuple[str, ...]:
        """The first broken promise of every column that breaks one."""
        found = [each.fault() for each in self._together.values()]
        found += [
            self._carried[name].fault
            if name in self._carried
            else self._checks[name].fault(self._groups.get(promise.within))
            for name, promise in self.promises.items()
            if name not in self._together
        ]
        return tuple(fault for fault in found if fault)


class CarriedCheck:
    """A column that travels with the table and must arrive as it was; unused categories may be gone."""

    def __init__(self) -> None:
        self.gaps = 0
        self.fault: str | None = None

    def add(self, before: pl.Series, after: pl.Series) -> None:
        """Compare a batch."""
        self.gaps += after.null_count()
        self.fault = self.fault or carried_fault(before, after)


def carried_fault(before: pl.Series, after: pl.Series) -> str | None:
    """Whether a column that travels with the table arrived as it was; unused categories may be gone."""
    import polars as pl

    if before.null_count() == after.null_count() == len(before) == len(after):
        return None  # a batch without any value has no type in a text file
    if before.dtype.is_nested() and before.dtype != after.dtype:
        before = before.cast(after.dtype)
    first, second = (
        column.cast(pl.String) if isinstance(column.dtype, pl.Enum | pl.Categorical) else column
        for column in (before, after)
    )
    same = first.equals(second, null_equal=True)
    return None if same else f"column {before.name!r} has other values than the original though it is copied"


class ColumnCheck:
    """One column of a table of `rows` rows, and what it promises; codes after the last category are new ones."""

    def __init__(self, attribute: Attribute, promise: Promise, rows: int) -> None:
        self.attribute, self.promise, self.rows = attribute, promise, rows
        self.gaps = 0
        self._gaps_before = self._gaps_after = 0
        self._lost = self._strange = 0
        self._counts = GroupCounts(attribute, promise, rows) if promise.by_group else None

    def add(
        self, before: Array, after: Compared, groups: Integers | None, firsts: Firsts | None = None
    ) -> None:
        """Compare a batch; `groups` are the groups of its records, if the promise is about some.

        With `firsts`, only the first row of every person or household is counted.
        """
        had, has = missing_values(before), missing_values(after.values)
        self.gaps += after.gaps
        self._gaps_before += int(np.count_nonzero(had))
        self._gaps_after += int(np.count_nonzero(has))
        self._lost += int(np.count_nonzero(_lost(self.promise, had, has)))
        strange = _strange(self.attribute, self.promise, before, after)
        self._strange += int(np.count_nonzero(strange))
        if self._counts and groups is not None and firsts is not None:
            one, other = firsts
            self._counts.add(groups[one], before[one], after.values[other], groups[other])
        elif self._counts and groups is not None:
            self._counts.add(groups, before, after.values)

    def fault(self, groups: Groups | None) -> str | None:
        """The first broken promise of the column, as a phrase."""
        fault = self._fault() or (self._counts.fault(groups) if self._counts and groups else None)
        return fault and f"column {self.attribute.name!r} {fault}"

    def _fault(self) -> str | None:
        """What single cells show."""
        if self._lost:
            return f"has gaps in other records than the original ({self._lost:,} of {self.rows:,})"
        known, gone = self.rows - self._gaps_before, self._gaps_after == self.rows
        if not self.promise.blanks and gone and known >= NEVER_ALL_MISSING:
            return "lost all its values"
        return self._strangeness(f"({self._strange:,} of {self.rows:,})") if self._strange else None

    def _strangeness(self, cells: str) -> str:
        """What is wrong with the values that are counted as strange."""
        if self.promise.values == "same":
            return f"has other values than the original {cells} though it is copied"
        if self.promise.values == "ranges":
            return f"has ranges that do not hold the original's number {cells}"
        if self.attribute.kind == "categorical":
            return f"has values that are none of its categories {cells}"
        low, high = _limits(self.attribute, self.promise)
        return f"has numbers outside {low:g} to {high:g} {cells}"


def _lost(promise: Promise, before: Flags, after: Flags) -> Flags:
    """Values missing in the wrong cells; counts of groups are compared elsewhere."""
    if promise.missing == "same":
        return np.asarray(before != after)
    if promise.missing == "added":
        return before & ~after
    return ~before & after if promise.missing == "filled" else np.zeros(0, bool)


def _strange(attribute: Attribute, promise: Promise, before: Array, after: Compared) -> Flags:
    """Values that differ though they are copied, or lie outside the domain or the released range."""
    values = after.values
    if promise.values == "same":
        return np.asarray((before != values) & ~missing_values(before) & ~missing_values(values))
    if promise.values == "ranges":
        low, high = after.ends or (values, values)
        return np.asarray((before < low) | (before > high))
    if attribute.kind == "numeric":
        least, most = _limits(attribute, promise)
        return np.asarray((values < least) | (values > most))
    if promise.values in ("generalised", "any"):
        return np.zeros(0, bool)
    return np.asarray(values >= len(attribute.categories))


def _limits(attribute: Attribute, promise: Promise) -> tuple[float, float]:
    """The range that released numbers must lie in."""
    if promise.values == "any" or attribute.low is None or attribute.high is None:
        return -np.finfo(float).max, np.finfo(float).max
    return attribute.low, attribute.high


_UNKNOWN = "\0unknown"
COARSE = ("generalised", "ranges")  # values that are not those of the table, so that nothing can be counted


class LinkChecks:
    """Records that break each link; `kept` are the links that the release claims to keep."""

    def __init__(
        self,
        schema: Schema,
        links: Sequence[Link],
        kept: Collection[Link],
        promises: Mapping[str, Promise],
    ) -> None:
        names = [a.name for a in schema.kept]
        fine = [name for name in names if promises[name].values not in COARSE]
        self.links, self.kept = countable(links, names), frozenset(kept)
        self.before, self.after = LinkCounts(self.links), LinkCounts(countable(links, fine))
        used = {name for link in self.after.links for name in link.columns}
        self._schema = Schema(tuple(_with_unknown(schema[name]) for name in names if name in used))

    def add(self, original: Table, released: Mapping[str, Compared]) -> None:
        """Count more records."""
        if not self.links:
            return
        self.before.add(original)
        columns = {name: released[name].values for name in self._schema.names}
        if columns:
            self.after.add(Table(self._schema, columns, pl.DataFrame(), original.rows))

    def said(self) -> list[dict[str, Any]]:
        """What the manifest says of every link; no count after where values became ranges or groups."""
        before, after, new = self.before.broken(), self.after.broken(self.before), self.after.new(self.before)
        return [
            {
                "kind": kind_of(link),
                "columns": list(link.columns),
                "says": publicly(link),
                "broken_before": before[link],
                "broken_after": after.get(link),
                "newly_broken": new.get(link),
                "kept": link in self.kept,
            }
            for link in self.links
        ]

    def faults(self) -> tuple[str, ...]:
        """A sentence for every link that is claimed to be kept, and is not."""
        return tuple(
            f"the link {publicly(link)!r} is broken by {count:,} records as by none of the original"
            for link, count in self.after.new(self.before).items()
            if link in self.kept and count
        )


def _with_unknown(attribute: Attribute) -> Attribute:
    """A column with a code for all texts that the original does not have."""
    if attribute.kind == "numeric":
        return attribute
    return replace(attribute, categories=(*attribute.categories, _UNKNOWN))
