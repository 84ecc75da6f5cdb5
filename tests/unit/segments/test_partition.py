"""Segments against a slow oracle that walks every record through forest.json and asks every box value by value."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array, Integers, Words
from hushwood.segments import partition as under_test
from hushwood.segments.partition import (
    Found,
    LeafKeys,
    SegmentIndex,
    combine,
    distinct,
    intersections,
    leaves,
    sub_domains,
    whole_table,
)
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, forest_to_json
from oracles import intersections as oracle
from support.mixed_tables import (
    category,
    grown_forest,
    mixed_table,
    number,
    plain_rows,
    random_model,
    table_of,
)
from support.small_trees import income_forest


def assert_like_the_oracle(table: Table, model: dict[str, Any], segments: Segments) -> None:
    wanted = oracle.intersections(model, plain_rows(table))
    assert segments.count == len(wanted)
    assert segments.sizes.sum() == table.rows
    for reached, rows in wanted.items():
        segment = int(segments.ids[rows[0]])
        assert np.flatnonzero(segments.ids == segment).tolist() == rows
        for attribute in table.schema.inputs:
            tested = oracle.influential(model, reached, attribute.name)
            assert segments.influential[attribute.name][segment] == tested
            assert_same_sub_domain(attribute, model, reached, segments, segment)


def assert_same_sub_domain(
    attribute: Attribute, model: dict[str, Any], reached: oracle.Leaves, segments: Segments, segment: int
) -> None:
    if attribute.kind == "categorical":
        allowed = segments.allowed[attribute.name]
        row = allowed.sets[allowed.of_segment[segment]].tolist()
        assert row == [
            oracle.allows(model, reached, attribute.name, v) for v in (*attribute.categories, None)
        ]
        return
    assert attribute.low is not None
    assert attribute.high is not None
    interval = segments.intervals[attribute.name]
    low, high = float(interval.low[segment]), float(interval.high[segment])
    if attribute.precision is None:
        above, upto = oracle.bounds(model, reached, attribute.name, attribute.low, attribute.high)
        # A threshold below is open; the domain's own end is a value like any other.
        lowest = above if above == attribute.low else float(np.nextafter(above, np.inf))
        assert (low, high) == (lowest, upto)
        return
    scale = 10**attribute.precision
    grid = range(round(attribute.low * scale), round(attribute.high * scale) + 1)
    inside = [s for s in grid if oracle.allows(model, reached, attribute.name, s / scale)]
    assert [s for s in grid if low <= s <= high] == inside


@pytest.mark.parametrize("seed", range(12))
def test_random_forests_give_the_oracles_intersections(seed: int) -> None:
    table = mixed_table(seed, 60)
    model = random_model(seed, table)
    assert_like_the_oracle(table, model, intersections(table, forest_from_json(model)))


@settings(max_examples=25)
@given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 4), st.integers(0, 5))
def test_any_forest_gives_the_oracles_intersections(seed: int, rows: int, trees: int, depth: int) -> None:
    table = mixed_table(seed, 30).take(np.arange(rows))
    model = random_model(seed, mixed_table(seed, 30), trees, depth)
    assert_like_the_oracle(table, model, intersections(table, forest_from_json(model)))


@pytest.mark.parametrize("thresholds", ["data", "midpoint"])
def test_grown_forests_give_the_oracles_intersections(thresholds: str) -> None:
    table = mixed_table(5, 150)
    forest = grown_forest(table, thresholds=thresholds)
    assert len(forest.trees) > 1
    assert_like_the_oracle(table, forest_to_json(forest), intersections(table, forest))


def test_leaves_are_the_intersections_of_one_tree() -> None:
    table = mixed_table(1, 100)
    forest = grown_forest(table)
    for tree in range(len(forest.trees)):
        alone = Forest(forest.class_name, forest.classes, forest.attributes, (forest.trees[tree],))
        assert_like_the_oracle(table, forest_to_json(alone), leaves(table, forest, tree))


def test_the_whole_table_is_one_segment_with_the_whole_domain() -> None:
    segments = whole_table(mixed_table(1, 20))
    assert (segments.count, segments.ids.tolist()) == (1, [0] * 20)
    assert (segments.intervals["count"].low.tolist(), segments.intervals["count"].high.tolist()) == (
        [0],
        [25],
    )
    assert segments.allowed["city"].sets[segments.allowed["city"].of_segment].all()
    assert not any(tested.any() for tested in segments.influential.values())


def test_combine_numbers_what_is_there_and_lists_its_parts() -> None:
    ids, members = combine([np.array([4, 0, 4, 0]), np.array([1, 1, 1, 2])])
    assert ids.tolist() == [2, 0, 2, 1]
    assert members.tolist() == [[0, 0, 4], [1, 2, 1]]


def test_many_trees_never_make_the_cross_product() -> None:
    parts = [np.arange(50, dtype=np.int32) % 40 + 10 * i for i in range(60)]
    ids, members = combine(parts)
    assert members.shape == (60, 40)
    assert [members[i, ids].tolist() for i in (0, 59)] == [parts[0].tolist(), parts[59].tolist()]


def people(sexes: tuple[str, ...], ages: list[float], codes: list[int]) -> Table:
    return table_of({"age": (number("age", 17, 90), ages), "sex": (category("sex", sexes), codes)})


def test_sub_domains_by_hand() -> None:
    table = people(("Female", "Male"), [18, 25, 27, 40, np.nan], [0, 1, 1, 0, 1])
    segments = leaves(table, income_forest())
    by_row = segments.ids
    assert len(set(by_row.tolist())) == 3
    assert by_row[1] == by_row[2]
    age = segments.intervals["age"]
    assert [(age.low[s], age.high[s]) for s in by_row[[0, 1, 3]]] == [(17, 27), (21, 27), (28, 90)]
    plain = sub_domains(segments, table.schema)
    assert json.loads(json.dumps(plain)) == plain
    assert plain["segments"] == 3
    assert sorted(map(str, plain["categorical"]["sex"]["sets"])) == [
        "['Female', 'Male', None]", "['Female']", "['Male', None]"
    ]  # fmt: skip


def test_another_tables_category_codes_are_translated() -> None:
    """The forest knows Female, Male, Other in this order; the table has another order and an unseen category."""
    table = people(("Male", "Unknown", "Female"), [18, 18, 18, 18], [0, 1, 2, -1])
    segments = leaves(table, income_forest())
    assert len({int(segments.ids[i]) for i in (0, 1, 3)}) == 1
    assert segments.ids[2] != segments.ids[0]
    assert_like_the_oracle(table, forest_to_json(income_forest()), intersections(table, income_forest()))


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
