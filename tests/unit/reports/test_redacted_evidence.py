"""Measures and attacks as outsiders may see them."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.reports.redacted_evidence import safe_attack, safe_audit, safe_measure
from sample_entries import attack_entry, document_of, measure_entry, risk_entry, unanswered


def details_of(name: str, details: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = safe_measure(measure_entry(name, details=details), 1000)["details"]
    return found


def test_numbers_are_rounded_and_their_meaning_kept() -> None:
    entry = measure_entry("prediction_accuracy", 0.98765, untouched=1.0, noise=0.7654)
    safe = safe_measure(entry, 1000)

    assert (safe["value"], safe["untouched"], safe["noise"]) == (0.99, 1.0, 0.77)
    for key in ("name", "question", "side", "better", "bounds"):
        assert safe[key] == entry[key]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("k_anonymity", 3.0, None),
        ("k_anonymity", 12.0, 10),
        ("reidentification_entropy", 9.876, 9.9),
        ("l_diversity", 1.2345, 1.2),
        ("means_and_variances", 0.012345, 0.012),
        ("rule_types", 0.002, None),
        ("rule_types", 0.998, 1.0),
        ("rule_types", 0.501, 0.5),
    ],
)
def test_each_unit_is_rounded_in_its_own_way(name: str, value: float, shown: float | None) -> None:
    assert safe_measure(risk_entry(name, value), 1000)["value"] == shown


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
    assert details_of("correlations", given | {"largest": [1], "within_segments": inside}) == {
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
    cells = risk_entry("unchanged_cells", 0.1, details={"by_chance": 0.1, "columns": [cell]})
    moved = {"changed": 3, "expected": 4.5, "records": 1000, "deviation": 2.2, "within": "segments"}
    classes = safe_measure(risk_entry("changed_classes", 0.003, details=moved), 1000)

    assert safe_measure(cells, 1000)["details"]["columns"] == [
        {"column": "a", "share": None, "by_chance": 0.12}
    ]
    assert (classes["value"], classes["details"]["changed"], classes["details"]["expected"]) == (
        None,
        None,
        None,
    )


def test_an_attack_is_rounded_to_fives_of_its_tries() -> None:
    safe = safe_attack(attack_entry(success=0.0213, naive=0.0012345, control=0.0187, untouched=0.9991))

    assert (safe["success"], safe["naive"], safe["control"], safe["untouched"]) == (0.02, 0.0012, 0.02, 1.0)
    assert safe["interval"] == [0.013, 0.031]
    assert (safe["verdict"], safe["knows"], safe["details"]) == ("better than guessing", ["age", "job"], {})


def test_a_few_successes_are_withheld_with_their_interval() -> None:
    safe = safe_attack(attack_entry(success=0.003, details={"successes": 3}))

    assert (safe["success"], safe["interval"]) == (None, None)
    assert "successes" not in str(safe)


@pytest.mark.parametrize("tries", [0, 1, 4, 7, 18, 23])
@pytest.mark.parametrize("success", [0.0, 0.5, 1.0])
def test_few_tries_still_give_an_interval_inside_the_possible(tries: int, success: float) -> None:
    safe = safe_attack(attack_entry(success=success, attempts=tries))

    assert safe["interval"] is None or 0 <= safe["interval"][0] <= safe["interval"][1] <= 1


def test_two_counts_next_to_each_other_look_the_same() -> None:
    one, other = (safe_attack(attack_entry(success=n / 1000)) for n in (14, 16))

    assert one == other


def test_reasons_stay_with_their_questions() -> None:
    entry = unanswered("sers")

    assert safe_measure(entry | {"later": 1}, 1000) == entry
    assert safe_attack(unanswered("linkage", None) | {"later": 1}) == unanswered("linkage", None)


def test_notes_and_reasons_to_leave_columns_out_stay_inside() -> None:
    audit = document_of()["audit"] | {
        "notes": ["such as 'lighthouse keeper'"],
        "left_out": [{"column": "town", "reason": "such as 'x'"}],
        "control": "the 3 people of the hold-out",
    }

    safe = safe_audit(audit)

    assert (safe["notes"], safe["left_out"]) == ([], [{"column": "town", "reason": ""}])
    assert safe["control"] == "people who were never in the table"
    assert safe_audit(document_of()["audit"])["control"] is None
