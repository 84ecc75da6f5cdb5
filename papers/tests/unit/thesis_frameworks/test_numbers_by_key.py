"""Numbers of thesis 7.3 by key: runs put together, percentages, matrices, and how far printed ones moved."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.thesis_frameworks.numbers_by_key import (
    Runs,
    change_key,
    columns_of,
    correlation_key,
    count_key,
    distance,
    matrix_of,
    mean_key,
    moments,
    numbers_of_runs,
    percent_right,
    printed_changes,
    printed_runs,
    printed_shifts,
    renamed,
    right_key,
    size_key,
    spread_key,
    type_key,
)
from hushwood_papers.thesis_frameworks.releases import EXTENDED, FRAMEWORK, GADP, ORIGINAL
from support.framework_samples import outcomes


def run(number: int, a: float, b: float = 0.0, shortened: float = 0.0, root: bool = False) -> dict[str, Any]:
    types = {"A": a, "B": b, "C": 100 - a - b, "D": 0.0}
    return {
        "number": number,
        "right": [90, 80, 7],
        "original_tree_right": 90,
        "types": types,
        "types_if_shortened_is_b": types | {"B": b + shortened, "C": 100 - a - b - shortened},
        "label": "Similar",
        "leaves": number,
        "means": [1.0, 2.0],
        "correlations": [0.5],
        "change": 0.1,
        "shift": 0.2,
        "unchanged": 10.0,
        "near": 20.0,
        "differences": [
            {"depth": 0 if root else 3, "attribute": "x", "moved": True, "share": (100 - a) / 100}
        ],
    }


def few(*runs: dict[str, Any]) -> Runs:
    told = {"columns": ["x", "y"], "records": [100, 10], "spreads": [1.0, 2.0]}
    return Runs.of({"some": {**told, "way": "framework", "runs": list(runs)}})


def test_runs_come_in_the_order_of_their_numbers() -> None:
    told = few(run(2, 50), run(1, 60))
    assert [one["number"] for one in told.of_way(FRAMEWORK)] == [1, 2]
    assert told.of_way(ORIGINAL) == ()


def test_percentages_are_of_the_part_that_was_tried() -> None:
    assert [few(run(1, 60)).shares_right(FRAMEWORK, place)[0] for place in range(3)] == [90, 80, 70]


def test_details_are_given_only_where_they_are_printed() -> None:
    keys = {mean_key("framework", "y"), correlation_key("framework", "x", "y"), count_key("framework", 2)}
    found = numbers_of_runs(few(run(1, 60)), keys)
    assert {key: found[key] for key in keys} == {
        mean_key("framework", "y"): [2.0],
        correlation_key("framework", "x", "y"): [0.5],
        count_key("framework", 2): [7.0],
    }
    assert mean_key("framework", "x") not in found
    assert right_key("framework", 2) not in found, "the count tells it"
    assert found[right_key("framework", 1)] == [80]
    assert [found[size_key(place)] for place in range(3)] == [[100], [100], [10]]
    assert found[spread_key("y")] == [2.0]


def test_both_readings_of_a_shortened_rule_are_always_given() -> None:
    found = numbers_of_runs(few(run(1, 60, 10, 30), run(2, 60, 10, 20)), ())
    assert [found[type_key("framework", letter)] for letter in "BC"] == [[10, 10], [30, 30]]
    assert [found[type_key("framework", letter, shortened=True)] for letter in "BC"] == [[40, 30], [0, 10]]


def test_runs_of_a_kind_are_taken_alone() -> None:
    both = (
        "framework: Types A and B together in runs with other rules too, "
        "a rule that lost its last condition counted as B, %"
    )
    any_b = "framework: Type B by its definition in runs that have any, %"
    found = numbers_of_runs(few(run(1, 60, 10, 30), run(2, 60, 10, 20), run(3, 60, 0, 40)), {both, any_b})
    assert found[both] == [90]
    assert found[any_b] == [10, 10]
    assert both not in numbers_of_runs(few(run(1, 60, 40)), {both})


def test_the_root_parts_the_shares_of_type_a() -> None:
    found = numbers_of_runs(few(run(1, 0, root=True), run(2, 90), run(3, 70)), ())
    assert found["framework: runs in which the root's test differs, %"] == [pytest.approx(100 / 3)]
    assert found["framework: Type A where the root's test differs, %"] == [0]
    assert found["framework: Type A where both levels stay, %"] == [90, 70]
    assert found["framework: records below the topmost differing tests, %"] == [100, 10, 30]


def test_numbers_of_a_real_run() -> None:
    found = numbers_of_runs(Runs.of(outcomes()), ())
    assert found[right_key(ORIGINAL, 0)] == found[right_key(ORIGINAL, 1)]
    assert len(found[type_key(FRAMEWORK, "A")]) == 5
    assert found[change_key(ORIGINAL)] == [0]
    assert sum(sum(found[type_key(FRAMEWORK, letter)]) for letter in "ABCD") == pytest.approx(500)
    assert (
        len(moments(Runs.of(outcomes()), "framework"))
        == len(Runs.of(outcomes()).columns) * (len(Runs.of(outcomes()).columns) + 1) / 2
    )


OURS = {"original: standard deviation of x": [2.0], "original: standard deviation of y": [4.0]}
THEIRS = {
    "original: mean of x": [10.0],
    "original: mean of y": [20.0],
    "original: correlation of x with y": [0.5],
    "framework: mean of x": [14.0, 10.0],
    "framework: mean of y": [20.0, 16.0],
    "framework: correlation of x with y": [0.1, 0.6],
}


def test_changes_and_shifts_of_every_printed_run() -> None:
    columns = columns_of(OURS)
    assert columns == ["x", "y"]
    assert printed_runs(THEIRS, FRAMEWORK, columns) == 2
    assert printed_changes(THEIRS, FRAMEWORK, columns) == pytest.approx([0.4, 0.1])
    assert printed_shifts(THEIRS, OURS, FRAMEWORK, columns) == pytest.approx([2.0, 1.0])
    assert printed_changes(THEIRS, GADP, columns) == []


def test_one_run_or_the_mean_of_all() -> None:
    assert matrix_of(THEIRS, FRAMEWORK, ["x", "y"], 1) == [[1, 0.6], [0.6, 1]]
    assert matrix_of(THEIRS, FRAMEWORK, ["x", "y"])[0][1] == pytest.approx(0.35)


def test_distance_is_between_means_of_runs() -> None:
    before = renamed(THEIRS, FRAMEWORK, "mean")
    assert before == {"x": [14.0, 10.0], "y": [20.0, 16.0]}
    assert distance(before, {"x": [13.0], "y": [15.0], "z": [0.0]}) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("name", "changes"),
    [("frameworks-adult", (0.061, 0.142, 0.109, 0.193, 0.163)), ("frameworks-wbc", (0.13, 0.15))],
)
def test_the_thesis_own_errors_are_read_from_its_matrices(name: str, changes: tuple[float, ...]) -> None:
    told = printed(name).by_key()
    start = "original: mean of "
    columns = [key.removeprefix(start) for key in told if key.startswith(start)]
    assert printed_changes(told, EXTENDED, columns) == pytest.approx(changes)


COUNTED = {size_key(1): [200.0], size_key(2): [50.0], right_key("gadp", 2): [80.0]}


def test_counts_are_of_the_table_that_was_tried() -> None:
    printed = {count_key("framework", 0): [100.0, 150.0], count_key("framework", 2): [40.0]}
    assert percent_right(printed, COUNTED, "framework", 0) == [50, 75]
    assert percent_right(printed, COUNTED, "framework", 2) == [80]


def test_percentages_stay_and_nothing_stays_nothing() -> None:
    assert percent_right(COUNTED, COUNTED, "gadp", 2) == [80]
    assert percent_right(COUNTED, COUNTED, "gadp", 1) == []
