"""Recovered distributions, and values assigned to their intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.reconstruction import AddedNoise, NoiseInside, reconstruct
from hushwood.reconstruction.distributions import assigned_limits, assigned_limits_by_group, limits_by_rank
from hushwood.techniques.laws.noise import NoiseParameters
from support.mixed_tables import number
from support.shaped_samples import SHAPES, apart, shaped, shares

METHODS = ("em", "bayes")
each_method = pytest.mark.parametrize("method", METHODS)

EDGES = np.array([0.0, 1.0, 2.0, 4.0])


@each_method
@settings(max_examples=30)
@given(
    values=st.lists(st.floats(-50, 50, allow_nan=False), min_size=1, max_size=40),
    scale=st.floats(0.5, 20),
    uniform=st.booleans(),
    intervals=st.integers(1, 12),
)
def test_probabilities_sum_to_1_and_the_likelihood_never_falls(
    method: Any, values: list[float], scale: float, uniform: bool, intervals: int
) -> None:
    noise = AddedNoise(scale, "uniform" if uniform else "normal", domain=(-50, 50))
    found = reconstruct(values, noise, intervals=intervals, method=method, most_iterations=50)
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert (found.probabilities >= 0).all()
    assert (np.diff(found.log_likelihoods) >= -1e-9).all()
    assert found.records + found.impossible == len(values)
    assert found.edges[0] <= found.mean <= found.edges[-1]
    assert found.density @ np.diff(found.edges) == pytest.approx(1.0)


@each_method
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [50, 3000])
def test_no_noise_gives_back_the_histogram(method: Any, shape: str, size: int) -> None:
    values = shaped(shape, size, 1)
    edges = np.array([0.0, 0.2, 0.3, 0.55, 1.0])
    found = reconstruct(values, AddedNoise(0.0), intervals=edges, method=method)
    np.testing.assert_allclose(found.probabilities, shares(values, edges), atol=1e-12)
    assert found.impossible == 0


@each_method
def test_no_noise_inside_a_domain_gives_back_the_histogram(method: Any) -> None:
    ages = np.random.default_rng(1).integers(18, 90, 500).astype(float)
    noise = NoiseInside.over_domain(number("age", 18, 90), NoiseParameters(noise=0.0))
    found = reconstruct(ages, noise, intervals=9, method=method)
    np.testing.assert_allclose(found.probabilities, shares(ages, found.edges), atol=1e-12)


@each_method
@pytest.mark.parametrize(("shift", "stretch"), [(1000.0, 1.0), (0.0, 250.0), (-3.0, 0.001), (2.0, -1.0)])
def test_unit_and_zero_point_change_nothing(method: Any, shift: float, stretch: float) -> None:
    released = shaped("bimodal", 2000, 3) + np.random.default_rng(4).normal(0, 0.2, 2000)
    here = reconstruct(released, AddedNoise(0.2), intervals=np.linspace(0, 1, 9), method=method)
    limits = np.sort(shift + stretch * np.linspace(0, 1, 9))
    there = reconstruct(
        shift + stretch * released, AddedNoise(0.2 * abs(stretch)), intervals=limits, method=method
    )
    turned = there.probabilities if stretch > 0 else there.probabilities[::-1]
    np.testing.assert_allclose(turned, here.probabilities, atol=1e-4)
    assert there.iterations == pytest.approx(here.iterations, abs=2)


@each_method
def test_the_order_of_records_changes_nothing(method: Any) -> None:
    released = shaped("triangle", 400, 3) + np.random.default_rng(4).normal(0, 0.2, 400)
    forth, back = (reconstruct(v, AddedNoise(0.2), method=method) for v in (released, released[::-1]))
    np.testing.assert_array_equal(forth.probabilities, back.probabilities)


@pytest.mark.parametrize("boundary", ["wrap", "reflect", "truncate"])
@pytest.mark.parametrize("precision", [2, None])
@pytest.mark.parametrize("shape", ["triangle", "bimodal"])
def test_noise_inside_a_domain_is_undone(boundary: str, precision: int | None, shape: str) -> None:
    from hushwood.random_streams import Streams

    values = shaped(shape, 20_000, 6)
    values = values if precision is None else np.round(values, precision)
    noise = NoiseInside.over_domain(
        number("x", 0, 1, precision),
        NoiseParameters(noise=0.15, boundary=boundary),  # type: ignore[arg-type]
    )
    rows = np.zeros(len(values), int)
    released = noise.law.sample({"x": values}, rows, range(len(values)), Streams(bytes(32)))["x"]
    for method in METHODS:
        found = reconstruct(released, noise, intervals=15, method=method)  # type: ignore[arg-type]
        before = shares(values, found.edges)
        gone = apart(shares(released, found.edges), before)
        assert found.impossible == 0
        assert apart(found.probabilities, before) < 0.6 * gone


def test_complete_noise_tells_nothing() -> None:
    noise = NoiseInside.over_domain(number("x", 1, 10), NoiseParameters(noise=50.0))
    found = reconstruct(np.repeat(np.arange(1.0, 11.0), np.arange(10)), noise, intervals=5)
    np.testing.assert_allclose(found.probabilities, 0.2)


def test_missing_values_are_left_out() -> None:
    some = reconstruct([1.0, np.nan, 2.0, np.inf], AddedNoise(0.5, domain=(0, 3)), intervals=3)
    all_known = reconstruct([1.0, 2.0], AddedNoise(0.5, domain=(0, 3)), intervals=3)
    assert some.records == 2
    np.testing.assert_array_equal(some.probabilities, all_known.probabilities)


def test_values_that_cannot_be_are_counted() -> None:
    noise = AddedNoise(0.5, "uniform", domain=(0, 1))
    found = reconstruct([0.2, 0.4, 7.0], noise, intervals=4)
    assert (found.records, found.impossible) == (2, 1)
    assert found.probabilities.sum() == pytest.approx(1.0)
    with pytest.raises(InputError, match="None of the 1 released values can come from 0 to 1"):
        reconstruct([7.0], noise)


def test_without_a_domain_the_range_of_the_values_is_taken() -> None:
    assert reconstruct([1.0, 2.0, 5.0], AddedNoise(1.0), intervals=2).edges.tolist() == [1.0, 3.0, 5.0]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "mle"}, "no method 'mle'"),
        ({"intervals": 0}, "1 to 256, not 0"),
        ({"intervals": 257}, "1 to 256"),
        ({"intervals": [1.0]}, "ascending numbers"),
        ({"intervals": [1.0, 1.0]}, "ascending numbers"),
        ({"intervals": [0.0, np.inf]}, "ascending numbers"),
        ({"tolerance": -1.0}, "tolerance must be 0 or more"),
        ({"most_iterations": 0}, "most_iterations 1 or more"),
    ],
)
def test_wrong_requests_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        reconstruct([1.0, 2.0], AddedNoise(1.0), **given)


def test_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="no released value"):
        reconstruct([np.nan], AddedNoise(1.0))
    with pytest.raises(InputError, match="not 3 to 3"):
        reconstruct([3.0, 3.0], AddedNoise(1.0))


def test_by_hand() -> None:
    values = np.array([3.0, -1.0, 9.0, 2.0, 2.5])
    limits = limits_by_rank(values, np.array([0.4, 0.0, 0.6]), EDGES)
    assert limits.tolist() == [4.0, 1.0, 4.0, 1.0, 4.0]


@given(st.lists(st.floats(-9, 9), max_size=30), st.lists(st.integers(0, 5), min_size=3, max_size=3))
def test_as_many_as_asked_and_in_order(values: list[float], weights: list[int]) -> None:
    probabilities = (np.array(weights) + 1e-9) / (sum(weights) + 3e-9)
    limits = limits_by_rank(np.array(values), probabilities, EDGES)
    assert set(limits.tolist()) <= {1.0, 2.0, 4.0}
    order = np.argsort(values, kind="stable")
    assert (np.diff(limits[order]) >= 0).all()
    counts = np.array([(limits == limit).sum() for limit in EDGES[1:]])
    assert np.abs(counts - probabilities * len(values)).max() <= 1.0


def test_without_noise_every_value_gets_its_own_interval() -> None:
    values = shaped("bimodal", 300, 1)
    edges = np.linspace(0, 1, 6)
    limits = assigned_limits(values, AddedNoise(0.0), edges, "bayes")
    np.testing.assert_array_equal(limits, edges[1:][np.minimum((values * 5).astype(int), 4)])


def test_groups_are_dealt_apart_and_missing_values_stay() -> None:
    values = np.concatenate([shaped("triangle", 400, 1), 0.2 * shaped("triangle", 400, 2), [np.nan]])
    groups = np.array([0] * 400 + [1] * 400 + [0])
    edges = np.linspace(0, 1, 6)
    limits = assigned_limits_by_group(values, groups, AddedNoise(0.0), edges, "em")
    assert np.isnan(limits[-1])
    assert np.mean(limits[400:800] == edges[1]) == pytest.approx(1.0)
    np.testing.assert_allclose(
        [np.mean(limits[:400] == limit) for limit in edges[1:]], shares(values[:400], edges), atol=0.01
    )
