"""The evaluation as one JSON document, on six records."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from hushwood.evaluation.document import evaluation_document
from hushwood.tables.table import Table
from mixed_tables import category, number, table_of, target
from small_trees import income_forest

AGE, JOB, RISK = number("age", 20, 60), category("job", "abc"), target("risk", ("good", "bad"))
PLAN = [{"columns": ["job", "age"], "technique": "x", "acronym": "X", "says": "", "keeps_segment": True}]


def table(age: list[float], job: list[int], risk: list[int]) -> Table:
    return table_of({"age": (AGE, age), "job": (JOB, job), "risk": (RISK, risk)})


ORIGINAL = table([20, 30, 30, 40, np.nan, 60], [0, 0, 0, 0, 0, 2], [0, 0, 1, 0, 1, 1])
RELEASED = table([20, 31, 30, 44, np.nan, 59], [0, 0, 0, 0, 2, 0], [0, 1, 0, 0, 1, 1])


def evaluated(original: Table, released: Table, **more: Any) -> dict[str, Any]:
    return evaluation_document(
        original,
        released,
        segment_ids=np.array([0, 0, 0, 1, 1, 1]),
        plan=PLAN,
        certificate={"claimed": False, "records": 6, "kept": 5, "per_tree": []},
        **more,
    )


def test_document_is_plain_json() -> None:
    document = evaluated(ORIGINAL, RELEASED)

    again = json.loads(json.dumps(document, allow_nan=False))

    assert again == document
    assert (again["format"], again["version"], again["pairing"]) == ("hushwood-evaluation", 1, "rows")
    assert (again["attacks"], again["forests"]) == ([], {})


def test_measures_are_of_the_planned_columns_in_table_order() -> None:
    cells, classes = evaluated(ORIGINAL, RELEASED)["measures"]

    assert [c["column"] for c in cells["details"]["columns"]] == ["age", "job"]
    assert (cells["name"], cells["details"]["unchanged"]) == ("unchanged_cells", 2 + 4)
    assert (classes["name"], classes["details"]["changed"]) == ("changed_classes", 2)


def test_without_a_class_the_measure_says_so() -> None:
    schema = ORIGINAL.schema.with_role(["risk"], "ordinary")
    bare = Table(schema, ORIGINAL.columns, ORIGINAL.carried, ORIGINAL.rows)

    assert "not_computable" in evaluated(bare, bare)["measures"][1]


def test_the_release_is_described_as_it_was_given() -> None:
    release = evaluated(ORIGINAL, RELEASED, warnings=("careful",), about={"table": "t.csv"})["release"]

    assert (release["records"], release["segments"]["count"]) == (6, 2)
    assert (release["plan"], release["about"], release["warnings"]) == (PLAN, {"table": "t.csv"}, ["careful"])
    assert release["certificate"]["kept"] == 5
    assert [d["column"] for d in release["distributions"]] == ["age", "job", "risk"]


def test_the_forest_is_carried_as_its_file_form() -> None:
    forests = evaluated(ORIGINAL, RELEASED, forest=income_forest())["forests"]

    assert list(forests) == ["original"]
    assert forests["original"]["format"] == "hushwood-forest"
    assert len(forests["original"]["trees"]) == 2
