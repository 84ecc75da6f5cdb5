"""Every measure as a card, and the tables behind it as texts."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.detail_tables import Cell, DetailUnit
from hushwood.evaluation.evaluation import Evaluation, ReleaseFacts
from hushwood.measures.registry import MEASURES
from hushwood.reports.release.findings import (
    Finding,
    NumberTable,
    cell_text,
    class_finding,
    detail_tables,
    measure_finding,
    measure_findings,
    not_answered,
    standing_out,
    year_columns,
)
from support.sample_entries import (
    document_of,
    evaluation_of,
    measure_entry,
    measured,
    risk,
    risk_entry,
    unanswered,
)

SPACE = "\N{NO-BREAK SPACE}"


def test_a_card_says_all_that_is_needed() -> None:
    details = {"shares": {"B": 0.25}, "verdict": "Similar"}
    card = measure_finding(measured("rule_types", 0.5, noise=0.125, details=details))

    assert (card.question, card.answer) == (MEASURES["rule_types"]().question, "50\N{NO-BREAK SPACE}%")
    assert card.meaning.startswith("For this share of the records")
    assert card.meaning.endswith("numeric limits cover another 25\N{NO-BREAK SPACE}%.")
    assert card.good_way == "Higher is better."
    assert (
        card.compares
        == "The untouched table scores 100\N{NO-BREAK SPACE}%, pure noise 12.5\N{NO-BREAK SPACE}%."
    )
    assert (card.tone, card.badge) == ("care", "clear loss")
    assert card.ends == ("pure noise", "untouched table")


def test_bits_are_explained_by_how_many_they_are_like() -> None:
    card = measure_finding(risk("reidentification_entropy", 3.0))

    assert card.answer == "3.00\N{NO-BREAK SPACE}bits"
    assert "among 8 equally likely rows" in card.meaning
    assert card.ends == ("untouched table", "pure noise")


def test_estimates_and_ranks_are_stated() -> None:
    partner = {"median_rank": 12.5, "blind_rank": 500.5}
    details = {"partner": partner, "estimated": True, "targets": 2000, "interval": [7.9, 8.125]}

    meaning = measure_finding(risk("sers", 8.0, details=details)).meaning

    assert "typically in place 12; in random order it would be in place 500." in meaning
    assert meaning.endswith("Estimated from 2,000 records: between 7.90 and 8.12 bits.")


def test_thresholds_and_their_source_are_stated() -> None:
    limit = {"threshold_bits": 4.5, "below_threshold": 0.125, "allowed_share": 0.05, "secure": False}
    card = measure_finding(risk("reidentification_entropy", 8.0, details=limit | {"likelihood": "laws"}))
    fitted = measure_finding(risk("class_entropy", 0.5, details={"likelihood": "fitted"}))

    assert "12.5\N{NO-BREAK SPACE}% of the records have fewer than 4.50 bits;" in card.meaning
    assert (
        f"the limit for this is 5{SPACE}%. It follows from the law that the technique states." in card.meaning
    )
    assert fitted.meaning.endswith("so one was fitted to the two tables.")


def test_a_measure_without_comparisons_says_none() -> None:
    card = measure_finding(measured(untouched=None, noise=None))

    assert (card.compares, card.place, card.tone) == ("", None, "plain")
    assert measure_finding(measured(untouched=None)).compares == "Pure noise scores 0."
    assert measure_finding(measured(noise=None)).compares == "The untouched table scores 1."


def test_a_withheld_number_is_called_few() -> None:
    assert measure_finding(risk("k_anonymity", None)).answer == "fewer than 5"


def test_an_unknown_measure_still_has_a_card() -> None:
    card = measure_finding(measured("brand_new", 0.25))

    assert (card.title, card.answer, card.meaning) == ("Brand new", "25\N{NO-BREAK SPACE}%", "")


def test_cards_are_chosen_by_side_and_the_class_has_its_own_place() -> None:
    evaluation = evaluation_of(
        measure_entry("eduds"), risk_entry("sers"), risk_entry("changed_classes"), unanswered("k_anonymity")
    )

    assert [card.name for card in measure_findings(evaluation, "utility")] == ["eduds"]
    assert [card.name for card in measure_findings(evaluation, "risk")] == ["sers"]
    assert [item.reason for item in not_answered(evaluation.measures)] == ["No pairs."]
    assert not_answered(evaluation.attacks) == []


def test_attacks_that_could_not_be_tried_give_their_reason() -> None:
    (item,) = not_answered(evaluation_of(unanswered("membership", None, "No others.")).attacks)

    assert (item.title, item.reason) == ("Membership", "No others.")


@pytest.mark.parametrize(
    ("cell", "unit", "text"),
    [
        ("age", "text", "age"),
        (0.75, "share", "75\N{NO-BREAK SPACE}%"),
        (None, "share", "–"),
        (0.05, "points", "+5"),
        (0, "count", "none"),
        (1200, "count", "1,200"),
        (4.25, "bits", "4.25"),
        (0.125, "number", "0.125"),
        (None, "number", "–"),
        ((1, 1), "band", "1"),
        ((1000, None), "band", "1,000+"),
    ],
)
def test_cells_are_written_by_the_unit_of_their_column(cell: Cell, unit: DetailUnit, text: str) -> None:
    assert cell_text(cell, unit) == text


def test_tables_are_those_that_the_measures_give() -> None:
    columns = [{"column": "age", "shift_in_sd": -0.5, "variance_ratio": 1.5}]
    evaluation = evaluation_of(
        measure_entry("means_and_variances", details={"columns": columns}),
        measure_entry("prediction_accuracy"),
        risk_entry("k_anonymity"),
    )

    (found,) = detail_tables(evaluation, "utility")

    assert found.head == ("Column", "shift (sd)", "variance ratio")
    assert found.rows == (("age", "-0.5", "1.5"),)
    assert detail_tables(evaluation, "risk") == []


def table(name: str, details: dict[str, Any], at: int = 0) -> NumberTable:
    return detail_tables(evaluation_of(measure_entry(name, details=details)), "utility")[at]


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


def test_errors_next_to_the_worst_and_without_sensitive_attributes() -> None:
    found = table("prediction_accuracy", PREDICTIONS, 1)

    assert found.head == (
        "Model",
        "original",
        "release",
        "cost",
        "without income",
        "classes only",
        "benefit",
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


def test_clusters_before_and_after() -> None:
    found = table("clustering", {"clusters": 2, "before": {"rand": 0.75}, "after": {"rand": None}})

    assert (found.title, found.rows[0]) == (
        "Quality of 2 clusters before and after",
        ("Rand index", "0.75", "–"),
    )


def test_losses_are_shown_only_of_generalised_releases() -> None:
    column = {"name": "age", "lm": 0.25, "iloss": 0.2, "md": 12, "generalised": 9, "suppressed": 0}
    kept = {"none_generalised": True, "columns": [column]}

    assert detail_tables(evaluation_of(measure_entry("generalisation_loss", details=kept)), "utility") == []
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
    evaluation = evaluation_of(
        risk_entry("k_anonymity", details={"quasi_identifiers": ["age"], "group_sizes": sizes}),
        risk_entry("l_diversity", details={"c": 3.0, "attributes": [diverse]}),
        risk_entry("t_closeness", details={"attributes": [close]}),
    )

    groups, diversity, closeness = detail_tables(evaluation, "risk")

    assert groups.rows == (("1", "2", "2"), ("1,000+", "1", "1,200"))
    assert diversity.rows == (("ill", "1", "1.5", "0", "1.25", "3"),)
    assert closeness.head[3:] == ("records above 0.1", "records above 0.2")
    assert closeness.rows == (("ill", "0.5", "0.25", "9", "7"),)


def test_attributes_that_tell_most_come_first() -> None:
    by_attribute = [
        {"attribute": "sex", "mean_bits": 9.0, "deviation": 0.1, "below_threshold": 0.0},
        {"attribute": "age", "mean_bits": 4.25, "deviation": 0.5, "below_threshold": 0.5},
    ]
    evaluation = evaluation_of(
        risk_entry(
            "reidentification_entropy", details={"bits_possible": 9.966, "by_attribute": by_attribute}
        ),
        risk_entry("class_entropy", details={"by_size": []}),
    )

    (found,) = detail_tables(evaluation, "risk")

    assert found.says.endswith("Knowing nothing leaves 9.97.")
    assert found.rows == (("age", "4.25", "0.50", f"50{SPACE}%"), ("sex", "9.00", "0.10", f"0{SPACE}%"))


def test_years_in_a_table_have_no_separators() -> None:
    columns = [
        {
            "column": name,
            "mean_before": 1998.26,
            "mean_after": 2000.0,
            "variance_before": 1234.5,
            "shift_in_sd": 0.1,
        }
        for name in ("year of birth", "pay")
    ]
    document = document_of(measure_entry("means_and_variances", details={"columns": columns}))
    year = {"kind": "numeric", "role": "ordinary", "storage": "Int64", "missing": 0, "precision": 0}
    document["schema"] = [
        year | {"name": "year of birth", "low": 1920, "high": 2010},
        year | {"name": "pay", "low": 0, "high": 90_000},
    ]

    (found,) = detail_tables(Evaluation.from_json(document), "utility")

    assert found.rows[0][:4] == ("year of birth", "1998.3", "2000", "1,230")
    assert found.rows[1][:4] == ("pay", "2,000", "2,000", "1,230")


def test_a_card_is_judged_by_the_full_answer() -> None:
    shown, full = measured(value=0.67), measured(value=0.66)

    assert (measure_finding(shown).badge, measure_finding(shown, full).badge) == ("small loss", "clear loss")
    assert measure_finding(shown, full).answer == "0.67"


SEGMENTS = ("count", "alone", "below_small", "small", "median", "smallest", "largest", "sizes")


def release_with(**changes: Any) -> ReleaseFacts:
    """A release of 200 records in which no one stands out."""
    release: dict[str, Any] = {
        "records": 200,
        "segments": dict(zip(SEGMENTS, (8, 0, 0, 5, 25.0, 9, 40, ()), strict=True)),
        "rare_categories": {"count": 0, "records": 0, "unchanged": 0, "columns": []},
        "unique_extremes": {"count": 0, "unchanged": 0, "values": []},
    }
    for key, change in changes.items():
        release[key] = None if change is None else release[key] | change
    return evaluation_of(**release).release


def finding(name: str, **changes: Any) -> Finding:
    return next(found for found in standing_out(release_with(**changes)) if found.name == name)


def changed_classes(expected: float | None, changed: int | None = 40, **more: str) -> Finding:
    details = {"changed": changed, "records": 200, "expected": expected, "deviation": 3.0}
    found = class_finding(evaluation_of(risk_entry("changed_classes", details=details | more)))
    assert found is not None
    return found


def test_no_one_stands_out() -> None:
    found = standing_out(release_with())

    assert [f.name for f in found] == ["alone", "small_segments", "rare_categories", "unique_extremes"]
    assert {(f.tone, f.badge) for f in found} == {("good", "no risk shown")}
    assert {f.answer for f in found} == {"none"}


@pytest.mark.parametrize(
    ("name", "changes", "answer"),
    [
        ("alone", {"segments": {"alone": 2}}, "2 (1\N{NO-BREAK SPACE}%)"),
        ("alone", {"segments": {"alone": None}}, "fewer than 5"),
        ("small_segments", {"segments": {"below_small": 10}}, "10 (5\N{NO-BREAK SPACE}%)"),
        ("rare_categories", {"rare_categories": {"count": 2, "records": 7, "unchanged": 3}}, "3 of 7"),
        ("unique_extremes", {"unique_extremes": {"count": 4, "unchanged": 1}}, "1 of 4"),
        ("unique_extremes", {"unique_extremes": {"count": None, "unchanged": None}}, "fewer than 5"),
    ],
)
def test_some_stand_out(name: str, changes: dict[str, Any], answer: str) -> None:
    found = finding(name, **changes)

    assert (found.answer, found.tone, found.badge) == (answer, "plain", "")


def test_a_rare_category_that_moved_asks_for_no_care() -> None:
    found = finding("rare_categories", rare_categories={"count": 1, "records": 4, "unchanged": 0})

    assert (found.answer, found.tone) == ("none of 4", "good")
    assert found.compares.startswith("The table has 1 rare category;")


def test_fewer_than_five_records_are_fewer_than_four_others() -> None:
    found = finding("small_segments")

    assert found.question == "How many records share their segment with fewer than 4 others?"
    assert found.compares == "Half of all 8 segments have 25 records or fewer."


def test_what_cannot_be_counted_is_not_said() -> None:
    found = standing_out(release_with(segments=None, unique_extremes=None))

    assert [f.name for f in found] == ["rare_categories"]
    assert standing_out(release_with(segments=None, rare_categories=None, unique_extremes=None)) == []


def test_changed_classes_are_compared_with_a_shuffle() -> None:
    found = changed_classes(expected=42.0)

    assert found.answer == "40 (20\N{NO-BREAK SPACE}%)"
    assert "changes about 42 on average, and in 19 of 20 releases between 36 and 48;" in found.compares


def test_the_usual_range_stays_among_the_records() -> None:
    assert "between 0 and 8;" in changed_classes(expected=2.0).compares
    assert "changes about 2.0 on average" in changed_classes(expected=2.0).compares
    assert "between 193 and 200;" in changed_classes(expected=199.0).compares


def test_without_segments_the_shuffle_is_of_the_whole_column() -> None:
    assert "Shuffling the whole column changes" in changed_classes(50.0, within="whole table").compares
    assert "Shuffling within these segments changes" in changed_classes(50.0, within="segments").compares


def test_without_an_answer_there_is_no_finding() -> None:
    assert class_finding(evaluation_of(unanswered("changed_classes"))) is None


def evaluation(name: str, low: float | None, high: float | None, **more: Any) -> Evaluation:
    column = {"name": name, "kind": "numeric", "role": "ordinary", "storage": "Int64", "missing": 0}
    document = document_of()
    document["schema"] = [column | {"low": low, "high": high, "precision": 0} | more]
    return Evaluation.from_json(document)


@pytest.mark.parametrize(
    ("name", "low", "high", "is_year"),
    [
        ("Year", 1500, 2200, True),
        ("Geburtsjahr", 1499, 2000, False),
        ("x", 1800, 2100, True),
        ("x", 1700, 2000, False),
        ("year", 0, 12, False),
        ("pay", 1200, 90_000, False),
    ],
)
def test_years_are_known_by_name_and_range(name: str, low: float, high: float, is_year: bool) -> None:
    assert (name in year_columns(evaluation(name, low, high))) == is_year


def test_only_whole_numbers_are_years() -> None:
    assert year_columns(evaluation("year", 1900, 2000, precision=1)) == frozenset()
    assert year_columns(evaluation("year", 1900, 2000, storage="Date")) == frozenset()


def test_where_the_domain_is_withheld_the_histogram_speaks() -> None:
    document = evaluation("year", None, None).to_json()
    histogram = {"edges": [1899.5, 1999.5], "labels": ["1,900 – 1,999"], "before": [9], "after": [9]}
    column = {"column": "year", "kind": "numeric", "role": "ordinary", "storage": "Int64"}
    document["release"]["distributions"] = [column | histogram]

    assert year_columns(Evaluation.from_json(document)) == {"year"}
    assert year_columns(evaluation("year", None, None)) == frozenset()
