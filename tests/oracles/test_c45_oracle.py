"""The oracle itself, against hand-checkable numbers and the trees that Weka grew."""

from __future__ import annotations

import pytest

from oracles.c45 import class_shares, grow_nodes
from oracles.c45_pruning import estimated_errors
from oracles.c45_splits import Options
from oracles.small_table import Column, Table
from support.real_data import expected_forest, load
from support.training_tables import assert_same_nodes, small_table

GOLF = """sunny 85 85 f no;sunny 80 90 t no;overcast 83 78 f yes;rain 70 96 f yes;rain 68 80 f yes;
rain 65 70 t no;overcast 64 65 t yes;sunny 72 95 f no;sunny 69 70 f yes;rain 75 80 f yes;sunny 75 70 t yes;
overcast 72 90 t yes;overcast 81 75 f yes;rain 71 80 t no"""
OUTLOOKS = ("sunny", "overcast", "rain")


def golf() -> Table:
    """Quinlan's example, whose tree is in every textbook."""
    cells = [line.split() for line in GOLF.replace("\n", "").split(";")]
    return Table(
        (Column("outlook", OUTLOOKS), Column("temperature"), Column("humidity"), Column("windy", ("t", "f"))),
        tuple((OUTLOOKS.index(o), float(t), float(h), "tf".index(w)) for o, t, h, w, _ in cells),
        tuple(("yes", "no").index(c) for *_, c in cells),
        ("yes", "no"),
    )


@pytest.mark.parametrize("variant", ["c45", "j48"])
def test_the_golf_tree(variant: str) -> None:
    nodes = grow_nodes(golf(), Options("c45" if variant == "c45" else "j48"))
    assert [node.get("test") for node in nodes] == [
        {"attribute": "outlook"},
        {"attribute": "humidity", "threshold": 75.0},
        None,
        None,
        None,
        {"attribute": "windy"},
        None,
        None,
    ]
    assert [node["counts"] for node in nodes] == [
        [9, 5],
        [2, 3],
        [2, 0],
        [0, 3],
        [4, 0],
        [3, 2],
        [0, 2],
        [3, 0],
    ]
    assert nodes[0]["missing_to"] == 1


def test_a_record_without_a_value_goes_down_all_branches() -> None:
    nodes = grow_nodes(golf(), Options())
    assert class_shares(nodes, golf(), (None, 70.0, 70.0, 1)) == pytest.approx([1.0, 0.0])
    assert class_shares(nodes, golf(), (None, 70.0, 80.0, 1)) == pytest.approx([9 / 14, 5 / 14])


@pytest.mark.parametrize(
    ("weight", "errors", "c45", "j48"),
    [(6, 0, 1.2378, 1.2378), (1, 0, 0.75, 0.75), (16, 1, 2.5069, 2.4757), (168, 15, 18.2962, 18.2183)],
)
def test_estimated_errors(weight: float, errors: float, c45: float, j48: float) -> None:
    assert estimated_errors(weight, errors, 0.25, "c45") == pytest.approx(c45, abs=5e-5)
    assert estimated_errors(weight, errors, 0.25, "j48") == pytest.approx(j48, abs=5e-5)


@pytest.mark.parametrize("min_leaf", [2, 30])
@pytest.mark.parametrize("name", ["iris", "wine", "wbc", "crx"])
def test_weka_grew_the_same_tree(name: str, min_leaf: int) -> None:
    wanted = expected_forest("j48", f"{name}_M{min_leaf}")["trees"][0]["nodes"]
    table = small_table(*load(name, complete=True))
    assert_same_nodes(grow_nodes(table, Options("j48", min_leaf=min_leaf)), wanted)
