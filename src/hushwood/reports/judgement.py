"""When a number is good news: where it lies between the untouched table and pure noise, or its attack's verdict.

The rule is one for all measures and stands on the page; the words for each are in `measure_words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.attacks import estimates
from hushwood.reports.wording import Tone

# Thirds of the way from the bad end to the good one.
GOOD, CARE = 2 / 3, 1 / 3
RULE = (
    "A number is marked by where it lies between pure noise and the untouched table: in the better third, the middle "
    "or the worse third. For miners the untouched table is the good end, for people in the table pure noise is. Rules "
    "are marked by the verdict on the two trees, attacks by whether their whole interval lies above the naive guesser. "
    "Where the two ends say nothing, as for the sizes of groups, nothing is marked."
)
# For these, neither the untouched table nor pure noise is the good end, or the two hardly differ (SERS).
_UNMARKED = frozenset(
    (
        "changed_classes",
        "discernibility",
        "generalisation_loss",
        "k_anonymity",
        "l_diversity",
        "sers",
        "t_closeness",
    )
)
_BADGES: Mapping[str, Mapping[Tone, str]] = {
    "utility": {"good": "kept", "care": "partly kept", "bad": "mostly lost", "plain": ""},
    "risk": {"good": "hidden", "care": "partly hidden", "bad": "exposed", "plain": ""},
}
_TREE_TONES: Mapping[str, Tone] = {
    "Exactly Same": "good",
    "Very Similar": "good",
    "Similar": "care",
    "unclassified": "care",
    "Dissimilar": "bad",
}
_ATTACK_TONES: Mapping[str, Tone] = {
    estimates.NO_BETTER: "good",
    estimates.IN_GENERAL: "good",
    estimates.BETTER: "care",
    estimates.MUCH_BETTER: "bad",
}


def way_to_good(entry: Mapping[str, Any]) -> float | None:
    """How far a measure's number is on the way from its bad end (0) to its good end (1); may lie beyond both.

    None where an end is not known, or where both ends are the same or the wrong way round: such a measure says
    nothing between the two.
    """
    ends = _ends(entry)
    if ends is None:
        return None
    bad, good = ends
    return float((entry["value"] - bad) / (good - bad))


def tone_of_measure(entry: Mapping[str, Any]) -> Tone:
    """Good news or bad, by the thirds of the way; for rules by the verdict on the two trees, if there is one."""
    if entry["name"] == "rule_types":
        return _TREE_TONES.get(entry["details"].get("verdict", ""), "plain")
    way = way_to_good(entry)
    if way is None:
        return "plain"
    return "good" if way >= GOOD else "care" if way >= CARE else "bad"


def tone_of_attack(entry: Mapping[str, Any]) -> Tone:
    """Good news or bad, by the verdict in words."""
    return _ATTACK_TONES.get(entry.get("verdict", ""), "plain")


def badge(side: str, tone: Tone) -> str:
    """The mark in words, so that nothing is told by colour alone."""
    return _BADGES[side][tone]


def place_of(entry: Mapping[str, Any]) -> float | None:
    """Where the number stands on a line from its bad end, 0, to its good end, 1; beyond an end it stands there."""
    way = way_to_good(entry)
    return None if way is None else min(max(way, 0.0), 1.0)


def _ends(entry: Mapping[str, Any]) -> tuple[float, float] | None:
    """The bad and the good end, if there are two and the measure's direction agrees with them."""
    untouched, noise = entry.get("untouched"), entry.get("noise")
    if untouched is None or noise is None or entry["value"] is None or entry["name"] in _UNMARKED:
        return None
    bad, good = (noise, untouched) if entry["side"] == "utility" else (untouched, noise)
    gap = good - bad if entry["better"] == "higher" else bad - good
    return (bad, good) if gap > 1e-9 * max(1.0, abs(good), abs(bad)) else None
