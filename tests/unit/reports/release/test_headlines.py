"""The few numbers that come first."""

from __future__ import annotations

import numpy as np
import polars as pl

import hushwood as hw
from hushwood.measures.models.rule_matching import NO_RULE
from hushwood.reports.redaction import publishable
from hushwood.reports.release.headlines import (
    MOST,
    attack_row,
    interval_text,
    intruder_headlines,
    miners_headlines,
    strongest_place,
    use_verdict,
)
from support.sample_entries import attack_entry, attacked, evaluation_of, measure_entry, risk_entry
from support.sample_verdicts import excess


def test_miners_numbers_come_in_a_fixed_order() -> None:
    evaluation = evaluation_of(
        *(measure_entry(n) for n in ("clustering", "eduds", "edusc", "rule_types", "correlations"))
    )

    titles = [item.title for item in miners_headlines(evaluation)]
    assert titles[:3] == ["Rules found again", "Largest change of a correlation", "Same ranges (EDUDS)"]
    assert len(titles) == MOST


def test_attacks_after_the_same_thing_count_once() -> None:
    weak, strong = (
        attack_entry("linkage", 0.02),
        attack_entry("outlier_linkage", 0.4, verdict="much better than guessing"),
    )
    first, *_ = intruder_headlines(evaluation_of(weak, strong))

    assert (first.title, first.tone) == ("Linkage of unusual people", "bad")
    assert first.badge == "large risk"
    assert first.compares.replace("\N{NO-BREAK SPACE}", " ") == (
        "A naive guesser has 0.1 %. In the untouched table it is 100 %, in pure noise 0 %."
    )


def test_measures_have_two_places_next_to_the_attacks() -> None:
    attacks = (attack_entry(n) for n in ("linkage", "attribute_inference", "singling_out", "membership"))
    risks = (risk_entry(n) for n in ("sers", "reidentification_entropy", "unchanged_cells"))

    titles = [item.title for item in intruder_headlines(evaluation_of(*attacks, *risks))]
    assert len(titles) == MOST
    assert titles[3:] == ["Uncertainty about identity", "Cells unchanged"]


def test_without_measures_or_attacks_the_counts_speak() -> None:
    segments = {
        "count": 8,
        "alone": 2,
        "below_small": 5,
        "small": 5,
        "median": 25.0,
        "smallest": 1,
        "largest": 90,
    }
    extremes = {"count": 0, "unchanged": 0, "values": []}
    evaluation = evaluation_of(segments=segments | {"sizes": []}, unique_extremes=extremes)

    assert [item.title for item in intruder_headlines(evaluation)][:2] == [
        "Alone in their segment",
        "In segments of fewer than 5",
    ]
    assert miners_headlines(evaluation) == []


def test_the_excess_comes_first_and_decides() -> None:
    weak = attack_entry("linkage", 0.4, excess=excess(0.001, -0.01, 0.02))
    strong = attack_entry("outlier_linkage", 0.02, excess=excess(0.08, 0.05, 0.11, "chance"))
    first, *_ = intruder_headlines(evaluation_of(weak, strong))

    assert (first.title, first.answer, first.badge) == (
        "Linkage of unusual people",
        "+8 points",
        "clear risk",
    )
    assert first.compares.replace("\N{NO-BREAK SPACE}", " ") == (
        "over chance (right: 2 %, guessing 0.1 %, untouched 100 %)"
    )


def test_a_withheld_number_does_not_give_its_place_to_a_milder_one() -> None:
    full = evaluation_of(
        attack_entry("linkage", 0.006, attempts=1000, verdict="no better than guessing"),
        attack_entry("outlier_linkage", 0.04, attempts=100, verdict="much better than guessing"),
    )
    shown = publishable(full)
    first, *_ = intruder_headlines(shown, full)

    assert [attack.success for attack in shown.attacks] == [0.005, None]
    assert (first.title, first.answer) == ("Linkage of unusual people", "fewer than 5 attempts")
    assert first.badge == "large risk"
    assert intruder_headlines(shown)[0].title == "Nearest-record linkage"


def test_the_worst_news_come_first_and_are_never_cut() -> None:
    calm = "no better than guessing"
    attacks = [attack_entry(n, verdict=calm) for n in ("linkage", "attribute_inference", "singling_out")]
    worst = attack_entry("membership", verdict="much better than guessing")

    titles = [item.title for item in intruder_headlines(evaluation_of(*attacks, worst))]
    assert titles == ["Membership", "Nearest-record linkage", "Attribute inference"]


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


def test_a_row_says_who_knew_what_and_how_it_went() -> None:
    row = attack_row(attacked(control=0.015))

    assert (row.title, row.scenario) == ("Nearest-record linkage", "everything")
    assert row.who == "The intruder knows all. Known: age, job."
    assert (row.success, row.interval) == ("2\N{NO-BREAK SPACE}%", "1.3 – 3.1\N{NO-BREAK SPACE}%")
    assert (row.naive, row.control) == ("0.1\N{NO-BREAK SPACE}%", "1.5\N{NO-BREAK SPACE}%")
    assert (row.untouched, row.verdict) == ("100\N{NO-BREAK SPACE}%", "better than guessing")
    assert row.tone == "care"


def test_what_is_not_known_is_a_dash() -> None:
    row = attack_row(attacked(success=None, interval=None, untouched=None))

    assert (row.success, row.interval, row.control, row.untouched) == ("fewer than 5 attempts", "–", "–", "–")


def test_long_lists_of_attributes_are_cut() -> None:
    names = [f"a{i}" for i in range(12)]
    row = attack_row(attacked(knows=names, other=["job"]))

    assert row.who.endswith("Known: a0, a1, a2, a3, a4, a5, a6 and 5 more. In the other source: job.")


def test_intervals_keep_a_decimal_only_where_it_says_something() -> None:
    assert interval_text([0.0, 1.0]) == "0 – 100\N{NO-BREAK SPACE}%"


def test_the_excess_is_the_first_number() -> None:
    row = attack_row(attacked(excess=excess(0.007, -0.006, 0.021)))

    assert (row.first, row.over) == ("+0.7 points", "over people who were never in the table")
    assert (row.within, row.badge, row.verdict) == ("−0.6 to +2.1 points", "no risk shown", "")
    assert attack_row(attacked(excess=excess(0.3, 0.2, 0.4, "chance"))).over == "over chance"


def test_without_an_excess_success_is_compared_with_guessing() -> None:
    row = attack_row(attacked())

    assert (row.first, row.within) == (row.success, row.interval)
    assert (row.over, row.badge) == ("guessing: 0.1\N{NO-BREAK SPACE}%", "clear risk")


def test_the_strongest_has_the_largest_excess_or_gains_most_over_guessing() -> None:
    high, low = attacked(success=0.9, excess=excess(0.01, 0, 0.02)), attacked(excess=excess(0.2, 0.1, 0.3))

    assert strongest_place([high, low]) == 1
    assert strongest_place([high, attacked()]) == 0
