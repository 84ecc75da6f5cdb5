"""Columns in steps and back: grids, single precision and the open lower limits of rules."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.techniques.together.cells import NumberGroup
from support.correlated_tables import cut, described, hard_table, numbers_of
from support.mixed_tables import number, table_of, target


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
