"""A tree beside another one, on a table small enough to grow by hand."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.experiments.class_noise.noisy_classes import grown_by_see5
from hushwood.experiments.class_noise.noisy_trees import noisy_tree, rules_kept, shared
from hushwood.measures.grown import Grown
from hushwood.tables.reading import read

AGE = np.arange(40)
SIZE = np.tile([1.0, 2.0], 20)


def grown(classes: list[str]) -> Grown:
    return grown_by_see5(
        read(pl.DataFrame({"age": AGE, "size": SIZE, "class": classes}), target="class").table
    )


def by_age(limit: int) -> list[str]:
    return ["no" if age <= limit else "yes" for age in AGE.tolist()]


def test_a_tree_beside_itself_keeps_every_rule() -> None:
    original = grown(by_age(24))
    told = noisy_tree(original, original)
    assert (told.root, told.root_cut, told.attributes, told.leaves) == ("age", 24, ("age",), 2)
    assert (told.errors, told.depth) == (0, 1)
    assert told.kept == (True, True)
    assert told.leading_kept
    assert told.new_share == 0


def test_another_cut_is_the_same_rule_and_another_attribute_a_new_one() -> None:
    original, moved = grown(by_age(24)), grown(by_age(20))
    assert rules_kept(original.tree, moved.tree) == (True, True)
    by_size = grown(["no" if size < 2 else "yes" for size in SIZE.tolist()])
    told = noisy_tree(original, by_size)
    assert told.kept == (False, False)
    assert told.new_share == 1
    assert shared(("age",), told.attributes) == (0, 1, 1)


def test_errors_are_counted_on_the_records_the_tree_was_grown_on() -> None:
    classes = by_age(24)
    classes[3] = "yes"
    released = grown(classes)
    told = noisy_tree(grown(by_age(24)), released)
    assert (told.leaves, told.errors) == (2, 1)
    assert told.leading_kept
