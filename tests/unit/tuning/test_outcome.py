"""The winner by the interval, the front, and what is said about both."""

from __future__ import annotations

from dataclasses import replace

from hushwood.reports.charts.risk_utility import CLEARED, CORNER, NOT_CLEARED, SAMPLED
from hushwood.tuning.outcome import Outcome, front_of, map_points, outcome_of, page_of
from hushwood.tuning.scores import Risk, Score
from hushwood.tuning.search import Searched
from support.tuned_scores import candidate, made_score, two_checks

CORNERS = (made_score("the untouched table", 1.0, 0.0, 1.0), made_score("pure noise", 0.0, 0.0, 0.0))


def outcome(*scores: Score, sampled: tuple[Score, ...] = ()) -> Outcome:
    judged = tuple((candidate(score.label.split()[0], 0), score) for score in scores)
    rest = tuple((candidate(score.label.split()[0], 0), score) for score in sampled)
    return outcome_of(Searched((judged + rest, judged), CORNERS), two_checks())


def test_the_most_useful_that_is_cleared_wins_by_the_upper_end() -> None:
    found = outcome(
        made_score("plain 0", 0.02, utility=(0.5, 0.6, 0.4)),
        made_score("good 0", 0.05, utility=(0.7, 0.8, 0.6)),
        made_score("wide 0", 0.08, 0.05, utility=0.9),  # below the limit of 0.1, but up to 0.13
        made_score("risky 0", 0.5, utility=0.99),
        sampled=(made_score("sampled 0", 0.01, utility=0.95),),  # not judged as a release is
    )
    assert found.winner.candidate.label == "good 0"
    assert found.cleared
    first, tight, over, instead = found.why
    assert first.startswith("good 0 is the most useful release that the policy two clears: it keeps 70 %")
    assert tight == (
        "Its tightest check is linkage.excess: at most 0.060 by the upper end of the interval, and 0.1 is allowed."
    )
    assert over.startswith(
        "It is ahead of plain 0, the next that is cleared, by 20.0 points of utility (95 % interval"
    )
    assert instead.startswith("risky 0 would be more useful (99 %), but is not cleared: linkage.excess 0.500")


def test_a_difference_that_may_be_chance_is_called_that() -> None:
    found = outcome(made_score("a 0", utility=(0.9, 0.5, 0.7)), made_score("b 0", utility=(0.5, 0.8, 0.6)))
    assert found.why[2].endswith("so the two are about equally useful.")


def test_an_unreachable_policy_says_what_is_and_who_would_clear_it() -> None:
    found = outcome(
        made_score("strong 0", 0.12, utility=0.3, cleared_by=("research", "internal")),
        made_score("weak 0", 0.4, utility=0.8, cleared_by=("internal",)),
    )
    assert not found.cleared
    assert found.winner.candidate.label == "strong 0"
    assert found.why == (
        "No release was found that the policy two clears. strong 0 comes nearest; its utility is 30 %.",
        (
            "The best reachable is linkage.excess 0.120 (interval 0.110 to 0.130, where 0.1 is allowed) with strong 0, "
            "at a utility of 30 %."
        ),
        "The policy research would clear strong 0, with a utility of 30 %.",
        "The policy internal would clear weak 0, with a utility of 80 %.",
    )


def test_what_is_only_not_proven_asks_for_more_evidence() -> None:
    found = outcome(made_score("a 0", 0.08, 0.05))
    assert any("--evidence full" in sentence for sentence in found.why)
    assert found.why[-1] == "No other built-in policy would clear any of these releases by this evidence."


def test_what_blocks_and_what_cannot_be_judged_is_said() -> None:
    unknown = replace(
        made_score("a 0"),
        status="not cleared",
        risks=(Risk("membership.advantage", 0.1, "not proven", reason="It was not tried."),),
        blocking=("Column 'id' identifies people.",),
    )
    found = outcome(unknown)
    assert "Column 'id' identifies people." in found.why
    assert "membership.advantage cannot be judged: It was not tried." in found.why


def test_the_front_has_what_no_other_beats() -> None:
    places = {"a": (0.1, 0.2), "b": (0.2, 0.2), "c": (0.3, 0.9), "d": (0.3, 0.9), "e": (0.0, 0.1)}
    assert front_of([places]) == {"a", "c", "d", "e"}
    found = outcome(
        made_score("safe 0", 0.01, utility=0.3),
        made_score("mid 0", 0.05, utility=0.2),
        made_score("useful 0", 0.2, utility=0.9),
    )
    assert [point.candidate.label for point in found.front] == ["safe 0", "useful 0"]


def test_candidates_are_compared_where_both_were_tried() -> None:
    """On the sample b is safer than a; that a looks safer with more evidence says nothing about b."""
    sample = {"a": (0.9, 0.8), "b": (0.5, 0.7), "c": (0.4, 0.9)}
    assert front_of([sample]) == {"c"}
    assert front_of([{"a": (0.9, 0.8), "b": (0.5, 0.7)}, {"a": (0.2, 0.8)}]) == {"a", "b"}
    assert front_of([sample, {"a": (0.2, 0.8), "c": (0.3, 0.7)}]) == {"a"}  # b is beaten by c on the sample


def test_an_outcome_is_plain_data() -> None:
    plain = outcome(made_score("a 0")).to_json()
    assert (plain["format"], plain["winner"], plain["cleared"]) == ("hushwood-tuning", "a 0", True)
    assert plain["points"][0]["score"]["risks"][0]["check"] == "linkage.excess"
    assert [corner["label"] for corner in plain["corners"]] == ["the untouched table", "pure noise"]


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
