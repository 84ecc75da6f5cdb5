"""What Spark's workers do with a block, a part or a bucket of a table; nothing here knows of Spark.

A job is everything that tasks of one kind have in common and is sent to every worker once. Tasks leave files in the
scratch folder, which all workers and the driver must see, and answer with little. Where the order is secret, the
originals are brought into the same order, so that both sides can be compared row by row without Spark.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from hushwood.arrays import Array, Codes, Integers, Words
from hushwood.random_streams import Streams, group_order
from hushwood.releasing.engines.spark.exchange import Block, Bucket, write_pieces
from hushwood.releasing.engines.streaming.exchange import PURPOSE, smallest
from hushwood.releasing.fitted import Outcomes, PartOutcome, part_table
from hushwood.releasing.fitting import Fit
from hushwood.releasing.release_warnings import ChangeCounts
from hushwood.segments.partition import Found, LeafKeys
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.frames.table_frames import with_plain_categories
from hushwood.tables.long.describing import Witnesses
from hushwood.tables.long.files import ParquetFiles
from hushwood.tables.long.table import LongTable
from hushwood.tables.long.writing import BatchWriter
from hushwood.tables.resampling import copied_rows
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Within

THERE, BACK = "there", "back"  # folders of pieces
TIMES = "times.npy"  # how often every person is drawn


@dataclass(frozen=True)
class Look:
    """What the columns are, and the rows of the sample, which go to a folder."""

    files: ParquetFiles
    carried: frozenset[str]
    classes: frozenset[str]
    sample: Integers
    folder: Path

    def __call__(self, block: Block) -> Witnesses:
        """Look at a block."""
        frame = self.files.rows_from(block.first, block.rows)
        frame[block.places(self.sample)].write_ipc(self.folder / f"{block.number:08}.arrow")
        found = Witnesses.for_table(frame.schema, self.files.total, self.carried, self.classes)
        with ThreadPoolExecutor(1) as pool:
            found.add(frame, pool)
        return found


@dataclass(frozen=True)
class DrawPeople:
    """People drawn as often as a file in the folder says, where the drawn rows and their numbers go."""

    table: LongTable
    folder: Path

    def __call__(self, block: Block) -> int:
        """Draw those of a block, and say how many there are."""
        times = np.load(self.folder / TIMES, mmap_mode="r")[block.first : block.first + block.rows]
        places, ids = copied_rows(times, block.first)
        np.save(keys_file(self.folder, block), ids)
        write_whole(
            self.table.rows_as_read(block.first, block.rows)[places], block_file(self.folder, block.number)
        )
        return len(ids)


@dataclass(frozen=True)
class Find:
    """Which segments there are; the key of every record's goes to a file."""

    table: LongTable
    leaf_keys: LeafKeys
    tested: tuple[str, ...]
    folder: Path

    def __call__(self, block: Block) -> tuple[Words, Integers]:
        """The keys of a block's segments, and their leaves."""
        records = self.table.records(block.first, block.rows, self.tested)
        keys = self.leaf_keys.of(records.columns, records.rows)
        np.save(keys_file(self.folder, block), keys)
        found = Found(self.leaf_keys)
        found.add_keys(keys, records.columns)
        index = found.index()
        return index.keys, index.members


def keys_file(folder: Path, block: Block) -> Path:
    """Where a number for every record of a block is kept."""
    return folder / f"{block.number:08}.npy"


class Piece(NamedTuple):
    """The records of a block that are in one part: their places in the block, and the columns that the part needs."""

    block: int
    places: Array
    segments: Array
    columns: Mapping[str, Array]


class Returned(NamedTuple):
    """What became of these records, columns with categories of their own, and what the part has to report."""

    part: int
    places: Array
    columns: Mapping[str, Array]
    attributes: tuple[Attribute, ...]
    report: PartOutcome | None


@dataclass(frozen=True)
class Done:
    """What a changed block answers: counts, and what those parts reported that came here first."""

    changes: ChangeCounts
    sizes: Integers
    reports: Mapping[int, PartOutcome] = field(default_factory=dict)


