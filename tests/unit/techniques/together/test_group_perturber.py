"""The ways that cells take in their order, what each of them does, and how they are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Flags, Floats
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.protocol import Technique
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.cells import Cells
from hushwood.techniques.together.fallbacks import KEPT, NOISE, PERMUTATION, ROTATION, SHUFFLE, Fallback
from hushwood.techniques.together.group_perturber import (
    GroupPerturber,
    Method,
    RecordDraws,
    RecordLaw,
    balanced,
    enough_records,
)
from hushwood.techniques.together.group_rows import GroupRows
from hushwood.techniques.together.learnt_groups import LearntGroup
from support.correlated_tables import STREAMS, Drawn, cut, drawn_by, hard_table, numbers_of, of_sizes, widened
from support.mixed_tables import number, table_of

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
    assert " ".join(Fallback(way).name.lower() for way in done.ways) == ways
    counted = done.perturber.ways()
    for name in (way.name.lower() for way in Fallback):
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

    def __init__(self, falls_to: tuple[Fallback, ...], tries: bool = False) -> None:
        self.falls_to = falls_to
        self.tries = tries

    def able(self, cells: Cells) -> Flags:
        return np.full(cells.count, self.tries)

    @property
    def copies(self) -> bool:
        return False

    def claims(self, cells: Cells) -> Flags:
        return self.able(cells)

    def drawn(self, rows: GroupRows, able: Flags) -> tuple[Floats, Flags]:
        return np.full(rows.numbers.shape, 1e9), np.zeros(rows.cells.count, bool)

    @property
    def stated(self) -> RecordLaw:
        raise NotImplementedError


def forced(falls_to: tuple[Fallback, ...], tries: bool = False, gaps: float = 0.0) -> tuple[Table, Drawn]:
    table = hard_table(4, 60, ["real", "whole"], gaps)
    segments = cut(table, ("x0", 0.5))
    learnt = LearntGroup.of(table, numbers_of(table), segments, "segment")
    method: Method = Unable(falls_to, tries)
    perturber = GroupPerturber(
        learnt.group, learnt.given, learnt.cells, method, "TEST", NoiseParameters(), True
    )
    rows = GroupRows.of(perturber, table.columns, segments.ids, range(60), STREAMS)
    numbers, ways = perturber.drawn(rows)
    before = perturber.group.numbers(table.columns)
    return table, Drawn(perturber, rows, before, np.where(np.isnan(before), np.nan, numbers), ways)


def same_values(one: Floats, other: Floats) -> bool:
    return np.array_equal(np.sort(one, axis=0), np.sort(other, axis=0), equal_nan=True)


@pytest.mark.parametrize("tries", [False, True])
@pytest.mark.parametrize("way", [ROTATION, SHUFFLE, PERMUTATION, NOISE, KEPT])
def test_every_way_starts_from_the_original_numbers(way: Fallback, tries: bool) -> None:
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
    perturber.perturb(table.columns, segments.ids, range(30), STREAMS)
    counted = perturber.ways()
    assert sum(records for _, records in counted.values()) == int((~np.isnan(table.columns["x0"])).sum())


def test_without_columns_nothing_happens() -> None:
    table = hard_table(6, 10, ["real"])
    segments = whole_table(table)
    for technique in (Gadp, Cgadp, Egadp, Shuffle, Rotation):
        perturber = technique(given=("x0",)).prepare(table, ["x0"], segments)
        assert perturber.attributes == ()
        assert perturber.perturb(table.columns, segments.ids, range(10), STREAMS) == {}
        assert perturber.ways() == {}
        assert perturber.law().log_prob(table.columns, table.columns, segments.ids).tolist() == [0.0] * 10


def test_draws_of_single_records_take_any_chunk_unless_some_cells_need_their_neighbours() -> None:
    table = hard_table(7, 50, ["real", "whole"])
    names = numbers_of(table)
    for technique in (Gadp, Cgadp):
        assert not technique(given=()).prepare(table, names, whole_table(table)).whole_column
        assert technique(within="segment").prepare(table, names, of_sizes(table, [48, 2])).whole_column
    for other in (Egadp, Shuffle, Rotation):
        assert other(given=()).prepare(table, names, whole_table(table)).whole_column


def test_a_cell_needs_more_records_than_it_has_numbers() -> None:
    known = np.array([[True, True, True], [True, False, False]])
    numbers = np.where(np.repeat(known, [5, 3], axis=0), 1.0, np.nan)
    cells = Cells.of_table(np.zeros(8, np.int32), numbers, "segment")
    assert sorted(zip(cells.sizes.tolist(), enough_records(cells, 2).tolist(), strict=True)) == [
        (3, True),
        (5, True),
    ]
    assert enough_records(cells, 3).tolist() == [False, False]


@pytest.mark.parametrize("spare", [None, 2, 1000])
def test_the_method_draws_from_its_law(spare: int | None) -> None:
    table = hard_table(1, 40, ["real", "whole"])
    law = Gadp(0.5, given=()).prepare(table, numbers_of(table), whole_table(table)).method.stated
    method = RecordDraws(law, spare)  # type: ignore[arg-type]
    cells = Cells.of_table(np.zeros(40, np.int32), np.zeros((40, 2)), "table")
    assert method.able(cells).tolist() == [spare != 1000]
    assert method.by_record
    assert not method.independent


DRAWN = np.array([False])  # the one cell hands out no copies


def rounding_rows(values: list[float], low: float, high: float, precision: int | None = 0) -> GroupRows:
    table = table_of({"x": (number("x", low, high, precision), values)})
    segments = whole_table(table)
    perturber = Gadp().prepare(table, ["x"], segments)
    return GroupRows.of(perturber, table.columns, segments.ids, range(len(values)), Streams(bytes(32)))


def test_the_numbers_nearest_to_the_next_step_go_the_other_way() -> None:
    rows = rounding_rows([1, 2, 3, 4], 1, 9)
    drawn = np.array([[1.4], [2.45], [3.1], [4.05]])  # sums to 11, plain rounding gives 10
    assert balanced(rows, drawn, DRAWN).ravel().tolist() == [1, 3, 3, 4]


def test_numbers_at_the_end_of_the_box_are_made_up_for_elsewhere() -> None:
    rows = rounding_rows([1, 1, 1, 5], 1, 9)
    drawn = np.array([[0.6], [0.6], [0.7], [6.1]])  # the first three can only become 1
    assert balanced(rows, drawn, DRAWN).ravel().tolist() == [1, 1, 1, 5]
    full = rounding_rows([1, 1], 1, 2)
    assert balanced(full, np.array([[2.4], [2.4]]), DRAWN).ravel().tolist() == [2, 2]


def test_continuous_columns_go_to_their_grid() -> None:
    rows = rounding_rows([0.1, 0.9, 0.4], 0, 1, None)
    step = float(rows.group.step[0, 0])
    drawn = np.array([[0.25 + 0.4 * step], [0.5 + 0.45 * step], [0.75 + 0.3 * step]])
    found = balanced(rows, drawn, DRAWN).ravel()
    assert found.tolist() == [0.25, 0.5 + step, 0.75]
    assert step == 2.0**-30


def test_copied_numbers_of_continuous_columns_stay_to_the_last_bit() -> None:
    copied = np.array([[0.1], [1 / 3]])
    assert balanced(rounding_rows([0.1, 0.9], 0, 1, None), copied, ~DRAWN).tolist() == copied.tolist()


def test_far_from_zero_totals_are_kept_too() -> None:
    rows = rounding_rows([1e15, 1e15 + 1, 1e15 + 3], 1e15, 1e15 + 8, None)
    drawn = np.array([[1e15 + 0.375], [1e15 + 1.375], [1e15 + 3.25]])
    found = balanced(rows, drawn, DRAWN).ravel()
    assert (found - 1e15).tolist() == [0.375, 1.375, 3.25]


@given(st.lists(st.floats(0.51, 9.49), min_size=2, max_size=40))
@settings(max_examples=60)
def test_totals_are_kept_to_half_a_step(drawn: list[float]) -> None:
    rows = rounding_rows([1.0, 9.0] + [5.0] * (len(drawn) - 2), 1, 9)
    found = balanced(rows, np.array(drawn)[:, None], DRAWN).ravel()
    assert ((found >= 1) & (found <= 9)).all()
    assert (np.abs(found - drawn) < 1.5).all()
    assert abs(found.sum() - sum(drawn)) <= 0.5 + 1e-9 or set(found) in ({1.0}, {9.0})


@pytest.mark.parametrize("make", [Gadp, Cgadp, Egadp, Rotation])
def test_only_numbers_that_are_handed_out_are_blurred(make: type[Rotation]) -> None:
    """Segments of two are permuted, and of one noisy or kept; the others are drawn, so that nothing is to be hidden."""
    table = widened(hard_table(1, sum(SIZES), ["real", "whole"]))
    segments = of_sizes(table, SIZES)
    rows = range(table.rows)
    plain, blurred = (
        make(within="segment", alone=None, blur=width)
        .prepare(table, ["x0", "x1"], segments)
        .perturb(table.columns, segments.ids, rows, STREAMS)
        for width in (0, 5)
    )
    copied = np.isin(segments.ids, [0, 1])
    assert np.array_equal(plain["x0"][~copied], blurred["x0"][~copied])
    assert np.isin(plain["x0"][copied], table.columns["x0"]).all()
    assert not np.isin(blurred["x0"][copied], table.columns["x0"]).any()
