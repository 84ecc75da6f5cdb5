from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import hushwood.attacks.search.candidates as module
from hushwood.attacks.search.candidates import Candidates
from hushwood.attacks.search.levels import FEWEST, MOST_LEVELS, counted, tenths, tree_to_use
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.routing import leaf_of_each
from oracles import candidates as oracle
from oracles.near_rows import Record, Value
from support.intruders import knowing
from support.mixed_tables import grown_forest, mixed_table, plain_rows

STREAMS = Streams(bytes(range(32)))
LISTED, TARGETS = 90, 60


def given(seed: int, forest: Forest | None = None) -> tuple[Candidates, Table, Table]:
    """A list whose last people are not targets, and a release of other people."""
    listed, released = mixed_table(seed, LISTED), mixed_table(seed + 1, 70)
    names = listed.schema.names
    rest = {name: listed.columns[name][TARGETS:] for name in names}
    knowledge = knowing(listed.take(np.arange(TARGETS)), names, reference=rest, tree=forest)
    return Candidates(knowledge, released, STREAMS), listed, released


def plain(table: Table) -> list[Record]:
    return [dict(row) for row in plain_rows(table)]


@pytest.fixture(params=[3, 8])
def case(request: pytest.FixtureRequest) -> tuple[Candidates, list[Record], list[Record]]:
    found, listed, released = given(request.param)
    return found, plain(listed), plain(released)


def test_counts_equal_the_oracles(case: tuple[Candidates, list[Record], list[Record]]) -> None:
    found, listed, released = case
    own, theirs = oracle.coarse(listed, listed), oracle.coarse(listed, released)
    names = list(listed[0])
    singles, pairs = [(name,) for name in names], list(combinations(names, 2))
    numeric = [(name,) for name in ("count", "price", "ratio", "constant", "void")]
    for scores, expected in (
        (found.values_seen(), oracle.log_counts(own[:TARGETS], theirs, singles)),
        (found.pairs_seen(), oracle.log_counts(own[:TARGETS], theirs, pairs)),
        (found.numbers_seen(), oracle.log_counts(listed[:TARGETS], released, numeric)),
        (found.pair_trace(), oracle.pair_trace(own[:TARGETS], own, theirs)),
    ):
        assert scores == pytest.approx(expected, abs=1e-9)


def cells_of(own: list[Record], theirs: list[Record]) -> list[tuple[str, Value]]:
    return list(dict.fromkeys((name, row[name]) for row in (*own, *theirs) for name in row))


def test_the_trace_equals_the_oracles(case: tuple[Candidates, list[Record], list[Record]]) -> None:
    found, listed, released = case
    own, theirs = oracle.coarse(listed, listed), oracle.coarse(listed, released)
    width = found.cells[2]
    expected = oracle.whitened(
        own[:TARGETS], own, theirs, lambda *_: 0.02 / width + 1e-3, cells_of(own, theirs)
    )
    assert found.value_trace() == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("least", [4, 30])
def test_leaves_equal_the_oracles(least: int) -> None:
    """With leaves of more and of fewer candidates than levels: the equations are then solved among candidates."""
    forest = grown_forest(mixed_table(4, 200), min_leaf=least, trees=1)
    found, listed, released = given(3, forest)
    columns = [{name: table.columns[name] for name in table.columns} for table in (listed, released)]
    leaves = [leaf_of_each(forest.trees[0], forest, one) for one in columns]
    own, theirs = (oracle.coarse(plain(listed), plain(table)) for table in (listed, released))
    width = found.cells[2]

    def ridge(trace: float, levels: int, _: int) -> float:
        rank = max(min(len(members) - 1, levels), 1)
        few = len(members) < 3 * width
        return (0.15 * trace / rank if few else 0.03 * trace / width) + 1e-6

    one, other, seen = np.zeros(TARGETS), np.zeros(TARGETS), 0
    for leaf in np.unique(leaves[0]):
        members, records = (np.flatnonzero(each == leaf) for each in leaves)
        scored = members[members < TARGETS]
        if len(members) < FEWEST or not len(scored):
            continue
        if len(records) < 3:
            one[scored], other[scored] = -1.0, -3.0
            continue
        seen += 1
        crowd, there = [own[i] for i in members], [theirs[i] for i in records]
        people = [own[i] for i in scored]
        one[scored] = oracle.whitened(people, crowd, there, ridge, cells_of(crowd, there))
        other[scored] = oracle.leaf_likelihood(people, crowd, there, (len(there) + 0.5) / (len(crowd) + 1))
    assert seen > 1
    assert found.leaf_scores[0] == pytest.approx(one, abs=1e-6)
    assert found.leaf_scores[1] == pytest.approx(other, abs=1e-9)


