"""What a tree file says about how it was grown is believed only where it can be true."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tree_publishing.how_grown import how_grown
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from mixed_tables import number, table_of, target

TABLE = table_of({"age": (number("age", 0, 99), [1, 2, 5, 6]), "y": (target("y", ["a", "b"]), [0, 0, 1, 1])})
FOREST = publish(TABLE, PublishOptions(k=1)).forest


def test_what_publishing_wrote_is_believed() -> None:
    assert how_grown(FOREST) == FOREST.grown


@pytest.mark.parametrize(
    "words",
    [
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
    ],
    ids=str,
)
def test_damaged_words_about_growing_are_refused(words: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"The tree file is damaged: .*; fetch it again"):
        how_grown(replace(FOREST, grown={**FOREST.grown, **words}))


@pytest.mark.parametrize(
    "lacking", ["variant", "criteria", "columns", "min_leaf", "max_leaves", "thresholds"]
)
def test_a_file_that_does_not_say_how_it_was_grown_is_refused(lacking: str) -> None:
    kept = {word: value for word, value in FOREST.grown.items() if word != lacking}
    with pytest.raises(InputError, match=r"does not say how its trees can be rebuilt .*publish-tree wrote"):
        how_grown(replace(FOREST, grown=kept))
