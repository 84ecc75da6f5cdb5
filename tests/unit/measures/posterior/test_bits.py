from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.bits import (
    Limit,
    histogram,
    quantiles,
    sampling,
    share_below,
    shares_below,
    spread,
)


def test_the_thesis_example_of_figure_8_2() -> None:
    """Two of 21 records are below 2.45 bits: more than the 5 % that are allowed (errata E5)."""
    bits = np.array([2.0, 2.4, 2.45, *[3.0] * 18])
    found = Limit(2.45, 0.05).described(bits)
    assert found["below_threshold"] == pytest.approx(2 / 21)
    assert found["secure"] is False
    assert Limit(2.45, 0.1).described(bits)["secure"] is True


def test_rounding_makes_nobody_exposed() -> None:
    assert Limit(1.0, 0.0).below(np.array([1.0 - 1e-7, 1.0])) == 0.0


def test_spread_by_hand() -> None:
    assert spread(np.array([1.0, 3.0]), Limit(2.0, 0.05)) == {
        "mean_bits": 2.0,
        "deviation": 1.0,
        "below_threshold": 0.5,
    }
    assert spread(np.full(3, 0.1), Limit(0.0, 0.05))["deviation"] == 0.0


def test_histograms_count_everybody_once() -> None:
    bits = np.linspace(0, 5, 101)
    found = histogram(bits)
    assert sum(found["counts"]) == 101
    assert len(found["edges"]) == len(found["counts"]) + 1
    assert histogram(np.full(4, 2.0)) == {"edges": [2.0, 2.0], "counts": [4]}
    assert quantiles(bits)["50"] == pytest.approx(2.5)


def test_intervals_stay_inside_what_is_possible() -> None:
    assert sampling(np.ones(5), 5, 3.0) == {"estimated": False, "targets": 5, "interval": None}
    found = sampling(np.array([0.0, 3.0]), 1000, 3.0)
    assert found["estimated"] is True
    assert found["interval"] == [0.0, 3.0]
    low, high = sampling(np.array([1.0, 2.0] * 50), 1000, 3.0)["interval"]
    assert low == pytest.approx(1.5 - 1.984 * 0.5025 / 10 * np.sqrt(0.9), abs=1e-3)
    assert high == pytest.approx(3 - low)


def test_shares_below_several_thresholds() -> None:
    bits = np.array([2.0, 2.4, 2.45, *[3.0] * 18])
    found = shares_below(bits, (2.45, 3.5), 21)
    assert [entry["share"] for entry in found] == [2 / 21, 1.0]
    assert [entry["interval"] for entry in found] == [[2 / 21, 2 / 21], [1.0, 1.0]]
    details = {"threshold_bits": 3.5, "below": found}
    assert share_below(details, 2.45) == (2 / 21, 2 / 21, 2 / 21)
    assert share_below(details, None) == (1.0, 1.0, 1.0)
    assert share_below(details, 1.0) is None
    assert share_below({}, None) is None


def test_a_share_of_a_sample_has_an_interval() -> None:
    """Clopper and Pearson: the ends at which so few, or so many, records would be one case in forty."""
    bits = np.concatenate([np.zeros(5), np.full(95, 9.0)])
    for below, ends in ((1.0, (0.0164, 0.1128)), (0.0, (0.0, 0.0362)), (10.0, (0.9638, 1.0))):
        (found,) = shares_below(bits, (below,), 5000)
        assert found["interval"] == pytest.approx(ends, abs=1e-4)
