"""The page of the map: every point with its kind, and names that cannot break out of it."""

from __future__ import annotations

from dataclasses import replace

from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, SAMPLED
from hushwood.tuning.map_page import map_points, page_of
from hushwood.tuning.outcome import Outcome, outcome_of
from hushwood.tuning.search import Searched
from support.tuned_scores import candidate, made_score, two_checks

NASTY = '<script>alert("x")</script>'


def an_outcome(label: str = "a 0") -> Outcome:
    first = replace(candidate("a", 0), label=label)
    judged = ((first, made_score(label, 0.05)), (candidate("b", 0), made_score("b 0", 0.5, utility=0.8)))
    sampled = ((candidate("c", 0), made_score("c 0", 0.02, utility=0.1)),)
    corners = made_score("the untouched table", 1.0, 0.0, 1.0), made_score("pure noise", 0.0, 0.0, 0.0)
    return outcome_of(Searched((judged + sampled, judged), corners), two_checks())


def test_every_point_is_on_the_map_with_its_kind() -> None:
    points = map_points(an_outcome())
    assert [(point.label, point.what) for point in points] == [
        ("a 0", CLEARED),
        ("b 0", NOT_CLEARED),
        ("c 0", SAMPLED),
        ("the untouched table", CORNER),
        ("pure noise", CORNER),
    ]
    assert [point.label for point in points if point.winner] == ["a 0"]
    assert (points[0].risk, round(points[0].upper, 6)) == (0.5, 0.6)  # shares of the limit of 0.1


def test_the_page_says_why_and_shows_every_check() -> None:
    page = page_of(an_outcome(), "people.csv", 1234)
    assert "people.csv · 1,234 records · policy two" in page
    assert "a 0 is the most useful release that the policy two clears" in page
    assert "0.500 (0.490 to 0.510) ✕" in page
    assert "Prediction accuracy kept" in page
    assert "Internal: do not share" in page


def test_names_are_escaped() -> None:
    page = page_of(an_outcome(NASTY), NASTY, 10)
    assert NASTY not in page
    assert "&lt;script&gt;alert" in page


def test_a_policy_that_nothing_meets_is_said_first() -> None:
    found = an_outcome()
    held_back = replace(found, winner=found.points[1])
    assert "Nothing that was tried is cleared" in page_of(held_back, "people.csv", 10)
