"""The j48 variant against Weka itself, run in a process of its own; opt-in, with `-m weka`."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_tree
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.training import TrainingSet
from support import weka_j48
from support.real_data import load
from support.training_tables import assert_same_nodes, small_table

pytestmark = pytest.mark.weka


def weka_nodes(arff: Path, min_leaf: int) -> list[dict[str, Any]]:
    """The nodes of Weka's tree."""
    script = Path(weka_j48.__file__)
    done = subprocess.run(
        [sys.executable, str(script), str(arff), "-C", "0.25", "-M", str(min_leaf)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    nodes: list[dict[str, Any]] = json.loads(done.stdout)
    return nodes


@pytest.mark.skipif(importlib.util.find_spec("weka") is None, reason="python-weka-wrapper3 is not installed")
@pytest.mark.parametrize("min_leaf", [2, 30])
@pytest.mark.parametrize("name", ["cmc", "abalone", "wbc", "crx"])
def test_node_for_node(name: str, min_leaf: int, tmp_path: Path) -> None:
    attributes, columns, class_codes, classes = load(name)
    arff = tmp_path / "table.arff"
    weka_j48.write_arff(small_table(attributes, columns, class_codes, classes), arff)
    training = TrainingSet.from_columns(attributes, columns, class_codes, classes)
    tree = grow_tree(training, GrowOptions(variant="j48", min_leaf=min_leaf))
    nodes = forest_to_json(Forest("class", classes, attributes, (tree,), {}))["trees"][0]["nodes"]
    assert_same_nodes(nodes, weka_nodes(arff, min_leaf))
