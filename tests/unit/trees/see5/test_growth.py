"""Which attribute See5 tests, by hand: one node, attributes given by gain and split information."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.trees.c45.nodes import NONE
from hushwood.trees.see5.growth import choose_see5, rounded, too_many_values
from hushwood.trees.training import TrainingSet
from support.mixed_tables import category, number

KINDS = {"number": number("x", 0, 1), "two": category("c", "ab"), "five": category("d", "abcde")}


def table_of(kinds: list[str], records: int = 100) -> TrainingSet:
    """A table with columns of these kinds; only its size counts."""
    return TrainingSet.from_columns(
        [KINDS[kind] for kind in kinds],
        [np.zeros(records) if kind == "number" else np.zeros(records, np.int32) for kind in kinds],
        np.zeros(records, np.int32),
        ("p", "q"),
    )


def chosen(kinds: list[str], gain: list[float], info: list[float], records: int = 100) -> int:
    """The attribute that a node of all records tests."""
    column = np.array(gain)[:, None], np.array(info)[:, None]
    return int(choose_see5(*column, np.array([float(records)]), table_of(kinds, records))[0])


@pytest.mark.parametrize(
    ("kinds", "gain", "info", "winner"),
    [
        (["number", "number"], [0.2, 0.3], [1.0, 1.0], 1),
        (["number", "number"], [0.3, 0.3], [1.0, 1.0], 0),
        (["number", "number"], [0.1, 0.3], [0.1, 1.0], 1),
        (["five", "two"], [0.3, 0.29985], [1.0, 1.0], 1),
        (["five", "two"], [0.3, 0.2990], [1.0, 1.0], 0),
        (["two", "number"], [0.3, 0.30001], [1.0, 1.0001], 1),
        (["two", "number"], [0.3, 0.2999], [1.0, 1.0], 0),
        (["number"], [0.3], [0.0], NONE),
        (["number", "number"], [-1.0, 9e-5], [0.0, 1.0], NONE),
    ],
    ids=[
        "larger ratio",
        "first on ties",
        "large ratio but gain below average",
        "nearly as good with fewer branches",
        "not nearly as good",
        "nearly as good with as many branches and more gain",
        "less gain",
        "no split information",
        "next to no gain",
    ],
)
def test_by_hand(kinds: list[str], gain: list[float], info: list[float], winner: int) -> None:
    assert chosen(kinds, gain, info) == winner


def test_in_a_large_table_the_average_gain_does_not_count() -> None:
    """2000 records in two classes: two attributes cost .9 bits altogether."""
    gain, info = [0.01, 0.3], [0.01, 1.0]
    assert chosen(["number", "number"], gain, info, 1000) == 1
    assert chosen(["number", "number"], gain, info, 2000) == 0
    assert chosen(["number", "number"], [0.9 / 2000 / 1.1, 0.3], [0.0001, 1.0], 2000) == 1


def test_many_values_for_the_table_leave_an_attribute_out_altogether() -> None:
    assert too_many_values(table_of(["five", "number"], 20)).tolist() == [True, False]
    assert too_many_values(table_of(["five", "number"], 21)).tolist() == [False, False]
    assert too_many_values(table_of(["five"], 20)).tolist() == [False]
    assert chosen(["five", "number"], [0.9, 0.1], [1.0, 1.0], 20) == 1


def test_single_precision() -> None:
    assert rounded(np.array([0.1]))[0] == float(np.float32(0.1)) != 0.1
