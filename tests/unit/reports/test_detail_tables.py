"""What stands behind single numbers, as tables; a short form without details gives none."""

from __future__ import annotations

from typing import Any

from hushwood.reports.detail_tables import NumberTable, risk_tables, utility_tables
from sample_entries import document_of, measure_entry, risk_entry

SPACE = "\N{NO-BREAK SPACE}"


def table(name: str, details: dict[str, Any], at: int = 0) -> NumberTable:
    return utility_tables(document_of(measure_entry(name, details=details)))[at]


def accuracy(trained_on: str, tested_on: str, value: float) -> dict[str, Any]:
    return {"model": "tree", "trained_on": trained_on, "tested_on": tested_on, "accuracy": value}


PREDICTIONS: dict[str, Any] = {
    "unseen": "split",
    "removed": ["income"],
    "rows": [
        accuracy("released", "unseen", 0.75),
        accuracy("original", "unseen", 0.8),
        accuracy("worst", "unseen", 0.5) | {"model": "majority"},
    ],
    "errors": [
        {
            "model": "tree",
            "baseline": 0.2,
            "released": 0.25,
            "worst": 0.5,
            "removal": None,
            "cost": 0.05,
            "benefit": 0.25,
        }
    ],
}


def test_models_by_what_they_learnt_from_and_were_tried_on() -> None:
    found = table("prediction_accuracy", PREDICTIONS)

    assert found.head[1:4] == ("released → released", "released → original", "released → unseen")
    assert found.rows == (("decision tree", "–", "–", f"75{SPACE}%", "–", "–", f"80{SPACE}%"),)
    assert "kept from the models" in found.says


def test_errors_beside_the_worst_and_without_sensitive_attributes() -> None:
    found = table("prediction_accuracy", PREDICTIONS, 1)

    assert found.head == (
        "Model",
        "original",
        "release",
        "cost",
        "without income",
        "nothing but classes",
        "worth",
    )
    assert found.rows == (("decision tree", f"20{SPACE}%", f"25{SPACE}%", "+5", "–", f"50{SPACE}%", "+25"),)


def test_columns_come_with_the_worst_first() -> None:
    columns = [
        {"column": "job", "total_variation": 0.1, "hellinger": 0.2, "ks": None},
        {"column": "age", "total_variation": 0.5, "hellinger": 0.25, "ks": 0.125},
    ]

    found = table("distribution_distances", {"columns": columns})

    assert found.head == ("Column", "total variation", "Hellinger", "Kolmogorov-Smirnov")
    assert found.rows == (("age", "0.5", "0.25", "0.125"), ("job", "0.1", "0.2", "–"))


def test_published_means_are_shifts_alone() -> None:
    columns = [{"column": "age", "shift_in_sd": -0.5, "variance_ratio": 1.5}]

    assert table("means_and_variances", {"columns": columns}).head == (
        "Column",
        "shift (sd)",
        "variance ratio",
    )


def test_clusters_before_and_after() -> None:
    found = table("clustering", {"clusters": 2, "before": {"rand": 0.75}, "after": {"rand": None}})

    assert (found.title, found.rows[0]) == (
        "Quality of 2 clusters before and after",
        ("Rand index", "0.75", "–"),
    )


def test_losses_are_shown_only_of_generalised_releases() -> None:
    column = {"name": "age", "lm": 0.25, "iloss": 0.2, "md": 12, "generalised": 9, "suppressed": 0}
    kept = {"none_generalised": True, "columns": [column]}

    assert utility_tables(document_of(measure_entry("generalisation_loss", details=kept))) == []
    found = table("generalisation_loss", kept | {"none_generalised": False})
    assert found.rows == (("age", f"25{SPACE}%", f"20{SPACE}%", "12", "9", "none"),)


def test_groups_diversity_and_closeness() -> None:
    sizes = [
        {"from": 1, "to": 1, "groups": 2, "records": 2},
        {"from": 2, "to": 4, "groups": 0, "records": 0},
        {"from": 1000, "to": None, "groups": 1, "records": 1200},
    ]
    diverse = {
        "name": "ill",
        "distinct": 1,
        "entropy": 1.5,
        "recursive": 0,
        "strong": 1.25,
        "records_with_one_value": 3,
    }
    close = {"name": "ill", "largest": 0.5, "mean": 0.25, "records_above": {"0.2": 7, "0.1": 9}}
    document = document_of(
        risk_entry("k_anonymity", details={"quasi_identifiers": ["age"], "group_sizes": sizes}),
        risk_entry("l_diversity", details={"c": 3.0, "attributes": [diverse]}),
        risk_entry("t_closeness", details={"attributes": [close]}),
    )

    groups, diversity, closeness = risk_tables(document)

    assert groups.rows == (("1", "2", "2"), ("1,000+", "1", "1,200"))
    assert diversity.rows == (("ill", "1", "1.5", "0", "1.25", "3"),)
    assert closeness.head[3:] == ("records above 0.1", "records above 0.2")
    assert closeness.rows == (("ill", "0.5", "0.25", "9", "7"),)


def test_attributes_that_tell_most_come_first() -> None:
    by_attribute = [
        {"attribute": "sex", "mean_bits": 9.0, "deviation": 0.1, "below_threshold": 0.0},
        {"attribute": "age", "mean_bits": 4.25, "deviation": 0.5, "below_threshold": 0.5},
    ]
    document = document_of(
        risk_entry(
            "reidentification_entropy", details={"bits_possible": 9.966, "by_attribute": by_attribute}
        ),
        risk_entry("class_entropy", details={"by_size": []}),
    )

    (found,) = risk_tables(document)

    assert found.says.endswith("Knowing nothing leaves 9.97.")
    assert found.rows == (("age", "4.25", "0.50", f"50{SPACE}%"), ("sex", "9.00", "0.10", f"0{SPACE}%"))


def test_without_details_there_are_no_tables() -> None:
    document = document_of(measure_entry("prediction_accuracy"), risk_entry("k_anonymity"))

    assert (utility_tables(document), risk_tables(document)) == ([], [])
