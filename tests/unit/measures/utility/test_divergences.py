"""Distances of distributions, against their formulas in plain loops and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, ks_2samp, wasserstein_distance

from hushwood.measures.utility import divergences
from oracles import distributions as oracle

PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=8).filter(
    lambda cells: all(any(side) for side in zip(*cells, strict=True))
)
SAMPLES = st.lists(st.integers(-20, 20), min_size=1, max_size=15)


@given(PAIRS)
def test_cell_distances_equal_their_formulas(cells: list[tuple[int, int]]) -> None:
    before, after = np.array(cells, np.float64).T
    plain = before.tolist(), after.tolist()

    assert divergences.total_variation(before, after) == pytest.approx(oracle.total_variation(*plain))
    assert divergences.hellinger(before, after) == pytest.approx(oracle.hellinger(*plain), abs=1e-7)
    assert divergences.kl_divergence(before, after) == pytest.approx(oracle.kl_divergence(*plain), abs=1e-12)


@given(PAIRS)
def test_the_same_distribution_is_at_distance_zero(cells: list[tuple[int, int]]) -> None:
    before = np.array(cells, np.float64)[:, 0]

    for distance in (divergences.total_variation, divergences.hellinger, divergences.kl_divergence):
        assert distance(before, before) == 0.0
    assert divergences.chi_square(before, before)["chi_square"] in (None, pytest.approx(0.0, abs=1e-12))


def test_bits_by_hand() -> None:
    """p = (½, ½) and q = (¼, ¾): ½ log2 2 + ½ log2(⅔)."""
    found = divergences.kl_divergence(np.array([10.0, 10.0]), np.array([5.0, 15.0]))

    assert found == pytest.approx(0.5 + 0.5 * np.log2(2 / 3))


def test_an_empty_cell_is_smoothed_not_infinite() -> None:
    found = divergences.kl_divergence(np.array([1.0, 1.0]), np.array([2.0, 0.0]))

    assert found == pytest.approx(0.5 * np.log2(0.5 / (2.5 / 3)) + 0.5 * np.log2(0.5 / (0.5 / 3)))


def test_chi_square_is_that_of_scipy_at_the_release_s_total() -> None:
    before, after = np.array([20.0, 30.0, 50.0]), np.array([30.0, 80.0, 90.0])
    expected = chisquare(after, before * 2)

    found = divergences.chi_square(before, after)

    assert found["chi_square"] == pytest.approx(expected.statistic)
    assert (found["degrees"], found["chi_square_p"]) == (2, pytest.approx(expected.pvalue))
    assert found["chi_square_per_degree"] == pytest.approx(expected.statistic / 2)


def test_small_cells_are_pooled() -> None:
    """3 + 2 make a cell of five; 1 alone joins the smallest other; an unexpected cell counts there too."""
    pooled = divergences.chi_square(np.array([10.0, 3, 2, 0]), np.array([5.0, 4, 5, 1]))
    joined = divergences.chi_square(np.array([10.0, 8, 1]), np.array([9.0, 8, 2]))

    assert pooled["degrees"] == 1
    assert pooled["chi_square"] == pytest.approx(25 / 10 + 25 / 5)
    assert joined["degrees"] == 1
    assert joined["chi_square"] == pytest.approx(1 / 10 + 1 / 9)


def test_with_one_cell_there_is_no_chi_square() -> None:
    assert divergences.chi_square(np.array([3.0]), np.array([4.0]))["chi_square"] is None
    assert divergences.chi_square(np.array([100.0, 1]), np.array([50.0, 1]))["degrees"] is None


@given(SAMPLES, SAMPLES)
def test_sample_distances_equal_plain_loops(before: list[int], after: list[int]) -> None:
    first, second = np.array(before, np.float64), np.array(after, np.float64)

    width = max(before) - min(before)
    expected = oracle.area_between(before, after) / width if width else None
    found = divergences.sample_distances(first, second)
    assert found["ks"] == pytest.approx(oracle.largest_gap(before, after))
    assert found["wasserstein"] == pytest.approx(expected)


def test_sample_distances_are_those_of_scipy() -> None:
    draw = np.random.default_rng(5)
    first, second = draw.normal(size=200), draw.normal(1.0, 2.0, 300)

    found = divergences.sample_distances(first, second)

    assert found["ks"] == pytest.approx(ks_2samp(first, second).statistic)
    assert found["wasserstein"] == pytest.approx(wasserstein_distance(first, second) / np.ptp(first))


def test_samples_without_values_have_no_distance() -> None:
    some, none = np.array([1.0, 2.0]), np.array([])

    for pair in ((some, none), (none, some)):
        assert divergences.sample_distances(*pair) == {"ks": None, "wasserstein": None}
    assert divergences.sample_distances(np.ones(2), some)["wasserstein"] is None
    assert divergences.sample_distances(some, some) == {"ks": 0.0, "wasserstein": 0.0}
