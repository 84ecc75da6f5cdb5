"""The few numbers that come first."""

from __future__ import annotations

from hushwood.reports.release.headlines import MOST, intruder_headlines, miners_headlines
from support.sample_entries import attack_entry, evaluation_of, measure_entry, risk_entry


def test_miners_numbers_come_in_a_fixed_order() -> None:
    evaluation = evaluation_of(
        *(measure_entry(n) for n in ("clustering", "eduds", "edusc", "rule_types", "correlations"))
    )

    titles = [item.title for item in miners_headlines(evaluation)]
    assert titles[:2] == ["Rules found again", "Same ranges (EDUDS)"]
    assert len(titles) == MOST


def test_attacks_after_the_same_thing_count_once() -> None:
    weak, strong = (
        attack_entry("linkage", 0.02),
        attack_entry("outlier_linkage", 0.4, verdict="much better than guessing"),
    )
    first, *_ = intruder_headlines(evaluation_of(weak, strong))

    assert (first.title, first.tone) == ("Linkage of unusual people", "bad")
    assert first.badge == "much better than guessing"
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