def test_distances_equal_the_oracles(case: tuple[Candidates, list[Record], list[Record]]) -> None:
    found, listed, released = case
    apart = np.sort(oracle.rank_distances(listed[:TARGETS], released), axis=1) / len(listed[0])
    for k in (1, 5, 25):
        assert found.nearness(k) == pytest.approx(-apart[:, :k].mean(axis=1), abs=1e-5)
    for scores, expected in zip(
        found.densities, oracle.densities(listed[:TARGETS], listed, released), strict=True
    ):
        assert scores == pytest.approx(expected, abs=1e-4)


def test_few_records_are_compared_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    before = given(3)[0].values_seen()
    monkeypatch.setattr(module, "MOST_RELEASED", 20)
    monkeypatch.setattr(module, "MOST_COMPARED", 30)
    found = given(3)[0]
    assert np.array_equal(found.values_seen(), before)
    assert all(np.isfinite(scores).all() for scores in (found.nearness(1), *found.densities))
    monkeypatch.setattr(module, "MOST_COLUMNS", 4)
    assert len(given(3)[0].names) == len(given(3)[0].pairs) == 4


def test_tenths_by_hand() -> None:
    listed = np.append(np.arange(20.0), np.nan)
    assert tenths(listed, np.array([-5.0, 1.0, 2.0, 19.0, np.nan]))[1].tolist() == [1, 1, 2, 10, 0]
    few = np.array([1.0, 1.0, 1.0, 2.0])
    own, theirs = tenths(few, np.array([1.0, 2.0]))
    assert len(set(own.tolist())) == len(set(theirs.tolist())) == 2
    skewed = np.exp(np.linspace(0, 3, 37))
    one, other = (tenths(sign * skewed, sign * skewed)[0] for sign in (1.0, -1.0))
    assert np.array_equal(one, other)


def test_rare_levels_are_one_where_counts_are_whitened() -> None:
    listed = np.repeat(np.arange(150, dtype=np.int32), np.where(np.arange(150) < 120, 2, 1))
    column = counted(listed, np.array([0, 149, -1], np.int32))
    assert column.width == MOST_LEVELS + 1
    assert column.levels[0].max() == MOST_LEVELS
    assert len(np.unique(column.listed)) == 150


@pytest.mark.parametrize("classless", [False, True])
def test_a_tree_is_grown_on_a_release_that_has_none(classless: bool) -> None:
    found, _, released = given(3)
    if classless:
        attributes = tuple(
            replace(a, role="ordinary") if a.role == "class" else a for a in released.schema.attributes
        )
        released = replace(released, schema=replace(released.schema, attributes=attributes))
        found = replace(found, released=released)
    grown = tree_to_use(found.knowledge, released)
    assert len(grown.trees) == 1
    stump = replace(grown, trees=(leaf_only(grown),))
    again = tree_to_use(replace(found.knowledge, tree=stump), released)
    assert [len(tree) for tree in again.trees] == [len(tree) for tree in grown.trees]


def leaf_only(forest: Forest) -> Tree:
    tree = forest.trees[0]
    return replace(
        tree,
        attribute=np.array([-1], np.int32),
        threshold=np.array([np.nan]),
        branch_start=np.zeros(2, np.int64),
        branches=np.zeros(0, np.int32),
        missing_to=np.array([-1], np.int32),
        counts=tree.counts[:1],
        label=tree.label[:1],
    )


def test_who_is_in_the_table_pulls_the_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """By hand: one leaf, one column, three candidates of each value, and the release has lost one of them."""
    listed = mixed_table(3, 30)
    inside = np.arange(30) % 3 > 0
    knowledge = knowing(listed, listed.schema.names)
    scores = Candidates(knowledge, listed.take(np.flatnonzero(inside)), STREAMS)
    for found in (*scores.leaf_scores, scores.value_trace(), scores.pair_trace(), scores.nearness(1)):
        assert found[inside].mean() > found[~inside].mean()
