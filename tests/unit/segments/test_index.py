from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Integers, Words
from hushwood.segments import partition as under_test
from hushwood.segments.partition import Found, LeafKeys, SegmentIndex, distinct
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from oracles import intersections as oracle
from support.mixed_tables import category, mixed_table, plain_rows, random_model, table_of

MANY = 40  # trees of up to 16 leaves: their combinations do not fit into 64 bits


def case(seed: int, trees: int = 3, rows: int = 60) -> tuple[Table, Forest, list[tuple[int, ...]]]:
    table = mixed_table(seed, rows)
    model = random_model(seed, table, trees)
    return table, forest_from_json(model), [oracle.leaves_of(model, row) for row in plain_rows(table)]


def indexed(table: Table, forest: Forest) -> tuple[SegmentIndex, Integers]:
    found = Found(LeafKeys(forest, table.schema))
    keys = found.add(table.columns, table.rows)
    return found.index(), found.index().ids(keys).astype(np.int64)


def check(table: Table, forest: Forest, leaves: list[tuple[int, ...]]) -> None:
    index, ids = indexed(table, forest)
    assert index.count == len(set(leaves))
    assert np.unique(ids).tolist() == list(range(index.count))
    assert [tuple(index.members[:, segment].tolist()) for segment in ids] == leaves


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_a_segment_is_a_combination_of_leaves(seed: int, trees: int) -> None:
    check(*case(seed, trees))


@given(st.integers(0, 10_000))
def test_segments_are_numbered_in_the_order_of_their_leaves(seed: int) -> None:
    table, forest, leaves = case(seed)
    _, ids = indexed(table, forest)
    first = {number: leaves[place] for place, number in reversed(list(enumerate(ids.tolist())))}
    assert [first[number] for number in sorted(first)] == sorted(set(leaves))


@pytest.mark.parametrize("seed", range(5))
def test_many_trees_have_hashes_for_keys(seed: int) -> None:
    table, forest, leaves = case(seed, MANY)
    keys = LeafKeys(forest, table.schema)
    assert keys.combinations > 1 << 64
    assert (keys.of(table.columns, table.rows) > 1 << 62).any()
    check(table, forest, leaves)


def test_a_search_finds_what_a_lookup_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    table, forest, leaves = case(3)
    index, ids = indexed(table, forest)
    monkeypatch.setattr(under_test, "_DENSEST", 0)
    assert np.array_equal(indexed(table, forest)[1], ids)
    assert np.array_equal(index.members, indexed(table, forest)[0].members)
    check(table, forest, leaves)


def test_a_forest_of_another_table_knows_other_categories() -> None:
    """Codes differ, some categories are new, some are not there: what counts is the text."""
    table, forest, leaves = case(11)
    city = table.schema["city"]
    turned = category("city", ("Zug", *reversed(city.categories)))
    codes = table.columns["city"]
    other = replace(
        table,
        schema=table.schema.with_attribute(turned),
        columns={
            **table.columns,
            "city": np.where(codes < 0, -1, len(city.categories) - codes).astype(np.int32),
        },
    )
    check(other, forest, leaves)
    unknown = other.with_columns({"city": np.zeros(table.rows, np.int32)})
    missing = table.with_columns({"city": np.full(table.rows, -1, np.int32)})
    first, second = (LeafKeys(forest, t.schema).members(t.columns, t.rows) for t in (unknown, missing))
    assert np.array_equal(first, second)


def pieces(table: Table, size: int) -> list[Table]:
    return [table.take(np.arange(b, min(b + size, table.rows))) for b in range(0, table.rows, size)]


@pytest.mark.parametrize("trees", [3, MANY])
def test_batches_may_come_in_any_order(trees: int) -> None:
    table, forest, _ = case(5, trees)
    whole, _ = indexed(table, forest)
    for order in permutations(pieces(table, 20)):
        found = Found(LeafKeys(forest, table.schema))
        for batch in order:
            found.add(batch.columns, batch.rows)
        assert np.array_equal(found.index().keys, whole.keys)
        assert np.array_equal(found.index().members, whole.members)


@pytest.mark.parametrize("trees", [3, MANY])
def test_what_others_found_is_merged_in_any_order(trees: int) -> None:
    table, forest, _ = case(6, trees)
    whole, _ = indexed(table, forest)
    parts = [indexed(batch, forest)[0] for batch in pieces(table, 20)]
    for order in permutations(parts):
        found = Found(LeafKeys(forest, table.schema))
        for part in (*order, order[0]):
            found.merge(part.keys, part.members)
        assert np.array_equal(found.index().keys, whole.keys)
        assert np.array_equal(found.index().members, whole.members)


def test_a_tree_without_tests_adds_nothing() -> None:
    table = table_of({"city": (category("city", "ab"), [0, 1, 0])})
    model = {**random_model(1, mixed_table(1, 20), 1), "trees": [{"nodes": [{"id": 0, "counts": [1, 1, 1]}]}]}
    index, ids = indexed(table, forest_from_json(model))
    assert (index.count, ids.tolist(), index.members.tolist()) == (1, [0, 0, 0], [[0]])


@given(st.lists(st.integers(0, 40), min_size=1), st.booleans())
def test_distinct_keys_are_those_of_numpy(numbers: list[int], dense: bool) -> None:
    keys: Words = np.array(numbers, np.uint64)
    own, places = distinct(keys, 41 if dense else 1 << 40)
    wanted: tuple[Array, Array] = np.unique(keys, return_inverse=True)
    assert own.dtype == np.uint64
    assert (own.tolist(), places.tolist()) == (wanted[0].tolist(), wanted[1].tolist())
