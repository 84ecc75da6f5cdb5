"""The oracle of See5 itself, against trees that C5.0 grew and hand-checkable numbers."""

from __future__ import annotations

import pytest

from oracles.see5 import grow_nodes
from oracles.see5_pruning import extra_errors
from oracles.see5_splits import Options, single
from support.real_data import expected_forest, load
from support.training_tables import assert_same_nodes, small_table


@pytest.mark.parametrize("name", ["iris_M2", "iris_M2_noglobal", "crx_missing_M2", "wbc_missing_M2_noglobal"])
def test_node_for_node(name: str) -> None:
    expected = expected_forest("see5", name)
    table = small_table(*load(expected["data"].removesuffix("_missing")))
    options = Options(min_leaf=expected["min_cases"], global_pruning=expected["global_pruning"])
    assert_same_nodes(grow_nodes(table, options), expected["trees"][0]["nodes"], 5e-4)


def test_expected_errors_of_small_leaves() -> None:
    assert extra_errors(6, 0, 0.25) == pytest.approx(1.2378, abs=5e-5)
    assert extra_errors(16, 1, 0.25) == pytest.approx(1.5069, abs=5e-5)
    assert extra_errors(0.7, 0.3, 0.25) == pytest.approx(0.67 * 0.4)
    assert extra_errors(0.9, 0.6, 0.25) == pytest.approx(0.67 * 0.3)


def test_single_precision() -> None:
    assert single(0.1) == 0.10000000149011612
