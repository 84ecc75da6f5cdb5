"""Proof that nothing was lost: the released file, read back, follows the rules of every tree and keeps its promises.

Works batch by batch and remembers counts alone, so that a table of any length can be certified. forest.json is read as
plain JSON and followed by code of its own (`certifying.routes`), so that a fault in the trees' or the techniques' code
cannot hide itself here. What every column promises comes from the plan and is checked in `column_checks`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from hushwood.ahead import ahead
from hushwood.arrays import Array, Codes
from hushwood.errors import BrokenCertificate, InternalFault
from hushwood.releasing.certifying.checks import ColumnChecks, LinkChecks
from hushwood.releasing.certifying.records import (
    Compared,
    KeptRecords,
    MatchedRecords,
    Routes,
    Shape,
    compared,
)
from hushwood.tables.formats.files import BatchesOnDisk
from hushwood.tables.links.links import Link
from hushwood.tables.long.writing import Rows
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Promise

if TYPE_CHECKING:
    import polars as pl

BATCH_ROWS = 1 << 18


@dataclass(frozen=True, slots=True)
class Certificate:
    """How many records are still in their leaf, in all trees together and in each, and what the columns keep.

    `columns` are the promises that were checked, with the number of missing values; None if none were. `faults`
    describe the broken ones. If records are not `paired`, those are counted that find an original record of their own
    in the same leaf. `together` counts persons or households, by their column, and those that are whole: all their
    rows are in one segment. `links` says how many records break each link between columns, before and after.
    """

    claimed: bool
    records: int
    kept: int
    per_tree: tuple[int, ...]
    columns: Mapping[str, Mapping[str, Any]] | None = None
    faults: tuple[str, ...] = ()
    paired: bool = True
    together: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    links: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The certificate as it stands in the manifest."""
        said: dict[str, Any] = {"claimed": self.claimed, "records": self.records, "kept": self.kept}
        said["per_tree"] = list(self.per_tree)
        said |= {} if self.paired else {"paired": False}
        said |= (
            {"together": {name: dict(counts) for name, counts in self.together.items()}}
            if self.together
            else {}
        )
        said |= {"links": [dict(link) for link in self.links]} if self.links else {}
        return said if self.columns is None else said | {"columns": dict(self.columns)}

    def check(self) -> None:
        """Raise if the certificate claims more than the file shows."""
        if self.faults:
            more = f" ({len(self.faults) - 1} more like this)" if len(self.faults) > 1 else ""
            raise BrokenCertificate(
                f"The released file is not what its techniques promise: {self.faults[0]}{more}; nothing was "
                "released. Please report this."
            )
        if self.claimed and self.kept < self.records:
            raise BrokenCertificate(
                f"{self.records - self.kept} of {self.records} released records left their segment although "
                "every technique used promises to keep them; nothing was released. Please report this."
            )
        split = {
            name: c["units"] - c["whole"] for name, c in self.together.items() if c["whole"] < c["units"]
        }
        if self.claimed and split:
            name, count = next(iter(split.items()))
            raise BrokenCertificate(
                f"{count:,} of the {self.together[name]['units']:,} groups of rows with one {name!r} are split between "
                "segments; nothing was released. Please report this."
            )


Batch: TypeAlias = "tuple[Table | pl.DataFrame, pl.DataFrame]"


class _Followed(NamedTuple):
    """A batch, the released columns as they are compared, and the leaves that records reach before and after."""

    original: Table | pl.DataFrame
    released: pl.DataFrame
    columns: Mapping[str, Compared]
    left: Sequence[Codes]
    reached: Sequence[Codes]

    @property
    def rows(self) -> int:
        return self.released.height


@dataclass(frozen=True, slots=True)
class Claims:
    """What a release says of itself: that its records stay in their `segments`, and what its columns promise.

    Without promises, only the trees are looked at. If records are not `paired`, those in the same row have nothing to
    do with each other, and only totals count. `links` are said to hold as before.
    """

    segments: bool
    promises: Mapping[str, Promise] | None = None
    paired: bool = True
    links: Collection[Link] = ()


