"""Only the class changes, inside the leaves of the original tree, and RPT keeps every leaf's counts."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.experiments.class_noise.noisy_classes import CLASS_NOISE, grown_by_see5, released_class
from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.random_streams import Streams
from hushwood.tables.table import class_labels
from hushwood.trees.routing import leaf_of_each


@pytest.mark.parametrize("technique", CLASS_NOISE)
def test_nothing_but_the_class_changes(technique: str) -> None:
    original = grown_by_see5(credit_risk(400, bytes(32)))
    released = released_class(original, technique, Streams(b"2" * 32))
    target = original.tree.class_name
    changed = [
        n for n in released.columns if not np.array_equal(released.columns[n], original.table.columns[n])
    ]
    assert changed == [target]


def test_rpt_keeps_the_counts_of_every_leaf_and_pure_leaves() -> None:
    original = grown_by_see5(credit_risk(400, bytes(32)))
    released = released_class(original, "RPT", Streams(b"2" * 32))
    before, after = class_labels(original.table)[0], class_labels(released)[0]
    leaf = leaf_of_each(original.tree.trees[0], original.tree, original.table.columns)
    for one in np.unique(leaf):
        here = leaf == one
        assert np.sort(before[here]).tolist() == np.sort(after[here]).tolist()
    assert (before != after).any()
