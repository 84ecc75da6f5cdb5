"""Answers of measures and attacks: read, written, and as outsiders may see them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.evaluation.answers import AttackAnswer, AttackVerdict, MeasureAnswer, taken_apart, worst_of
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.risk.changed_classes import ChangedClasses
from hushwood.measures.utility.prediction_accuracy import PredictionAccuracy
from hushwood.measures.utility.rule_types import RuleTypes
from support.sample_entries import (
    attack_entry,
    attacked,
    measure_entry,
    measured,
    risk,
    risk_entry,
    unanswered,
)


def details_of(name: str, details: dict[str, Any]) -> dict[str, Any]:
    return dict(measured(name, details=details).publishable(1000).details)


@pytest.mark.parametrize(
    "entry", [measure_entry("new"), risk_entry("other"), unanswered("new", "utility", "No time.")]
)
def test_a_measure_of_another_version_is_kept_as_it_is(entry: dict[str, Any]) -> None:
    assert MeasureAnswer.from_json(entry).to_json() == entry


@pytest.mark.parametrize("entry", [attack_entry("new"), unanswered("new", None, "No time.")])
def test_an_attack_of_another_version_is_kept_as_it_is(entry: dict[str, Any]) -> None:
    assert AttackAnswer.from_json(entry).to_json() == entry


def test_a_known_measure_answers_by_its_own_words() -> None:
    answer = measured("eduds", 0.5)

    assert answer.measure.title == "Same ranges (EDUDS)"
    assert answer.to_json()["question"] == answer.measure.question


def test_the_stronger_attack_is_farther_above_guessing() -> None:
    high = attacked("attribute_inference", 0.9, naive=0.89)
    strong = attacked("singling_out", 0.5, naive=0.1)

    assert max(high, strong, attacked(success=None), key=lambda answer: answer.strength) is strong


def test_numbers_are_rounded_and_their_meaning_kept() -> None:
    answer = measured("prediction_accuracy", 0.98765, untouched=1.0, noise=0.7654)
    safe = answer.publishable(1000)

    assert (safe.value, safe.untouched, safe.noise) == (0.99, 1.0, 0.77)
    assert safe.measure is answer.measure


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("k_anonymity", 3.0, None),
        ("k_anonymity", 12.0, 10),
        ("reidentification_entropy", 9.876, 9.9),
        ("l_diversity", 1.2345, 1.2),
        ("means_and_variances", 0.012345, 0.01),
        ("rule_types", 0.002, None),
        ("rule_types", 0.998, 1.0),
        ("rule_types", 0.501, 0.5),
    ],
)
def test_each_unit_is_rounded_in_its_own_way(name: str, value: float, shown: float | None) -> None:
    assert risk(name, value).publishable(1000).value == shown


def test_details_are_left_out_unless_they_are_known_to_be_safe() -> None:
    assert details_of("eduds", {"quantiles": [1, 2], "records": 3}) == {}
    assert details_of("k_anonymity", {"group_sizes": [{"from": 1, "groups": 1}], "original_k": 1}) == {}


def test_rules_keep_their_type_and_lose_their_words_and_records() -> None:
    rule = {"leaf": 3, "type": "B", "rule": "job = lighthouse keeper → bad", "records": 3}
    original = {"leaf": 4, "kept": False, "rule": "age > 99 → bad", "records": 1}
    given = {"shares": {"A": 0.98765}, "verdict": "Similar", "rules": [rule], "original_rules": [original]}

    assert details_of("rule_types", given) == {
        "shares": {"A": 0.99},
        "verdict": "Similar",
        "rules": [{"leaf": 3, "type": "B"}],
        "original_rules": [{"leaf": 4, "kept": False}],
    }


def test_correlations_have_two_decimals() -> None:
    given = {"names": ["a", "b"], "kinds": [["x"]], "before": [[0.12345, None]], "after": [[-0.98765, 1.0]]}
    inside = {"mean_change": 0.12345, "records": 3}
    behind = {**given, "mean_change": None, "largest": [1], "within_segments": inside}
    assert details_of("correlations", behind) == {
        "names": ["a", "b"],
        "kinds": [["x"]],
        "before": [[0.12, None]],
        "after": [[-0.99, 1.0]],
        "mean_change": None,
        "within_segments": {"mean_change": 0.12},
    }


def test_means_stay_inside_and_shifts_go_out() -> None:
    column = {
        "column": "pay",
        "mean_before": 31234.56,
        "variance_before": 9.0,
        "shift_in_sd": 0.1234,
        "variance_ratio": None,
    }

    assert details_of("means_and_variances", {"columns": [column]}) == {
        "columns": [{"column": "pay", "shift_in_sd": 0.12, "variance_ratio": None}]
    }


def test_of_entropies_only_means_by_size_go_out() -> None:
    size = {"known": 2, "mean_bits": 7.6543, "deviation": 0.5, "below_threshold": 0.001}
    given = {"by_size": [size], "histogram": {"edges": [1.234, 2], "counts": [1]}, "quantiles": {"5": 1.2}}

    for name in ("reidentification_entropy", "class_entropy"):
        assert details_of(name, given) == {"by_size": [{"known": 2, "mean_bits": 7.7}]}
    assert details_of("sers", given) == {}


def test_a_few_unchanged_or_changed_are_withheld() -> None:
    cell = {"column": "a", "unchanged": 3, "share": 0.003, "by_chance": 0.12345}
    cells = risk("unchanged_cells", 0.1, details={"by_chance": 0.1, "columns": [cell]})
    moved = {"changed": 3, "expected": 4.5, "records": 1000, "deviation": 2.2, "within": "segments"}
    classes = risk("changed_classes", 0.003, details=moved).publishable(1000)

    assert cells.publishable(1000).details["columns"] == [{"column": "a", "share": None, "by_chance": 0.12}]
    assert (classes.value, classes.details["changed"], classes.details["expected"]) == (None, None, None)


def test_an_attack_is_rounded_to_five_attempts() -> None:
    answer = attacked(success=0.0213, naive=0.0012345, control=0.0187, untouched=0.9991)
    safe = answer.publishable()

    assert (safe.success, safe.naive, safe.control, safe.untouched) == (0.02, 0.0012, 0.02, 1.0)
    assert safe.interval == (0.013, 0.031)
    assert (safe.verdict, safe.scenario, safe.details) == (AttackVerdict.BETTER, answer.scenario, {})


def test_a_few_successes_are_withheld_with_their_interval() -> None:
    safe = attacked(success=0.003, details={"successes": 3}).publishable()

    assert (safe.success, safe.interval) == (None, None)
    assert "successes" not in str(safe)


@pytest.mark.parametrize("tries", [0, 1, 4, 7, 18, 23])
@pytest.mark.parametrize("success", [0.0, 0.5, 1.0])
def test_few_tries_still_give_an_interval_inside_the_possible(tries: int, success: float) -> None:
    interval = attacked(success=success, attempts=tries).publishable().interval

    assert interval is None or 0 <= interval[0] <= interval[1] <= 1


def test_two_counts_next_to_each_other_look_the_same() -> None:
    one, other = (attacked(success=n / 1000).publishable().to_json() for n in (14, 16))

    assert one == other


def test_reasons_stay_with_their_questions() -> None:
    measure = MeasureAnswer.from_json(unanswered("sers"))
    attack = AttackAnswer.from_json(unanswered("linkage", None))

    assert measure.publishable(1000) == measure
    assert attack.publishable() == attack


def test_the_worst_answer_counts_by_the_good_direction() -> None:
    found: dict[str, Measurement | NotComputable]
    found = {"a": Measurement(0.9, {"x": 1}), "b": Measurement(0.4, {"x": 2}), "c": NotComputable("why")}
    answer, name = worst_of(RuleTypes(), found, declared=True)
    assert isinstance(answer, Measurement)
    assert (name, answer.value, answer.details["x"]) == ("b", 0.4, 2)
    assert answer.details["by_class"] == {"a": 0.9, "b": 0.4, "c": None}
    own, about, each = taken_apart(answer.details)
    assert (own, about, each) == ({"x": 2}, "b", {"a": 0.9, "b": 0.4, "c": None})
    said = MeasureAnswer(RuleTypes(), answer.value, details=own, about=about, by_class=each)
    assert MeasureAnswer.from_json(said.to_json()) == said
    brief = MeasureAnswer(PredictionAccuracy(), 0.987, about="b", by_class={"a": 0.9, "b": 0.987})
    assert brief.publishable(100).by_class == {"a": 0.9, "b": 0.99}


def test_a_single_declared_class_goes_without_saying_and_a_column_does_not() -> None:
    only = {"a": Measurement(0.9, {"x": 1}, {"bits": np.ones(2)})}
    answer, _ = worst_of(RuleTypes(), only, declared=True)
    assert answer is only["a"]
    column, name = worst_of(RuleTypes(), only, declared=False)
    assert isinstance(column, Measurement)
    assert (name, column.details["class"], list(column.records)) == ("a", "a", ["bits"])


def test_records_of_several_classes_keep_apart_and_reasons_are_given_if_there_is_nothing_else() -> None:
    ones = {name: Measurement(0.5, {}, {"bits": np.ones(2)}) for name in ("a", "b")}
    answer, _ = worst_of(ChangedClasses(), ones, declared=True)
    assert isinstance(answer, Measurement)
    assert sorted(answer.records) == ["bits (a)", "bits (b)"]
    assert worst_of(RuleTypes(), {"a": NotComputable("why")}, declared=True)[0] == NotComputable("why")
