"""What a tree file says about how it was grown is believed only where it can be true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.tree_publishing.reading import how_grown
from hushwood.trees.forest import Forest
from support.mixed_tables import number, table_of, target

TABLE = table_of({"age": (number("age", 0, 99), [1, 2, 5, 6]), "y": (target("y", ["a", "b"]), [0, 0, 1, 1])})


@pytest.fixture(scope="module")
def forest() -> Forest:
    return publish(TABLE, PublishOptions(k=1)).forest


def test_what_publishing_wrote_is_believed(forest: Forest) -> None:
    assert how_grown(forest) == forest.grown


DAMAGED: list[dict[str, Any]] = [
    {"criteria": None},
    {"criteria": "gini"},
    {"criteria": ["gains"]},
    {"criteria": [["gini"]]},
    {"criteria": ["gini", "gini"]},
    {"criteria": ["variance"]},
    {"columns": None},
    {"columns": [None]},
    {"columns": ["age"]},
    {"columns": [["height"]]},
    {"columns": [[["age"]]]},
    {"columns": []},
    {"min_leaf": None},
    {"min_leaf": "2"},
    {"min_leaf": 0},
    {"min_leaf": 1.5},
    {"max_leaves": "3"},
    {"max_leaves": 0},
    {"max_depth": -1},
    {"max_depth": True},
    {"thresholds": "odd"},
    {"labels": ["age"]},
    {"labels": {"age": ["p"]}},
    {"labels": {"age": {"p": None}}},
]


def test_damaged_words_about_growing_are_refused(forest: Forest) -> None:
    for words in DAMAGED:
        with pytest.raises(InputError, match=r"The tree file is damaged: .*; fetch it again"):
            how_grown(replace(forest, grown={**forest.grown, **words}))


def test_a_file_that_does_not_say_how_it_was_grown_is_refused(forest: Forest) -> None:
    for lacking in ("variant", "criteria", "columns", "min_leaf", "max_leaves", "thresholds"):
        kept = {word: value for word, value in forest.grown.items() if word != lacking}
        with pytest.raises(
            InputError, match=r"does not say how its trees can be rebuilt .*publish-tree wrote"
        ):
            how_grown(replace(forest, grown=kept))
