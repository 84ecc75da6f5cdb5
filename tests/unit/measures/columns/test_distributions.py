"""Cells of columns and what is counted in them, against plain counting; groups that stand for several values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare, ks_2samp, wasserstein_distance

from hushwood.measures.columns import distributions
from hushwood.measures.columns.distributions import CELLS, NumericCells, category_counts
from hushwood.tables.recoding.cells import Generalised
from oracles import distributions as oracle

NUMBERS = st.lists(st.one_of(st.none(), st.integers(0, 60)), min_size=1, max_size=80)
PAIRS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=8).filter(
    lambda cells: all(any(side) for side in zip(*cells, strict=True))
)
SAMPLES = st.lists(st.integers(-20, 20), min_size=1, max_size=15)


def column(values: list[int | None]) -> np.ndarray:
    return np.array([np.nan if v is None else v for v in values], np.float64)


@given(NUMBERS, NUMBERS)
def test_counts_equal_plain_counting(original: list[int | None], released: list[int | None]) -> None:
    cells = NumericCells.of(column(original))

    if any(value is not None for value in original):
        assert cells.counts(column(released)).tolist() == oracle.numeric_counts(released, original, CELLS)
        assert cells.counts(column(original)).tolist() == oracle.numeric_counts(original, original, CELLS)
    else:
        gone = sum(value is None for value in released)
        assert cells.counts(column(released)).tolist() == [gone, 0, len(released) - gone, 0]


@given(NUMBERS.filter(lambda values: any(v is not None for v in values)), NUMBERS)
def test_the_sign_only_turns_the_cells_round(original: list[int | None], released: list[int | None]) -> None:
    before, after = column(original), column(released)

    found = NumericCells.of(before).counts(after)
    turned = NumericCells.of(-before).counts(-after)

    assert turned.tolist() == [found[0], *found[:0:-1]]


@pytest.mark.parametrize("size", [21, 25, 30, 39, 50, 60])
def test_more_values_than_cells(size: int) -> None:
    """With 30 values some wanted cuts lie exactly between two possible ones; both are made."""
    values = list(range(size))

    found = NumericCells.of(column([*values])).counts(column([*values, 3, 7]))
    turned = NumericCells.of(-column([*values])).counts(-column([*values, 3, 7]))

    assert found.tolist() == oracle.numeric_counts([*values, 3, 7], values, CELLS)
    assert turned[1:].tolist() == found[:0:-1].tolist()


def test_many_values_share_about_twenty_cells() -> None:
    cells = NumericCells.of(np.random.default_rng(1).normal(size=10_000))
    counts = cells.counts(np.random.default_rng(1).normal(size=10_000))

    assert counts[3:-1].tolist() == pytest.approx([500] * (CELLS - 1), abs=1)


def test_an_interval_is_spread_over_the_cells_it_covers() -> None:
    """Cells end at 1.5, 2.5 and so on; from 1 to 3 a quarter lies below 1.5, a half below 2.5."""
    cells = NumericCells.of(np.array([1.0, 2.0, 3.0, 4.0]))
    groups = Generalised(
        np.zeros(4, bool), np.array([1.0, 2.0, 8.0, np.nan]), np.array([3.0, 2.0, 9.0, np.nan])
    )

    counts = cells.counts(np.array([2.0, 2.0, 8.5, np.nan]), groups)

    assert counts.tolist() == pytest.approx([1, 0, 0.25, 1 + 0.5, 0.25, 0, 1])


def test_an_interval_that_reaches_out_of_the_range_counts_inside_it() -> None:
    cells = NumericCells.of(np.array([1.0, 2.0]))
    groups = Generalised(np.ones(1, bool), np.array([-100.0]), np.array([100.0]))

    assert cells.counts(np.array([0.0]), groups).tolist() == pytest.approx([0, 0, 0.5, 0.5, 0])


def test_groups_of_categories_are_spread_evenly() -> None:
    """a, b and c are the original's; the release has a, {a, b}, * and x, which stands for nothing."""
    covers = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], bool)
    codes = np.array([-1, 0, 3, 3, 4, 5], np.int32)

    counts = category_counts(codes, 6, Generalised(np.zeros(6, bool), covers=covers))

    assert counts.tolist() == pytest.approx([1, 1 + 1 + 1 / 3, 1 + 1 / 3, 1 / 3, 0, 0, 1])


def test_categories_without_groups_are_counted() -> None:
    codes = [-1, 2, 2, 0]

    assert category_counts(np.array(codes, np.int32), 4).tolist() == oracle.category_counts(codes, 4)