class Certifying:
    """A certificate in the making: `add` takes batches of records, `finish` gives the certificate.

    `schema` is that of the original, `rows` how many records there must be. A file that is not `typed` (CSV) has rough
    types only.
    """

    def __init__(
        self,
        schema: Schema,
        rows: int,
        forest: Mapping[str, Any],
        claims: Claims,
        *,
        threads: int = 1,
        typed: bool = True,
    ) -> None:
        promises = claims.promises
        self.rows, self.claims = rows, claims
        self._threads = max(threads, 1)
        self._attributes = _described(schema, forest, promises)
        self._routes = Routes(forest, self._attributes)
        self._attributes |= self._routes.tested
        self._shape = Shape(schema, rows, promises, typed)
        self._checks = None if promises is None else ColumnChecks(schema, rows, promises, self._routes.sizes)
        self._links = None if promises is None else LinkChecks(schema, schema.links, claims.links, promises)
        self._kept = (KeptRecords if claims.paired else MatchedRecords)(self._routes.sizes)
        self._uneven = False

    def add(self, batches: Iterable[Batch]) -> Iterator[int]:
        """Look at records before and after, as many of each; those after were read from the file.

        Says of every batch how many records it had. Batches are followed on several threads, and counted in order.
        """
        with ThreadPoolExecutor(self._threads) as pool:
            for found in ahead(self._followed, self._sound(batches), self._threads):
                self._kept.add(found.left, found.reached, found.rows)
                if self._checks and isinstance(found.original, Table):
                    self._checks.add(
                        found.original, found.released, found.columns, found.left, pool, found.reached
                    )
                    if self._links:
                        self._links.add(found.original, found.columns)
                yield found.rows

    def add_file(self, originals: Iterable[Table], released: BatchesOnDisk, size: int) -> Iterator[int]:
        """Look at all records before, and at those of a file that we wrote, until both have ended."""
        return self.add(_side_by_side(originals, Rows(released.batches(size)), size))

    def _sound(self, batches: Iterable[Batch]) -> Iterator[Batch]:
        """Batches that can be compared: of the right columns and types, and as long before as after."""
        for original, released in batches:
            if self._checks and not isinstance(original, Table):
                raise InternalFault("Promises can only be checked against a table; please report this.")
            self._shape.add(released)
            self._uneven |= _length(original) != released.height
            if not self._uneven and not self._shape.broken:
                yield original, released

    def _followed(self, batch: Batch) -> _Followed:
        original, released = batch
        names = dict.fromkeys([*self._routes.tested, *(self._checks.names if self._checks else ())])
        before = self._values(original, self._routes.tested)
        after = {name: compared(released, self._attributes[name]) for name in names}
        values = {name: after[name].values for name in self._routes.tested}
        left, reached = self._routes.leaves(before, values, released.height)
        return _Followed(original, released, after, left, reached)

    def finish(self) -> Certificate:
        """The certificate of all records that were added."""
        checks, faults = self._checks, self._shape.faults
        if faults or self._shape.found != self.rows:
            none = tuple(0 for _ in self._routes.sizes)
            return Certificate(
                self.claims.segments,
                self.rows,
                0,
                none,
                None if checks is None else {},
                faults,
                self.claims.paired,
            )
        if self._uneven:
            raise InternalFault(
                "Batches of the original and the release differ in length; please report this."
            )
        kept, per_tree = self._kept.totals()
        if checks is None:
            return Certificate(self.claims.segments, self.rows, kept, per_tree, paired=self.claims.paired)
        links = self._links
        faults = (*checks.faults(), *(links.faults() if links else ()))
        counted = tuple(links.said()) if links else ()
        return Certificate(
            self.claims.segments,
            self.rows,
            kept,
            per_tree,
            checks.said(),
            faults,
            self.claims.paired,
            checks.together(),
            counted,
        )

    def _values(self, original: Table | pl.DataFrame, names: Iterable[str]) -> dict[str, Array]:
        """Columns of the original; codes of a Table stand for the first known texts."""
        if isinstance(original, Table):
            return {name: np.asarray(original.columns[name]) for name in names}
        return {name: compared(original, self._attributes[name]).values for name in names}


def _described(
    schema: Schema, forest: Mapping[str, Any], promises: Mapping[str, Promise] | None
) -> dict[str, Mapping[str, Any]]:
    """The columns as a forest.json describes them; the original's schema knows more, and its texts come first."""
    found: dict[str, Mapping[str, Any]] = {a["name"]: a for a in forest["attributes"]}
    for a in schema.kept:
        if promises is not None:
            said = {"name": a.name, "kind": a.kind, "precision": a.precision, "values": a.categories}
            found[a.name] = said | ({"ranges": a} if promises[a.name].values == "ranges" else {})
        elif a.name in found:
            texts = (*a.categories, *found[a.name].get("values", ()))
            found[a.name] = {**found[a.name], "values": tuple(dict.fromkeys(texts))}
    return found


def certify(
    original: pl.DataFrame | Table,
    released: pl.DataFrame | BatchesOnDisk,
    forest: Mapping[str, Any],
    claims: Claims,
    threads: int = 1,
) -> Certificate:
    """Send every record of both tables through every tree of a forest.json, and check what the columns promise.

    Promises need a table, whose schema says what the columns were.
    """
    if isinstance(original, Table):
        schema, rows = original.schema, original.rows
    else:
        schema, rows, claims = Schema(()), original.height, replace(claims, promises=None)
    if isinstance(released, BatchesOnDisk):
        batches, typed = released.batches(BATCH_ROWS), released.typed
    else:
        batches, typed = released.iter_slices(BATCH_ROWS), True
    certifying = Certifying(schema, rows, forest, claims, threads=threads, typed=typed)
    deque(certifying.add(_with_originals(original, batches)), maxlen=0)
    return certifying.finish()


def _side_by_side(originals: Iterable[Table], released: Rows, size: int) -> Iterator[Batch]:
    for records in originals:
        yield records, released.take(records.rows)
    while not released.done:
        # Too many are a fault, which the certificate names.
        yield records.take(np.empty(0, np.int64)), released.take(size)


def _with_originals(original: pl.DataFrame | Table, batches: Iterable[pl.DataFrame]) -> Iterator[Batch]:
    first = 0
    for batch in batches:
        yield _rows(original, first, batch.height), batch
        first += batch.height


def in_slices(table: Table, size: int) -> Iterator[Table]:
    """A table in batches; nothing is copied, and an empty table is one empty batch."""
    return (_slice(table, first, size) for first in range(0, max(table.rows, 1), size))


def _length(records: pl.DataFrame | Table) -> int:
    return records.rows if isinstance(records, Table) else records.height


def _rows(original: pl.DataFrame | Table, first: int, count: int) -> pl.DataFrame | Table:
    """As many rows as there are, up to `count`; nothing is copied."""
    return _slice(original, first, count) if isinstance(original, Table) else original.slice(first, count)


def _slice(table: Table, first: int, count: int) -> Table:
    first, last = min(first, table.rows), min(first + count, table.rows)
    columns = {name: values[first:last] for name, values in table.columns.items()}
    return replace(table, columns=columns, carried=table.carried.slice(first, count), rows=last - first)
