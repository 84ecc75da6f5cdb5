"""Every measure as a card, listed in `measure_words` or not."""

from __future__ import annotations

from hushwood.measures.registry import MEASURES as REGISTERED
from hushwood.reports.measure_findings import measure_finding, measure_findings, not_answered
from hushwood.reports.measure_words import MEASURES
from sample_entries import document_of, measure_entry, risk_entry, unanswered


def test_a_card_says_all_that_is_needed() -> None:
    details = {"shares": {"B": 0.25}, "verdict": "Similar"}
    card = measure_finding(measure_entry("rule_types", 0.5, noise=0.125, details=details))

    assert (card.question, card.answer) == ("What of rule_types?", "50\N{NO-BREAK SPACE}%")
    assert card.meaning.startswith("For this share of the records")
    assert card.meaning.endswith("numeric limits cover another 25\N{NO-BREAK SPACE}%.")
    assert card.good_way == "Higher is better."
    assert (
        card.compares
        == "The untouched table scores 100\N{NO-BREAK SPACE}%, pure noise 12.5\N{NO-BREAK SPACE}%."
    )
    assert (card.tone, card.badge) == ("care", "partly kept")
    assert card.ends == ("pure noise", "untouched table")


def test_bits_are_explained_by_how_many_they_are_like() -> None:
    card = measure_finding(risk_entry("reidentification_entropy", 3.0))

    assert card.answer == "3.00\N{NO-BREAK SPACE}bits"
    assert "among 8 equally likely rows" in card.meaning
    assert card.ends == ("untouched table", "pure noise")


def test_estimates_and_ranks_are_told() -> None:
    partner = {"median_rank": 12.5, "blind_rank": 500.5}
    details = {"partner": partner, "estimated": True, "targets": 2000, "interval": [7.9, 8.125]}

    meaning = measure_finding(risk_entry("sers", 8.0, details=details)).meaning

    assert "own row typically stands at place 12; in a blind order that would be 500." in meaning
    assert meaning.endswith("Estimated from 2,000 records: between 7.90 and 8.12 bits.")


def test_thresholds_and_their_source_are_told() -> None:
    limit = {"threshold_bits": 4.5, "below_threshold": 0.125, "allowed_share": 0.05, "secure": False}
    card = measure_finding(
        risk_entry("reidentification_entropy", 8.0, details=limit | {"likelihood": "laws"})
    )
    fitted = measure_finding(risk_entry("class_entropy", 0.5, details={"likelihood": "fitted"}))

    assert "Below 4.50 bits are 12.5\N{NO-BREAK SPACE}% of the records; up to 5" in card.meaning
    assert "so this one is not. It follows from the exact law" in card.meaning
    assert fitted.meaning.endswith("one was fitted to the two tables.")


def test_a_measure_without_comparisons_says_none() -> None:
    card = measure_finding(measure_entry(untouched=None, noise=None))

    assert (card.compares, card.place, card.tone) == ("", None, "plain")
    assert measure_finding(measure_entry(untouched=None)).compares == "Pure noise scores 0."
    assert measure_finding(measure_entry(noise=None)).compares == "The untouched table scores 1."


def test_a_withheld_number_is_called_few() -> None:
    assert measure_finding(risk_entry("k_anonymity", None)).answer == "fewer than 5"


def test_an_unknown_measure_still_has_a_card() -> None:
    card = measure_finding(measure_entry("brand_new", 0.25))

    assert (card.title, card.answer, card.meaning) == ("Brand new", "25\N{NO-BREAK SPACE}%", "")


def test_cards_are_chosen_by_side_and_the_class_has_its_own_place() -> None:
    document = document_of(
        measure_entry("eduds"), risk_entry("sers"), risk_entry("changed_classes"), unanswered("k_anonymity")
    )

    assert [card.name for card in measure_findings(document, "utility")] == ["eduds"]
    assert [card.name for card in measure_findings(document, "risk")] == ["sers"]
    assert [item.reason for item in not_answered(document, "risk")] == ["No pairs."]
    assert not_answered(document, "utility") == []


def test_every_registered_measure_has_words() -> None:
    assert set(REGISTERED) <= set(MEASURES)
    assert len({words.title for words in MEASURES.values()}) == len(MEASURES)
