"""The evaluation as plain data and back, on six records."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.evaluation.case import Case
from hushwood.evaluation.evaluate import evaluate, evaluation_of
from hushwood.evaluation.evaluation import About, Evaluation, LeftOut, answer_frame
from hushwood.evaluation.levels import FULL, QUICK
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.pairs.common_coding import STILL_RELEASED
from hushwood.tables.pairs.pairing import Pair, paired_tables
from hushwood.tables.table import Table
from support.mixed_tables import category, number, table_of, target
from support.sample_release import credit_evaluation, foreign_evaluation, stated_release
from support.small_trees import income_forest
from support.table_pairs import STREAMS

PAY, JOB, RISK = number("pay", 20, 60), category("job", "abc"), target("risk", ("good", "bad"))
PLAN = [{"columns": ["job", "pay"], "technique": "x", "acronym": "X", "says": "", "keeps_segment": True}]
CERTIFICATE = {"claimed": False, "records": 6, "kept": 5, "per_tree": []}
LEVEL = replace(FULL.only(["unchanged_cells", "changed_classes", "k_anonymity", "linkage"]), targets=10)


def table(pay: list[float], job: list[int], risk: list[int]) -> Table:
    return table_of({"pay": (PAY, pay), "job": (JOB, job), "risk": (RISK, risk)})


ORIGINAL = table([20, 30, 30, 40, np.nan, 60], [0, 0, 0, 0, 0, 2], [0, 0, 1, 0, 1, 1])
RELEASED = table([20, 31, 30, 44, np.nan, 59], [0, 0, 0, 0, 2, 0], [0, 1, 0, 0, 1, 1])
PAIR = paired_tables(ORIGINAL, RELEASED)
MADE = stated_release(RELEASED, np.array([0, 0, 0, 1, 1, 1]), income_forest(), PLAN, CERTIFICATE)


def evaluated(pair: Pair = PAIR, made: Perturbed | None = MADE, **more: Any) -> dict[str, Any]:
    case = Case(pair, STREAMS, made, source=ORIGINAL, **more)
    return evaluation_of(case, LEVEL, evaluate(case, LEVEL)).to_json()


def measure(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(m for m in document["measures"] if m["name"] == name)
    return found


def test_document_is_plain_json() -> None:
    document = evaluated()

    again = json.loads(json.dumps(document, allow_nan=False))

    assert again == document
    assert (again["format"], again["version"], again["pairing"]) == ("hushwood-evaluation", 1, "rows")


def test_a_measure_says_what_it_asks_and_what_it_is_compared_with() -> None:
    cells = measure(evaluated(), "unchanged_cells")

    assert (cells["side"], cells["better"], cells["bounds"]) == ("risk", "lower", [0.0, 1.0])
    assert cells["question"].endswith("?")
    assert cells["details"]["unchanged"] == 2 + 4 + 4
    assert cells["value"] == 10 / 17
    assert cells["untouched"] == 1.0
    assert 0 <= cells["noise"] < 1


def test_a_measure_without_an_answer_gives_its_reason() -> None:
    found = measure(evaluated(), "k_anonymity")

    assert "quasi-identifier" in found["not_computable"]
    assert not {"value", "details"} & set(found)


def test_an_attack_has_one_entry_per_scenario() -> None:
    attacks = evaluated()["attacks"]

    assert [a["scenario"] for a in attacks] == ["everything", "quasi-identifiers"]
    for attack in attacks:
        assert attack["name"] == "linkage"
        assert 0 <= attack["interval"][0] <= attack["success"] <= attack["interval"][1] <= 1
        assert (attack["attempts"], attack["control"], attack["wants"]) == (6, None, None)
        assert attack["naive"] == 1 / 6
        assert attack["untouched"] is not None


def test_an_attack_that_cannot_be_tried_gives_its_reason() -> None:
    (attack,) = evaluated(replace(PAIR, partner=None, match="none"), None)["attacks"]

    assert attack["name"] == "linkage"
    assert "not paired" in attack["not_computable"]


def test_the_release_is_described_as_it_was_given() -> None:
    release = evaluated(notes=("careful",), about=About("t.csv"))["release"]

    assert (release["records"], release["released_records"], release["segments"]["count"]) == (6, 6, 2)
    assert (release["plan"], release["about"], release["warnings"]) == (PLAN, {"table": "t.csv"}, ["careful"])
    assert release["certificate"] == CERTIFICATE
    assert [d["column"] for d in release["distributions"]] == ["pay", "job", "risk"]


def test_a_foreign_release_has_no_plan_certificate_or_segments() -> None:
    document = evaluated(made=None)
    release = document["release"]

    assert (release["plan"], release["certificate"], release["segments"]) == ([], None, None)
    assert release["rare_categories"]["count"] == 3
    assert "original" not in document["forests"]


def test_unpaired_rows_say_nothing_about_single_records() -> None:
    release = evaluated(replace(PAIR, partner=None, match="none"), None)["release"]

    assert (release["rare_categories"], release["unique_extremes"]) == (None, None)


def test_what_was_looked_at_is_stated() -> None:
    pair = replace(PAIR, left_out={"town": "It is gone."}, notes=("Look here.",), holdout=PAIR.original)

    audit = evaluated(pair)["audit"]

    assert (audit["evidence"], audit["records"], audit["targets"]) == ("full", 6, 10)
    assert audit["left_out"] == [{"column": "town", "reason": "It is gone."}]
    assert (audit["notes"], audit["control"], audit["generalised"]) == (
        ["Look here."],
        "the 6 people of the hold-out",
        [],
    )


def test_the_certified_forest_is_carried_as_its_file_form() -> None:
    forests = evaluated()["forests"]

    assert list(forests) == ["original"]
    assert forests["original"]["format"] == "hushwood-forest"
    assert len(forests["original"]["trees"]) == 2


def test_trees_that_a_measure_grew_are_carried_too() -> None:
    level = FULL.only(["rule_types"])
    case = Case(PAIR, STREAMS)
    evaluation = evaluation_of(case, level, evaluate(case, level))

    assert {"original_tree", "released_tree"} <= set(evaluation.forests)


@pytest.mark.parametrize("made", [credit_evaluation, foreign_evaluation])
def test_an_evaluation_that_is_written_and_read_is_the_same(made: Callable[[], Evaluation]) -> None:
    evaluation = made()
    text = json.dumps(evaluation.to_json(), allow_nan=False)

    again = Evaluation.from_json(json.loads(text))

    assert json.dumps(again.to_json(), allow_nan=False) == text
    assert (again.release, again.audit, again.columns) == (
        evaluation.release,
        evaluation.audit,
        evaluation.columns,
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "hushwood-forest"}, "This is no evaluation"),
        ({"version": 2}, "version 2; expected"),
        ({"measures": [{"value": 1.0}]}, "The evaluation is damaged"),
        ({"release": {}}, "The evaluation is damaged"),
    ],
)
def test_other_data_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Evaluation.from_json(evaluated() | change)


def test_an_identifier_in_the_release_is_recognised() -> None:
    assert LeftOut("id", STILL_RELEASED).still_identifies
    assert not LeftOut("id", "It names people and is gone.").still_identifies


def test_every_answer_has_a_row_with_the_numbers_of_the_document() -> None:
    evaluation = credit_evaluation(300, QUICK)
    frame = answer_frame(evaluation)
    document = evaluation.to_json()
    assert frame.height == len(document["measures"]) + len(document["attacks"])
    for row, entry in zip(
        frame.iter_rows(named=True), [*document["measures"], *document["attacks"]], strict=True
    ):
        assert row["name"] == entry["name"]
        assert row["reason"] == entry.get("not_computable")
        assert row["value"] == entry.get("value", entry.get("success"))
        assert [row["low"], row["high"]] == (entry.get("interval") or [None, None])


def test_columns_have_their_types_even_if_all_are_gaps() -> None:
    frame = answer_frame(credit_evaluation(300, QUICK))
    assert frame.schema["reason"] == pl.String
    assert frame.schema["control"] == pl.Float64
    assert frame.to_pandas().shape == frame.shape
