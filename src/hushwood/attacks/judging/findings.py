"""How an attack went, as plain data for the evaluation document, and whether it found single records."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.attacks.judging.estimates import CONFIDENCE, Rate, chance_of, gain_over, risk_beyond, wilson
from hushwood.attacks.judging.scoring import Truth, matching_rows
from hushwood.attacks.protocol import (
    Attack,
    Goal,
    Guesses,
    MemberGuesses,
    NumberGuesses,
    PredicateGuesses,
    Scenario,
)
from hushwood.distances.two_samples import area_under_curve, found_at

FALSE_ALARMS = 0.01
# What a 1 means in the per-record file.
_RECORD_NAMES: dict[Goal, str] = {
    "row": "linked",
    "value": "inferred",
    "predicate": "singled_out",
    "parts": "joined",
    "member": "found",
    "numbers": "restored",
}


def details_of(
    attack: Attack, scenario: Scenario, targets: int, rate: Rate, naive: float, control: Rate | None
) -> dict[str, Any]:
    """Counts, intervals and risks, as JSON data."""
    risk = None if control is None else risk_beyond(rate, control)
    return {
        "question": attack.question,
        "goal": attack.goal,
        "scenario": scenario.name,
        "says": scenario.says,
        "knows": list(scenario.knows),
        "other": list(scenario.other),
        "wants": scenario.wants,
        "targets": targets,
        "attempts": rate.attempts,
        "successes": rate.successes,
        "confidence": CONFIDENCE,
        "gain": gain_over(naive, rate.share),
        "chance": chance_of(rate, naive),
        "control_attempts": None if control is None else control.attempts,
        "control_successes": None if control is None else control.successes,
        "control_interval": None if control is None else list(control.interval),
        "risk": None if risk is None else risk.value,
        "risk_interval": None if risk is None else list(risk.interval),
    }


def records_of(goal: Goal, guesses: Guesses, right: Floats, truth: Truth) -> dict[str, Floats]:
    """For every original row whether the attack was right about it; NaN where it was not tried."""
    if isinstance(guesses, PredicateGuesses):
        found = np.zeros(truth.original.rows)
        counts, first = matching_rows(guesses, truth)
        found[first[counts == 1]] = 1.0
        return {_RECORD_NAMES[goal]: found}
    found = np.full(truth.original.rows, np.nan)
    there = truth.target_rows >= 0
    found[truth.target_rows[there]] = right[there]
    return {_RECORD_NAMES[goal]: found}


def beyond_hits(guesses: Guesses, truth: Truth, ways: int = 1) -> dict[str, Any]:
    """Plain data: how well members stand apart from others, the errors of numbers by column; `ways` as in `wilson`."""
    if isinstance(guesses, MemberGuesses) and truth.members is not None:
        return _separation(guesses, truth.members, ways)
    if isinstance(guesses, NumberGuesses) and truth.partner_rows is not None:
        return {"error_shares": error_shares(guesses, truth)}
    return {}


def _separation(guesses: MemberGuesses, members: Flags, ways: int) -> dict[str, Any]:
    """Advantage at the attack's own limit, area under the ROC curve, and the members found at 1 % false alarms.

    The advantage, TPR - FPR, rises in a straight line with the rate of right guesses, because the attack names a fixed
    number of targets; so its interval is that of the rate, converted. Whatever the distributions, an area A of m
    members and n others has a variance of at most A(1 - A) / min(m, n) (Birnbaum and Klose 1957): Wilson's interval
    with min(m, n) attempts is safe. The limit of the last rate is set by the others themselves, as usual.
    """
    inside = int(members.sum())
    others = len(members) - inside
    area = area_under_curve(guesses.score, members)
    found = found_at(guesses.score, members, FALSE_ALARMS)
    if area is None or found is None:
        return {}
    rate = wilson(float((guesses.member == members).sum()), len(members), ways)
    named = int(guesses.member.sum())
    low, high = (_advantage(share, inside, others, named) for share in rate.interval)
    smaller = min(inside, others)
    return {
        "true_positive_rate": float(guesses.member[members].mean()),
        "false_positive_rate": float(guesses.member[~members].mean()),
        "advantage": _advantage(rate.share, inside, others, named),
        "advantage_interval": [max(low, -1.0), min(high, 1.0)],
        "area_under_curve": area,
        "area_interval": list(wilson(area * smaller, smaller, ways).interval),
        "found_at_1_percent": found,
        "found_at_1_percent_interval": list(wilson(found * inside, inside, ways).interval),
    }


def _advantage(share_right: float, inside: int, others: int, named: int) -> float:
    """TPR - FPR of an attack that names this number of targets and is right about this share of all."""
    right_members = (share_right * (inside + others) - others + named) / 2
    return right_members / inside - (named - right_members) / others


def error_shares(guesses: NumberGuesses, truth: Truth) -> dict[str, float]:
    """Root mean square error of the restored numbers over the original's deviation, except for constant columns.

    1 is what guessing the original's mean would give.
    """
    partners = np.asarray(truth.partner_rows)
    there = partners >= 0
    shares = {}
    for name, numbers in guesses.columns.items():
        column = truth.original.columns[name]
        errors = numbers[partners[there]] - column[truth.target_rows[there]]
        errors = errors[~np.isnan(errors)]
        spread = float(np.nanstd(column)) if not np.isnan(column).all() else 0.0
        if spread > 0 and len(errors):
            shares[name] = float(np.sqrt(np.mean(errors**2))) / spread
    return shares
