"""The search with scores made by hand: who goes on, who is judged, and when it stops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from hushwood.evaluation.controls import Effort
from hushwood.random_streams import Streams
from hushwood.tuning import search as searching
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Ground, Notes, Risk, Score
from hushwood.tuning.search import (
    UNKNOWN,
    Question,
    Rung,
    Searched,
    Thoroughness,
    difference,
    falling,
    search,
    standings,
)
from support.tuned_scores import candidate, made_score, small_table, two_checks

Made = Mapping[str, tuple[float, float]]  # risk and utility by label
RUNGS = (
    Rung(60, Effort(outsiders=20, releases=1), 1 / 2),
    Rung(100, Effort(outsiders=30, releases=1), 1 / 2),
)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Searched, list[str]]]:
    """Search among hand-made scores; gives what was found, and what was scored where, in that order."""

    def ran(
        made: Made,
        candidates: list[Candidate],
        most: int = 3,
        on_whole: Made | None = None,
        notes: Notes | None = None,
    ) -> tuple[Searched, list[str]]:
        scored: list[str] = []

        def fake(one: Candidate, ground: Ground) -> Score:
            scored.append(f"{one.label} on {ground.table.rows}")
            whole = ground.table.rows == 150
            risk, utility = (on_whole or made)[one.label] if whole else made[one.label]
            return made_score(one.label, risk, 0.0, utility, records=ground.table.rows)

        monkeypatch.setattr(searching, "score", fake)
        monkeypatch.setattr(searching, "corner", lambda kind, ground: made_score(kind))
        question = Question(small_table(), two_checks(), Streams(bytes(32)), Streams(bytes(32)))
        return search(question, candidates, Thoroughness(RUNGS, most, 1), notes), scored

    return ran


def lone(*labels: str) -> list[Candidate]:
    return [candidate(label, 0) for label in labels]


def test_the_better_half_goes_on_and_the_best_are_judged(
    run: Callable[..., tuple[Searched, list[str]]],
) -> None:
    made = {f"{name} 0": (0.05, utility / 10) for name, utility in zip("abcdefgh", range(8), strict=True)}
    found, scored = run(made, lone(*"abcdefgh"), most=2)
    assert sum("on 60" in one for one in scored) == 8
    assert sorted(one for one in scored if "on 100" in one) == [f"{name} 0 on 100" for name in "efgh"]
    assert [one.label for one, _ in found.judged][:1] == ["h 0"]
    assert [one.label for one, _ in found.latest] == [f"{name} 0" for name in "abcdefgh"]
    assert {score.records for _, score in found.latest} == {60, 100, 150}


def test_who_is_clearly_less_useful_is_not_judged(run: Callable[..., tuple[Searched, list[str]]]) -> None:
    """Two are judged at a time; after the first is cleared nothing is left to decide."""
    made = {"a 0": (0.05, 0.9), "b 0": (0.05, 0.8), "c 0": (0.05, 0.2), "d 0": (0.05, 0.1)}
    found, _ = run(made, lone(*"abcd"), most=4)
    assert sorted(one.label for one, _ in found.judged) == ["a 0", "b 0"]


def test_a_weaker_setting_is_not_tried_after_a_stronger_one_failed(
    run: Callable[..., tuple[Searched, list[str]]],
) -> None:
    values = (10.0, 20.0, 50.0, 100.0)
    candidates = [candidate("k", value) for value in values]
    sample = {f"k {value:g}": (0.05, 1 - value / 1000) for value in values}
    whole = {f"k {value:g}": (2 / value, 1 - value / 1000) for value in values}  # only 20 and more clear
    found, scored = run(sample, candidates, most=4, on_whole=whole)
    judged = [one.label for one, _ in found.judged]
    assert judged[:2] == ["k 10", "k 20"]  # the most useful first, and the next of the only dial
    assert "k 100" not in judged  # less useful than what was cleared
    assert all("on 150" not in one for one in scored if one.startswith("k 100"))


def test_what_was_dropped_is_tried_if_nothing_else_is_cleared(
    run: Callable[..., tuple[Searched, list[str]]],
) -> None:
    """The last try goes to what protects most."""
    values = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0)
    candidates = [candidate("k", value) for value in values]
    sample = {f"k {value:g}": (0.05 - value / 1e5, 1 - value / 1e4) for value in values}
    whole = {f"k {value:g}": (0.05 if value == 2000 else 0.5, 0.5) for value in values}
    found, _ = run(sample, candidates, most=4, on_whole=whole)
    assert "k 2000" in [one.label for one, _ in found.judged]
    assert any(score.cleared for _, score in found.judged)


def test_known_scores_are_not_worked_out_again(run: Callable[..., tuple[Searched, list[str]]]) -> None:
    made, notes = {"a 0": (0.05, 0.9), "b 0": (0.05, 0.8)}, Notes(None, "", b"")
    first, scored = run(made, lone("a", "b"), notes=notes)
    again, nothing = run(made, lone("a", "b"), notes=notes)
    assert scored
    assert nothing == []
    assert again == first


def test_samples_contain_one_another_and_end_where_the_table_does() -> None:
    question = Question(small_table(), two_checks(), Streams(bytes(32)), Streams(bytes(32)))
    small, large = (question.sample(rung).table for rung in RUNGS)
    assert set(zip(*(small.columns[name] for name in small.columns), strict=True)) <= set(
        zip(*(large.columns[name] for name in large.columns), strict=True)
    )
    assert question.sample(Rung(10_000, Effort(), 0.5)).table.rows == 150


def test_rates_of_success_are_measured_only_where_a_limit_is_about_them() -> None:
    streams = Streams(bytes(32)), Streams(bytes(32))
    assert not Question(small_table(), two_checks(), *streams).whole(1).level.rates
    success = two_checks().with_limits(["singling_out<=0.3"])
    assert Question(small_table(), success, *streams).whole(1).level.rates


def test_the_isotonic_fit_pools_what_rises() -> None:
    assert falling([0.4, 0.1, 0.3, 0.0], [1, 1, 1, 1]) == pytest.approx([0.4, 0.2, 0.2, 0.0])
    assert falling([0.1, 0.3], [3, 1]) == pytest.approx([0.15, 0.15])
    assert falling([0.3, 0.2, 0.1], [1, 1, 1]) == pytest.approx([0.3, 0.2, 0.1])


def test_a_lucky_run_of_a_weak_setting_is_not_believed() -> None:
    """By itself k=10 would clear; the stronger settings say that it was luck."""
    risks = {10: 0.05, 20: 0.20, 50: 0.11}
    scored = [(candidate("k", k), made_score(f"k {k}", risk, 0.0)) for k, risk in risks.items()]
    found = {one.candidate.value: one for one in standings(scored)}
    assert found[10.0].risk == pytest.approx(1.25)  # the mean with k=20, as a share of the limit of 0.1
    assert all(one.distance > 0 for one in found.values())


def test_dials_are_smoothed_apart() -> None:
    scored = [(candidate("a", 1), made_score("a 1", 0.02)), (candidate("b", 2), made_score("b 2", 0.08))]
    assert [one.risk for one in standings(scored)] == pytest.approx([0.2, 0.8])


def test_who_is_nearer_to_clearing_comes_first_then_who_is_more_useful() -> None:
    scored = [
        (candidate("far", 1), made_score("far 1", 0.30, utility=0.99)),
        (candidate("plain", 1), made_score("plain 1", 0.01, utility=0.4)),
        (candidate("useful", 1), made_score("useful 1", 0.08, utility=0.8)),
        (candidate("wide", 1), made_score("wide 1", 0.08, 0.05, utility=0.9)),
    ]
    assert [one.candidate.family for one in standings(scored)] == ["useful", "plain", "wide", "far"]


def test_the_upper_end_decides_and_intervals_that_will_be_narrower_count_as_such() -> None:
    scored = [(candidate(), made_score("dial 0", 0.08, 0.04))]
    assert standings(scored)[0].distance == pytest.approx(0.2)  # 0.12 where 0.1 is allowed
    assert standings(scored, narrower=0.5)[0].distance == 0.0


def test_a_policy_may_ask_that_nothing_is_shown() -> None:
    score = made_score("dial 0", 0.04, 0.01)
    asked = replace(score, risks=(replace(score.risks[0], not_shown_above=0.0),))
    assert standings([(candidate(), score)])[0].distance == 0.0
    assert standings([(candidate(), asked)])[0].distance == pytest.approx(0.3)  # the lower end is 0.03


def test_a_check_without_evidence_is_far_and_one_that_cannot_be_made_passes() -> None:
    unknown = replace(made_score("dial 0"), risks=(Risk("membership.advantage", 0.1, "not proven"),))
    made_up = replace(made_score("dial 0"), risks=(Risk("linkage.excess", 0.1, "pass", reason="made up"),))
    assert standings([(candidate(), unknown)])[0].distance == UNKNOWN
    assert standings([(candidate(), made_up)])[0].distance == 0.0


def test_differences_on_the_same_splits_are_paired() -> None:
    one, other = made_score("a", utility=(0.6, 0.5, 0.9)), made_score("b", utility=(0.5, 0.3, 0.6))
    gap, half = difference(one, other)
    assert gap == pytest.approx(0.2)
    assert half == pytest.approx(4.302653 * 0.1 / 3**0.5, rel=1e-5)  # Student's t with two degrees of freedom


def test_one_split_gives_no_interval() -> None:
    gap, half = difference(made_score("a", utility=(0.6,)), made_score("b", utility=(0.5,)))
    assert gap == pytest.approx(0.1)
    assert half is None
