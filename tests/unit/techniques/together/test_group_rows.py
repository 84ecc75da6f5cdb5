"""Records as group techniques see them: parts of them, their numbers by chance, and what goes out."""

from __future__ import annotations

import numpy as np

from hushwood.techniques.shuffle import Rotation
from hushwood.techniques.together.group_rows import GroupRows
from support.correlated_tables import STREAMS, cut, drawn_by, hard_table


def rows() -> GroupRows:
    table = hard_table(3, 120, ["real", "whole", "decimal"], gaps=0.2)
    return drawn_by(Rotation(within="segment"), table, cut(table, ("x0", 0.5))).rows


def test_a_part_holds_its_own_records() -> None:
    whole = rows()
    chosen = np.arange(whole.cells.count) % 2 == 1
    part, places = whole.taken(chosen)
    assert np.array_equal(np.arange(120)[places], np.flatnonzero(chosen[whole.cell]))
    assert part.cells.count == chosen.sum()
    assert np.array_equal(part.numbers, whole.numbers[places])
    assert np.array_equal(part.cells.segment[part.cell], whole.cells.segment[whole.cell][places])
    assert np.array_equal(part.cells.known[part.cell], whole.cells.known[whole.cell][places])
    assert np.array_equal(np.bincount(part.cell), part.cells.sizes)
    assert np.array_equal(part.normals(2), whole.normals(2)[places])
    same, everything = whole.taken(np.ones(whole.cells.count, bool))
    assert same is whole
    assert everything == slice(None)


def test_chance_is_that_of_the_columns_streams() -> None:
    found = rows().normals(1)
    assert np.array_equal(found[:, 2], STREAMS.normal("ROTATION", "x2", 1, range(120)))
    assert np.array_equal(found, rows().normals(1, threads=2))


def test_missing_numbers_have_all_the_room_and_stay_missing() -> None:
    whole = rows()
    low, high = whole.room()
    assert np.array_equal(np.isinf(low), ~whole.cells.known)
    assert np.array_equal(np.isinf(high), ~whole.cells.known)
    out = whole.released(whole.numbers)
    for name, values in out.items():
        assert np.array_equal(values, whole.columns[name], equal_nan=True)
