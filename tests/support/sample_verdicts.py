"""Verdicts with a policy of four limits, small enough to read in a test."""

from __future__ import annotations

from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.policy import Policy, policy_from_toml
from hushwood.policies.verdict import Verdict, verdict_on
from support.sample_entries import attack_entry, evaluation_of

POLICY = """
title = "For a test"
recipient = "public"
says = "For tables that are made up."
source = "a book"
notes = ["Read it twice."]

[[limits]]
disclosure = "identity"
measure = "linkage.excess"
people = "average record"
at_most = 0.05
source = "a book"
secondary = true

[[limits]]
disclosure = "attribute"
measure = "attribute_inference.excess"
at_most = 0.05
source = "ours"
not_shown_above = 0.0

[[limits]]
disclosure = "membership"
measure = "membership.advantage"
at_most = 0.1
source = "ours"

[[limits]]
disclosure = "identity"
measure = "unchanged_cells"
at_most = 0.5
source = "ours"
"""


def policy() -> Policy:
    """The policy of the tests."""
    return policy_from_toml(POLICY, "tested")


def excess(
    value: float, low: float, high: float, over: str = "control", attempts: int = 1000
) -> dict[str, object]:
    """An excess as plain data."""
    return {
        "value": value,
        "interval": [low, high],
        "over": over,
        "attempts": attempts,
        "control_attempts": attempts,
        "releases": 1,
    }


def mixed_evaluation() -> Evaluation:
    """Linkage passes, inference fails, membership is not proven, and unchanged cells were not counted."""
    return evaluation_of(
        attack_entry("linkage", 0.02, excess=excess(0.007, -0.006, 0.021, "chance")),
        attack_entry("attribute_inference", 0.6, naive=0.5, excess=excess(0.081, 0.052, 0.11)),
        attack_entry("membership", 0.53, naive=0.5, excess=excess(0.06, -0.02, 0.143)),
    )


def mixed_verdict(*limits: str) -> Verdict:
    """The verdict on it, with other numbers where they are given."""
    return verdict_on(mixed_evaluation(), policy().with_limits(limits))
