"""Trees of released tables said in original values: who goes where, and when two trees are the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from hushwood.experiments.published_trees.terms import in_original_terms, same_tree
from hushwood.jobs.forest_routes import leaves_reached
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish


def table(colour: list[str], answer: list[str]) -> Table:
    return read(pl.DataFrame({"colour": colour, "answer": answer}), target="answer").table


def relabelled(original: Table, labels: list[str]) -> Table:
    """The table with other values in its column of colours."""
    names = tuple(dict.fromkeys(labels))
    attribute = replace(original.schema["colour"], categories=names)
    codes = np.array([names.index(label) for label in labels], np.int32)
    return original.with_columns({"colour": codes}, original.schema.with_attribute(attribute))


ORIGINAL = table(["red", "red", "red", "blue", "blue", "green"], ["no", "no", "yes", "yes", "yes", "yes"])
OPTIONS = PublishOptions(k=1, max_leaves=2)


def test_a_category_goes_where_most_of_its_records_went() -> None:
    released = relabelled(ORIGINAL, ["{red}", "{red}", "{blue, green, red}", *["{blue, green, red}"] * 3])
    forest = in_original_terms(publish(released, OPTIONS).forest, released, ORIGINAL)
    leaf = leaves_reached(forest, ORIGINAL)[0]
    assert len(set(leaf[:3])) == 1, "two of three reds went together, the third follows them"
    assert len(set(leaf[3:])) == 1
    assert leaf[0] != leaf[3]


def test_a_category_without_records_goes_with_the_larger_part() -> None:
    wider = replace(ORIGINAL.schema["colour"], categories=(*ORIGINAL.schema["colour"].categories, "white"))
    original = replace(ORIGINAL, schema=ORIGINAL.schema.with_attribute(wider))
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
