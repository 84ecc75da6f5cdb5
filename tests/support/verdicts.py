"""Evaluations with hand-made estimates, and policies of a line or two, for tests of verdicts and advice."""

from __future__ import annotations

from typing import Any

from hushwood.attacks.judging.running import MADE_UP
from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.policy import Policy, Requirement, quantity_from_text
from support.sample_entries import attack_entry, document_of, unanswered


def excess_entry(name: str, value: float, low: float, high: float, **more: Any) -> dict[str, Any]:
    """An attack with an excess over 400 people who were never in the table."""
    excess = {
        "value": value,
        "interval": [low, high],
        "over": "control",
        "attempts": 500,
        "control_attempts": 400,
        "releases": 3,
    }
    return attack_entry(name, **({"excess": excess} | more))


def nobody_entry(name: str) -> dict[str, Any]:
    """An attack that could not be tried because all records are made up."""
    return unanswered(name, side=None, reason=MADE_UP)


def judged(*entries: dict[str, Any], **more: Any) -> Evaluation:
    """An evaluation with these attacks; `columns` and `left_out` are entries of those."""
    document = document_of(*entries)
    document["schema"] = more.get("columns", [])
    document["audit"]["left_out"] = more.get("left_out", [])
    return Evaluation.from_json(document)


def policy_of(confidence: float = 0.95, above: float | None = None, **limits: float) -> Policy:
    """A policy with these limits; two underscores stand for the dot in a name."""
    asked = tuple(
        Requirement(
            "other", quantity_from_text(name.replace("__", ".")), number, "a test", not_shown_above=above
        )
        for name, number in limits.items()
    )
    return Policy("hand-made", "Hand-made", "nobody", "For a test.", "a test", asked, confidence=confidence)
