"""Cells are the records of a segment with the same gaps, whatever the number of columns and patterns.

Columns in steps and back: grids, single precision and the open lower limits of rules.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from hushwood.arrays import Codes, Floats
from hushwood.errors import InternalFault
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.techniques.together.cells import (
    CellLayout,
    Cells,
    NumberGroup,
    by_cell,
    inverses,
    products,
    spreads,
    without_rounding,
)
from support.correlated_tables import cut, described, hard_table, numbers_of
from support.mixed_tables import number, table_of, target


def with_gaps(seed: int, rows: int, width: int, share: float) -> Floats:
    chance = np.random.default_rng(seed)
    return np.where(chance.random((rows, width)) < share, np.nan, chance.normal(size=(rows, width)))


def grouped(segment: Codes, numbers: Floats) -> dict[tuple[object, ...], list[int]]:
    """Rows by segment and pattern, by plain counting."""
    found: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for row, (s, values) in enumerate(zip(segment.tolist(), numbers, strict=True)):
        found[s, *(bool(v == v) for v in values)].append(row)
    return found


@pytest.mark.parametrize("width", [0, 1, 3, 8, 9, 40, 56, 57, 70])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 1.0])
def test_cells_are_segments_and_patterns(width: int, share: float) -> None:
    numbers = with_gaps(width, 300, width, share)
    segment = np.random.default_rng(1).choice([0, 2, 5], 300).astype(np.int32)
    cells = Cells.of_table(segment, numbers, "segment")
    wanted = grouped(segment, numbers)
    assert cells.count == len(wanted)
    cell = cells.of(segment, numbers)
    for (s, *known), rows in wanted.items():
        (c,) = set(cell[rows].tolist())
        assert cells.sizes[c] == len(rows)
        assert cells.segment[c] == s
        assert cells.known[c].tolist() == known
    assert (np.diff(cells.keys) > 0).all()


def test_more_than_64_patterns_in_chunks() -> None:
    numbers = with_gaps(3, 2000, 12, 0.5)
    segment = np.zeros(2000, np.int32)
    cells = Cells.of_table(segment, numbers, "segment")
    assert len(cells.patterns) > 1000
    whole = cells.of(segment, numbers)
    for begin in range(0, 2000, 333):
        part = slice(begin, begin + 333)
        assert np.array_equal(cells.of(segment[part], numbers[part]), whole[part])
    assert np.array_equal(cells.known[whole], ~np.isnan(numbers))


def test_within_the_table_segments_do_not_matter() -> None:
    numbers = with_gaps(4, 50, 2, 0.3)
    segment = np.arange(50, dtype=np.int32)
    cells = Cells.of_table(segment, numbers, "table")
    assert cells.count == 4
    assert set(cells.segment.tolist()) == {0}
    assert cells.sizes.sum() == 50


def test_no_records() -> None:
    cells = Cells.of_table(np.empty(0, np.int32), np.empty((0, 3)), "segment")
    assert (cells.count, cells.known.shape, cells.segment.shape) == (0, (0, 3), (0,))
    assert len(CellLayout.of(np.empty(0, np.int64), 0).order) == 0


@pytest.mark.parametrize("count", [1, 4])
def test_a_layout_sorts_by_cell_and_back(count: int) -> None:
    cell = np.random.default_rng(5).integers(0, count, 30)
    cell[cell == 2] = 1  # one cell of four stays empty
    layout = CellLayout.of(cell, count)
    values = np.arange(60.0).reshape(30, 2)
    for c in range(count):
        here = layout.order[layout.start[c] : layout.start[c + 1]]
        assert here.tolist() == np.flatnonzero(cell == c).tolist()
    assert np.array_equal(layout.sorted(values), values[np.argsort(cell, kind="stable")])
    assert np.array_equal(layout.back(layout.sorted(values)), values)


def test_a_records_product_does_not_depend_on_the_others() -> None:
    """Chunks of any size must give the same last bit."""
    chance = np.random.default_rng(6)
    values, matrices = chance.normal(size=(1000, 7)), chance.normal(size=(2, 5, 7))
    cell = chance.integers(0, 2, 1000)
    whole = by_cell(values, matrices, cell)
    assert np.allclose(whole, np.stack([matrices[c] @ v for c, v in zip(cell, values, strict=True)]))
    for rows in (1, 3, 64):
        parts = [slice(i, i + rows) for i in range(0, 1000, rows)]
        assert np.array_equal(np.concatenate([by_cell(values[p], matrices, cell[p]) for p in parts]), whole)


def test_records_of_no_known_cell_are_refused() -> None:
    segment, numbers = np.zeros(3, np.int64), np.array([[1.0, 2.0], [3.0, np.nan], [4.0, 5.0]])
    cells = Cells.of_table(segment, numbers, "segment")
    with pytest.raises(InternalFault, match="did not have before"):
        cells.of(segment + 1, numbers)
    with pytest.raises(InternalFault, match="did not have before"):
        cells.of(segment[:1], np.array([[np.nan, 2.0]]))


def test_spreads_and_their_products() -> None:
    stack = np.array([[[4.0, 1.0], [1.0, 9.0]], [[0.0, 0.0], [0.0, 1.0]], [[-1e-20, 0.0], [0.0, 1.0]]])
    assert spreads(stack).tolist() == [[2, 3], [0, 1], [0, 1]]
    assert products(spreads(stack)).tolist() == [[[4, 6], [6, 9]], [[1, 1], [1, 1]], [[1, 1], [1, 1]]]


@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e12])
def test_inverses_whatever_the_units(scale: float) -> None:
    a = np.random.default_rng(1).normal(size=(20, 3)) * [1.0, scale, 1.0]
    covariance = np.cov(a.T)[None]
    units = products(spreads(covariance))
    assert np.allclose(inverses(covariance) * units, np.linalg.inv(np.corrcoef(a.T)), rtol=1e-9)


def test_inverses_of_dependent_columns_solve_what_can_be_solved() -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 30))
    covariance = np.cov([x, y, x + y, np.full(30, 3.0)])[None]
    found = inverses(covariance)
    assert np.allclose(covariance @ found @ covariance, covariance, atol=1e-9)
    assert np.abs(found).max() < 1e3
    assert inverses(np.zeros((2, 0, 0))).shape == (2, 0, 0)


def test_only_rounding_error_is_dropped() -> None:
    whole = np.array([[[1.0, 0.5], [0.5, 1e6]]])
    rest = np.array([[[1e-13, 1e-14], [1e-14, 3.0]]])
    assert without_rounding(rest, whole).tolist() == [[[0.0, 0.0], [0.0, 3.0]]]
    assert without_rounding(whole, whole).tolist() == whole.tolist()


def test_numbers_come_back_as_they_were() -> None:
    table = hard_table(1, 200, ["real", "whole", "decimal", "single", "constant", "offset"], gaps=0.1)
    segments = cut(table, ("x0", 0.4), ("x1", 0.6))
    for within in ("table", "segment"):
        group = NumberGroup.of(table, numbers_of(table), segments, within)
        place = segments.ids if within == "segment" else np.zeros(200, int)
        back = group.columns(group.numbers(table.columns), place)
        assert all(np.array_equal(back[name], table.columns[name], equal_nan=True) for name in back)


def test_columns_without_a_domain_are_left_out() -> None:
    table = table_of(
        {
            "x": (number("x", 0, 9), [1.0, 2.0]),
            "void": (Attribute("void", "numeric"), [np.nan, np.nan]),
            "k": (target("k", "ab"), [0, 1]),
        }
    )
    group = NumberGroup.of(table, ["void", "x"], whole_table(table), "table")
    assert group.names == ("x",)
    assert NumberGroup.of(table, [], whole_table(table), "table").numbers(table.columns).shape == (2, 0)


def test_whatever_is_drawn_goes_out_inside_its_box() -> None:
    table = hard_table(2, 300, ["real", "whole", "decimal", "single"])
    segments = cut(table, ("x0", 0.5), ("x3", 0.5))
    group = NumberGroup.of(table, numbers_of(table), segments, "segment")
    for wild in (-1e30, 1e30, 0.0):
        found = group.columns(np.full((300, 4), wild), segments.ids)
        for name in numbers_of(table):
            box = segments.intervals[name].take(segments.ids)
            steps = np.rint(found[name] * 10.0 ** (box.precision or 0)) if box.decimal else found[name]
            assert (steps >= box.low).all()
            assert (steps <= box.high).all()
        assert np.array_equal(found["x3"], np.float32(found["x3"]))


def test_the_lowest_number_is_just_above_a_threshold_but_the_domains_own_end_is_allowed() -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0])
    table = table_of({"x": (described("x", values, None), values.tolist())})
    group = NumberGroup.of(table, ["x"], cut(table, ("x", 0.5)), "segment")
    assert group.low[:, 0].tolist() == [0.0, np.nextafter(1.0, 2.0)]
    assert group.high[:, 0].tolist() == [1.0, 3.0]
    assert group.first[:, 0].tolist() == [0.0, 1.0 + group.step[1, 0]]


def test_grids_are_fine_against_the_spread_however_wide_the_domain() -> None:
    values = np.random.default_rng(1).normal(size=500)
    table = table_of({"x": (number("x", -1e12, 1e12, None), values.tolist())})
    group = NumberGroup.of(table, ["x"], whole_table(table), "table")
    assert group.step[0, 0] == np.spacing(1e12)  # no finer than the floats at the ends of the domain
    near = table_of({"x": (number("x", -1e6, 1e6, None), values.tolist())})
    group = NumberGroup.of(near, ["x"], whole_table(near), "table")
    assert 2.0**-21 < group.step[0, 0] / values.std() <= 2.0**-20


@pytest.mark.parametrize("precision", [0, 2])
def test_on_a_grid_there_is_half_a_step_more_room(precision: int) -> None:
    table = table_of({"x": (number("x", 1, 3, precision), [1.0, 2.0, 3.0])})
    group = NumberGroup.of(table, ["x"], whole_table(table), "table")
    low, high = group.room()
    ends = group.columns(np.array([[low[0, 0]], [high[0, 0]]]), np.zeros(2, int))["x"]
    assert ends.tolist() == [1.0, 3.0]
    assert group.low[0, 0] - low[0, 0] == pytest.approx(0.5, abs=1e-6)
