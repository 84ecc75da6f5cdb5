"""`forest.json` in and out: nothing is lost, later keys are ignored, damaged files are refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, forest_to_json, read_forest, write_forest
from support.mixed_tables import grown_forest, mixed_table, random_model
from support.real_data import expected_folder, expected_forest
from support.small_trees import income_forest, stump

INFINITE = float("inf")


def assert_same(one: Forest, other: Forest) -> None:
    assert (one.class_name, one.classes, one.grown) == (other.class_name, other.classes, other.grown)
    assert [(a.name, a.kind, a.categories, a.low, a.high, a.precision) for a in one.attributes] == [
        (a.name, a.kind, a.categories, a.low, a.high, a.precision) for a in other.attributes
    ]
    assert [moments(a) for a in one.attributes] == [moments(a) for a in other.attributes]
    assert len(one.trees) == len(other.trees)
    for ours, theirs in zip(one.trees, other.trees, strict=True):
        for mine, yours in zip(astuple(ours), astuple(theirs), strict=True):
            np.testing.assert_array_equal(mine, yours)


def moments(attribute: Attribute) -> str | None:
    """The storage of dates and times; a model does not keep any other."""
    return attribute.storage if is_temporal(attribute.storage) else None


def through_text(forest: Forest) -> Forest:
    return forest_from_json(json.loads(json.dumps(forest_to_json(forest), allow_nan=False)))


@settings(max_examples=40)
@given(st.integers(0, 2**32))
def test_random_forests_come_back(seed: int) -> None:
    forest = forest_from_json(random_model(seed, mixed_table(seed % 7, 60)))
    assert_same(through_text(forest), forest)


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(["data", "midpoint"]))
def test_grown_forests_come_back(seed: int, thresholds: str) -> None:
    forest = grown_forest(mixed_table(seed, 80), thresholds=thresholds)
    assert_same(through_text(forest), forest)


@pytest.mark.parametrize("forest", [income_forest(), stump(), stump(classes=False)])
def test_a_file_comes_back(forest: Forest, tmp_path: Path) -> None:
    write_forest(forest, tmp_path / "forest.json")
    assert_same(read_forest(tmp_path / "forest.json"), forest)


def test_the_file_has_the_documented_form() -> None:
    model = forest_to_json(income_forest())
    assert (model["format"], model["version"], model["class"]) == ("hushwood-forest", 1, "income")
    assert model["attributes"][0] == {
        "name": "age",
        "kind": "numeric",
        "integer": True,
        "precision": 0,
        "low": 17,
        "high": 90,
    }
    assert model["trees"][0]["nodes"][:3] == [
        {
            "id": 0,
            "test": {"attribute": "age", "threshold": 27},
            "children": {"le": 1, "gt": 6},
            "missing_to": 6,
            "counts": [11, 13],
            "label": "high",
        },
        {
            "id": 1,
            "test": {"attribute": "sex"},
            "children": {"Female": 2, "Male": 3, "Other": 3},
            "missing_to": 3,
            "counts": [10, 9],
            "label": "low",
        },
        {"id": 2, "counts": [5, 0], "label": "low"},
    ]


def test_closed_leaves_are_marked_and_come_back() -> None:
    forest = income_forest()
    closed = replace(forest.trees[0], closed=frozenset({2, 6}))
    model = forest_to_json(replace(forest, trees=(closed, forest.trees[1])))

    marked = [[node.get("closed") for node in tree["nodes"]] for tree in model["trees"]]
    assert marked == [[None, None, True, None, None, None, True], [None] * 5]
    assert [tree.closed for tree in forest_from_json(model).trees] == [{2, 6}, frozenset()]


def test_closed_leaves_are_found_by_their_place_not_their_id() -> None:
    model = forest_to_json(stump())
    model["trees"][0]["nodes"][0] |= {"id": 40, "closed": True}
    assert forest_from_json(model).trees[0].closed == {0}


def test_a_leaf_may_say_that_it_is_not_closed() -> None:
    model = forest_to_json(stump())
    model["trees"][0]["nodes"][0]["closed"] = False
    assert forest_from_json(model).trees[0].closed == frozenset()


@pytest.mark.parametrize(
    "storage", ["Date", "Time", "Datetime[ms]", "Datetime[us, Europe/Paris]", "Duration[ns]"]
)
def test_dates_and_times_come_back(storage: str) -> None:
    forest = income_forest()
    age = replace(forest.attributes[0], storage=storage)
    dated = replace(forest, attributes=(age, forest.attributes[1]))

    assert forest_to_json(dated)["attributes"][0]["storage"] == storage
    assert_same(through_text(dated), dated)


def test_other_storages_are_not_written() -> None:
    forest = income_forest()
    age = replace(forest.attributes[0], storage="Int16")
    model = forest_to_json(replace(forest, attributes=(age, forest.attributes[1])))

    assert all("storage" not in attribute for attribute in model["attributes"])


@pytest.mark.parametrize(
    "storage", ["Date[", "Datetime[weeks]", "Int64", "dates of birth", "", 7, None, ["Date"]]
)
def test_storages_that_nobody_knows_are_passed_over(storage: Any) -> None:
    model = forest_to_json(income_forest())
    model["attributes"][0]["storage"] = storage
    assert forest_from_json(model).attributes[0].storage == "Float64"


def test_unknown_keys_are_ignored() -> None:
    model = forest_to_json(income_forest())
    for part in (model, *model["attributes"], *model["trees"], *model["trees"][0]["nodes"]):
        part["later"] = {"version": 9}
    assert_same(forest_from_json(model), income_forest())


def test_what_a_file_may_leave_out() -> None:
    model = forest_to_json(income_forest())
    nodes = model["trees"][0]["nodes"]
    del nodes[1]["missing_to"], nodes[1]["children"]["Other"], nodes[0]["label"], model["grown"]
    # The heavier child of node 1 is 3, with 14 records; it takes the missing and the category left out.
    assert_same(forest_from_json(model), income_forest())


def test_node_numbers_may_have_gaps() -> None:
    model = forest_to_json(stump())
    model["trees"][0]["nodes"][0]["id"] = 40
    assert_same(forest_from_json(model), stump())


def changed_node(node: int, **changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda model: model["trees"][0]["nodes"][node].update(changes)


def changed_precision(precision: Any) -> Callable[[dict[str, Any]], None]:
    def damage(model: dict[str, Any]) -> None:
        numeric = next(a for a in model["attributes"] if a["kind"] == "numeric")
        numeric["precision"] = precision

    return damage


def changed(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda model: model.update(changes)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(changed(format="pmml"), id="format"),
        pytest.param(changed(version=2), id="version"),
        pytest.param(changed(trees=None), id="no list of trees"),
        pytest.param(changed(trees=[{"nodes": []}]), id="no nodes"),
        pytest.param(changed(trees=[{"nodes": 4}]), id="nodes is a number"),
        pytest.param(changed(classes=None), id="no classes"),
        pytest.param(changed(attributes=[]), id="attributes missing"),
        pytest.param(changed_precision("few"), id="precision is a text"),
        pytest.param(changed_precision(-400), id="precision is negative"),
        pytest.param(changed(grown=[1]), id="grown is a list"),
        pytest.param(changed_node(0, children=3), id="children is a number"),
        pytest.param(changed_node(0, children={"le": 1}), id="one child"),
        pytest.param(changed_node(0, children={"le": 1, "gt": 77}), id="no such child"),
        pytest.param(changed_node(3, children={"le": 1, "gt": 5}), id="child points back"),
        pytest.param(changed_node(0, id=INFINITE), id="infinite id"),
        pytest.param(changed_node(5, id=4), id="id twice"),
        pytest.param(changed_node(0, test="age"), id="test is a text"),
        pytest.param(changed_node(0, test={"attribute": "height", "threshold": 1}), id="unknown attribute"),
        pytest.param(changed_node(0, test={"attribute": "age"}), id="no threshold"),
        pytest.param(changed_node(0, missing_to=77), id="missing_to nowhere"),
        pytest.param(changed_node(0, label="rich"), id="unknown label"),
        pytest.param(changed_node(0, closed=True), id="closed node with a test"),
        pytest.param(changed_node(2, closed="yes"), id="closed is a text"),
        pytest.param(changed_node(0, counts=[1, 2, 3]), id="one count too many"),
        pytest.param(changed_node(1, missing_to=0), id="missing_to points back"),
        pytest.param(changed_node(1, missing_to=1), id="missing_to points to itself"),
        pytest.param(
            changed_node(0, test={"attribute": "age", "threshold": float("nan")}), id="threshold is no number"
        ),
        pytest.param(
            changed_node(0, test={"attribute": "age", "threshold": INFINITE}), id="threshold is infinite"
        ),
    ],
)
def test_damaged_files_are_refused(damage: Callable[[dict[str, Any]], None]) -> None:
    model = copy.deepcopy(forest_to_json(income_forest()))
    damage(model)
    with pytest.raises(InputError):
        forest_from_json(model)


@pytest.mark.parametrize(
    "text", ["[1, 2]", "3", '"forest"', "null", "", "{", '{"format": ', "[" * 100_000, "9" * 5000]
)
def test_files_that_hold_no_object_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "forest.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError):
        read_forest(path)


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (
            changed_node(0, test={"attribute": "zzz", "threshold": 1}),
            "node 0 tests 'zzz', which is not among its attributes;",
        ),
        (changed_node(0, children={"le": 1, "gt": 77}), "node 0 leads to node 77, which is not there;"),
        (changed_node(0, label="rich"), "node 0 has the class 'rich', which is not among its classes;"),
        (changed_node(0, test={"attribute": "age"}), "it lacks 'threshold' in a place where it is needed;"),
        (changed(trees=3), "something in it is not of the kind that belongs there;"),
    ],
)
def test_what_is_damaged_in_words(damage: Callable[[dict[str, Any]], None], says: str) -> None:
    model = copy.deepcopy(forest_to_json(income_forest()))
    damage(model)
    with pytest.raises(InputError, match=f"^The forest file is damaged: {says} fetch it or make it again"):
        forest_from_json(model)


def test_a_tree_file_is_called_so(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    for text, says in (
        ("[" * 100_000, r"The tree file .* is nested too deeply to be one; give a tree\.json"),
        ("a,b", r"The tree file .* is not JSON \(line 1, column 1\); give a tree\.json"),
        ('{"format": 1, "format": 1}', r"The tree file .* is not JSON; give a tree\.json"),
        ("{}", "This is no tree file"),
        ('{"format": "hushwood-forest", "version": 7}', "The tree file has version 7"),
        ('{"format": "hushwood-forest", "version": 1}', "The tree file is damaged: it lacks 'attributes'"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=says):
            read_forest(path, "tree")


def test_forests_of_the_original_programs_are_read() -> None:
    found = sorted(expected_folder().glob("*/*.json.gz"))
    assert len(found) > 20
    for path in found:
        model = expected_forest(path.parent.name, path.name.removesuffix(".json.gz"))
        nodes = [tree["nodes"] for tree in model["trees"]]
        forest = forest_from_json(model)
        assert [len(tree) for tree in forest.trees] == [len(own) for own in nodes], path.name
        again = forest_to_json(forest)["trees"]
        assert [n.get("test") for n in again[0]["nodes"]] == [n.get("test") for n in nodes[0]], path.name


@pytest.mark.parametrize("key", ["low", "high", "threshold"])
def test_numbers_too_large_to_compute_with_are_refused(key: str) -> None:
    model = forest_to_json(income_forest())
    place = model["trees"][0]["nodes"][0]["test"] if key == "threshold" else model["attributes"][0]
    place[key] = 1.7e308
    with pytest.raises(InputError, match=r"Column 'age' has numbers as large as 1\.7e\+308"):
        forest_from_json(model)


@pytest.mark.parametrize("trees", [[], [{"nodes": []}]])
def test_a_forest_without_trees_is_damaged(trees: list[Any]) -> None:
    model = {
        "format": "hushwood-forest",
        "version": 1,
        "class": "c",
        "classes": ["a", "b"],
        "attributes": [],
        "trees": trees,
    }
    with pytest.raises(InputError, match=r"it holds no tree|not of the kind that belongs there"):
        forest_from_json(model)
