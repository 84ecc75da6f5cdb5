from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.segments import Segments
from hushwood.techniques.kernels.ranks import swapped_ranks
from hushwood.techniques.protocol import Within
from hushwood.techniques.rank_swapping import RankSwap, RankSwapLaw, windows
from oracles import rank_swap as oracle
from support.law_checks import follows
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(32)))
GAP = float("nan")


def law_of(values: list[float], ids: list[int], percent: float, within: Within) -> RankSwapLaw:
    table = table_of({"x": (number("x", -1e3, 1e3), values)})
    segments = Segments(np.array(ids, np.int32), max(ids, default=0) + 1, {}, {}, {})
    law = RankSwap(percent, within).prepare(table, ["x"], segments).law().laws[0]
    assert isinstance(law, RankSwapLaw)
    return law


def released(values: list[float], ids: list[int], percent: float, within: Within) -> Floats:
    law = law_of(values, ids, percent, within)
    columns = {"x": np.array(values)}
    return np.asarray(law.sample(columns, np.array(ids, np.int32), range(len(values)), STREAMS)["x"])


def chance(law: RankSwapLaw, before: float, after: float, segment: int = 0) -> float:
    asked = ({"x": np.array([before])}, {"x": np.array([after])})
    return float(np.exp(law.log_prob(*asked, np.array([segment])))[0])


def in_full(law: RankSwapLaw, size: int) -> Floats:
    """Probability of every rank to get every other's value, for the values 0, 1, ..., size - 1."""
    i, j = (index.reshape(-1).astype(float) for index in np.indices((size, size)))
    log_prob = law.log_prob({"x": i}, {"x": j}, np.zeros(size * size, int))
    return np.exp(log_prob).reshape(size, size)


def percent_for(window: int, size: int) -> float:
    return min(100 * (window + 0.01) / size, 100.0)


@pytest.mark.parametrize(
    ("u", "partner"),
    [
        ([0.0, 0, 0, 0, 0], [1, 0, 3, 2, 4]),  # 0 takes 1, 2 takes 3, nothing is left for 4
        ([0.9, 0, 0, 0, 0], [2, 3, 0, 1, 4]),  # 0 takes 2, then 1 has only 3 in reach
        ([0.0, 0, 0.9, 0, 0], [1, 0, 4, 3, 2]),  # 2 takes 4, and 3 stays
    ],
)
def test_by_hand(u: list[float], partner: list[int]) -> None:
    assert swapped_ranks(np.array([0, 5]), np.array([2]), np.array(u)).tolist() == partner


def test_no_window_no_swap() -> None:
    assert released([3.0, 1, 2], [0, 0, 0], 30, "table").tolist() == [3, 1, 2]
    assert released([], [], 30, "table").tolist() == []
    assert released([GAP, GAP], [0, 0], 100, "table").tolist() == pytest.approx([GAP, GAP], nan_ok=True)


columns = st.lists(
    st.tuples(st.one_of(st.none(), st.integers(0, 9)), st.integers(0, 2)), min_size=1, max_size=60
)
percents = st.sampled_from(["100", "50", "18.4", "15", "7.5", "5"])


@settings(max_examples=200)
@given(columns, percents, st.booleans())
def test_equals_the_oracle(records: list[tuple[int | None, int]], percent: str, by_segment: bool) -> None:
    values = [GAP if value is None else float(value) for value, _ in records]
    ids = [segment for _, segment in records]
    found = released(values, ids, float(percent), "segment" if by_segment else "table")
    u = STREAMS.uniform("RANKSWAP", "x", 0, range(len(values))).tolist()
    wanted: list[float | None] = [None] * len(values)
    for segment in set(ids):
        rows = [row for row, own in enumerate(ids) if own == segment or not by_segment]
        part = oracle.swapped([records[row][0] for row in rows], percent, [u[row] for row in rows])
        for row, value in zip(rows, part, strict=True):
            wanted[row] = value
    assert [None if value != value else value for value in found.tolist()] == wanted


def test_long_windows_equal_the_oracle() -> None:
    u = np.random.default_rng(3).random(1500)
    for percent in ("15", "40", "100"):
        window = oracle.window_of(1500, percent)
        wanted = list(range(1500))
        for i, j in oracle.pairs(u.tolist(), window):
            wanted[i], wanted[j] = j, i
        assert swapped_ranks(np.array([0, 1500]), np.array([window]), u).tolist() == wanted


