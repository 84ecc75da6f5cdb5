"""Percentages of records that are right, out of counts or as they are."""

from __future__ import annotations

from hushwood.experiments.thesis_frameworks.accuracies import percent_right
from hushwood.experiments.thesis_frameworks.keys import count_key, right_key, size_key

OURS = {size_key(1): [200.0], size_key(2): [50.0], right_key("gadp", 2): [80.0]}


def test_counts_are_of_the_table_that_was_tried() -> None:
    printed = {count_key("framework", 0): [100.0, 150.0], count_key("framework", 2): [40.0]}
    assert percent_right(printed, OURS, "framework", 0) == [50, 75]
    assert percent_right(printed, OURS, "framework", 2) == [80]


def test_percentages_stay_and_nothing_stays_nothing() -> None:
    assert percent_right(OURS, OURS, "gadp", 2) == [80]
    assert percent_right(OURS, OURS, "gadp", 1) == []
