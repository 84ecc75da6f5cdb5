"""Mondrian's release beside TPP's: means and sets of every part, and what the parts themselves predict."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.experiments.published_trees.baseline import mondrian_release, parts_of, predicted_by_parts
from hushwood.experiments.published_trees.folds import reached
from hushwood.tables.reading import read

ORIGINAL = read(
    pl.DataFrame(
        {
            "age": [20, 21, 40, 42, 43],
            "town": ["a", "b", "a", "c", "c"],
            "job": ["x", "y", "x", "x", "y"],
            "rich": ["no", "no", "yes", "yes", "yes"],
        }
    ),
    target="rich",
    roles={"job": "confidential"},
).table


def test_numbers_become_means_and_categories_sets() -> None:
    released = mondrian_release(ORIGINAL, parts_of(ORIGINAL, 2))
    assert released.columns["age"].tolist() == [20.5, 20.5, *[125 / 3] * 3]
    names = released.schema["town"].categories
    assert [names[code] for code in released.columns["town"]] == ["{a, b}"] * 2 + ["{a, c}"] * 3
    assert released.columns["job"] is ORIGINAL.columns["job"]
    assert released.columns["rich"] is ORIGINAL.columns["rich"]


def test_privacy_is_counted_from_the_released_table() -> None:
    found = reached(mondrian_release(ORIGINAL, parts_of(ORIGINAL, 2)), ORIGINAL)
    assert found.k == 2
    assert sorted(found.l["job"].tolist()) == [1.5, 2.0]


def test_parts_predict_their_most_frequent_class_or_mean() -> None:
    parts = parts_of(ORIGINAL, 2)
    unseen = ORIGINAL.with_columns({"age": np.array([10.0, 60.0, 20.0, 35.0, 29.0])})
    assert predicted_by_parts(ORIGINAL, parts, unseen).tolist() == [0, 1, 0, 1, 0]
    numbers = read(
        pl.DataFrame({"x": [1, 2, 8, 9], "y": [1.0, 3.0, 20.0, 22.0]}), target="y", response="number"
    ).table
    assert predicted_by_parts(numbers, parts_of(numbers, 2), numbers).tolist() == [2.0, 2.0, 21.0, 21.0]
