"""What is left for analysts, in a sentence: no policy has limits for it, and a release that keeps nothing is safe."""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.reports.release.headlines import IDLE, Headline
from hushwood.reports.release.verdicts import Verdict

_LOST = {"bad": "Large loss for analysts.", "care": "Clear loss for analysts."}
_GOOD = "No large loss for analysts was shown."
_PARTLY = "What can be judged shows no large loss for analysts, but part of it says nothing."


def use_verdict(kept: Sequence[Headline]) -> Verdict | None:
    """By the worst of the first numbers; numbers that say nothing are never good news. None if nothing was measured."""
    if not kept:
        return None
    idle = [item for item in kept if item.badge == IDLE]
    lost = [item for item in kept if item.tone == "bad"] or [
        item for item in kept if item.tone == "care" and item not in idle
    ]
    why = " ".join(item.compares for item in idle)
    if lost:
        named = "; ".join(f"{item.title}: {item.answer}" for item in lost)
        return Verdict(lost[0].tone, f"{_LOST[lost[0].tone]} {named}.", why)
    return Verdict("care", _PARTLY, why) if idle else Verdict("good", _GOOD, "")
