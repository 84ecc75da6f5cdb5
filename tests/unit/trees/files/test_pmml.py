"""Trees as PMML: the document's form, and that other programs score with it as the tree does."""

from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.trees.forest import Forest
from hushwood.trees.pmml import forest_to_pmml, write_pmml
from hushwood.version import __version__
from oracles.pmml import NAMESPACE, child, children, document, reached, strings
from support.mixed_tables import grown_forest, mixed_table, one_tree
from support.pmml_trees import NASTY, PLAIN, Sample, random_sample
from support.small_trees import income_forest, stump


def parsed(forest: Forest, place: int = 0) -> Element:
    return document(forest_to_pmml(forest, place))


def tags(parent: Element) -> list[str]:
    return [part.tag.removeprefix(NAMESPACE) for part in parent]


def city_tree(values: list[str]) -> Forest:
    """All values but the last go to node 1, the last one and missing ones to node 2."""
    nodes = [
        {
            "id": 0,
            "test": {"attribute": "city"},
            "children": {value: 1 if value != values[-1] else 2 for value in values},
            "missing_to": 2,
            "counts": [3, 2],
        },
        {"id": 1, "counts": [3, 0]},
        {"id": 2, "counts": [0, 2]},
    ]
    return one_tree({"name": "city", "kind": "categorical", "values": values}, nodes)


def number_tree(threshold: float, **facts: Any) -> Forest:
    nodes = [
        {
            "id": 0,
            "test": {"attribute": "x", "threshold": threshold},
            "children": {"le": 1, "gt": 2},
            "missing_to": 1,
            "counts": [3, 2],
        },
        {"id": 1, "counts": [3, 0]},
        {"id": 2, "counts": [0, 2]},
    ]
    return one_tree({"name": "x", "kind": "numeric", **facts}, nodes)


def test_parts_come_in_the_order_that_pmml_asks_for() -> None:
    root = parsed(income_forest())

    assert (root.tag, root.get("version")) == (f"{NAMESPACE}PMML", "4.4")
    assert tags(root) == ["Header", "DataDictionary", "TreeModel"]
    assert tags(child(root, "TreeModel")) == ["MiningSchema", "Node"]
    for node in root.iter(f"{NAMESPACE}Node"):
        own = tags(node)
        assert own[0] in ("True", "SimplePredicate", "SimpleSetPredicate")
        assert own[1:] == ["ScoreDistribution"] * 2 + ["Node"] * (len(own) - 3)
    application = child(child(root, "Header"), "Application")
    assert application.attrib == {"name": "Hushwood", "version": __version__}


def test_fields_and_their_uses() -> None:
    root = parsed(income_forest())

    fields = children(child(root, "DataDictionary"), "DataField")
    assert [(f.get("name"), f.get("optype"), f.get("dataType")) for f in fields] == [
        ("age", "continuous", "integer"),
        ("sex", "categorical", "string"),
        ("income", "categorical", "string"),
    ]
    assert [v.get("value") for v in children(fields[1], "Value")] == ["Female", "Male", "Other"]
    assert [v.get("value") for v in children(fields[2], "Value")] == ["low", "high"]
    schema = children(child(child(root, "TreeModel"), "MiningSchema"), "MiningField")
    assert [f.attrib for f in schema] == [
        {"name": "age", "invalidValueTreatment": "asMissing"},
        {"name": "sex", "invalidValueTreatment": "asMissing"},
        {"name": "income", "usageType": "target"},
    ]


def test_nodes_have_scores_counts_and_a_default_child() -> None:
    model = child(parsed(income_forest()), "TreeModel")
    root = child(model, "Node")

    assert model.get("functionName") == "classification"
    assert model.get("splitCharacteristic") == "binarySplit"
    assert root.attrib == {"id": "0", "score": "high", "recordCount": "24", "defaultChild": "6"}
    counts = [part.attrib for part in children(root, "ScoreDistribution")]
    assert counts == [{"value": "low", "recordCount": "11"}, {"value": "high", "recordCount": "13"}]
    below, above = children(root, "Node")
    assert below[0].attrib == {"field": "age", "operator": "lessOrEqual", "value": "27"}
    assert above[0].attrib == {"field": "age", "operator": "greaterThan", "value": "27"}
    women, others = children(below, "Node")
    assert women[0].attrib == {"field": "sex", "operator": "equal", "value": "Female"}
    assert others[0].attrib == {"field": "sex", "booleanOperator": "isIn"}
    assert strings(child(others[0], "Array")) == ["Male", "Other"]


def test_only_tested_attributes_are_inputs_and_any_tree_can_be_chosen() -> None:
    root = parsed(income_forest(), 1)

    fields = children(child(root, "DataDictionary"), "DataField")
    assert [field.get("name") for field in fields] == ["sex", "income"]
    assert child(root, "TreeModel").get("modelName") == "tree 2"