@given(PAIRS)
def test_cell_distances_equal_their_formulas(cells: list[tuple[int, int]]) -> None:
    before, after = np.array(cells, np.float64).T
    plain = before.tolist(), after.tolist()

    assert distributions.total_variation(before, after) == pytest.approx(oracle.total_variation(*plain))
    assert distributions.hellinger(before, after) == pytest.approx(oracle.hellinger(*plain), abs=1e-7)
    assert distributions.kl_divergence(before, after) == pytest.approx(
        oracle.kl_divergence(*plain), abs=1e-12
    )


@given(PAIRS)
def test_the_same_distribution_is_at_distance_zero(cells: list[tuple[int, int]]) -> None:
    before = np.array(cells, np.float64)[:, 0]

    for distance in (distributions.total_variation, distributions.hellinger, distributions.kl_divergence):
        assert distance(before, before) == 0.0
    assert distributions.chi_square(before, before)["chi_square"] in (None, pytest.approx(0.0, abs=1e-12))


def test_bits_by_hand() -> None:
    """p = (½, ½) and q = (¼, ¾): ½ log2 2 + ½ log2(⅔)."""
    found = distributions.kl_divergence(np.array([10.0, 10.0]), np.array([5.0, 15.0]))

    assert found == pytest.approx(0.5 + 0.5 * np.log2(2 / 3))


def test_an_empty_cell_is_smoothed_not_infinite() -> None:
    found = distributions.kl_divergence(np.array([1.0, 1.0]), np.array([2.0, 0.0]))

    assert found == pytest.approx(0.5 * np.log2(0.5 / (2.5 / 3)) + 0.5 * np.log2(0.5 / (0.5 / 3)))


def test_chi_square_is_that_of_scipy_at_the_release_s_total() -> None:
    before, after = np.array([20.0, 30.0, 50.0]), np.array([30.0, 80.0, 90.0])
    expected = chisquare(after, before * 2)

    found = distributions.chi_square(before, after)

    assert found["chi_square"] == pytest.approx(expected.statistic)
    assert (found["degrees"], found["chi_square_p"]) == (2, pytest.approx(expected.pvalue))
    assert found["chi_square_per_degree"] == pytest.approx(expected.statistic / 2)


def test_small_cells_are_pooled() -> None:
    """3 + 2 make a cell of five; 1 alone joins the smallest other; an unexpected cell counts there too."""
    pooled = distributions.chi_square(np.array([10.0, 3, 2, 0]), np.array([5.0, 4, 5, 1]))
    joined = distributions.chi_square(np.array([10.0, 8, 1]), np.array([9.0, 8, 2]))

    assert pooled["degrees"] == 1
    assert pooled["chi_square"] == pytest.approx(25 / 10 + 25 / 5)
    assert joined["degrees"] == 1
    assert joined["chi_square"] == pytest.approx(1 / 10 + 1 / 9)


def test_with_one_cell_there_is_no_chi_square() -> None:
    assert distributions.chi_square(np.array([3.0]), np.array([4.0]))["chi_square"] is None
    assert distributions.chi_square(np.array([100.0, 1]), np.array([50.0, 1]))["degrees"] is None


@given(SAMPLES, SAMPLES)
def test_sample_distances_equal_plain_loops(before: list[int], after: list[int]) -> None:
    first, second = np.array(before, np.float64), np.array(after, np.float64)

    width = max(before) - min(before)
    expected = oracle.area_between(before, after) / width if width else None
    found = distributions.sample_distances(first, second)
    assert found["ks"] == pytest.approx(oracle.largest_gap(before, after))
    assert found["wasserstein"] == pytest.approx(expected)


def test_sample_distances_are_those_of_scipy() -> None:
    draw = np.random.default_rng(5)
    first, second = draw.normal(size=200), draw.normal(1.0, 2.0, 300)

    found = distributions.sample_distances(first, second)

    assert found["ks"] == pytest.approx(ks_2samp(first, second).statistic)
    assert found["wasserstein"] == pytest.approx(wasserstein_distance(first, second) / np.ptp(first))


def test_samples_without_values_have_no_distance() -> None:
    some, none = np.array([1.0, 2.0]), np.array([])

    for pair in ((some, none), (none, some)):
        assert distributions.sample_distances(*pair) == {"ks": None, "wasserstein": None}
    assert distributions.sample_distances(np.ones(2), some)["wasserstein"] is None
    assert distributions.sample_distances(some, some) == {"ks": 0.0, "wasserstein": 0.0}
