"""What happens in cells where a technique for groups of numbers cannot work: rotation, shuffling, permutation, noise.

A cell may have too few records for its covariances, or draws that do not fit its box. The order is the same for all
techniques, and the report counts the records that took each way. Shuffling, which promises to keep the values of every
segment, exchanges numbers with other cells before it resorts to noise.

The rotation is a walk of small ones that keeps means and covariances, and every number in its box. Three records of a
cell are permuted and rotated around their mean, by an angle that keeps all their numbers inside; the next sweep
combines others. Given columns are held fixed as well: categories by rotating only records of one category (rare ones
together), numbers by rotating more records at once.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.random_streams import keyed_order
from hushwood.tables.domains import to_steps
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.group_rows import Given, GroupRows
from hushwood.techniques.together.shuffling import fewest_to_shuffle, shuffled

_ALONE = "no other record of the segment has the same columns filled"
_TWO = 2
SWEEPS = 12
_THREE = 3


class Fallback(IntEnum):
    """How the numbers of a cell were drawn; evaluations use the names in lower case."""

    OWN = 0
    ROTATION = 1
    SHUFFLE = 2
    PERMUTATION = 3
    EXCHANGE = 4
    NOISE = 5
    KEPT = 6


OWN, ROTATION, SHUFFLE, PERMUTATION, EXCHANGE, NOISE, KEPT = Fallback
_SAID = {
    OWN: "as the technique says",
    ROTATION: "rotated: too few records for the technique, or a draw did not fit the segment's ranges",
    SHUFFLE: "shuffled: rotation was not possible",
    PERMUTATION: "each column shuffled on its own: too few records to draw together",
    EXCHANGE: f"{_ALONE}: single numbers exchanged inside it",
    NOISE: f"{_ALONE}: noise inside the segment's ranges",
    KEPT: f"{_ALONE}: left unchanged",
}
WAY_DESCRIPTIONS = {way.name.lower(): said for way, said in _SAID.items()}
COPYING = (SHUFFLE, PERMUTATION, EXCHANGE, KEPT)  # ways that hand out the numbers of the table
_FEWEST = {PERMUTATION: 2, NOISE: 1, KEPT: 1}  # records of a cell


def can_take(way: Fallback, rows: GroupRows, alone: NoiseParameters | None) -> Flags:
    """The cells in which the way works."""
    if way == EXCHANGE:
        return can_exchange(rows.cells)
    if way == NOISE and (alone is None or alone.noise == 0):
        return np.zeros(rows.cells.count, bool)
    fewest = {**_FEWEST, ROTATION: fewest_to_turn(rows.given), SHUFFLE: fewest_to_shuffle(rows)}
    return np.asarray(rows.cells.sizes >= fewest[way])


def take(way: int, rows: GroupRows, chosen: Flags, numbers: Floats, alone: NoiseParameters | None) -> Floats:
    """The numbers, with those of the chosen cells perturbed in this way."""
    if not chosen.any():
        return numbers
    if way == SHUFFLE:
        return shuffled(rows, chosen, numbers)
    if way == PERMUTATION:
        return _permuted(rows, chosen, numbers)
    if way == NOISE:
        return numbers if alone is None else _noisy(rows, chosen, numbers, alone)
    original = np.where(chosen[rows.cell][:, None], rows.numbers, numbers)
    if way == ROTATION:
        return walked(rows, chosen, original)
    return exchanged(rows, chosen, original) if way == EXCHANGE else original


def _permuted(rows: GroupRows, chosen: Flags, numbers: Floats) -> Floats:
    """Every column permuted by itself."""
    part, places = rows.taken(chosen)
    layout = part.layout
    permuted = np.empty(part.numbers.shape)
    for j, name in enumerate(part.group.names):
        words = part.streams.words(part.purpose, name, 1, part.row_ids)
        permuted[layout.order, j] = part.numbers[keyed_order(words, part.cell), j]
    out = numbers.copy()
    out[places] = permuted
    return out


def _noisy(rows: GroupRows, chosen: Flags, numbers: Floats, alone: NoiseParameters) -> Floats:
    """Noise inside the box, for a record that has no partner."""
    part, places = rows.taken(chosen)
    segments = part.cells.segment[part.cell]
    new = np.empty(part.numbers.shape)
    for j, (name, inside) in enumerate(zip(part.group.names, part.group.intervals, strict=True)):
        law = alone.law(name, replace(inside, coarsest=np.inf), part.purpose + " alone")
        drawn = law.sample(part.columns, segments, part.row_ids, part.streams)
        new[:, j] = np.nan_to_num(to_steps(drawn[name], inside.precision))
    out = numbers.copy()
    out[places] = new
    return out


def can_exchange(cells: Cells) -> Flags:
    """Cells whose every number has another one of its column in the segment."""
    there = _records(cells, np.ones(cells.count, bool))
    return np.asarray(((there[cells.segment] >= _TWO) | ~cells.known).all(axis=1))


def exchanged_share(cells: Cells, unable: Flags) -> Floats:
    """In every cell, the chance of a record to have a number exchanged because of cells the method is unable to draw.

    These cells have a single record, whose pattern of missing values is unique in its segment.
    """
    chosen = unable & (cells.sizes < _FEWEST[PERMUTATION]) & can_exchange(cells)
    wanting, others = _records(cells, chosen), _records(cells, ~chosen)
    chance = np.minimum(wanting / np.maximum(others, 1.0), 1.0)
    return np.asarray(1 - np.prod(1 - chance[cells.segment] * cells.known, axis=1))


def _records(cells: Cells, chosen: Flags) -> Floats:
    """The records [segment, column] of the chosen cells that have a number in the column."""
    out = np.zeros((int(cells.segment.max(initial=0)) + 1, cells.known.shape[1]))
    np.add.at(out, cells.segment[chosen], (cells.known * cells.sizes[:, None])[chosen])
    return out


def exchanged(rows: GroupRows, chosen: Flags, numbers: Floats) -> Floats:
    """The numbers, with each one of the chosen cells swapped for one of another record of its segment.

    The values of a column in a segment stay, as they do by permutation, which needs several records with the same
    pattern of missing values.
    """
    out = numbers.copy()
    segment = rows.cells.segment
    concerned = np.isin(segment, segment[chosen])
    row_ids = np.asarray(rows.row_ids, np.int64)
    for j, name in enumerate(rows.group.names):
        there = np.flatnonzero((concerned & rows.cells.known[:, j])[rows.cell])
        words = rows.streams.words(rows.purpose, name, 2, row_ids[there])
        mine, group = chosen[rows.cell[there]], segment[rows.cell[there]]
        wanting = np.bincount(group, mine)[group]
        # Those that need a number and as many others form a circle: each hands its number to the next.
        first = keyed_order(words, 2 * group + ~mine)
        pool = first[_place(group[first]) < 2 * wanting[first]]
        circle = pool[keyed_order(words[pool], group[pool])]
        out[there[circle], j] = numbers[there[circle[_next(group[circle])]], j]
    return out


def _place(group: Integers) -> Integers:
    """The place of every record in its group; records are sorted by group."""
    return np.arange(len(group)) - np.searchsorted(group, group)


def _next(group: Integers) -> Integers:
    """The record after every one of its group; the first after the last."""
    here = np.arange(len(group))
    begin, end = np.searchsorted(group, group), np.searchsorted(group, group, side="right")
    return np.where(here + 1 < end, here + 1, begin)


def fewest_to_turn(given: Given) -> int:
    """The fewest records of a cell that can be rotated."""
    return _THREE + len(given.numeric)


def walked(rows: GroupRows, chosen: Flags, numbers: Floats) -> Floats:
    """The numbers after a walk in the chosen cells; others unchanged."""
    from hushwood.techniques.kernels.orthogonal import turn_blocks, turn_threes

    if not chosen.any():
        return numbers
    part, places = rows.taken(chosen)
    owner, cell = _turned_together(part)
    start = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=len(owner)))])
    low, high = (end[owner] for end in part.room())
    moved = np.array(numbers[places])
    alike = _alike(moved, cell, low, high, part.group.step[part.cells.segment][owner])
    given = part.given.numbers(part.columns)
    for sweep in range(SWEEPS):
        words = rows.streams.words(rows.purpose, "who is turned together", sweep, part.row_ids)
        u = rows.streams.uniform(rows.purpose, "how far to turn", sweep, part.row_ids)
        order = keyed_order(words, cell if sweep % 2 else alike)
        if given.shape[1]:
            axes = [rows.streams.normal(rows.purpose, "axis", 2 * sweep + i, part.row_ids) for i in range(2)]
            turn_blocks(moved, given, order, start, low, high, u, np.stack(axes, axis=1))
        else:
            turn_threes(moved, order, start, low, high, u)
    out = numbers.copy()
    out[places] = moved
    return out


def _turned_together(rows: GroupRows) -> tuple[Integers, Integers]:
    """Cells split by the given categories: the cell each part comes from, and the part of every record.

    Categories with too few records to rotate are merged, if necessary with the largest, so that all records move.
    """
    fewest = fewest_to_turn(rows.given)
    strata = rows.given.strata(rows.columns)
    kinds = int(strata.max(initial=0)) + 2  # the last for rare categories
    for _ in range(2):
        keys, place = dense_codes(rows.cell * kinds + strata)
        sizes = np.bincount(place, minlength=len(keys))
        small = sizes[place] < fewest
        if not small.any():
            break
        by_size = np.lexsort((sizes, keys // kinds))
        last = np.append(np.diff(keys[by_size] // kinds) != 0, True)
        largest = np.zeros(rows.cells.count, np.int64)
        largest[keys[by_size][last] // kinds] = keys[by_size][last] % kinds
        rare = small & (strata < kinds - 1)
        strata = np.where(rare, kinds - 1, np.where(small, largest[rows.cell], strata))
    keys, place = dense_codes(rows.cell * kinds + strata)
    return keys // kinds, place


def _alike(numbers: Floats, cell: Integers, low: Floats, high: Floats, step: Floats) -> Integers:
    """Cells split by which numbers lie at an end of their box.

    A number at the end of its box can hardly rotate with two that are far from it, but can with others like it.
    """
    pattern = np.zeros(len(numbers), np.int64)
    for j in range(numbers.shape[1]):
        near = step[cell, j]  # the ends of a grid are half a step away
        at_end = 1 * (numbers[:, j] <= low[cell, j] + near) + 2 * (numbers[:, j] >= high[cell, j] - near)
        pattern = dense_codes(pattern * 4 + at_end)[1]
    return dense_codes(cell * (int(pattern.max(initial=0)) + 1) + pattern)[1]
