"""Filters of independent noise against the printed formulas."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.techniques.together.correlated_noise import By, filtered
from oracles import noise_filters as oracle


def noisy(seed: int, rows: int = 400) -> tuple[Floats, Floats, Floats]:
    """Five columns that two hidden causes explain, the same with noise, and the deviations of the noise."""
    chance = np.random.default_rng(seed)
    causes = chance.normal(0, 1, (rows, 2)) * (5.0, 2.0)
    true = causes @ chance.normal(0, 1, (2, 5)) + chance.normal(0, 0.3, (rows, 5)) + 100.0
    noise = np.array([0.5, 1.0, 2.0, 0.7, 1.2])
    return true, true + chance.normal(0, 1, (rows, 5)) * noise, noise


def errors(estimates: Floats, true: Floats) -> float:
    return float(np.sqrt(((estimates - true) ** 2).mean()))


@pytest.mark.parametrize("seed", range(5))
def test_kargupta_like_the_oracle(seed: int) -> None:
    _, released, noise = noisy(seed)
    np.testing.assert_allclose(filtered(released, noise, "spectral"), oracle.spectral(released, noise))


@pytest.mark.parametrize("seed", range(5))
def test_principal_components_like_the_oracle(seed: int) -> None:
    _, released, noise = noisy(seed)
    kept = [oracle.principal(released, noise, keep) for keep in range(1, 5)]
    found = filtered(released, noise, "principal")
    assert [np.allclose(found, one) for one in kept].count(True) == 1


def test_principal_components_are_those_with_more_signal_than_noise() -> None:
    kept = set()
    for scale in (0.2, 1.0, 3.0, 5.0, 20.0):
        _, released, noise = noisy(1)
        noise = noise * scale
        eigenvalues = np.linalg.eigvalsh(np.cov((released / noise).T, bias=True))
        keep = int((eigenvalues > 2).sum())
        kept.add(keep)
        expected = oracle.principal(released, noise, keep)
        np.testing.assert_allclose(filtered(released, noise, "principal"), expected)
    assert {0, 1, 2} < kept


@pytest.mark.parametrize("seed", range(5))
def test_bayes_like_the_oracle(seed: int) -> None:
    chance = np.random.default_rng(seed)
    released = chance.normal(0, 1, (200, 4)) @ chance.normal(0, 2, (4, 4)) + 5
    smallest = np.sqrt(np.linalg.eigvalsh(np.cov(released, rowvar=False))[0])
    noise = smallest * np.array([0.9, 0.2, 0.5, 0.7])
    np.testing.assert_allclose(filtered(released, noise, "bayes"), oracle.bayes(released, noise))


def test_one_column_by_hand() -> None:
    """Variance 4 with noise of variance 1 leaves 3 of signal: a number goes a quarter of the way to the mean."""
    released = np.array([[-2.0, 0.0], [2.0, 0.0], [-2.0, 1.0], [2.0, 1.0]]) + 10
    noise = np.array([1.0, 0.5])
    assert filtered(released, noise, "bayes")[:, 0].tolist() == pytest.approx([8.5, 11.5, 8.5, 11.5])
    assert filtered(released, noise, "bayes")[:, 1].tolist() == pytest.approx([10.5] * 4)
    np.testing.assert_allclose(filtered(released, noise, "released"), released)


@pytest.mark.parametrize("by", ["spectral", "principal", "bayes"])
def test_filters_take_noise_out(by: By) -> None:
    true, released, noise = noisy(2, 3000)
    assert errors(filtered(released, noise, by), true) < 0.75 * errors(released, true)


def test_pure_noise_leaves_the_mean() -> None:
    released = np.random.default_rng(1).normal(3, 2, (5000, 4))
    means = np.broadcast_to(released.mean(axis=0), released.shape)
    np.testing.assert_allclose(filtered(released, np.full(4, 2.05), "spectral"), means)
