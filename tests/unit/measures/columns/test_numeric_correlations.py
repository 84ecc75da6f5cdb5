"""Pearson and Spearman of columns with gaps, against plain sums over the records that have both values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.measures.columns import numeric_correlations
from hushwood.measures.columns.numeric_correlations import (
    SMALLEST,
    PairMoments,
    centred,
    compared_covariances,
    correlations,
    pair_moments,
    ranked,
    segment_changes,
    spearman,
)
from oracles.associations import average_ranks, pearson, segment_change

VALUES = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from([1e200, 0.1, 0.30000000000000004]))
COLUMNS = st.integers(1, 12).flatmap(
    lambda rows: st.lists(st.lists(VALUES, min_size=rows, max_size=rows), min_size=2, max_size=4)
)


def arrays(columns: list[list[float | None]]) -> list[np.ndarray]:
    return [np.array([np.nan if v is None else v for v in column], np.float64) for column in columns]


@given(COLUMNS.filter(lambda columns: all(v != 1e200 for column in columns for v in column)))
def test_pearson_equals_plain_sums(columns: list[list[float | None]]) -> None:
    found = correlations(pair_moments([centred(values) for values in arrays(columns)]))

    for i, first in enumerate(columns):
        for j, second in enumerate(columns):
            expected = pearson(first, second)
            assert found[i, j] == pytest.approx(
                np.nan if expected is None else expected, nan_ok=True, abs=1e-9
            )


@given(COLUMNS)
def test_ranks_equal_plain_counting(columns: list[list[float | None]]) -> None:
    for values, column in zip(arrays(columns), columns, strict=True):
        expected = [np.nan if rank is None else rank for rank in average_ranks(column)]
        assert np.array_equal(ranked(values), expected, equal_nan=True)


def test_spearman_by_hand() -> None:
    """Ranks 1 2 3 4 against 1 3 2 4: 1 − 6·2/(4·15) = 0.8."""
    found = spearman([np.array([1.0, 2.0, 5.0, 100.0]), np.array([-3.0, 8.0, 7.0, 9.0])])

    assert found[0, 1] == pytest.approx(0.8)


def test_numbers_of_any_size() -> None:
    steep = np.array([1e300, 2e300, 4e300, np.nan])
    found = correlations(pair_moments([centred(steep), centred(steep / 1e305)]))

    assert found == pytest.approx(np.ones((2, 2)))


def test_covariances_are_over_the_records_that_have_both() -> None:
    first, second = np.array([1.0, 2.0, 3.0, np.nan]), np.array([2.0, 6.0, np.nan, 100.0])

    moments = pair_moments([centred(first, 1.0), centred(second, 1.0)])

    assert moments.counts[0, 1] == 2
    assert moments.covariances[0, 1] == pytest.approx(2.0)
    assert (moments.variances[0, 1], moments.variances[1, 0]) == pytest.approx((0.5, 8.0))


def test_blocks_of_records_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    columns = [draw.normal(size=50), draw.normal(size=50)]
    whole = pair_moments(columns).covariances

    monkeypatch.setattr(numeric_correlations, "_CHUNK_ROWS", 7)

    assert pair_moments(columns).covariances == pytest.approx(whole)


@pytest.mark.parametrize("spread", [1, 3, 50, 10**6])
def test_counted_ranks_are_those_of_sorting(spread: int) -> None:
    from scipy.stats import rankdata

    chance = np.random.default_rng(spread)
    values = chance.integers(-spread, spread + 1, 200).astype(float)
    values[chance.random(200) < 0.1] = np.nan
    known = ~np.isnan(values)
    for column in (values, values / 4):
        assert ranked(column)[known].tolist() == rankdata(column[known]).tolist()
        assert np.isnan(ranked(column)[~known]).all()
    assert np.isnan(ranked(np.full(3, np.nan))).all()


def moments(*columns: np.ndarray) -> PairMoments:
    return pair_moments([centred(values, 1.0) for values in columns])


def test_a_doubled_column_by_hand() -> None:
    """Two uncorrelated columns; the second is doubled: S is the unit matrix, S' has 1 and 4."""
    first, second = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 3.0, 0.0, 3.0])

    found = compared_covariances(moments(first, second), moments(first, 2 * second))

    assert found is not None
    assert found["frobenius"] == pytest.approx(3 / np.sqrt(2))
    assert found["eigenvalues_before"] == pytest.approx([1.0, 1.0])
    assert found["eigenvalues_after"] == pytest.approx([4.0, 1.0])
    # 6 ln 2.5 − 3 ln 1 − 3 ln 4, with 3 degrees of freedom
    assert found["box_m"] == pytest.approx(6 * np.log(2.5) - 3 * np.log(4))
    assert found["box_degrees"] == 3


