"""The verdict in words, check by check; and what of it outsiders see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.measures.registry import MEASURES
from hushwood.policies.policy import built_in_names, policy_named
from hushwood.policies.verdict import Verdict, verdict_on
from hushwood.reports.release.clearance import (
    Clearance,
    asked_of,
    clearance,
    headline,
    limit_of,
    title_of,
    unblocked,
)
from support.sample_entries import evaluation_of, risk_entry
from support.sample_verdicts import mixed_evaluation, mixed_verdict, policy


@pytest.fixture
def found() -> Clearance:
    return clearance(mixed_verdict())


def test_the_answer_comes_with_its_policy_and_a_count(found: Clearance) -> None:
    assert (found.headline, found.tone) == ("Not cleared for the public", "bad")
    assert found.policy == "For a test (public)"
    assert found.counted == "1 of 4 limits is met, 1 is broken, 2 are not proven."


def test_every_check_has_a_question_a_limit_and_what_was_found(found: Clearance) -> None:
    linkage, inference, membership, cells = found.rows

    assert linkage.asked == "Can someone who knows a person find that person's record?"
    assert (linkage.title, linkage.people) == ("Nearest-record linkage", "average record")
    assert (linkage.limit, linkage.source) == ("at most 5 points", "a book (secondary source)")
    assert (linkage.found, linkage.upper) == ("+0.7 points", "up to +2.1 points")
    assert linkage.within == "−0.6 to +2.1 points"
    assert [row.mark for row in found.rows] == ["✓", "✗", "?", "?"]
    assert [row.tone for row in found.rows] == ["good", "bad", "care", "care"]
    assert inference.limit == "at most 5 points, and none shown"
    assert membership.limit == "at most 10 points"
    assert (cells.found, cells.upper, cells.reason) == ("", "", "It was not tried.")
    assert cells.limit == "at most 50\N{NO-BREAK SPACE}%"


def test_a_measure_has_a_number_and_no_interval() -> None:
    evaluation = evaluation_of(risk_entry("unchanged_cells", 0.4321))
    inside, outside = (
        clearance(verdict_on(evaluation, policy()), public=public).rows[-1] for public in (False, True)
    )

    assert (inside.found, inside.upper, inside.within) == ("43.2\N{NO-BREAK SPACE}%", "", "")
    assert outside.found == "43\N{NO-BREAK SPACE}%"


def test_an_overridden_limit_shows_the_policys_own_number() -> None:
    first, *_ = clearance(mixed_verdict("linkage<=0.08")).rows

    assert (first.limit, first.own) == ("at most 8 points", "5 points in the policy")
    assert first.source == "given with --limit"


def test_outsiders_see_neither_estimates_nor_advice() -> None:
    verdict = replace(mixed_verdict(), blocking=("Column 'town' is copied; drop it.",))
    found = clearance(verdict, public=True)

    assert [row.status for row in found.rows] == [check.status for check in verdict.checks]
    assert [row.upper for row in found.rows] == [
        "up to +2.1 points",
        "up to +11 points",
        "up to +14 points",
        "",
    ]
    assert {row.found for row in found.rows} == {""}
    assert {(row.advice, row.options, row.scenario, row.within) for row in found.rows} == {("", (), "", "")}
    assert found.options == ()
    (said,) = found.blocking
    assert "town" not in said
    assert said.startswith("It is held back for 1 reason")


def test_the_headline_names_the_recipient() -> None:
    verdict = Verdict(policy(), ())
    inside = replace(verdict, policy=replace(policy(), recipient="internal"))

    assert headline(verdict) == "Cleared for the public"
    assert headline(inside) == "Cleared for use inside the organisation"
    assert headline(replace(verdict, policy=replace(policy(), recipient="the archive"))) == (
        "Cleared for the archive"
    )


def test_all_built_in_policies_can_be_put_into_words() -> None:
    for name in built_in_names():
        for requirement in policy_named(name).requirements:
            assert asked_of(requirement).endswith("?")
            assert title_of(requirement)
            assert limit_of(requirement).startswith("at most ")


def test_a_limit_on_a_measure_asks_the_measures_question() -> None:
    cells = policy().requirements[-1]

    assert asked_of(cells) == MEASURES["unchanged_cells"]().question


def test_a_lower_end_may_have_a_limit_of_its_own() -> None:
    above = replace(policy().requirements[1], not_shown_above=0.02)

    assert limit_of(above) == "at most 5 points, and not shown to be above 2 points"


def test_one_limit_is_not_called_many() -> None:
    verdict = verdict_on(mixed_evaluation(), replace(policy(), requirements=policy().requirements[:1]))

    assert clearance(verdict).counted == "The limit is met."


def test_long_sources_are_listed_once_and_cited_by_number() -> None:
    found = clearance(verdict_on(mixed_evaluation(), policy_named("ontario-2025-high")))
    guidelines, ends, ours = found.sources

    assert guidelines.endswith("(secondary source)")
    assert ends.startswith("ours: nobody")
    assert ours.startswith("ours")
    assert [row.cited for row in found.rows] == [
        *["source 1 (secondary source)"] * 3,
        "source 2",
        *["source 3"] * 2,
    ]
    assert clearance(mixed_verdict()).rows[0].cited == "source 1 (secondary source)"
    assert clearance(mixed_verdict()).rows[1].cited == "ours"


def test_columns_that_hold_it_back_are_not_named_twice() -> None:
    verdict = replace(mixed_verdict(), blocking=("Column 'town' is copied.",))

    assert unblocked(["town", "job"], verdict) == ["job"]
    assert unblocked(["town"], None) == ["town"]
