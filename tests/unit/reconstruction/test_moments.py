""""""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.reconstruction.moments import subpopulation_covariance, subpopulation_mean
from hushwood.techniques.added_noise import TendickMatloff
from hushwood.techniques.together.correlated_noise import shrinking
from support.normal_tables import normal_numbers, numbers_table, released_numbers

RUNS = 300
NOISE = 0.5


def original() -> Floats:
    """400 records, the last 100 of which are others: elsewhere, and closer together."""
    x = normal_numbers(400)
    x[300:] = 0.4 * x[300:] + [45.0, -10.0, 100.0]
    return x


@pytest.fixture(scope="module")
def releases() -> list[Floats]:
    table = numbers_table(original())
    technique = TendickMatloff(NOISE, bounded=False)
    return [
        released_numbers(technique, table, streams=Streams(bytes([run % 251, run // 251] * 16)))
        for run in range(RUNS)
    ]


def off(estimates: list[Floats], truth: Floats) -> Floats:
    """How many standard errors the mean estimate is from the truth."""
    found = np.array(estimates)
    return np.asarray((found.mean(axis=0) - truth) / (found.std(axis=0, ddof=1) / len(found) ** 0.5))


def test_corrected_means_of_a_part_are_unbiased(releases: list[Floats]) -> None:
    truth = original()[300:].mean(axis=0)
    scale = float(shrinking(NOISE))
    assert np.abs(off([subpopulation_mean(z[300:], z, scale) for z in releases], truth)).max() < 4
    assert np.abs(off([z[300:].mean(axis=0) for z in releases], truth)).max() > 20


def test_corrected_covariances_of_a_part_are_unbiased(releases: list[Floats]) -> None:
    truth = np.cov(original()[300:], rowvar=False)
    scale = float(shrinking(NOISE))
    estimates = [subpopulation_covariance(z[300:], z, NOISE, scale) for z in releases]
    assert np.abs(off(estimates, truth)).max() < 4
    assert np.abs(off([np.cov(z[300:], rowvar=False) for z in releases], truth)).max() > 20


def test_one_column_is_a_matrix_too() -> None:
    whole = np.array([[0.0], [2.0], [4.0]])
    assert subpopulation_covariance(whole[:2], whole, 0.5, 1.0).tolist() == [[0.0]]
