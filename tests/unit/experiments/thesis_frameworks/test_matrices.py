"""Matrices out of numbers by key, and how far printed ones moved."""

from __future__ import annotations

import pytest

from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.thesis_frameworks.matrices import (
    columns_of,
    distance,
    matrix_of,
    printed_changes,
    printed_runs,
    printed_shifts,
    renamed,
)
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK, GADP

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
