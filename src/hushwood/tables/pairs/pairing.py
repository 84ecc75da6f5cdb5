"""An original and its release in one coding, and which released row belongs to which original row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError, unknown_name
from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import frame_from_table, texts_of
from hushwood.tables.pairs.common_coding import in_common, without_carried
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, missing_values

ROWS, NONE = "rows", "none"
_COMPARED = 2_000  # records that decide whether rows at the same position are similar
_FEWEST = 3  # with fewer records, nothing can be decided
_BY_CHANCE = 4  # random rows compared with every row
_ERRORS = 4.0  # standard errors of a clear difference


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tables with one schema; `partner[i]` is the released row of the original's row i, -1 if it was dropped.

    `partner` is None if rows are not paired. `match` says how they were paired: "rows", "none" or a column. `left_out`
    gives the reason for every column that cannot be compared. `drawn` lists the original's rows in the sample, None for
    all. In a release that is `made_up` no record stands for one person. `generalised` is what the released cells say
    that they stand for, `stands_for` what released numbers are known to stand for although they do not say so.
    """

    original: Table
    released: Table
    partner: Integers | None
    match: str = ROWS
    holdout: Table | None = None
    generalised: Mapping[str, Generalised] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    drawn: Integers | None = None
    made_up: bool = False
    stands_for: Mapping[str, Generalised] = field(default_factory=dict)

    def knowing(self, of_original: Mapping[str, Generalised]) -> Pair:
        """The pair with what released numbers stand for, given for the original's rows; only if rows are paired."""
        if self.partner is None or not of_original:
            return self
        made_from = np.full(self.released.rows, -1, np.int64)
        rows = np.flatnonzero(self.partner >= 0)
        made_from[self.partner[rows]] = rows
        if (made_from < 0).any():
            return self
        return replace(self, stands_for={name: cells.take(made_from) for name, cells in of_original.items()})

    def with_schema(self, schema: Schema) -> Pair:
        """The same tables, looked at in another way."""
        holdout = None if self.holdout is None else replace(self.holdout, schema=schema)
        tables = (replace(table, schema=schema) for table in (self.original, self.released))
        original, released = tables
        return replace(self, original=original, released=released, holdout=holdout)

    def aligned(self) -> tuple[Table, Table] | None:
        """The records with a partner, and their partners in the same order; None if rows are not paired."""
        if self.partner is None:
            return None
        rows = np.flatnonzero(self.partner >= 0)
        if len(rows) == self.original.rows and np.array_equal(self.partner, rows):
            return self.original, self.released
        return self.original.take(rows), self.released.take(self.partner[rows])

    def sampled(self, most: int | None, streams: Streams) -> Pair:
        """A sample of at most `most` records of each table; partners stay together, other rows are drawn alone."""
        if most is None or max(self.original.rows, self.released.rows) <= most:
            return self
        rows = streams.sample("pairing", "original", self.original.rows, most)
        if self.partner is not None:
            return self.of_rows(rows)
        return self.of_rows(rows, streams.sample("pairing", "released", self.released.rows, most))

    def of_rows(self, rows: Integers, released: Integers | None = None) -> Pair:
        """Some of the original's records with their partners; or with other `released` rows, if none are paired."""
        partner: Integers | None = None
        after = np.arange(self.released.rows) if released is None else released
        if self.partner is not None:
            kept = self.partner[rows]
            partner = np.where(kept >= 0, np.cumsum(kept >= 0) - 1, -1)
            after = kept[kept >= 0]
        return replace(
            self,
            original=self.original.take(rows),
            released=self.released.take(after),
            partner=partner,
            generalised={name: cells.take(after) for name, cells in self.generalised.items()},
            stands_for={name: cells.take(after) for name, cells in self.stands_for.items()},
            drawn=rows,
        )


def paired_tables(original: Table, released: Table, holdout: Table | None = None) -> Pair:
    """Two tables of the same schema whose rows are paired by position."""
    kept = None if holdout is None else without_carried(holdout)
    return Pair(without_carried(original), without_carried(released), np.arange(original.rows), holdout=kept)


def made_up_tables(original: Table, released: Table, holdout: Table | None = None) -> Pair:
    """Two tables of the same schema, the second of which was made up: no row of one belongs to a row of the other."""
    return replace(paired_tables(original, released, holdout), partner=None, match=NONE, made_up=True)


def pair_up(
    original: Table,
    released: pl.DataFrame,
    streams: Streams,
    *,
    match: str | None = None,
    order: Integers | None = None,
    taxonomies: Mapping[str, Taxonomy] | None = None,
    holdout: pl.DataFrame | None = None,
    labels: Labels | None = None,
) -> Pair:
    """Pair a release with its original.

    `match` is "rows" (same position), "none", or a column that identifies the same person in both; None chooses between
    the first two. `order[r]` is the original row of the release's row r, where that is known. `labels` is the release's
    key, by column: the categories that its labels stand for.
    """
    common = in_common(original, released, taxonomies or {}, holdout, labels)
    found = Pair(
        common.original,
        common.others[0],
        None,
        NONE,
        common.others[1] if len(common.others) > 1 else None,
        common.generalised,
        common.left_out,
        common.notes,
    )
    if order is not None and len(order) == released.height == original.rows:
        partner = np.full(original.rows, -1, np.int64)
        partner[order] = np.arange(released.height)
        return replace(found, partner=partner, match=ROWS)
    if match is None:
        return _guessed(found, streams)
    if match == NONE:
        return found
    if match == ROWS:
        return _by_place(found)
    return _by_key(found, _by_column(original, released, match), match)


