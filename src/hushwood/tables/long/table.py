"""A table of any length: its schema, and its records in batches."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.columns.warnings import weight_warnings
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.file import formula_warnings
from hushwood.tables.formats.schema_file import with_declared_links
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.describing import Described, described
from hushwood.tables.long.files import ParquetFiles, Spooled, spooled
from hushwood.tables.long.keyed_rows import KeyedRows, RowKey, in_key_order
from hushwood.tables.read_options import Infinite, read_options
from hushwood.tables.reading import Reading, declared_columns, text_only
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.schema import CARRIED_ROLES, Schema
from hushwood.tables.table import Table

USUAL_MEMORY = 2 << 30
# Bytes that a cell of a batch takes while several batches are worked on: its value, its noise, and room to write.
_BYTES_PER_CELL = 400
_FEWEST, _MOST = 1 << 12, 1 << 19


@dataclass(frozen=True, slots=True)
class LongTable:
    """A table in files; `counts` are the records of every category of a column.

    Every batch is read as `read_as` and prepared by the `preparation`, if there is one. With `keyed` its rows are in
    the order of the ids that a key column gives them. `sampled` are the places of some records and these records, noted
    while the files were looked at.
    """

    schema: Schema
    files: ParquetFiles
    infinite: Infinite
    counts: Mapping[str, Mapping[str, int]]
    preparation: Preparation | None = None
    read_as: Schema | None = None
    keyed: KeyedRows | None = None
    sampled: tuple[Integers, pl.DataFrame] | None = field(default=None, repr=False)

    @property
    def rows(self) -> int:
        """How many records there are."""
        return self.files.total

    def row_ids(self, first: int, count: int) -> Integers:
        """What the records from `first` on are known by in random streams: their places, unless a key names them."""
        there = max(min(count, self.rows - first), 0)
        return np.arange(first, first + there) if self.keyed is None else self.keyed.ids_at(first, there)

    def row_places(self, first: int, count: int) -> Integers:
        """Where the records from `first` on were in the source."""
        return np.arange(first, first + count) if self.keyed is None else self.keyed.places_at(first, count)

    def row_id_chunks(self, size: int) -> Iterator[Integers]:
        """The ids of all records, some at a time."""
        return (self.row_ids(first, size) for first in range(0, self.rows, size))

    def row_ids_at(self, places: Integers, size: int) -> Integers:
        """The ids of the records at some places, ascending."""
        if self.keyed is None:
            return places
        found = [np.zeros(0, np.int64)]
        for first in range(0, self.rows, size):
            begin, end = np.searchsorted(places, [first, first + size])
            found.append(self.row_ids(first, size)[places[begin:end] - first])
        return np.concatenate(found)

    def batches(self, size: int, names: Sequence[str] | None = None) -> Iterator[tuple[int, Table]]:
        """Batches of `size` records with the number of the first; only some columns, if they are named."""
        for first, frame in self.files.frames(size, self._wanted(names)):
            yield first, self._table(frame, names)

    def records(self, first: int, count: int, names: Sequence[str] | None = None) -> Table:
        """A number of records, from one on; only some columns, if they are named."""
        return self._table(self.files.rows_from(first, count, self._wanted(names)), names)

    def rows_as_read(self, first: int, count: int) -> pl.DataFrame:
        """The same as they are in the files, without identifiers."""
        return self.files.rows_from(first, count, self._wanted(None))

    @property
    def sample(self) -> Table | None:
        """The records that were noted."""
        return None if self.sampled is None else self._table(self.sampled[1], None)

    def at(self, places: Integers, size: int) -> Table:
        """The records at some places, ascending."""
        if self.sampled is not None and np.array_equal(self.sampled[0], places):
            return self._table(self.sampled[1], None)
        return self._table(self.files.at(places, size, self._wanted(None)), None)

    def _wanted(self, names: Sequence[str] | None) -> list[str]:
        """The columns to read: identifiers are dropped from every release, so they are not even read."""
        known = [a.name for a in self.schema.attributes if a.role != "identifier"]
        return [name for name in known if names is None or name in names]

    def _table(self, frame: Any, names: Sequence[str] | None) -> Table:
        schema = self.read_as or self.schema
        kept = tuple(a for a in schema.attributes if a.name in frame.columns)
        table = table_from_frame(frame, replace(schema, attributes=kept), infinite=self.infinite)
        return table if self.preparation is None else self.preparation.on_table(table)

    def prepared(self, preparation: Preparation) -> LongTable:
        """The table with coarser columns and without rare levels; what it was prepared by before does not count."""
        read_as = self.read_as or self.schema
        if not preparation.changed:
            linked = replace(read_as, links=preparation.links)
            return replace(self, schema=linked, preparation=None, read_as=None)
        schema = preparation.on_schema(read_as)
        return replace(self, schema=schema, preparation=preparation, read_as=read_as)

    def batch_rows(self, memory: int) -> int:
        """How many records of this table to work on at a time."""
        cells = len(self.schema.attributes) + 4
        return max(_FEWEST, min(_MOST, memory // (_BYTES_PER_CELL * cells)))


@dataclass(frozen=True, slots=True)
class LongReading(Reading):
    """A table of any length: some records as the `table`, and all `records`, in batches that `memory` has room for.

    The table is the sample that was noted, for what can be refused before anything is computed.
    """

    records: LongTable = field(kw_only=True)
    memory: int = field(kw_only=True)

    def prepared(self, preparation: Preparation) -> Self:
        """What it was prepared by before does not count."""
        records = self.records.prepared(preparation)
        return replace(self, records=records, table=some_of(records))

    def batches(self, names: tuple[str, ...]) -> Iterable[Table]:
        """All records, as many at a time as there is room for."""
        size = self.records.batch_rows(self.memory)
        return (batch for _, batch in self.records.batches(size, names))


def some_of(table: LongTable) -> Table:
    """The sample of a table, or else its first records."""
    return with_identifiers(table.sample or next(table.batches(1000))[1], table)


def with_identifiers(records: Table, table: LongTable) -> Table:
    """Some records with the schema of the whole table, in which identifiers are listed though nobody reads them."""
    gone = [a for a in table.schema.attributes if a.role == "identifier"]
    carried = records.carried
    if gone:
        empty = {a.name: pl.repeat(None, records.rows, eager=True) for a in gone}
        carried = pl.DataFrame({**{c.name: c for c in carried}, **empty})
    return replace(records, schema=table.schema, carried=carried)


Sample = Callable[[int, KeyedRows | None], Integers]
Describe = Callable[[ParquetFiles, frozenset[str], frozenset[str], int, int, Integers | None], Described]


@dataclass(frozen=True, slots=True)
class Looking:
    """How a table is looked at: with how much memory and how many threads, and what is noted on the way.

    `sample` says, given the number of records and their ids, which of them to note; `describe` looks at all of them,
    wherever that is done. A `row_key` gives the rows their ids and their order.
    """

    memory: int = USUAL_MEMORY
    threads: int = 1
    sample: Sample | None = None
    row_key: RowKey | None = None
    describe: Describe = described


def read_long(
    path: Path, scratch: Path, arguments: Mapping[str, Any], looking: Looking | None = None
) -> LongReading:
    """Describe a file, or a folder of files, with the arguments of `reading.read`; only a sample is held in memory."""
    place = Path(tempfile.mkdtemp(prefix="spool-", dir=scratch))
    found = spooled(
        path,
        place,
        missing=arguments.get("missing") or (),
        form=TextForm.of(arguments),
        as_text=text_only(declared_columns(arguments.get("schema")), arguments.get("roles") or {}),
    )
    return long_reading(found, path, place, arguments, looking or Looking())


def long_reading(
    found: Spooled, path: Path | None, scratch: Path, arguments: Mapping[str, Any], looking: Looking
) -> LongReading:
    """Describe what was spooled, its rows in the order of their ids if a key column gives them some."""
    given = dict(arguments)
    declared = declared_columns(given.get("schema"))
    roles = given.get("roles") or {}
    carried = {name for name, fields in declared.items() if fields.get("role") in CARRIED_ROLES}
    carried = {*(carried - roles.keys()), *(name for name, role in roles.items() if role in CARRIED_ROLES)}
    target = given.get("target")
    classes = {target} if isinstance(target, str) else set(target or ())
    classes |= {name for name, fields in declared.items() if fields.get("role") == "class"}
    names = set(found.files.schema)
    size = max(_FEWEST, min(_MOST, looking.memory // (_BYTES_PER_CELL * (len(names) + 4))))
    files, keyed = found.files, None
    if looking.row_key is not None:
        files, keyed = in_key_order(files, looking.row_key, scratch, size)
    places = None if looking.sample is None else looking.sample(files.total, keyed)
    seen = looking.describe(
        files, frozenset(carried & names), frozenset(classes), size, looking.threads, places
    )
    asked = read_options(given)
    schema, warnings = infer_schema(seen.columns, asked, declared=declared)
    _check_weight(schema)
    schema = with_declared_links(schema, given.get("schema"))
    if found.dialect is not None:
        warnings += tuple(formula_warnings(seen.columns, schema))
    form = asked.form(found.dialect)
    counts = {
        name: own
        for name, own in seen.counts.items()
        if schema[name].role == "class" or schema[name].kind == "categorical"
    }
    table = LongTable(schema, files, asked.infinite, counts, keyed=keyed)
    if places is not None and seen.sample is not None:
        kept = seen.sample.drop([a.name for a in schema.attributes if a.role == "identifier"])
        table = replace(table, sampled=(places, kept))
    if schema.weight is not None:
        warnings += weight_warnings(table.sample or next(table.batches(table.rows))[1])
    return LongReading(
        some_of(table),
        warnings,
        path,
        found.dialect,
        form,
        found.sha256 or _digest(files, size),
        found.suffix,
        records=table,
        memory=looking.memory,
    )


def _check_weight(schema: Schema) -> None:
    """A weight that is dropped is not held of a long table, so nothing could be learnt with it."""
    if schema.weight is not None and schema.weight.carried:
        raise InputError(
            f"The weight {schema.weight.name!r} is kept apart from the table, and only --engine memory can learn rules "
            "with such a weight. Choose that engine, or release the weight."
        )


def _digest(files: ParquetFiles, size: int) -> bytes:
    """SHA-256 of the rows as CSV: the same for the same rows in the same order, however they came."""
    whole = hashlib.sha256("\0".join(f"{name}\0{kind}" for name, kind in files.schema.items()).encode())
    for _, frame in files.frames(size):
        whole.update(frame.write_csv(include_header=False).encode())
    return whole.digest()