@pytest.mark.parametrize(("size", "window"), [(6, 3), (7, 3), (6, 5)])
def test_whole_outcomes_are_as_likely_as_they_should_be(size: int, window: int) -> None:
    from scipy.stats import chisquare

    copies = 40_000
    ids = np.repeat(np.arange(copies, dtype=np.int32), size).tolist()
    values = list(map(float, range(size))) * copies
    found = released(values, ids, 100 * (window + 0.5) / size, "segment").reshape(copies, size)
    outcomes, counts = np.unique(found, axis=0, return_counts=True)
    seen = {
        tuple((i, int(j)) for i, j in enumerate(row) if i < j): count
        for row, count in zip(outcomes.tolist(), counts.tolist(), strict=True)
    }
    wanted = {pairs: float(chance) for pairs, chance in oracle.outcomes(size, window).items()}
    assert set(seen) == set(wanted)
    assert chisquare([seen[p] for p in wanted], [copies * wanted[p] for p in wanted]).pvalue > 1e-3


@given(columns, st.floats(0.5, 100), st.booleans())
def test_values_stay_in_the_group_and_in_the_window(
    records: list[tuple[int | None, int]], percent: float, by_segment: bool
) -> None:
    values = np.array([GAP if value is None else float(value) for value, _ in records])
    ids = np.array([segment for _, segment in records]) if by_segment else np.zeros(len(records), int)
    found = released(values.tolist(), ids.tolist(), percent, "segment")
    assert np.array_equal(np.isnan(found), np.isnan(values))
    for segment in set(ids.tolist()):
        here = (ids == segment) & ~np.isnan(values)
        assert Counter(found[here].tolist()) == Counter(values[here].tolist())
        ascending = np.sort(values[here])
        window = int(windows(np.array([here.sum()]), percent)[0])
        lowest = np.searchsorted(ascending, found[here])
        highest = np.searchsorted(ascending, found[here], side="right") - 1
        own_low = np.searchsorted(ascending, values[here])
        own_high = np.searchsorted(ascending, values[here], side="right") - 1
        assert ((lowest <= own_high + window) & (highest >= own_low - window)).all()


@pytest.mark.parametrize(("size", "stays"), [(1000, 0), (1001, 1)])
def test_all_but_one_of_an_odd_number_are_swapped(size: int, stays: int) -> None:
    values = np.random.default_rng(1).permutation(size).astype(float)
    found = released(values.tolist(), [0] * size, 2, "table")
    assert int((found == values).sum()) == stays
    assert np.abs(found - values).max() <= 20


@given(st.integers(0, 5000), st.sampled_from(["0.07", "0.29", "5", "7", "18.4", "29", "33.3", "58", "100"]))
@example(375, "18.4")
def test_windows_are_exact(size: int, percent: str) -> None:
    assert windows(np.array([size]), float(percent)).tolist() == [oracle.window_of(size, percent)]


@pytest.mark.parametrize("window", range(9))
@pytest.mark.parametrize("size", [1, 2, 5, 10, 17])
def test_the_law_of_narrow_windows_is_exact(window: int, size: int) -> None:
    if window > size:
        return
    law = law_of(list(map(float, range(size))), [0] * size, percent_for(window, size), "table")
    np.testing.assert_allclose(in_full(law, size), oracle.chances(size, min(window, size)), atol=1e-12)


@pytest.mark.parametrize(("window", "size"), [(9, 19), (9, 30), (10, 25), (11, 26), (12, 12), (12, 25)])
def test_the_law_of_wide_windows_is_near(window: int, size: int) -> None:
    """Within 0.04 of the exact law of every record; impossible only what is impossible."""
    law = law_of(list(map(float, range(size))), [0] * size, percent_for(window, size), "table")
    found, exact = in_full(law, size), np.array(oracle.chances(size, window))
    assert (np.abs(found - exact).sum(axis=1) / 2).max() < 0.04
    assert (found[exact > 0] > 0).all()
    apart = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    assert (found[apart > window] == 0).all()
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


def test_equal_values_share_their_ranks_law() -> None:
    values = [0.0, 0, 1, 1, 1, 5, 7, 7]
    law = law_of(values, [0] * 8, 40, "table")
    by_rank = np.array(oracle.chances(8, 3))
    for before in set(values):
        for after in set(values):
            source, goal = np.array(values) == before, np.array(values) == after
            assert chance(law, before, after) == pytest.approx(by_rank[source][:, goal].sum() / source.sum())


def test_what_the_law_calls_impossible() -> None:
    law = law_of([0.0, 1, 2, GAP, 10, 20], [0, 0, 0, 0, 1, 1], 50, "segment")
    assert chance(law, 0, 1) == 1
    assert chance(law, 2, 2) == 1
    assert chance(law, GAP, GAP) == 1
    assert chance(law, 10, 20, segment=1) == 1
    assert [chance(law, 0, y) for y in (0, 2, 10, 0.5, -1, 99, GAP)] == [0] * 7
    assert chance(law, GAP, 1) == 0
    assert law.dependent


