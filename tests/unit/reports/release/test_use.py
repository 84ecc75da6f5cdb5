"""What is left for analysts: never good news where all was lost, or where nothing could be judged."""

from __future__ import annotations

import numpy as np
import polars as pl

import hushwood as hw
from hushwood.measures.models.rule_matching import NO_RULE
from hushwood.reports.release.headlines import miners_headlines
from hushwood.reports.release.use import use_verdict
from support.sample_entries import evaluation_of, measure_entry

ONE_LEAF = {"verdict": "Exactly Same", "original_rules": [{"leaf": 0, "kept": True}]}


def patients() -> pl.DataFrame:
    """3,000 people of whom one in 26 dies: too few for a tree, and intensive care raises the odds to 4.4 times."""
    chance = np.random.default_rng(1)
    counts = [44, 71, 352, 2533]
    order = chance.permutation(sum(counts))
    return pl.DataFrame(
        {
            "age": np.clip(chance.normal(66, 15, len(order)), 18, 99).round(),
            "ward": chance.choice(["medicine", "surgery", "cardiology"], len(order)),
            "intensive": np.repeat(["yes", "no", "yes", "no"], counts)[order],
            "died": np.repeat(["yes", "yes", "no", "no"], counts)[order],
        }
    )


def test_a_release_that_keeps_nothing_is_not_green() -> None:
    """Accuracy and rules are as in the original, because the tree has no rule and nearly nobody dies."""
    table, chance = patients(), np.random.default_rng(2)
    shuffled = table.with_columns(pl.Series(name, chance.permutation(table[name])) for name in table.columns)
    only = [
        "rule_types",
        "prediction_accuracy",
        "eduds",
        "correlations",
        "distribution_distances",
        "odds_ratios",
    ]

    kept, lost = (
        miners_headlines(
            hw.audit(table, other, target="died", match="none", only=only, evidence="quick").evaluation
        )
        for other in (table, shuffled)
    )
    by_title = {item.title: (item.answer, item.tone) for item in lost}
    assert by_title["Rules found again"] == by_title["Prediction accuracy kept"] == ("–", "care")
    assert by_title["Strength of associations kept"][1] == "bad"
    found = use_verdict(lost)
    assert found is not None
    assert found.tone == "bad"
    assert found.headline.startswith("Large loss for analysts. Strength of associations kept:")
    untouched = use_verdict(kept)
    assert untouched is not None
    assert (untouched.tone, NO_RULE in untouched.check) == ("care", True)


def test_no_rule_is_said_once_and_is_no_good_news() -> None:
    boxes = {"intersections": {"original": 1, "released": 1}}
    kept = miners_headlines(
        evaluation_of(
            measure_entry("rule_types", 1.0, details=ONE_LEAF), measure_entry("eduds", 1.0, details=boxes)
        )
    )
    assert [(item.title, item.answer, item.tone, item.compares) for item in kept] == [
        ("Rules found again", "–", "care", NO_RULE)
    ]
    found = use_verdict(kept)
    assert found is not None
    assert (found.tone, found.check) == ("care", NO_RULE)


def test_the_worst_number_decides() -> None:
    def tone(*entries: dict[str, object]) -> str:
        found = use_verdict(miners_headlines(evaluation_of(*entries)))
        return found.tone if found else ""

    good, care = measure_entry("odds_ratios", 0.9), measure_entry("eduds", 0.5)
    assert tone(good) == "good"
    assert tone(good, care) == "care"
    assert tone(good, care, measure_entry("prediction_accuracy", 0.1)) == "bad"
    assert tone() == ""


def test_accuracy_is_compared_with_the_most_frequent_class() -> None:
    """88 % of the accuracy is what naming one class gives: nothing is kept, however bad pure noise may be."""
    details = {"guessing": 0.87, "better_than_guessing": True}
    (item,) = miners_headlines(evaluation_of(measure_entry("prediction_accuracy", 0.88, details=details)))
    assert (item.tone, item.badge) == ("bad", "large loss")
