"""The ways that cells take in their order, what each of them does, and how they are counted."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from correlated_tables import STREAMS, Drawn, cut, drawn_by, hard_table, numbers_of, of_sizes, widened
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.cells import Cells, Marks, Matrix
from hushwood.techniques.cgadp import Cgadp
from hushwood.techniques.egadp import Egadp
from hushwood.techniques.fallbacks import (
    KEPT,
    NOISE,
    PERMUTATION,
    ROTATION,
    SHUFFLE,
    WAYS,
    GroupPerturber,
    Method,
    RecordLaw,
)
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.group_rows import GroupRows
from hushwood.techniques.learnt_groups import LearntGroup
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.protocol import Technique
from hushwood.techniques.rotation import Rotation
from hushwood.techniques.shuffle import Shuffle

SIZES = [1, 2, 3, 4, 5, 6, 7, 12, 40]


def by_size(technique: Technique, kinds: list[str], gaps: float = 0.0) -> Drawn:
    table = widened(hard_table(1, sum(SIZES), kinds, gaps))
    return drawn_by(technique, table, of_sizes(table, SIZES))


@pytest.mark.parametrize(
    ("technique", "ways"),
    [
        (Gadp(within="segment"), "noise permutation rotation own own own own own own"),
        (Cgadp(within="segment"), "noise permutation rotation own own own own own own"),
        (Egadp(within="segment"), "noise permutation rotation rotation rotation own own own own"),
        (Shuffle(within="segment"), "noise permutation permutation own own own own own own"),
        (Rotation(within="segment"), "noise permutation own own own own own own own"),
    ],
)
def test_small_segments_take_other_ways_in_their_order(technique: Technique, ways: str) -> None:
    done = by_size(technique, ["real", "whole"])
    assert " ".join(WAYS[way] for way in done.ways) == ways
    table_columns, ids = done.rows.columns, np.repeat(np.arange(len(SIZES)), SIZES)
    counted = done.perturber.ways(table_columns, ids, range(sum(SIZES)), STREAMS)
    for name in WAYS:
        here = [size for size, way in zip(SIZES, ways.split(), strict=True) if way == name]
        assert counted.get(name, (0, 0)) == (len(here), sum(here))


@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp, Shuffle, Rotation])
def test_a_record_alone_gets_noise_or_is_kept(technique: type[Gadp]) -> None:
    done = by_size(technique(within="segment"), ["real", "decimal"])
    assert (done.after[0] != done.before[0]).all()
    kept = by_size(technique(within="segment", alone=None), ["real", "decimal"])
    assert kept.ways[0] == KEPT
    assert np.array_equal(kept.after[0], kept.before[0])
    assert np.array_equal(kept.after[1:], done.after[1:])
    still = by_size(technique(within="segment", alone=NoiseParameters(0.0)), ["real", "decimal"])
    assert np.array_equal(still.after[0], still.before[0])


@pytest.mark.parametrize("technique", [Egadp, Shuffle])
def test_two_records_are_permuted_column_by_column(technique: type[Egadp]) -> None:
    """So that neither goes out as it came, under its own row or the other's, more often than by chance."""
    table = hard_table(2, 2, ["real", "whole", "real"])
    together = 0
    for key in range(64):
        done = drawn_by(technique(given=()), table, whole_table(table), Streams(bytes([key] * 32)))
        assert done.ways.tolist() == [PERMUTATION]
        assert same_values(done.after, done.before)
        moved = done.after[0] != done.before[0]
        together += moved.all() or not moved.any()
    assert 4 <= together <= 32  # a quarter of 64 expected


class Unable:
    """A method that can deal with no cell, or with none that it has drawn."""

    by_record = False
    independent = False

    def __init__(self, falls_to: tuple[int, ...], tries: bool = False) -> None:
        self.falls_to = falls_to
        self.tries = tries

    def able(self, cells: Cells) -> Marks:
        return np.full(cells.count, self.tries)

    @property
    def copies(self) -> bool:
        return False

    def claims(self, cells: Cells) -> Marks:
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Marks) -> tuple[Matrix, Marks]:
        return np.full(rows.numbers.shape, 1e9), np.zeros(rows.cells.count, bool)

    @property
    def stated(self) -> RecordLaw:
        raise NotImplementedError


