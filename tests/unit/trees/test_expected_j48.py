"""The j48 variant grows the trees that Weka's J48 grew; the files are found through HUSHWOOD_DATA."""

from __future__ import annotations

import pytest

from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_tree
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.training import TrainingSet
from support.real_data import expected_forest, load
from support.training_tables import assert_same_nodes


@pytest.mark.parametrize("min_leaf", [2, 30])
@pytest.mark.parametrize("name", ["iris", "wine", "wbc", "crx"])
def test_node_for_node(name: str, min_leaf: int) -> None:
    expected = expected_forest("j48", f"{name}_M{min_leaf}")
    attributes, columns, class_codes, classes = load(name, complete=True)
    assert [a.name for a in attributes] == [a["name"] for a in expected["attributes"]]
    assert list(classes) == expected["classes"]
    assert len(class_codes) == expected["records"]
    training = TrainingSet.from_columns(attributes, columns, class_codes, classes)
    tree = grow_tree(training, GrowOptions(variant="j48", min_leaf=min_leaf))
    nodes = forest_to_json(Forest(expected["class"], classes, attributes, (tree,), {}))["trees"][0]["nodes"]
    assert_same_nodes(nodes, expected["trees"][0]["nodes"])
    for leaf, (label, weight, errors) in expected["printed_leaves"].items():
        counts = nodes[int(leaf)]["counts"]
        assert nodes[int(leaf)]["label"] == label
        assert (sum(counts), sum(counts) - counts[classes.index(label)]) == pytest.approx((weight, errors))
