"""Trees as outsiders may see them."""

from __future__ import annotations

import json

from hushwood.reports.redacted_forests import safe_forest
from hushwood.trees.model_file import forest_from_json, forest_to_json
from small_trees import income_forest


def test_a_published_forest_can_still_be_read() -> None:
    safe = safe_forest(forest_to_json(income_forest()), {})

    assert len(forest_from_json(safe).trees) == 2


def test_rare_values_lose_their_names_everywhere() -> None:
    hidden = {"sex": {"Other": "rare value 1"}, "income": {"high": "rare value 2"}}

    safe = safe_forest(forest_to_json(income_forest()), hidden)

    assert "Other" not in json.dumps(safe)
    assert safe["classes"] == ["low", "rare value 2"]
    assert safe["attributes"][1]["values"] == ["Female", "Male", "rare value 1"]
    assert safe["trees"][0]["nodes"][1]["children"] == {"Female": 2, "Male": 3, "rare value 1": 3}


def test_counts_are_rounded_and_few_withheld() -> None:
    nodes = safe_forest(forest_to_json(income_forest()), {})["trees"][0]["nodes"]

    assert nodes[0]["counts"] == [10, 15]
    assert nodes[2]["counts"] == [5, None]


def test_a_limit_around_a_few_records_is_rounded() -> None:
    safe = safe_forest(forest_to_json(income_forest()), {})["trees"][0]["nodes"]

    assert safe[0]["test"]["threshold"] == 27
    assert safe[3]["test"]["threshold"] == 20
    model = forest_to_json(income_forest())
    model["trees"][0]["nodes"][3]["test"]["threshold"] = 23
    assert safe_forest(model, {})["trees"][0]["nodes"][3]["test"]["threshold"] == 20


def test_extremes_of_attributes_and_unknown_keys_are_gone() -> None:
    model = forest_to_json(income_forest()) | {"later": "SECRET"}
    model["grown"] = {"variant": "c45", "seed": "SECRET"}
    safe = safe_forest(model, {})

    assert "SECRET" not in json.dumps(safe)
    assert "low" not in safe["attributes"][0]
    assert safe["grown"] == {"variant": "c45"}
