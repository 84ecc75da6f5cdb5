"""Mondrian's release, what its parts predict, and trees of released tables in original terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.trees.routing import leaves_reached
from hushwood_papers.published_trees.fold_runs import (
    in_original_terms,
    mondrian_release,
    parts_of,
    predicted_by_parts,
    reached,
    same_tree,
)

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


def table(colour: list[str], answer: list[str]) -> Table:
    return read(pl.DataFrame({"colour": colour, "answer": answer}), target="answer").table


def relabelled(original: Table, labels: list[str]) -> Table:
    """The table with other values in its column of colours."""
    names = tuple(dict.fromkeys(labels))
    attribute = replace(original.schema["colour"], categories=names)
    codes = np.array([names.index(label) for label in labels], np.int32)
    return original.with_columns({"colour": codes}, original.schema.with_attribute(attribute))


ORIGINAL_RECORDS = table(
    ["red", "red", "red", "blue", "blue", "green"], ["no", "no", "yes", "yes", "yes", "yes"]
)
OPTIONS = PublishOptions(k=1, max_leaves=2)


def test_a_category_goes_where_most_of_its_records_went() -> None:
    released = relabelled(
        ORIGINAL_RECORDS, ["{red}", "{red}", "{blue, green, red}", *["{blue, green, red}"] * 3]
    )
    forest = in_original_terms(publish(released, OPTIONS).forest, released, ORIGINAL_RECORDS)
    leaf = leaves_reached(forest, ORIGINAL_RECORDS)[0]
    assert len(set(leaf[:3])) == 1, "two of three reds went together, the third follows them"
    assert len(set(leaf[3:])) == 1
    assert leaf[0] != leaf[3]


def test_a_category_without_records_goes_with_the_larger_part() -> None:
    wider = replace(
        ORIGINAL_RECORDS.schema["colour"], categories=(*ORIGINAL_RECORDS.schema["colour"].categories, "white")
    )
    original = replace(ORIGINAL_RECORDS, schema=ORIGINAL_RECORDS.schema.with_attribute(wider))
    tree = in_original_terms(publish(original, OPTIONS).forest, original, original).trees[0]
    branches = dict(zip(wider.categories, tree.branches_of(0).tolist(), strict=True))
    assert branches["blue"] == branches["green"] != branches["red"]
    assert branches["white"] == min(branches.values()), "three records on either side: the left one"


def test_trees_are_the_same_only_with_the_same_tests() -> None:
    number = read(
        pl.DataFrame({"x": [1, 2, 3, 4], "answer": ["no", "no", "yes", "yes"]}), target="answer"
    ).table
    moved = number.with_columns({"x": np.array([1.0, 1.0, 3.0, 3.0])})
    expected, other = (
        in_original_terms(publish(one, OPTIONS).forest, one, number) for one in (number, moved)
    )
    assert same_tree(expected, expected)
    assert not same_tree(expected, other), "2.5 became 2"
