"""Which of an intruder's guesses are right, by a `Truth` that holds the original and that no attack ever gets.

How the attack went is told as plain data for the evaluation document, with whether it found single records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.attacks.judging.estimates import CONFIDENCE, Rate, chance_of, gain_over, risk_beyond, wilson
from hushwood.attacks.protocol import (
    Attack,
    Goal,
    Guesses,
    MemberGuesses,
    NumberGuesses,
    PartGuesses,
    PredicateGuesses,
    RowGuesses,
    Scenario,
    ValueGuesses,
)
from hushwood.distances.two_samples import area_under_curve, found_at
from hushwood.tables.table import Table, label_columns, missing_values

Part = TypeVar("Part")
# A number is guessed right if it is off by at most this share of the column's middle nine tenths.
CLOSE = 0.05
MIDDLE = (0.05, 0.95)
# Allows for rounding, so that a difference of exactly the tolerance counts on every scale of the column.
_ROUNDING = 1 + 1e-6
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


@dataclass(frozen=True, slots=True)
class Truth:
    """What only the scorer knows about the targets.

    `original` is the table they were drawn from, and the one in which predicates are counted; target i is its row
    `target_rows[i]` (-1: not in it) and has the released row `partner_rows[i]` (-1: dropped). Its second part stands
    at `second_order[i]` of the knowledge's `other`. A target who was never in the table is row `holdout_rows[i]` of
    the hold-out (-1: was in it). `tolerances` say how close a guessed number must be, by column; by default that
    follows from `original`.
    """

    original: Table
    target_rows: Integers
    partner_rows: Integers | None = None
    second_order: Integers | None = None
    members: Flags | None = None
    wants: str | None = None
    tolerances: Mapping[str, float] = field(default_factory=dict)
    holdout_rows: Integers | None = None


def hits(guesses: Guesses, truth: Truth) -> Floats:
    """1 for every right guess, 0 for a wrong one, NaN where no guess was made.

    There is one number per target, or per predicate; for `NumberGuesses` it is the share of the target's numbers
    that were restored.
    """
    match guesses:
        case RowGuesses():
            return np.where(guesses.rows < 0, np.nan, guesses.rows == _needed(truth.partner_rows))
        case ValueGuesses():
            return _value_hits(guesses, truth)
        case PredicateGuesses():
            return _as_numbers(matching_rows(guesses, truth)[0] == 1)
        case PartGuesses():
            return _part_hits(guesses, _needed(truth.second_order))
        case MemberGuesses():
            return _as_numbers(guesses.member == _needed(truth.members))
        case NumberGuesses():
            return _number_hits(guesses, truth)


def rate_of(right: Floats, ways: int = 1) -> Rate:
    """The rate of right guesses among those made; `ways` as in `wilson`."""
    tried = right[~np.isnan(right)]
    return wilson(float(tried.sum()), len(tried), ways)


def matching_rows(guesses: PredicateGuesses, truth: Truth) -> tuple[Integers, Integers]:
    """How many records satisfy each predicate (2 stands for more), and the first that does."""
    from hushwood.attacks.search.predicates import count_matches

    return count_matches(guesses, truth.original.columns)


def close_enough(guessed: Array, true: Array, tolerance: float = 0.0) -> Flags:
    """Whether values are guessed right: codes must be equal, numbers close; two missing values are equal."""
    numeric = true.dtype.kind == "f"
    near = np.abs(guessed - true) <= tolerance * _ROUNDING if numeric else guessed == true
    return np.asarray(near | (missing_values(guessed) & missing_values(true)), np.bool_)


def tolerance_of(column: Array) -> float:
    """How far a guessed number may be off: a twentieth of the span from the 5 % to the 95 % quantile.

    Anonymeter allows 5 % of the guess itself. That changes with the column's zero point (years of age or of birth),
    allows nothing at 0, and counts every negative guess as right. A share of the
    column's own span is the same for a column shifted, scaled or negated, and robust to a few huge values.
    """
    known = column[~np.isnan(column)]
    if len(known) == 0:
        return 0.0
    low, high = np.quantile(known, MIDDLE)
    return CLOSE * float(high - low)


def _tolerance(truth: Truth, name: str) -> float:
    if name in truth.tolerances:
        return truth.tolerances[name]
    column = truth.original.columns[name]
    return tolerance_of(column) if column.dtype.kind == "f" else 0.0


def _value_hits(guesses: ValueGuesses, truth: Truth) -> Floats:
    name = _needed(truth.wants)
    schema = truth.original.schema
    true = label_columns(schema, {name: truth.original.columns[name][truth.target_rows]})[name]
    guessed = label_columns(schema, {name: guesses.values})[name]
    return _as_numbers(close_enough(guessed, true, _tolerance(truth, name)))


def _part_hits(guesses: PartGuesses, second_order: Integers) -> Floats:
    """Whether the neighbours of both parts of a person have a released row in common."""
    first, second = guesses.first[:, :, None], guesses.second[second_order][:, None, :]
    return _as_numbers(((first == second) & (first >= 0)).any(axis=(1, 2)))


def _number_hits(guesses: NumberGuesses, truth: Truth) -> Floats:
    partners = _needed(truth.partner_rows)
    there = partners >= 0
    right, tried = np.zeros(len(partners)), np.zeros(len(partners))
    for name, numbers in guesses.columns.items():
        true = truth.original.columns[name][truth.target_rows]
        known = there & ~np.isnan(true)
        guessed = numbers[np.where(there, partners, 0)]
        right += known & close_enough(guessed, true, _tolerance(truth, name))
        tried += known
    return np.where(tried > 0, right / np.maximum(tried, 1), np.nan)


def _as_numbers(right: Flags) -> Floats:
    return np.asarray(right, np.float64)


def _needed(part: Part | None) -> Part:
    if part is None:
        raise LookupError("The truth lacks what these guesses are judged by.")
    return part


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