def test_a_node_without_records_says_only_its_class() -> None:
    (empty,) = [node for node in parsed(income_forest(), 1).iter() if node.get("id") == "4"]

    assert empty.attrib == {"id": "4", "score": "low"}
    assert tags(empty) == ["SimpleSetPredicate"]


def test_withheld_counts_are_left_out() -> None:
    forest = stump()
    tree = replace(forest.trees[0], counts=np.array([[120.0, np.nan]]))

    node = child(child(parsed(replace(forest, trees=(tree,))), "TreeModel"), "Node")

    assert (node.attrib, tags(node)) == ({"id": "0", "score": "low"}, ["True"])


def test_a_regression_tree_scores_with_its_mean() -> None:
    root = parsed(stump(classes=False))

    model = child(root, "TreeModel")
    assert model.get("functionName") == "regression"
    assert child(model, "Node").attrib == {"id": "0", "score": "2.5"}
    (field,) = children(child(root, "DataDictionary"), "DataField")
    assert field.attrib == {"name": "income", "optype": "continuous", "dataType": "double"}


def test_three_children_are_a_multiple_split() -> None:
    nodes = [{"id": i, "counts": [i, 1]} for i in range(4)]
    nodes[0] |= {"test": {"attribute": "c"}, "children": {"a": 1, "b": 2, "c": 3}, "missing_to": 1}
    forest = one_tree({"name": "c", "kind": "categorical", "values": ["a", "b", "c"]}, nodes)

    assert child(parsed(forest), "TreeModel").get("splitCharacteristic") == "multiSplit"


def test_a_child_for_missing_values_only_can_be_reached() -> None:
    forest = city_tree(["Bonn", "Köln"])
    lone = replace(forest.attributes[0], categories=("Bonn",))
    tree = replace(forest.trees[0], branch_start=np.array([0, 1, 1, 1]), branches=np.array([1], np.int32))
    root = parsed(replace(forest, attributes=(lone,), trees=(tree,)))

    assert [reached(root, {"city": city}).get("id") for city in ("Bonn", "Köln", None)] == ["1", "2", "2"]


@pytest.mark.parametrize("threshold", [0.1, 1 / 3, -2.5e-300, 1e22, 123456789012345.6, 5e-324, float(2**60)])
def test_thresholds_read_back_bit_for_bit(threshold: float) -> None:
    (below, _) = children(child(child(parsed(number_tree(threshold)), "TreeModel"), "Node"), "Node")

    assert float(below[0].attrib["value"]) == threshold


@pytest.mark.parametrize(
    ("facts", "threshold", "expected"),
    [
        pytest.param({"integer": True, "precision": 0, "low": 0, "high": 9}, 4, "integer", id="whole"),
        pytest.param({"integer": True, "precision": 0, "low": 0, "high": 9}, 4.5, "double", id="midpoint"),
        pytest.param({"integer": True, "precision": 0, "low": 0, "high": 2**40}, 4, "double", id="large"),
        pytest.param({"integer": True, "precision": 0}, 4, "double", id="domain unknown"),
        pytest.param({"precision": 1, "low": 0, "high": 9}, 4, "double", id="decimals"),
    ],
)
def test_numbers_are_integers_only_where_readers_keep_them(
    facts: dict[str, Any], threshold: float, expected: str
) -> None:
    field = child(parsed(number_tree(threshold, **facts)), "DataDictionary")[0]

    assert field.attrib == {"name": "x", "optype": "continuous", "dataType": expected}


@pytest.mark.parametrize(
    ("storage", "unit"),
    [
        ("Date", "days since 1970-01-01"),
        ("Datetime[us]", "seconds since 1970-01-01, UTC"),
        ("Time", "seconds since midnight"),
        ("Duration[ms]", "seconds"),
    ],
)
def test_dates_and_times_are_numbers_that_say_their_unit(storage: str, unit: str) -> None:
    facts = {"integer": True, "precision": 0, "low": 0, "high": 9, "storage": storage}

    field = child(parsed(number_tree(4, **facts)), "DataDictionary")[0]

    assert field.attrib == {
        "name": "x",
        "optype": "continuous",
        "dataType": "double",
        "displayName": f"x ({unit})",
    }


def test_texts_that_an_array_cannot_hold_become_single_questions() -> None:
    values = ["plain", 'say "hi"', "end\\", "last"]
    node = child(child(parsed(city_tree(values)), "TreeModel"), "Node")

    either = children(node, "Node")[0][0]

    assert either.tag == f"{NAMESPACE}CompoundPredicate"
    assert [part.get("value") for part in either] == values[:3]


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path) -> None:
    write_pmml(income_forest(), tmp_path / "one.pmml")
    write_pmml(income_forest(), tmp_path / "two.pmml", 0)

    written = (tmp_path / "one.pmml").read_bytes()
    assert written == (tmp_path / "two.pmml").read_bytes()
    assert written.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<PMML ')
    assert written.decode() == forest_to_pmml(income_forest())


