"""How an attack went, as plain data for the evaluation document, and what it means for single records."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.attacks.estimates import CONFIDENCE, Rate, chance_of, gain_over, risk_beyond
from hushwood.attacks.guesses import Floats, Guesses, PredicateGuesses
from hushwood.attacks.protocol import Attack, Goal, Scenario
from hushwood.attacks.scoring import Truth, matching_rows

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
    details: dict[str, Any] = {
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
        "control_attempts": None,
        "control_successes": None,
        "control_interval": None,
        "risk": None,
        "risk_interval": None,
    }
    if control is not None:
        risk = risk_beyond(rate, control)
        details |= {
            "control_attempts": control.attempts,
            "control_successes": control.successes,
            "control_interval": list(control.interval),
            "risk": risk.value,
            "risk_interval": list(risk.interval),
        }
    return details


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
