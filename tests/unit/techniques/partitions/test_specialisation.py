from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.segments.partition import whole_table
from hushwood.tables.recoding.taxonomies import Taxonomy, automatic_taxonomy
from hushwood.tables.table import Table
from hushwood.techniques.mondrian import Tds
from hushwood.techniques.partitions.specialisation import (
    Categories,
    NumberTree,
    ValueNode,
    gain_of,
    specialised,
)
from oracles import tds as oracle
from support.small_random_tables import groups_of, plain_column, random_table

WAYS = {
    "a": ("a", "{a, b}", "{a, b, c}", "*"),
    "b": ("b", "{a, b}", "{a, b, c}", "*"),
    "c": ("c", "c", "{a, b, c}", "*"),
    "d": ("d", "{d, e}", "{d, e}", "*"),
    "e": ("e", "{d, e}", "{d, e}", "*"),
}


def taxonomy_of(table: Table, name: str) -> dict[str, tuple[str, ...]] | None:
    attribute = table.schema[name]
    if attribute.kind == "numeric":
        return None
    counts = np.zeros((len(attribute.categories), len(table.schema["y"].categories) + 1), np.int64)
    for code, label in zip(table.columns[name].tolist(), table.columns["y"].tolist(), strict=True):
        if code >= 0:
            counts[code, label] += 1
    return dict(automatic_taxonomy(attribute, counts).levels)


def expected(table: Table, k: int, score: str, steps: int | None = None) -> set[tuple[int, ...]]:
    names = table.schema.names[:-1]
    columns = [plain_column(table, name) for name in names]
    ways = [taxonomy_of(table, name) for name in names]
    cut = oracle.specialise(columns, ways, plain_column(table, "y"), k, score, steps)
    node_of = [{value: node for node in nodes for value in node} for nodes in cut]
    groups: dict[tuple[object, ...], list[int]] = {}
    for row in range(table.rows):
        groups.setdefault(tuple(node_of[c][columns[c][row]] for c in range(len(names))), []).append(row)
    return {tuple(rows) for rows in groups.values()}


def found(table: Table, k: int, score: Any, steps: int | None = None) -> set[tuple[int, ...]]:
    perturber = Tds(k, score, steps).prepare(table, table.schema.names, whole_table(table))
    return groups_of(perturber.law().members.tolist())


@pytest.mark.parametrize("kinds", ["n", "c", "nn", "cc", "nc", "dcn"])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("score", ["igpl", "ratio"])
def test_the_recoding_is_that_of_the_definition(kinds: str, classes: int, score: str) -> None:
    several = 0
    for seed in range(8):
        table = random_table(seed, kinds, 20 + 6 * seed, classes, gaps=0.12 * (seed % 2))
        k, steps = 2 + seed % 3, None if seed % 3 else 2
        groups = found(table, k, score, steps)
        assert groups == expected(table, k, score, steps), seed
        several += len(groups) > 2
    assert several > 3


@pytest.mark.parametrize(("kinds", "seed"), [("nnc", 1), ("dd", 1), ("ddcc", 15), ("ddcc", 19)])
def test_the_two_scores_choose_differently(kinds: str, seed: int) -> None:
    table = random_table(seed, kinds, 60, 2, gaps=0.0)
    ratio, igpl = found(table, 2, "ratio"), found(table, 2, "igpl")
    assert ratio != igpl
    assert ratio == expected(table, 2, "ratio")
    assert igpl == expected(table, 2, "igpl")


def test_nodes_of_a_taxonomy() -> None:
    names = (None, "a", "b", "d", "e")
    tree = Categories.of(np.ones((5, 2), np.int64), names, Taxonomy("x", WAYS))
    root = tree.root()
    assert (root.label, root.ranks.tolist()) == ("*", [0, 1, 2, 3, 4])
    first = tree.children(root)
    # "c" does not occur, so the first group's next smaller one is not parted from it.
    assert [(n.label, n.ranks.tolist()) for n in first] == [
        (None, [0]),
        ("{a, b, c}", [1, 2]),
        ("{d, e}", [3, 4]),
    ]
    assert [n.label for n in tree.children(first[1])] == ["a", "b"]
    assert tree.children(first[0]) == ()


def test_a_column_of_one_value_has_nothing_to_tell_apart() -> None:
    tree = Categories.of(np.ones((1, 2), np.int64), ("d",), Taxonomy("x", WAYS))
    assert tree.root().label == "d"
    assert tree.children(tree.root()) == ()
    assert NumberTree(np.ones((1, 2), np.int64)).children(ValueNode(np.array([0]))) == ()


def test_a_number_is_cut_where_the_class_changes() -> None:
    tree = NumberTree(np.array([[3, 0], [2, 0], [0, 4], [1, 4]]))
    low, high = tree.children(tree.root())
    assert (low.ranks.tolist(), high.ranks.tolist()) == ([0, 1], [2, 3])
    # 14 records, 6 and 8: 0.98523 bits, less 9/14 of the 0.50326 bits of 1 and 8.
    assert gain_of(tree.counts, tree.root(), (low, high)) == pytest.approx(
        0.985228 - 9 / 14 * 0.503258, abs=1e-6
    )


def test_ranks_beyond_their_tree_are_refused() -> None:
    tree = NumberTree(np.ones((2, 2), np.int64))
    with pytest.raises(InternalFault, match="Ranks of values must lie from 0 to 1"):
        specialised([np.array([0, 2], np.int32)], [tree], 1, "igpl", None)