def test_units_and_signs_make_no_difference() -> None:
    draw = np.random.default_rng(1)
    before, after = draw.normal(size=(3, 50)), draw.normal(size=(3, 60))
    scale = np.array([[-1.0], [1000.0], [0.5]])

    found = compared_covariances(moments(*before), moments(*after))
    other = compared_covariances(moments(*(before * scale)), moments(*(after * scale)))

    assert found is not None
    assert other is not None
    assert other["frobenius"] == pytest.approx(found["frobenius"])
    assert other["box_m"] == pytest.approx(found["box_m"])
    own = np.cov(before / before.std(axis=1, ddof=1, keepdims=True))
    assert found["eigenvalues_before"] == pytest.approx(sorted(np.linalg.eigvalsh(own), reverse=True))


def test_a_table_and_itself_do_not_differ() -> None:
    draw = np.random.default_rng(2)
    same = moments(*draw.normal(size=(3, 40)))

    found = compared_covariances(same, same)

    assert found is not None
    assert (found["frobenius"], found["box_m"]) == (0.0, pytest.approx(0.0, abs=1e-9))


def test_singular_matrices_have_no_m_and_constants_no_place() -> None:
    rising, other = np.arange(10.0), np.arange(10.0) ** 2
    twins = moments(rising, 2 * rising)

    found = compared_covariances(twins, moments(rising, other))

    assert found is not None
    assert (found["box_m"], found["box_degrees"]) == (None, None)
    assert compared_covariances(moments(rising, np.zeros(10)), twins) is None


def columns(draw: np.random.Generator, rows: int) -> list[np.ndarray]:
    made = [draw.integers(0, 6, rows).astype(float) for _ in range(3)]
    for values in made:
        values[draw.random(rows) < 0.1] = np.nan
    return made


def plain(values: list[np.ndarray]) -> list[list[float | None]]:
    return [[None if v != v else v for v in column.tolist()] for column in values]


@given(st.integers(0, 10**6))
def test_equals_a_loop_over_segments(seed: int) -> None:
    draw = np.random.default_rng(seed)
    before, after = columns(draw, 70), columns(draw, 70)
    segments = draw.choice([3, 8, 20, 21], 70, p=[0.5, 0.3, 0.1, 0.1])

    found = segment_changes(before, after, segments)

    expected = segment_change(plain(before), plain(after), segments.tolist(), SMALLEST)
    assert (found["mean_change"] if found else None) == pytest.approx(expected)


def test_opposite_trends_inside_segments_are_seen() -> None:
    """The whole table keeps its correlation of 0, but each segment's turns round."""
    rising = np.arange(20.0)
    before = [np.tile(rising, 2), np.concatenate([rising, -rising])]
    after = [before[0], np.concatenate([-rising, rising])]

    found = segment_changes(before, after, np.repeat([0, 1], 20))

    assert found is not None
    assert found["mean_change"] == pytest.approx(2.0)
    assert found["largest_change"] == pytest.approx(2.0)
    assert (found["segments"], found["records"]) == (2, 40)


def test_a_column_that_became_constant_has_lost_its_correlation() -> None:
    rising = np.arange(20.0)

    found = segment_changes([rising, rising], [rising, np.zeros(20)], np.zeros(20, int))

    assert found is not None
    assert found["mean_change"] == pytest.approx(1.0)


def test_small_segments_single_columns_and_constants_say_nothing() -> None:
    rising = np.arange(9.0)

    assert segment_changes([rising, rising], [rising, rising], np.zeros(9, int)) is None
    assert segment_changes([np.arange(20.0)], [np.arange(20.0)], np.zeros(20, int)) is None
    assert segment_changes([np.zeros(20)] * 2, [np.arange(20.0)] * 2, np.zeros(20, int)) is None
