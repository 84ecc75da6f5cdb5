from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.trees.options import Builder, GrowOptions
from hushwood_papers.tree_builders.releases import (
    ALONE,
    BUILDERS,
    C45,
    LARGER,
    LEAVES,
    MEDIAN,
    SEE5,
    SEGMENTS,
    UNPRUNED,
    Judge,
    read_by,
)
from hushwood_papers.tree_builders.tree_builders import sides
from support.mixed_tables import mixed_table
from support.table_pairs import context_for

STREAMS = Streams(bytes(32))


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge.of(mixed_table(3, 300), STREAMS)


def test_records_are_released_or_unseen(judge: Judge) -> None:
    whole = mixed_table(3, 300)
    assert (judge.original.rows, judge.unseen.rows) == (210, 90)
    both = np.concatenate([judge.original.columns["count"], judge.unseen.columns["count"]])
    assert np.array_equal(np.sort(both), np.sort(whole.columns["count"]), equal_nan=True)


def test_everything_that_is_compared_is_measured(judge: Judge) -> None:
    found = judge.judged(SEE5)
    wanted = {what for signs in sides().values() for what in signs} | {SEGMENTS, MEDIAN, LEAVES, UNPRUNED}
    assert set(found) == wanted
    assert judge.judged(SEE5) == found


@pytest.mark.parametrize("way", [C45, SEE5])
def test_numbers_are_those_of_the_release_with_this_builder(judge: Judge, way: str) -> None:
    found = judge.judged(way)
    made = perturb(judge.original, PerturbOptions("forest-framework", variant=way, threads=1), STREAMS)
    sizes = np.unique(made.segments.ids, return_counts=True)[1]
    assert found[SEGMENTS] == len(sizes)
    assert found[MEDIAN] == np.median(sizes)
    assert found[ALONE] == (sizes == 1).sum() / 210
    assert found[UNPRUNED] >= found[LEAVES] >= 1
    for reader in BUILDERS:
        options = GrowOptions(reader, min_leaf=10)
        assert Builder(options) == judge.readers[reader].builder
        context = context_for(judge.original, made.table, options=options, value_only=True)
        said = RuleTypes().compute(judge.original, made.table, context)
        assert said.value == found[read_by("rules found again", reader)]  # type: ignore[union-attr]


def test_doubled_leaves_are_a_release_with_that_smallest_leaf(judge: Judge) -> None:
    made = perturb(judge.original, PerturbOptions("forest-framework", min_leaf=20, threads=1), STREAMS)
    found = judge.judged(LARGER)
    assert found[SEGMENTS] == made.segments.count
    assert found[SEGMENTS] < judge.judged(C45)[SEGMENTS]
