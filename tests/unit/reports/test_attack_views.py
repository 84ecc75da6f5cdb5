"""Attacks as rows of text."""

from __future__ import annotations

from hushwood.attacks.registry import ATTACKS as REGISTERED
from hushwood.reports.attack_views import attack_rows, interval_text, not_attempted, strongest
from hushwood.reports.measure_words import ATTACKS
from sample_entries import attack_entry, document_of, unanswered


def test_a_row_says_who_knew_what_and_how_it_went() -> None:
    (row,) = attack_rows(document_of(attack_entry(control=0.015)))

    assert (row.title, row.scenario) == ("Nearest-record linkage", "everything")
    assert row.who == "The intruder knows all. Known: age, job."
    assert (row.success, row.interval) == ("2\N{NO-BREAK SPACE}%", "1.3 – 3.1\N{NO-BREAK SPACE}%")
    assert (row.naive, row.control) == ("0.1\N{NO-BREAK SPACE}%", "1.5\N{NO-BREAK SPACE}%")
    assert (row.untouched, row.verdict) == ("100\N{NO-BREAK SPACE}%", "better than guessing")
    assert row.tone == "care"


def test_what_is_not_known_is_a_dash() -> None:
    (row,) = attack_rows(document_of(attack_entry(success=None, interval=None, untouched=None)))

    assert (row.success, row.interval, row.control, row.untouched) == ("fewer than 5 tries", "–", "–", "–")


def test_long_lists_of_attributes_are_cut() -> None:
    names = [f"a{i}" for i in range(12)]
    (row,) = attack_rows(document_of(attack_entry(knows=names, other=["job"])))

    assert row.who.endswith("Known: a0, a1, a2, a3, a4, a5, a6 and 5 more. In the other source: job.")


def test_attacks_that_could_not_be_tried_give_their_reason() -> None:
    document = document_of(attack_entry(), unanswered("membership", None, "No others."))

    (item,) = not_attempted(document)
    assert (item.title, item.reason) == ("Membership", "No others.")
    assert len(attack_rows(document)) == 1


def test_the_strongest_attack_is_farthest_above_guessing() -> None:
    high = attack_entry("attribute_inference", 0.9, naive=0.89)
    strong = attack_entry("singling_out", 0.5, naive=0.1)

    assert strongest([high, strong, attack_entry(success=None)]) is strong
    assert strongest([]) is None


def test_intervals_keep_a_decimal_only_where_it_says_something() -> None:
    assert interval_text([0.0, 1.0]) == "0 – 100\N{NO-BREAK SPACE}%"


def test_every_registered_attack_has_a_title() -> None:
    assert set(REGISTERED) <= set(ATTACKS)
