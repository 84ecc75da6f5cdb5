"""Throw-away releases: parts of the table released again, so that the rest are people who were never in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from hushwood.arrays import Integers
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.stages import Stage, silent
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.pairs.pairing import ROWS, Pair, made_up_tables, pair_up, paired_tables
from hushwood.tables.persons.units import Units, numbered, outermost
from hushwood.tables.persons.views import unit_pair
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest

PARTS = 3  # a release has two thirds of the records, the last third was never in it
FEWEST_FOR_CONTROL = 50
FEWEST_GROUPS = 10
_PURPOSE = "control"


@dataclass(frozen=True, slots=True)
class Effort:
    """How many throw-away releases to make: until this many people were outside of one, and no more than `releases`.

    A longer table is sampled.
    """

    outsiders: int = 4_000
    releases: int = 6
    most_records: int = 50_000

    def number(self, records: int) -> int:
        """The releases for a table of that size."""
        if records < FEWEST_FOR_CONTROL:
            return 0
        return min(ceil(self.outsiders / (min(records, self.most_records) / PARTS)), self.releases)


@dataclass(frozen=True, slots=True)
class Control:
    """A throw-away release with its hold-out, and the table's row of each of their records; `forest` is its own."""

    pair: Pair
    inside: Integers
    outside: Integers
    forest: Forest | None = None


def evidence_streams(streams: Streams) -> Streams:
    """The streams of throw-away releases: derived from the release's, so that the same seed gives the same evidence."""
    return Streams(streams.derive("evidence", "", 0))


def control_releases(
    table: Table, options: PerturbOptions, effort: Effort, streams: Streams, stage: Stage = silent
) -> tuple[Control, ...]:
    """Release parts of the table as the whole was released; everyone is outside equally often, as far as it goes."""
    units = outermost(table)
    people = table.rows if units is None else units.count
    total, options = effort.number(people), options.settled(table, people)
    found = []
    for number in range(total):
        stage("making throw-away releases for comparison", number, total)
        found.append(_control(table, units, options, effort, streams, number))
    return tuple(found)


def _control(
    table: Table, units: Units | None, options: PerturbOptions, effort: Effort, streams: Streams, number: int
) -> Control:
    people = table.rows if units is None else units.count
    inside, outside = (
        split_of(people, effort, streams, number) if units else split_rows(table, effort, streams, number)
    )
    rows = [part if units is None else units.rows_of(part) for part in (inside, outside)]
    original, holdout = (table.take(part) for part in rows)
    # Fewer records may have fewer good splits; the throw-away release uses what it finds. Its segments are as large.
    alike = replace(options, trees=None, k=options.smallest_segment(people))
    own = Streams(streams.derive(_PURPOSE, "release", number))
    perturbed = perturb(original, alike, own)
    pair = pair_of(original, perturbed, holdout)
    units_pair = people_of(pair, perturbed, outermost(holdout), outermost(original))
    return Control(units_pair or pair, inside, outside, perturbed.forest)


def split_rows(table: Table, effort: Effort, streams: Streams, number: int) -> tuple[Integers, Integers]:
    """The rows inside and outside; those that may be one person's are on one side, unless groups are few."""
    groups = None if table.groups is None else numbered(table.groups)
    if groups is None or groups.count < FEWEST_GROUPS:
        return split_of(table.rows, effort, streams, number)
    inside, outside = (groups.rows_of(part) for part in split_of(groups.count, effort, streams, number))
    return inside, outside


def split_of(rows: int, effort: Effort, streams: Streams, number: int) -> tuple[Integers, Integers]:
    """The rows inside and outside of a throw-away release, whatever it is made with."""
    round_, part = divmod(number, PARTS)
    drawn = streams.order(_PURPOSE, f"round {round_}", range(rows))[: effort.most_records]
    parts = np.array_split(drawn, PARTS)
    outside = np.sort(parts[part])
    inside = np.sort(np.concatenate([some for place, some in enumerate(parts) if place != part]))
    return inside, outside


def people_of(
    pair: Pair, perturbed: Perturbed | None, outside: Units | None = None, inside: Units | None = None
) -> Pair | None:
    """The pair with a record for every person or household that was released as one; None if rows were.

    `inside` are those of the original, where other people than they were drawn from it.
    """
    units = None if perturbed is None else perturbed.units
    if units is None or units.of_row is None:
        return None
    released = Units(units.of_row, np.unique(units.of_row, return_index=True)[1])
    if not pair.made_up:
        return unit_pair(pair, units.original, released, np.arange(units.original.count), outside)
    return None if inside is None else unit_pair(pair, inside, released, None, outside)


def pair_of(original: Table, perturbed: Perturbed, holdout: Table | None = None) -> Pair:
    """Both tables as a pair; a release with new categories is read as an audit reads it."""
    released = perturbed.table
    if not perturbed.paired:
        return made_up_tables(original, released, holdout)
    known = perturbed.stands_for(original)
    if released.schema == original.schema:
        return paired_tables(original, released, holdout).knowing(known)
    outside, frame = None if holdout is None else frame_from_table(holdout), frame_from_table(released)
    nothing, key = Streams(bytes(32)), perturbed.labels
    return pair_up(original, frame, nothing, match=ROWS, holdout=outside, labels=key).knowing(known)
