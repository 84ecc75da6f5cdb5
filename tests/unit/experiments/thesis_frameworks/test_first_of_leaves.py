"""The first records of every leaf, in the order of the file, and no other table."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_frameworks.first_of_leaves import first_of_leaves
from hushwood.measures.grown import Grown
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each

BUILDER = GrowOptions("see5", min_leaf=20)


def test_the_first_ones_of_every_leaf_are_marked() -> None:
    table = credit_risk(600, bytes(32))
    grown = Grown(table, BUILDER).tree
    leaf = leaf_of_each(grown.trees[0], grown, table.columns).tolist()
    sizes = [count for _, count in sorted(Counter(leaf).items())]
    assert len(sizes) > 2
    wanted = [3 + place for place in range(len(sizes))]
    marked = first_of_leaves(table, BUILDER, sizes, wanted, "made.csv")
    of_leaf = dict(zip(sorted(set(leaf)), wanted, strict=True))
    expected = [leaf[:row].count(leaf[row]) < of_leaf[leaf[row]] for row in range(600)]
    assert marked.tolist() == expected


def test_another_table_is_refused() -> None:
    with pytest.raises(InputError, match=r"use that file \(made\.csv\)"):
        first_of_leaves(credit_risk(100, bytes(32)), BUILDER, [50, 50], [1, 1], "made.csv")


def test_marks_are_as_many_as_wanted() -> None:
    table = credit_risk(300, bytes(32))
    grown = Grown(table, BUILDER).tree
    sizes = np.unique(leaf_of_each(grown.trees[0], grown, table.columns), return_counts=True)[1].tolist()
    assert int(first_of_leaves(table, BUILDER, sizes, [2] * len(sizes), "made.csv").sum()) == 2 * len(sizes)
