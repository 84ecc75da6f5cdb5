"""The intruders of thesis 8.1 on tables small enough to work out by hand."""

from __future__ import annotations

from math import exp, log, log2

import numpy as np
import pytest

from hushwood.measures.models.grown import Grown
from hushwood.measures.posterior.evidence import ClassShares
from hushwood.releasing.perturb import PerturbOptions
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions
from hushwood_papers.disclosure.disclosure_wbc import DEVIATION, Sought, by_bell_curve, by_leaf, uncertainty
from support.mixed_tables import number, table_of, target

OPTIONS = PerturbOptions(technique="framework", min_leaf=2, threads=1)


def small_table() -> Table:
    """x up to 5 is low, above it high; y says nothing."""
    x = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] * 4
    return table_of(
        {
            "x": (number("x", 1, 10), x),
            "y": (number("y", 1, 10), [1 + (7 * i) % 10 for i in range(40)]),
            "class": (target("class", ("low", "high")), [int(value > 5) for value in x]),
        }
    )


def shares(classes: list[int]) -> ClassShares:
    return ClassShares(("low", "high"), np.array(classes, np.int64), np.eye(2))


def test_nothing_known_is_every_record_alike() -> None:
    sought = Sought({"x": 3.0}, ("x",), ("high",))
    found = uncertainty(sought, [np.array([0.0, -np.inf, 0.0, -np.inf])], shares([0, 0, 0, 1]))
    assert found.record == pytest.approx((2.0, 1.0))
    assert found.class_ == pytest.approx((0.811278, 0.0), abs=1e-6)


def test_if_nothing_is_possible_all_records_are(recwarn: pytest.WarningsRecorder) -> None:
    sought = Sought({"x": 3.0}, ("x",), ("high",))
    found = uncertainty(sought, [np.full(4, -np.inf)], shares([0, 0, 1, 1]))
    assert found.record == pytest.approx((2.0, 2.0))
    assert found.class_ == pytest.approx((1.0, 1.0))
    assert not recwarn


def test_attributes_are_multiplied() -> None:
    one, two = np.log([0.5, 0.25, 0.25]), np.log([0.5, 0.5, 1.0])
    found = uncertainty(Sought({}, ("x", "y"), ("high",)), [one, two], shares([0, 0, 1]))
    weights = np.array([0.25, 0.125, 0.25]) / 0.625
    assert found.record[2] == pytest.approx(-sum(w * log2(w) for w in weights))


def test_a_bell_curve_knows_no_leaf() -> None:
    table = small_table()
    (found,) = by_bell_curve(Sought({"x": 1.0}, ("x",)), table)
    deviation = DEVIATION * 10
    assert np.exp(found[:2]).tolist() == pytest.approx([1.0, exp(-1 / (2 * deviation**2))])


def test_a_leaf_makes_other_values_impossible_and_wraps_the_noise() -> None:
    """x is tested: sub-domain 1 to 5, a period of five; y is not: 1 to 10."""
    table = small_table()
    grown = Grown(table, Builder(GrowOptions(min_leaf=2)))
    x, y = by_leaf(Sought({"x": 1.0, "y": 1.0}, ("x", "y")), table, grown, OPTIONS)
    assert np.isneginf(x[:10]).tolist() == [False] * 5 + [True] * 5
    assert np.isfinite(y).all()
    assert np.exp(x[:5]).sum() == pytest.approx(1.0)
    # One step away on either side of the circle is equally likely: 2, and 5 which wraps around to it.
    assert x[1] == pytest.approx(x[4])
    assert x[0] > x[1] > x[2]
    by_value = {
        value: exp(chance) for value, chance in zip(table.columns["y"].tolist(), y.tolist(), strict=True)
    }
    assert sum(by_value.values()) == pytest.approx(1.0)
    assert log(by_value[2.0]) == pytest.approx(log(by_value[10.0]))
