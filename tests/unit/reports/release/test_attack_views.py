"""Attacks as rows of text."""

from __future__ import annotations

from hushwood.reports.release.attack_views import attack_row, interval_text, strongest_place
from support.sample_entries import attacked
from support.sample_verdicts import excess


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