@dataclass(frozen=True)
class ChangeRecords:
    """How records are changed: brought together by part, sent back, and written block by block.

    The parts within segments come first in the numbering, those of the table after them.
    """

    table: LongTable
    fit: Fit
    blocks: tuple[Block, ...]
    streams: Streams
    keys_folder: Path
    sample: Integers
    sample_folder: Path
    pieces: Path
    into: Path

    @property
    def parts(self) -> int:
        """How many parts there are of all layouts."""
        return sum(self.fit.steps.plans[within].count for within in self.fit.steps.layouts)

    def _first_part(self, within: Within) -> int:
        layouts = self.fit.steps.layouts
        return sum(self.fit.steps.plans[before].count for before in layouts[: layouts.index(within)])

    def _within(self, part: int) -> Within:
        return [within for within in self.fit.steps.layouts if self._first_part(within) <= part][-1]

    def segments_of(self, block: Block) -> Codes:
        """The segment of every record of a block."""
        if self.fit.whole_table:
            return np.zeros(block.rows, np.int32)
        return self.fit.ids(np.load(keys_file(self.keys_folder, block)))

    def gather(self, block: Block) -> Integers:
        """Leave the records of a block by the part that they are in."""
        return write_pieces(self.pieces / THERE, block.number, self._by_part(block), self.parts)

    def _by_part(self, block: Block) -> Iterator[tuple[int, Piece]]:
        """The records of a block by the part that they are in."""
        steps, segments = self.fit.steps, self.segments_of(block)
        reads = {within: steps.reads(within) for within in steps.layouts}
        linked, wanted = self.fit.linked, sorted(set().union(*reads.values()))
        records = self.table.records(block.first, block.rows, sorted(linked.sources(wanted)))
        free = linked.encoded(records.columns, wanted)
        for within, names in reads.items():
            plan = self.fit.parts(within)
            parts = plan.of(segments, self.row_ids(block), self.streams)
            order = group_order(parts)
            limits = np.append(0, np.cumsum(np.bincount(parts, minlength=plan.count)))
            columns = {name: self._narrow(name, free[name])[order] for name in names}
            for part in np.flatnonzero(np.diff(limits)).tolist():
                here = slice(limits[part], limits[part + 1])
                own = {name: values[here] for name, values in columns.items()}
                piece = Piece(block.number, order[here].astype(np.int32), segments[order[here]], own)
                yield self._first_part(within) + part, piece

    def _narrow(self, name: str, values: Array) -> Array:
        known = self.fit.linked.free[name].categories
        return values if values.dtype.kind == "f" else smallest(values, len(known))

    def row_ids(self, block: Block) -> Integers:
        """What random streams know the records of a block by."""
        return self.table.row_ids(block.first, block.rows)

    def change_part(self, part: Bucket) -> Integers:
        """Leave the new values of a part's records by block."""
        changed = self._by_block(part.number, list(part.pieces()))
        return write_pieces(self.pieces / BACK, part.number, changed, len(self.blocks))

    def _by_block(self, part: int, together: Sequence[Piece]) -> Iterator[tuple[int, Returned]]:
        if not together:
            return
        columns = {
            name: _wide(np.concatenate([piece.columns[name] for piece in together]))
            for name in together[0].columns
        }
        ids = np.concatenate([self.row_ids(self.blocks[piece.block])[piece.places] for piece in together])
        segments = np.concatenate([piece.segments for piece in together])
        table, within = part_table(self.fit.linked.free, columns, len(ids)), self._within(part)
        outcome = self.fit.steps.change_part(within, table, segments, ids, self.streams)
        own = tuple(a for a in outcome.schema.attributes if a.name in outcome.columns)
        report: PartOutcome | None = _without_records(outcome)
        begin = 0
        for piece in together:
            here = slice(begin, begin + len(piece.places))
            new = {
                a.name: values[here]
                if values.dtype.kind == "f"
                else smallest(values[here], len(a.categories))
                for a, values in ((a, outcome.columns[a.name]) for a in own)
            }
            relabelled = tuple(a for a in own if a != self.fit.linked.free[a.name])
            yield piece.block, Returned(part, piece.places, new, relabelled, report)
            begin, report = here.stop, None

    def change_block(self, task: Block | Bucket) -> Done:
        """Change the records of a block and write them; a bucket holds what became of those that were in parts."""
        block, returned = self.blocks[task.number], task.pieces() if isinstance(task, Bucket) else ()
        original, segments = self.table.records(block.first, block.rows), self.segments_of(block)
        linked = self.fit.linked
        free = linked.encoded(original.columns)
        new = self.fit.steps.change_rows(free, segments, self.row_ids(block), self.streams)
        outcomes, reports = Outcomes(linked.free), {}
        for one in returned:
            if one.report is not None:
                reports[one.part] = one.report
            for name, values in outcomes.add(self._as_outcome(one)).items():
                new.setdefault(name, np.empty(block.rows, values.dtype))[one.places] = values
        counted = ChangeCounts(self.fit.plan, linked.free, self.fit.prepared)
        counted.add(free, new, segments)
        rows = self.row_ids(block)
        place = self.fit.place(rows, self.streams)
        released = self.fit.released(original, new, outcomes.schema, segments, place)
        write_whole(released, block_file(self.into, block.number))
        some = frame_from_table(released.take(block.places(self.sample)))
        with_plain_categories(some).write_ipc(self.sample_folder / f"{block.number:08}.arrow")
        sizes = np.bincount(segments, minlength=self.fit.segments.count)
        return Done(replace(counted, schema=Schema(()), steps=()), sizes, reports)

    def _as_outcome(self, one: Returned) -> PartOutcome:
        schema = self.fit.linked.free
        for attribute in one.attributes:
            schema = schema.with_attribute(attribute)
        return PartOutcome({name: _wide(values) for name, values in one.columns.items()}, schema)


