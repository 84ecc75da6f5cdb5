"""One answer about several classes: the worst, and all of them next to it."""

from __future__ import annotations

import numpy as np

from hushwood.evaluation.answers import MeasureAnswer
from hushwood.evaluation.by_class import taken_apart, worst_of
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.risk.changed_classes import ChangedClasses
from hushwood.measures.utility.prediction_accuracy import PredictionAccuracy
from hushwood.measures.utility.rule_types import RuleTypes


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
