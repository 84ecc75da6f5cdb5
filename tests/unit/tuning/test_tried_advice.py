"""Advice that was tried: the ladder by hand, with scores that are made up."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.policies.advice import FULL_EVIDENCE, Advice, Changes, MadeHow, advice_for
from hushwood.policies.verdict import Check, Estimate, Verdict, verdict_from_json
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.reports.release.clearance import clearance
from hushwood.tuning import tried_advice
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Ground, Risk, Score
from hushwood.tuning.tried_advice import with_tried_advice
from support.tries import usual_tries
from support.tuned_scores import small_table
from support.verdicts import policy_of

RECORDS = (
    300  # quick evidence has six throw-away releases, full evidence 24, a try three, and a second look twelve
)
LIMIT = 0.1
KEYS = Streams(bytes(range(32))), Streams(bytes(32))
POLICY = policy_of(linkage__excess=LIMIT)
CONTROLS: Any = (SimpleNamespace(pair=None),)
RiskOf = Callable[[PerturbOptions, int], tuple[float, float]]  # the estimate and half its interval


def judged(value: float, half: float, evidence: str = "quick") -> tuple[Verdict, MadeHow]:
    """The verdict on a release with segments of 20 records, with advice that was not tried."""
    made = MadeHow(PerturbOptions(k=20, redraw=0), RECORDS, evidence)
    (asked,) = POLICY.requirements
    advice = advice_for(asked, (value, value + half), made)
    check = Check(asked, status(value, half), Estimate(value, value - half, value + half), advice=advice)
    return Verdict(POLICY, (check,)), made


def status(value: float, half: float) -> Any:
    return "fail" if value > LIMIT else "pass" if value + half <= LIMIT else "not proven"


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Verdict, list[str]]]:
    """The verdict with tried advice where risks are as given, and what was tried: technique, k, throw-away releases."""

    def run(risk_of: RiskOf, now: tuple[float, float] = (0.2, 0.02), evidence: str = "quick") -> Any:
        asked: list[str] = []

        def score(candidate: Candidate, ground: Ground) -> Score:
            options = candidate.options
            dial = f"{options.k} {options.blur}" if options.k else f"{options.noise:.2g}"
            asked.append(f"{options.technique} {dial}, {ground.releases}")
            value, half = risk_of(options, ground.releases)
            risk = Risk("linkage.excess", LIMIT, status(value, half), value, value - half, value + half)
            return Score("", RECORDS, ground.releases, "not cleared", (risk,), (0.7 if options.k else 0.5,))

        usual_tries(monkeypatch)
        monkeypatch.setattr(tried_advice, "score", score)
        monkeypatch.setattr(tried_advice, "usefulness", lambda _pairs, _ground: [0.9])
        verdict, made = judged(*now, evidence)
        return with_tried_advice(verdict, small_table(RECORDS), made, KEYS, CONTROLS), asked

    return run


def test_what_would_be_cleared_is_advised_with_what_was_found(advised: Any) -> None:
    """0.2 must fall to 0.09, so k rises by five; there the risk is 0.05, which leaves room for the interval."""
    found, asked = advised(lambda _options, _releases: (0.05, 0.02))
    assert asked == ["segment-shuffle 100 50, 3"]
    assert found.changes.keywords == {"k": 100, "blur": 50}
    (check,) = found.checks
    assert check.advice.says.endswith(
        "+5 points, up to +7 points, with --k 100 --blur 50 on 3 throw-away releases."
    )
    (tried,) = found.tried
    assert (tried.outlook, tried.keeps, tried.kept) == ("cleared", 0.7, 0.9)
    assert tried.found == {"linkage.excess": pytest.approx((0.05, 0.03, 0.07))}


@pytest.mark.parametrize(("evidence", "more"), [("quick", (FULL_EVIDENCE,)), ("full", ())])
def test_more_evidence_is_advised_only_where_it_is_needed(advised: Any, evidence: str, more: Any) -> None:
    """0.08 and 0.04 / sqrt(2) are above 0.1, 0.08 and 0.04 / sqrt(8) are not."""
    found, asked = advised(lambda _options, _releases: (0.08, 0.04), evidence=evidence)
    assert len(asked) == 1
    assert found.changes[2:] == more


def test_the_dial_goes_to_its_end_before_another_technique_is_tried(advised: Any) -> None:
    found, asked = advised(lambda options, _releases: (0.2 if options.k else 0.01, 0.02))
    assert asked == ["segment-shuffle 100 50, 3", "segment-shuffle 150 75, 3", "forest-framework 0.33, 3"]
    assert found.changes.keywords == {"technique": "forest-framework"}
    assert [one.outlook for one in found.tried] == ["not cleared", "not cleared", "cleared"]


def test_a_setting_that_destroys_is_not_advised(advised: Any) -> None:
    found, asked = advised(lambda options, _releases: (0.15 if options.k else 0.92, 0.02))
    assert len(asked) == 3
    assert found.changes == ()
    assert found.checks[0].advice.says.startswith("Nothing that was tried would be cleared and keep enough")
    first, *_, last = clearance(found).tried
    assert first.startswith(
        "--k 100 --blur 50 was tried on 3 throw-away releases and would hardly be cleared."
    )
    assert (
        "+92 points, up to +94 points; at most 10 points is allowed. It keeps 50\N{NO-BREAK SPACE}%" in last
    )
    assert "this release keeps 90\N{NO-BREAK SPACE}%" in last
    assert [one.found["linkage.excess"][0] for one in found.tried] == [0.15, 0.15, 0.92]


def test_what_leaves_little_for_analysts_is_named_but_not_advised(
    advised: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release keeps 0.9, the dial 0.7 without being cleared, and the noise that would be cleared 0.5."""
    monkeypatch.setattr(tried_advice, "WORTH", 0.6)
    found, _ = advised(lambda options, _releases: (0.2 if options.k else 0.01, 0.02))
    assert found.changes == ()
    assert [one.outlook for one in found.tried] == ["not cleared", "not cleared", "cleared"]
    monkeypatch.setattr(tried_advice, "WORTH", 0.8)
    nothing, _ = advised(lambda _options, _releases: (0.01, 0.02))
    assert nothing.changes == ()
    assert nothing.checks[0].advice.says.startswith(
        "What was tried keeps less than half of what this release keeps"
    )


