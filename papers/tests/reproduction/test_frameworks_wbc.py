"""Thesis 7.3.2 on WBC, in twenty runs of the Framework and four of every other way."""

from __future__ import annotations

from functools import cache

import pytest

from hushwood_papers.paper_tables import PAPER_TABLES, PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.comparison import counted, rows_of
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import measured_here
from hushwood_papers.thesis_frameworks.frameworks_wbc import EXPERIMENT, NAME
from hushwood_papers.thesis_frameworks.numbers_by_key import (
    change_key,
    columns_of,
    count_key,
    percent_right,
    printed_changes,
    right_key,
    type_key,
)
from hushwood_papers.thesis_frameworks.releases import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    NEARER,
    ORIGINAL,
    OWN,
    RANDOM,
    Way,
)
from support.real_data import data_folder, existing


@cache
def measured() -> Measured:
    folder = data_folder()
    existing(folder / PAPER_TABLES["wbc"].file)
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(folder))


def mean(key: str) -> float:
    values = measured().numbers[key]
    return sum(values) / len(values)


def percent(way: Way, place: int) -> float:
    shares = percent_right(measured().numbers, measured().numbers, way, place)
    return sum(shares) / len(shares)


def test_the_original_tree_is_the_printed_one() -> None:
    numbers = measured().numbers
    assert [numbers[count_key(ORIGINAL, place)] for place in range(3)] == [[596], [596], [74]]
    assert numbers["original: leaves of the tree"] == [14]


@pytest.mark.parametrize(
    ("way", "told"), [(FRAMEWORK, (99.05, 98.5, 87.4)), (EXTENDED, (98.9, 95.35, 92.2))], ids=str
)
def test_accuracies_are_within_two_and_a_half_points(way: Way, told: tuple[float, float, float]) -> None:
    for place, share in enumerate(told):
        assert percent(way, place) == pytest.approx(share, abs=2.5)


def test_rules_survive_the_framework_and_not_the_control() -> None:
    assert mean(type_key(FRAMEWORK, "A")) > 60
    assert mean(type_key(FRAMEWORK, "D")) < 3
    assert mean(type_key(RANDOM, "A")) == mean(type_key(RANDOM, "B")) == 0
    assert percent(RANDOM, 1) < 70
    assert measured().claims["random-framework is right less often than framework"].holds
    assert measured().claims["random-framework: very poor on all records"].holds
    assert measured().claims["random-framework: correlations are completely lost"].holds
    assert not measured().claims["framework: Type A above 90 %"].holds


def test_less_noise_comes_nearer_to_the_printed_means_and_correlations() -> None:
    for kind in ("means", "correlations"):
        text, less = (
            mean(f"{way}: mean distance from the printed {kind}")
            for way in ("framework", "framework (noise 13.5 %)")
        )
        assert less < text / 2


def test_gadp_without_the_class_comes_nearer_to_the_printed_trees() -> None:
    leaves = "{}: leaves of the tree".format
    assert mean(leaves(GADP)) < 12
    assert 20 < mean(leaves(NEARER[1])) < 50
    assert percent(GADP, 0) > 98
    assert 83 < mean(right_key(NEARER[1], 0)) < 93


def test_ours_keep_correlations_with_less_than_half_of_the_printed_error() -> None:
    errors = printed_changes(printed(NAME).by_key(), EXTENDED, columns_of(measured().numbers))
    for way in OWN[1:4]:
        assert mean(change_key(way)) <= min(errors) / 2
    assert mean(change_key(FRAMEWORK)) > mean(change_key(EXTENDED)) > mean(change_key(OWN[3]))


def test_rows_that_repeat_another_table_are_no_targets() -> None:
    rows = rows_of(measured(), printed(NAME))
    copied = [row for row in rows if "errata D5" in row.sentence and row.verdict == "cannot be compared"]
    assert len(copied) == 6
    found = counted(row.verdict for row in rows)
    # The tree of 22 leaves; four runs are too few for one sentence, and no Extended Framework has a rule of Type B.
    assert found["cannot be compared"] == 6 + 1 + 2
    assert found["by construction"] == 2 + 3 + 9 + 36
    assert found["agrees"] > found["differs"]
    (leaves,) = (row for row in rows if row.what == "Original tree: leaves")
    assert leaves.verdict == "agrees", "not used in the search"


def test_what_is_not_printed_of_gadp_is_a_fact_and_no_reason() -> None:
    told = [number for number in printed(NAME).numbers if "D10" in number.note]
    assert {number.key.partition(":")[0] for number in told} == {"gadp", "random-extended-framework"}
    assert not any(number.errata for number in printed(NAME).numbers)
