from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gamma, kstest

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Streams
from hushwood.techniques.sequential import drawn_counts
from hushwood.techniques.sequential.drawn_counts import drawn_columns, weights
from hushwood.techniques.sequential.hand_outs import Slots
from oracles import drawn_counts as oracle

STREAMS = Streams(bytes(range(32)))
NOISES = (0.3, 1.0, 3.0)


def drawn(column: Array, groups: Array, noise: float, name: str = "x") -> Array:
    return drawn_columns({name: column}, [name], {}, slots_of(groups), noise)[name]


def slots_of(groups: Array, rows: Array | None = None) -> Slots:
    return Slots.of(groups, range(len(groups)) if rows is None else rows, STREAMS, "test")


def own_weights(groups: Array, noise: float, name: str = "x") -> Floats:
    return weights(slots_of(groups).uniform(name, drawn_counts._WEIGHTS), noise)


def starts(name: str, rows: Array) -> list[float]:
    return list(STREAMS.uniform("test", name, drawn_counts._START, rows))


@given(st.integers(0, 10_000), st.sampled_from(NOISES))
def test_values_are_those_of_the_oracle(seed: int, noise: float) -> None:
    chance = np.random.default_rng(seed)
    rows = int(chance.integers(1, 50))
    # Some groups have no records.
    groups, column = chance.integers(0, 6, rows), chance.integers(-1, 4, rows).astype(np.int32)
    ids = np.sort(chance.choice(1000, rows, replace=False))
    slots = slots_of(groups, ids)
    found = drawn_columns({"x": column}, ["x"], {}, slots, noise)["x"]
    assert found.dtype == column.dtype
    own = weights(slots.uniform("x", drawn_counts._WEIGHTS), noise)
    for group in np.unique(groups):
        here = groups == group
        (t,) = starts("x", ids[here][:1])
        wanted = oracle.handed_out(column[here].tolist(), own[here].tolist(), t)
        assert sorted(found[here].tolist()) == wanted


@given(st.integers(0, 10_000), st.sampled_from(NOISES))
def test_every_count_is_within_one_of_its_weight(seed: int, noise: float) -> None:
    chance = np.random.default_rng(seed)
    groups, column = np.sort(chance.integers(0, 3, 200)), chance.integers(0, 9, 200).astype(np.int32)
    found, own = drawn(column, groups, noise), own_weights(groups, noise)
    for group in range(3):
        here = groups == group
        counts = np.bincount(found[here], minlength=9)
        wanted = here.sum() * np.bincount(column[here], own[here], minlength=9) / own[here].sum()
        assert (abs(counts - wanted) < 1 + 1e-9).all()
        assert counts.sum() == here.sum()


@pytest.mark.parametrize("noise", NOISES)
def test_weights_are_gamma(noise: float) -> None:
    found = weights(STREAMS.uniform("test", "w", 0, range(20_000)), noise)
    assert kstest(found, gamma(1 / noise, scale=noise).cdf).pvalue > 0.001
    assert found.mean() == pytest.approx(1, abs=5 * np.sqrt(noise / 20_000))


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("held", [3, 10, 20])
def test_counts_have_the_mean_and_variance_of_a_dirichlet_law(held: int, noise: float) -> None:
    """Of 4,000 segments of 40 records; steps add what rounding to a whole number does, at most a quarter."""
    n, many = 40, 4_000
    column = np.tile((np.arange(n) < held).astype(np.int32), many)
    counts = drawn(column, np.repeat(np.arange(many), n), noise).reshape(many, n).sum(axis=1)
    p = held / n
    variance = noise * n * p * (1 - p) * n / (n + noise)
    mean_error = np.sqrt((variance + 0.25) / many)
    # The counts have heavier tails than a normal law has, so their variance is less certain.
    kurtosis = float(((counts - counts.mean()) ** 4).mean() / counts.var() ** 2)
    variance_error = counts.var() * np.sqrt((kurtosis - 1) / many)
    assert abs(counts.mean() - held) < 4 * mean_error
    assert variance - 4 * variance_error < counts.var() < variance + 0.25 + 4 * variance_error


def test_linked_columns_take_the_same_records() -> None:
    chance = np.random.default_rng(1)
    groups, city = chance.integers(0, 4, 300), chance.integers(-1, 6, 300).astype(np.int32)
    columns = {"city": city, "state": city // 2, "other": city.copy()}
    found = drawn_columns(columns, columns, {"state": "city"}, slots_of(groups), 1.0)
    assert (found["state"] == found["city"] // 2).all()
    both = (Counter(zip(groups.tolist(), found[name].tolist(), strict=True)) for name in ("city", "other"))
    assert next(both) != next(both)


def test_columns_are_drawn_apart() -> None:
    """Counts of two columns with the same values say nothing of each other: neither weights nor starts are shared."""
    many, n = 4_000, 4
    groups, column = np.repeat(np.arange(many), n), np.tile([0, 0, 1, 1], many).astype(np.int32)
    for noise in (0.05, 1.0):  # of small noise the start decides, of large noise the weights do
        found = drawn_columns({"a": column, "b": column}, ["a", "b"], {}, slots_of(groups), noise)
        counts = [found[name].reshape(many, n).sum(axis=1) for name in found]
        assert abs(np.corrcoef(*counts)[0, 1]) < 4 / np.sqrt(many)


def test_missing_values_are_values() -> None:
    groups = np.zeros(200, int)
    numbers = np.where(np.arange(200) % 2, np.nan, np.arange(200.0))
    found = drawn(numbers, groups, 1.0)
    assert 60 < np.isnan(found).sum() < 140
    assert set(found[~np.isnan(found)]) <= set(range(0, 200, 2))


def test_the_order_of_groups_and_what_else_is_drawn_change_nothing() -> None:
    """A segment hands out the same in a part of the table that holds it whole."""
    chance = np.random.default_rng(5)
    groups, column = chance.integers(0, 5, 400), chance.integers(0, 7, 400).astype(np.int32)
    ids = np.arange(400) * 3
    whole = drawn_columns({"x": column}, ["x"], {}, slots_of(groups, ids), 1.0)["x"]
    part = np.isin(groups, [1, 4])
    again = drawn_columns({"x": column[part]}, ["x"], {}, slots_of((groups[part] == 1) * 1, ids[part]), 1.0)
    assert again["x"].tolist() == whole[part].tolist()


def test_groups_of_one_record_keep_it() -> None:
    column = np.array([5, 3, 9], np.int32)
    assert drawn(column, np.array([2, 0, 1]), 1.0).tolist() == column.tolist()