def test_what_three_releases_leave_open_is_tried_on_more(advised: Any) -> None:
    """0.09 and 0.1 / sqrt(8) are above the limit, but the estimate is below it; twelve releases decide."""

    def risk_of(options: PerturbOptions, releases: int) -> tuple[float, float]:
        return (0.09, 0.1) if releases == 3 and options.k else (0.05, 0.05)

    found, asked = advised(risk_of, evidence="full")
    assert asked == ["segment-shuffle 130 65, 3", "segment-shuffle 130 65, 12"]
    assert found.changes.keywords == {"k": 130, "blur": 65}
    assert [(one.outlook, one.releases) for one in found.tried] == [("cleared", 12)]


def test_quick_evidence_leaves_it_open(advised: Any) -> None:
    """No more is tried, and another technique neither: the user can decide it by full evidence."""
    found, asked = advised(lambda _options, _releases: (0.09, 0.1))
    assert asked == ["segment-shuffle 100 50, 3"]
    assert found.changes.keywords == {"k": 100, "blur": 50, "evidence": "full"}
    assert [one.outlook for one in found.tried] == ["open"]
    assert "may be cleared with --evidence full" in clearance(found).tried[0]
    assert clearance(found, public=True).tried == ()


def test_what_is_found_is_weighed_against_the_law(advised: Any) -> None:
    """From 0.2 the law expects 0.089, give or take as much; another 0.09 either way, and the two count the same."""
    for value, outlook in ((0.108, "open"), (0.115, "not cleared")):
        found, _ = advised(lambda _options, _releases, value=value: (value, 0.0899))
        assert found.tried[0].outlook == outlook
    sure, _ = advised(lambda _options, _releases: (0.108, 0.001))
    assert sure.tried[0].outlook == "not cleared"


def test_what_cannot_be_made_is_not_advised(advised: Any) -> None:
    def refused(_options: PerturbOptions, _releases: int) -> tuple[float, float]:
        raise InputError("No.")

    found, _ = advised(refused)
    assert (found.changes, found.tried) == ((), ())
    assert found.checks[0].advice.says.startswith(
        "--k 100 --blur 50 cannot be made of this table. Compare all"
    )


def test_where_nothing_can_be_tried_the_verdict_stays() -> None:
    table = small_table(RECORDS)
    only_evidence, made = judged(0.05, 0.06)
    assert [change.setting for change in only_evidence.changes] == ["evidence"]
    assert with_tried_advice(only_evidence, table, made, KEYS, CONTROLS) is only_evidence
    failed, _ = judged(0.2, 0.02)
    assert with_tried_advice(failed, table, made, KEYS, ()) is failed
    assert "was not tried" in failed.checks[0].advice.says
    (asked,) = POLICY.requirements
    unknown = Verdict(POLICY, (*failed.checks, Check(asked, "not proven", advice=Advice(Changes(), "None."))))
    assert with_tried_advice(unknown, table, made, KEYS, CONTROLS) is unknown


def test_it_is_kept_with_the_verdict(advised: Any) -> None:
    found, _ = advised(lambda options, _releases: (0.2 if options.k else 0.01, 0.02))
    plain = json.loads(json.dumps(found.to_json()))
    again = verdict_from_json(plain)
    assert (again.tried, again.changes) == (found.tried, found.changes)
    del plain["tried"]  # as an earlier version wrote it
    assert verdict_from_json(plain).tried == ()
