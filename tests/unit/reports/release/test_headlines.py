"""The few numbers that come first."""

from __future__ import annotations

from hushwood.reports.redaction.redaction import publishable
from hushwood.reports.release.headlines import MOST, intruder_headlines, miners_headlines
from support.sample_entries import attack_entry, evaluation_of, measure_entry, risk_entry
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