def copies_of(values: list[float], copies: int, percent: float) -> tuple[RankSwapLaw, Floats]:
    """The law inside so many equal segments, and their draws [segment, rank]."""
    ids = np.repeat(np.arange(copies), len(values))
    law = law_of(values * copies, ids.tolist(), percent, "segment")
    found = law.sample({"x": np.tile(values, copies)}, ids, range(len(ids)), STREAMS)["x"]
    return law, found.reshape(copies, -1)


@pytest.mark.parametrize("row", [0, 1, 9, 20])
def test_draws_in_a_narrow_window_follow_the_law(row: int) -> None:
    """A window of five of 21 ranks; laws with other windows are found out."""
    law, found = copies_of(list(map(float, range(21))), 20_000, 25)
    attribute, record = number("x", 0, 20), {"x": np.array([float(row)])}
    assert follows(law, attribute, record, 0, found[:, row])
    for wrong in (replace(law, percent=20), replace(law, percent=30)):
        assert not follows(wrong, attribute, record, 0, found[:, row])


@pytest.mark.parametrize("size", [30, 31])
def test_draws_in_a_wide_window_are_near_the_law(size: int) -> None:
    """A window of 13, and values with ties."""
    values = [float(v * v // 20) for v in range(size)]
    law, found = copies_of(values, 10_000, 44)
    for value in sorted(set(values)):
        drawn = found[:, np.array(values) == value]
        shares = {float(v): float((drawn == v).mean()) for v in set(values)}
        assert sum(abs(shares[v] - chance(law, value, v)) for v in shares) / 2 < 0.05
        assert all(chance(law, value, v) > 0 for v, share in shares.items() if share)


@settings(max_examples=60)
@given(columns, st.floats(1, 100), st.booleans())
def test_chances_of_every_record_sum_to_one(
    records: list[tuple[int | None, int]], percent: float, by_segment: bool
) -> None:
    values = [GAP if value is None else float(value) for value, _ in records]
    ids = [segment for _, segment in records]
    law = law_of(values, ids, percent, "segment" if by_segment else "table")
    possible = np.append(np.arange(10.0), GAP)
    total: Array = np.zeros(len(values))
    for after in possible:
        given_values = {"x": np.array(values)}
        total += np.exp(law.log_prob(given_values, {"x": np.full(len(values), after)}, np.array(ids)))
    np.testing.assert_allclose(total, 1, atol=1e-9)


def test_a_long_column_keeps_a_finite_law() -> None:
    """So narrow a window that the chances to stay free, multiplied along the column, would be no number."""
    size = 20_000
    values = np.arange(float(size))
    law = law_of(values.tolist(), [0] * size, 0.05, "table")
    found = law.sample({"x": values}, np.zeros(size, int), range(size), STREAMS)["x"]
    assert np.isfinite(law.log_prob({"x": values}, {"x": found}, np.zeros(size, int))).all()
    middle = np.full(21, 10_000.0)
    shares = np.exp(law.log_prob({"x": middle}, {"x": middle + np.arange(-10, 11)}, np.zeros(21, int)))
    wanted = 2.0 ** (np.abs(np.arange(-10, 11)) / 10)
    wanted[10] = 0
    np.testing.assert_allclose(shares, wanted / wanted.sum(), atol=0.01)


@pytest.mark.parametrize("percent", [0, -5, 100.5, float("nan")])
def test_an_impossible_percent_is_refused(percent: float) -> None:
    with pytest.raises(InputError, match="above 0 and at most 100"):
        RankSwap(percent)


def test_an_unknown_within_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'table'"):
        RankSwap(within="tables")  # type: ignore[arg-type]


def test_what_it_says_and_keeps() -> None:
    assert not RankSwap().keeps_segment
    assert RankSwap(within="segment").keeps_segment
    assert "5 % of the ranks" in RankSwap().says()
    described = law_of([1.0, 2], [0, 0], 15, "segment").described()
    assert described == {"form": "rank swap within segments", "attribute": "x", "percent": 15}


def test_it_says_that_it_blurs() -> None:
    plain, blurred = RankSwap(), RankSwap(blur=5)
    assert (plain.promise.values, blurred.promise.values) == ("dealt", "inside")
    assert "keeps all its values" in plain.says()
    assert blurred.says().endswith("Numbers that fewer than 5 records share are blurred.")
    assert "set of values is exact" in plain.trust
    assert "only numbers that few records share are blurred" in blurred.trust
