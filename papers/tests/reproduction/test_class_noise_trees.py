"""Thesis, chapter 4: two repeats of its whole experiment, with fixed seeds."""

from __future__ import annotations

from functools import cache

import pytest

from hushwood_papers.class_noise.class_noise_trees import EXPERIMENT
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.comparison import about_printed, counted, rows_of
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import measured_here
from support.real_data import data_folder


@cache
def measured() -> Measured:
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(data_folder()))


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("RPT, fewest errors of its trees", [3, 7]),
        ("RPT, most errors of its trees", [8, 15]),
        ("PPT, fewest errors of its trees", [3, 3]),
        ("PPT, most errors of its trees", [11, 13]),
        ("ALPT, fewest errors of its trees", [12, 14]),
        ("ALPT, most errors of its trees", [32, 39]),
        ("RPT, attributes of the original in every tree", [3, 3]),
        ("PPT, trees with the rule of Leaf 1", [10, 1]),
        ("ALPT, trees with the rule of Leaf 1", [4, 1]),
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
    ):
        assert claims[key].holds, claims[key].numbers
    assert "10 of 10" in claims["RPT changes an even number"].numbers


def test_the_printed_tree_is_held_against_all_trees_without_noise() -> None:
    """Two of the repeats, and 25 more subsets in each."""
    numbers = measured().numbers
    assert list(numbers["original tree, leaves"][:2]) == [5, 8]
    assert list(numbers["original tree, errors"][:2]) == [8, 8]
    assert len(numbers["original tree, leaves"]) == 52
    assert numbers["original tree, leaf at LSTAT >, RM <=: records"] == [211, 239, 214, 205, 234, 215, 243]
    assert numbers["original tree, leaf at LSTAT >, RM <=: errors"] == [4, 9, 4, 0, 7, 2, 6]


def test_two_repeats_are_too_few_to_say_which_noise_keeps_patterns_better() -> None:
    claims = measured().claims
    assert "RPT in 1, PPT in 2 of 2 repeats" in claims["noise after the tree keeps patterns better"].numbers
    assert not claims["RPT is more consistent than PPT"].holds


def test_natural_noise_costs_the_trees_more_than_noise_after_the_tree() -> None:
    errors = {
        technique: measured().numbers[f"{technique}, errors on the released records, mean of its trees"]
        for technique in ("RPT", "PPT", "ALPT")
    }
    for repeat in range(2):
        assert errors["ALPT"][repeat] > 2 * errors["RPT"][repeat]
        assert errors["ALPT"][repeat] > 2 * errors["PPT"][repeat]


def test_every_printed_number_has_a_row_and_charts_are_drawn() -> None:
    told = printed(EXPERIMENT.name)
    found = counted(row.verdict for row in rows_of(measured(), told))
    assert about_printed(found) == len(told.numbers) + len(told.claims)
    assert (found["agrees"], found["possible"], found["differs"]) == (8, 13, 16)
    assert len(EXPERIMENT.draw(measured(), told.by_key())) == 2
