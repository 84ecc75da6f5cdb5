"""Thesis, chapter 4: two repeats of its whole experiment, with fixed seeds."""

from __future__ import annotations

from functools import cache

import pytest

from hushwood.experiments.class_noise.class_noise_trees import EXPERIMENT
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.comparison import counts, rows_of
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.reproducing.running import measured_here
from real_data import data_folder


@cache
def measured() -> Measured:
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(data_folder()))


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("original tree, leaves", [5, 8]),
        ("original tree, errors", [8, 8]),
        ("original tree, records of the leading rule", [224, 211]),
        ("RPT, fewest errors of its trees", [3, 7]),
        ("RPT, most errors of its trees", [8, 15]),
        ("PPT, fewest errors of its trees", [3, 3]),
        ("PPT, most errors of its trees", [11, 13]),
        ("ALPT, fewest errors of its trees", [12, 14]),
        ("ALPT, most errors of its trees", [32, 39]),
        ("RPT, attributes of the original in every tree", [3, 3]),
        ("PPT, trees with the leading rule", [10, 1]),
        ("ALPT, trees with the leading rule", [4, 1]),
        ("expected changes of class, equation 4.1", [15.2355, 15.3118]),
        ("subsets whose root tests LSTAT, in %", [20]),
        ("subsets whose root tests RM, in %", [80]),
    ],
)
def test_numbers_of_two_repeats(key: str, values: list[float]) -> None:
    assert list(measured().numbers[key]) == pytest.approx(values, abs=1e-3)


def test_what_the_thesis_says_of_the_techniques_themselves_holds() -> None:
    claims = measured().claims
    for key in (
        "the same amount of noise",
        "RPT changes an even number",
        "RPT keeps class totals",
        "minority records are changed with m/(m+n)",
        "noise after the tree keeps patterns better",
    ):
        assert claims[key].holds, claims[key].numbers
    assert "10 of 10" in claims["RPT changes an even number"].numbers


def test_natural_noise_costs_the_trees_more_than_noise_after_the_tree() -> None:
    numbers = measured().numbers
    for repeat in range(2):
        assert numbers["ALPT, errors"][repeat] > 2 * numbers["RPT, errors"][repeat]
        assert numbers["ALPT, errors"][repeat] > 2 * numbers["PPT, errors"][repeat]


def test_every_printed_number_has_a_row_and_charts_are_drawn() -> None:
    told = printed(EXPERIMENT.name)
    found = counts(rows_of(measured(), told))
    assert found["agrees"] + found["differs"] + found["cannot be compared"] == len(told.numbers) + len(
        told.claims
    )
    assert found["agrees"] >= 20
    assert len(EXPERIMENT.draw(measured(), told.by_key())) == 2