def forced(falls_to: tuple[int, ...], tries: bool = False, gaps: float = 0.0) -> tuple[Table, Drawn]:
    table = hard_table(4, 60, ["real", "whole"], gaps)
    segments = cut(table, ("x0", 0.5))
    learnt = LearntGroup.of(table, numbers_of(table), segments, "segment")
    method: Method = Unable(falls_to, tries)
    perturber = GroupPerturber(
        learnt.group, learnt.given, learnt.cells, method, "TEST", NoiseParameters(), True
    )
    rows = GroupRows.of(
        *(perturber.group, perturber.given, perturber.cells, table.columns, segments.ids),
        *(range(60), STREAMS, "TEST"),
    )
    numbers, ways = perturber.drawn(rows)
    before = perturber.group.numbers(table.columns)
    return table, Drawn(perturber, rows, before, np.where(np.isnan(before), np.nan, numbers), ways)


def same_values(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return np.array_equal(np.sort(one, axis=0), np.sort(other, axis=0), equal_nan=True)


@pytest.mark.parametrize("tries", [False, True])
@pytest.mark.parametrize("way", [ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT])
def test_every_way_starts_from_the_original_numbers(way: int, tries: bool) -> None:
    """Not from the draw that did not fit."""
    _, done = forced((way,), tries)
    assert done.ways.tolist() == [way, way]
    assert np.abs(done.after).max() < 1e6
    for c in range(2):
        here = done.cell == c
        before, after = done.before[here], done.after[here]
        assert same_values(after, before) == (way in (SHUFFLE, PERMUTATION, KEPT))
        assert np.array_equal(after, before) == (way == KEPT)
        assert np.allclose(np.cov(after.T), np.cov(before.T)) == (way in (ROTATION, KEPT))


def test_gaps_make_cells_of_their_own() -> None:
    _, done = forced((ROTATION, PERMUTATION, NOISE), gaps=0.3)
    assert np.array_equal(np.isnan(done.after), np.isnan(done.before))
    assert set(done.ways.tolist()) >= {ROTATION}
    sizes, known = done.perturber.cells.sizes, done.perturber.cells.known.any(axis=1)
    assert (done.ways[sizes >= 3] == ROTATION).all()
    assert (done.ways[(sizes == 2) & known] == PERMUTATION).all()
    assert (done.ways[(sizes == 1) & known] == NOISE).all()


def test_records_without_any_number_are_not_counted() -> None:
    table = hard_table(5, 30, ["real"], gaps=0.5)
    segments = whole_table(table)
    perturber = Egadp(given=()).prepare(table, ["x0"], segments)
    counted = perturber.ways(table.columns, segments.ids, range(30), STREAMS)
    assert sum(records for _, records in counted.values()) == int((~np.isnan(table.columns["x0"])).sum())


def test_without_columns_nothing_happens() -> None:
    table = hard_table(6, 10, ["real"])
    segments = whole_table(table)
    for technique in (Gadp, Cgadp, Egadp, Shuffle, Rotation):
        perturber = technique(given=("x0",)).prepare(table, ["x0"], segments)
        assert perturber.attributes == ()
        assert perturber.perturb(table.columns, segments.ids, range(10), STREAMS) == {}
        assert perturber.ways(table.columns, segments.ids, range(10), STREAMS) in ({}, {"own": (1, 10)})
        assert perturber.law().log_prob(table.columns, table.columns, segments.ids).tolist() == [0.0] * 10


def test_draws_of_single_records_take_any_chunk_unless_some_cells_need_their_neighbours() -> None:
    table = hard_table(7, 50, ["real", "whole"])
    names = numbers_of(table)
    for technique in (Gadp, Cgadp):
        assert not technique(given=()).prepare(table, names, whole_table(table)).whole_column
        assert technique(within="segment").prepare(table, names, of_sizes(table, [48, 2])).whole_column
    for other in (Egadp, Shuffle, Rotation):
        assert other(given=()).prepare(table, names, whole_table(table)).whole_column
