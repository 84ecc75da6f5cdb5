"""Attacks as rows of text."""

from __future__ import annotations

from hushwood.reports.release.attack_views import attack_row, interval_text
from support.sample_entries import attacked


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