def not_by_place(before: int, after: int) -> InputError:
    """Tables of different lengths have no common positions."""
    return InputError(
        f"The original has {before:,} rows and the release {after:,}, so they cannot be paired by position. Use "
        "--match COLUMN or --match none."
    )


def unpaired_note(before: int, after: int) -> str:
    """Why tables of different lengths are not paired."""
    return (
        f"The original has {before:,} rows and the release {after:,}, so rows are not paired. If a column identifies "
        "the same person in both, use --match COLUMN."
    )


def _by_place(pair: Pair) -> Pair:
    if pair.original.rows != pair.released.rows:
        raise not_by_place(pair.original.rows, pair.released.rows)
    return replace(pair, partner=np.arange(pair.original.rows), match=ROWS)


def _by_key(pair: Pair, partner: Integers, column: str) -> Pair:
    """The pair with partners by a column, and a note if some records have none."""
    matched = int((partner >= 0).sum())
    if not matched:
        raise InputError(
            f"No value of column {column!r} is in both tables, so rows cannot be paired by it. Check how both write it."
        )
    notes = pair.notes
    if matched < min(pair.original.rows, pair.released.rows):
        pairs = f"Column {column!r} pairs {matched:,} of {pair.original.rows:,} original and"
        notes += (f"{pairs} {pair.released.rows:,} released records; the others count as dropped or added.",)
    return replace(pair, partner=partner, match=column, notes=notes)


def _guessed(pair: Pair, streams: Streams) -> Pair:
    """Pair by position if the tables have the same number of rows and rows at the same position are similar."""
    if pair.original.rows != pair.released.rows:
        return replace(pair, notes=(*pair.notes, unpaired_note(pair.original.rows, pair.released.rows)))
    if _rows_alike(pair, streams):
        return _by_place(pair)
    note = (
        "Rows at the same position in both tables are no more similar than random rows, so they are not paired. "
        "If they are the same people, use --match rows."
    )
    return replace(pair, notes=(*pair.notes, note))


def _rows_alike(pair: Pair, streams: Streams) -> bool:
    """Whether rows at the same position are clearly more similar than random rows.

    Clearly: by a number of standard errors that chance reaches in one of thirty thousand tables.
    """
    rows = streams.sample("pairing", "alike", pair.original.rows, _COMPARED)
    same = _distances(pair, rows, rows)
    if len(rows) < _FEWEST or not same.any():
        return True
    others = [
        rows[streams.order("pairing", "by chance", range(len(rows)), draw)] for draw in range(_BY_CHANCE)
    ]
    nearer = np.mean([_distances(pair, rows, other) for other in others], axis=0) - same
    return bool(nearer.mean() > _ERRORS * nearer.std(ddof=1) / np.sqrt(len(rows)))


def _distances(pair: Pair, before: Integers, after: Integers) -> Floats:
    """Mean distance of every pair of rows: of ranks for numbers, 0 or 1 for categories."""
    found = [
        _column_distances(values[before], pair.released.columns[name][after])
        for name, values in pair.original.columns.items()
    ]
    return np.asarray(np.mean(found, axis=0))


def _column_distances(first: Array, second: Array) -> Floats:
    if first.dtype.kind != "f":
        other: Floats = (first != second).astype(np.float64)
        return other
    gone = missing_values(first), missing_values(second)
    known = ~(gone[0] | gone[1])
    far: Floats = (gone[0] != gone[1]).astype(np.float64)
    # Ranks, so that one enormous value cannot hide all other differences.
    ranks = np.unique(np.concatenate([first[known], second[known]]), return_inverse=True)[1]
    half = int(known.sum())
    far[known] = np.abs(ranks[:half] - ranks[half:]) / max(int(ranks.max(initial=0)), 1)
    return far


def _by_column(original: Table, released: pl.DataFrame, name: str) -> Integers:
    """The released row with the same value in a column, for every original row; -1 without one."""
    before = frame_from_table(original, identifiers=True)
    for frame in (before, released):
        if name not in frame.columns:
            raise unknown_name("column to match by", name, frame.columns)
    texts = [
        texts_of(frame[name]).alias("key").to_frame().with_row_index("row") for frame in (before, released)
    ]
    for frame, which in zip(texts, ("original", "release"), strict=True):
        known = frame.drop_nulls("key")
        if known["key"].n_unique() < known.height:
            raise InputError(
                f"Column {name!r} of the {which} has the same value in several rows, so it does not identify people. "
                "Match by another column."
            )
    joined = texts[0].join(texts[1].drop_nulls("key"), on="key", how="left", maintain_order="left")
    return np.asarray(joined["row_right"].cast(pl.Int64).fill_null(-1).to_numpy(), np.int64)