@pytest.mark.parametrize("text", ["bell\x07", "lone\ud800", "\ufffe"])
def test_characters_that_xml_cannot_hold_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="XML"):
        forest_to_pmml(city_tree(["a", text, "b"]))


def test_a_tree_too_deep_for_nested_nodes_is_refused() -> None:
    nodes: list[dict[str, Any]] = []
    for node in range(0, 6000, 2):
        test = {"attribute": "x", "threshold": float(node)}
        children_of = {"le": node + 1, "gt": node + 2}
        nodes.append(
            {"id": node, "test": test, "children": children_of, "missing_to": node + 1, "counts": [1, 2]}
        )
        nodes.append({"id": node + 1, "counts": [1, 2]})
    nodes.append({"id": 6000, "counts": [1, 2]})

    with pytest.raises(InputError, match="deep"):
        forest_to_pmml(one_tree({"name": "x", "kind": "numeric"}, nodes))


@settings(max_examples=80)
@given(st.integers(0, 2**32), st.booleans(), st.booleans())
def test_every_record_ends_in_the_same_leaf(seed: int, regression: bool, binary: bool) -> None:
    sample = random_sample(seed, regression=regression, binary=binary)
    root = parsed(sample.forest)

    ends = [reached(root, record) for record in sample.records]

    assert [int(node.attrib["id"]) for node in ends] == sample.leaves
    scores = [float(node.attrib["score"]) if regression else node.attrib["score"] for node in ends]
    assert scores == sample.answers
    split = child(root, "TreeModel").get("splitCharacteristic")
    assert split == "binarySplit" or not binary


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.sampled_from(["data", "midpoint"]))
def test_grown_trees_can_be_written(seed: int, thresholds: str) -> None:
    forest = grown_forest(mixed_table(seed, 80), thresholds=thresholds)

    for place, tree in enumerate(forest.trees):
        ids = [int(node.attrib["id"]) for node in parsed(forest, place).iter(f"{NAMESPACE}Node")]
        assert ids == list(range(len(tree)))


@pytest.mark.parametrize("regression", [False, True])
def test_sklearn_pmml_model_scores_alike(regression: bool) -> None:
    """It reads binary trees without missing values; categories are given as their places in the dictionary."""
    readers = pytest.importorskip("sklearn_pmml_model.tree")
    reader = readers.PMMLTreeRegressor if regression else readers.PMMLTreeClassifier
    asked = 0
    for seed in range(40):
        sample = random_sample(seed, regression=regression, binary=True, gaps=False, values=PLAIN)
        inputs = numbers_asked_for(sample)
        if not inputs.shape[1]:
            continue  # a tree of one leaf
        text = forest_to_pmml(sample.forest)
        found = reader(pmml=io.BytesIO(text.encode())).predict(inputs)
        if regression:
            np.testing.assert_allclose(found, np.array(sample.answers, np.float64), rtol=1e-12)
        else:
            assert found.tolist() == sample.answers, seed
        asked += len(found)
    assert asked > 1000


def numbers_asked_for(sample: Sample) -> Floats:
    """The columns that the tree tests, as numbers."""
    forest = sample.forest
    columns = [
        [r[a.name] if a.kind == "numeric" else a.categories.index(str(r[a.name])) for r in sample.records]
        for a in (forest.attributes[i] for i in np.unique(forest.trees[0].attribute) if i >= 0)
    ]
    return np.array(columns, np.float64).reshape(-1, len(sample.records)).T


@pytest.fixture(scope="module")
def pypmml_model() -> Any:
    model = pytest.importorskip("pypmml", exc_type=ImportError).Model
    if shutil.which("java") is None:
        pytest.skip("pypmml needs Java")
    yield model
    model.close()


def test_pypmml_scores_alike_with_missing_and_unknown_values(pypmml_model: Any) -> None:
    asked = 0
    for seed in range(16):
        sample = random_sample(seed, regression=seed % 2 == 1, binary=seed % 3 == 0, values=NASTY)
        model = pypmml_model.fromString(forest_to_pmml(sample.forest))
        for record, leaf, answer in zip(sample.records, sample.leaves, sample.answers, strict=True):
            found = model.predict({name: value for name, value in record.items() if value is not None})
            assert (found["predicted_the class"], found["node_id"]) == (answer, str(leaf)), (seed, record)
            asked += 1
    assert asked == 640
