"""Records sent through a forest whose vocabulary is wider than the table's."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.jobs.forest_routes import leaves_reached, predictions
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_from_json, forest_to_json
from mixed_tables import category, number, table_of, target
from small_trees import income_forest, stump

LOW, HIGH = 0, 1


@pytest.fixture
def table() -> Table:
    """Sexes in another order than the forest's, one that it does not know, and a missing one."""
    sexes = category("sex", ["Male", "Nobody", "Female"])
    return table_of(
        {
            "age": (number("age", 17, 90), [18, 25, 25, 30, 18]),
            "sex": (sexes, [0, 2, 1, -1, -1]),
            "income": (target("income", ["low", "high"]), [0, 0, 0, 1, 1]),
        }
    )


def test_values_are_found_by_their_texts(table: Table) -> None:
    first, second = leaves_reached(income_forest(), table)
    assert first.tolist() == [4, 2, 5, 6, 4]
    assert second.tolist() == [3, 1, 3, 3, 3]


def test_trees_speak_together(table: Table) -> None:
    forest = income_forest()
    shares = [[4, 0], [5, 0], [1, 9], [1, 4], [4, 0]], [[2, 12], [9, 1], [2, 12], [2, 12], [2, 12]]
    expected = sum(np.array(own) / np.sum(own, axis=1, keepdims=True) for own in shares)
    assert predictions(forest, table).tolist() == np.argmax(expected, axis=1).tolist()


def test_one_leaf_and_numbers(table: Table) -> None:
    assert predictions(stump(), table).tolist() == [0] * 5
    assert predictions(stump(classes=False), table).tolist() == [2.5] * 5
    model = forest_to_json(stump(classes=False))
    model["trees"].append({"nodes": [{"id": 0, "value": 3.5}]})
    assert predictions(forest_from_json(model), table).tolist() == [3.0] * 5