def _wide(values: Array) -> Array:
    return values if values.dtype.kind == "f" else values.astype(np.int32)


def _without_records(outcome: PartOutcome) -> PartOutcome:
    """What a part reports; its columns are empty, but keep their names."""
    return replace(outcome, columns={n: values[:0] for n, values in outcome.columns.items()}, numbers={})


def block_file(folder: Path, number: int) -> Path:
    """Where a block is written, so that files in the order of their names are in the order of the rows."""
    return folder / f"part-{number:06}.parquet"


def write_whole(records: pl.DataFrame | Table, path: Path) -> None:
    """Write a file that is there whole or not at all, also if two tasks try it at a time."""
    aside = path.with_name(f".{secrets.token_hex(8)}.parquet")
    try:
        with BatchWriter(aside) as out:
            out.write(records)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def files_of(folder: Path, blocks: Sequence[Block]) -> ParquetFiles:
    """The blocks as they were written, once all are there."""
    paths = tuple(block_file(folder, block.number) for block in blocks)
    return ParquetFiles(paths, tuple(block.rows for block in blocks))


def frames_in(folder: Path) -> pl.DataFrame:
    """The frames that tasks left in a folder, in the order of their names."""
    paths = sorted(folder.glob("*.arrow"))
    return pl.concat([pl.read_ipc(path) for path in paths])


class BucketRows(NamedTuple):
    """Rows of a block that go to one bucket: their words, where they were, and what they are before and after."""

    words: Words
    places: Integers
    original: pl.DataFrame
    released: pl.DataFrame


@dataclass(frozen=True)
class OrderRecords:
    """How the records get there: scattered by block, sorted by bucket."""

    table: LongTable
    released: ParquetFiles
    blocks: tuple[Block, ...]
    streams: Streams
    pieces: Path
    originals: Path
    into: Path

    @property
    def buckets(self) -> int:
        """As many as there are blocks, so that they are about as large."""
        return len(self.blocks)

    def scatter(self, block: Block) -> Integers:
        """Leave the rows of a block by bucket."""
        return write_pieces(self.pieces, block.number, self._by_bucket(block), self.buckets)

    def _by_bucket(self, block: Block) -> Iterator[tuple[int, BucketRows]]:
        words = self.streams.words(PURPOSE, "", 0, self.table.row_ids(block.first, block.rows))
        # The first half of the word, times the number of buckets, without the fraction.
        bucket = ((words >> np.uint64(32)) * np.uint64(self.buckets) >> np.uint64(32)).astype(np.int64)
        order = group_order(bucket)
        limits = np.append(0, np.cumsum(np.bincount(bucket, minlength=self.buckets)))
        places = self.table.row_places(block.first, block.rows)[order]
        original = self.table.rows_as_read(block.first, block.rows)[order]
        released = self.released.rows_from(block.first, block.rows)[order]
        words = words[order]
        for number in np.flatnonzero(np.diff(limits)).tolist():
            here = slice(limits[number], limits[number + 1])
            yield number, BucketRows(words[here], places[here], original[here], released[here])

    def sort(self, bucket: Bucket) -> int:
        """Write the rows of a bucket in their order, and say how many there are."""
        rows: list[BucketRows] = list(bucket.pieces())
        if not rows:
            return 0
        order = np.argsort(np.concatenate([each.words for each in rows]), kind="stable")
        np.save(
            places_file(self.originals, bucket.number), np.concatenate([each.places for each in rows])[order]
        )
        write_whole(
            pl.concat([each.original for each in rows])[order], block_file(self.originals, bucket.number)
        )
        write_whole(pl.concat([each.released for each in rows])[order], block_file(self.into, bucket.number))
        return len(order)


def places_file(folder: Path, bucket: int) -> Path:
    """Where the places of a bucket's rows are kept."""
    return folder / f"places-{bucket:06}.npy"
