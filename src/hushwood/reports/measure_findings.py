"""Every measure as a card: question, answer, meaning, good direction, and what the two extremes score.

Counts of the release itself have their own findings in `findings`; attacks are in `attack_views`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.reports.findings import Finding
from hushwood.reports.judgement import badge, place_of, tone_of_measure
from hushwood.reports.measure_words import words_of
from hushwood.reports.wording import Unit, amount, percent

# The class has a section of its own.
_ELSEWHERE = frozenset({"changed_classes"})
_ENDS = {"utility": ("pure noise", "untouched table"), "risk": ("untouched table", "pure noise")}
_LIKELIHOODS = {
    "laws": "It follows from the exact law of the noise.",
    "fitted": "As the law of the noise is not known here, one was fitted to the two tables.",
}
_WAYS = {"higher": "Higher is better.", "lower": "Lower is better."}


@dataclass(frozen=True, slots=True)
class NotAnswered:
    """A question that has no answer for this release, and why."""

    title: str
    question: str
    reason: str


def measure_findings(document: Mapping[str, Any], side: str) -> list[Finding]:
    """The measures of one side that have a number."""
    return [
        measure_finding(entry)
        for entry in document["measures"]
        if entry.get("side") == side and "value" in entry and entry["name"] not in _ELSEWHERE
    ]


def not_answered(document: Mapping[str, Any], side: str) -> list[NotAnswered]:
    """The measures of one side that have no number, with their reasons."""
    return [
        NotAnswered(words_of(entry).title, entry["question"], entry["not_computable"])
        for entry in document["measures"]
        if entry.get("side") == side and "not_computable" in entry
    ]


def measure_finding(entry: Mapping[str, Any]) -> Finding:
    """One measure as a card."""
    words = words_of(entry)
    tone = tone_of_measure(entry)
    return Finding(
        entry["name"],
        entry["question"],
        amount(entry["value"], words.unit),
        f"{words.meaning.format(like=_like(entry['value']))}{_beyond(entry['details'])}",
        _WAYS[entry["better"]],
        compared(entry, words.unit),
        tone,
        title=words.title,
        badge=badge(entry["side"], tone),
        place=place_of(entry),
        ends=_ENDS[entry["side"]],
    )


def compared(entry: Mapping[str, Any], unit: Unit) -> str:
    """What the untouched table and pure noise score, as a sentence.

    >>> compared({"untouched": 1.0, "noise": 0.25}, "share")
    'The untouched table scores 100\\xa0%, pure noise 25\\xa0%.'
    """
    untouched, noise = entry.get("untouched"), entry.get("noise")
    if untouched is None:
        return "" if noise is None else f"Pure noise scores {amount(noise, unit)}."
    beside = "" if noise is None else f", pure noise {amount(noise, unit)}"
    return f"The untouched table scores {amount(untouched, unit)}{beside}."


def other_limits(details: Mapping[str, Any]) -> str:
    """Of the rule types: how many records follow a rule that is the same but for its numeric limits."""
    share = details.get("shares", {}).get("B")
    return (
        ""
        if share is None
        else f" Rules that differ only in their numeric limits cover another {percent(share)}."
    )


def _beyond(details: Mapping[str, Any]) -> str:
    """What a card adds from the details: nearly equal rules, ranks by likeness, thresholds, where numbers come from."""
    said, partner = other_limits(details), details.get("partner")
    if partner and partner.get("median_rank") is not None:
        said += (
            f" Sorted by likeness, a person's own row typically stands at place {partner['median_rank']:,.0f}; in a "
            f"blind order that would be {partner['blind_rank']:,.0f}."
        )
    if "below_threshold" in details:
        share, allowed = percent(details["below_threshold"]), percent(details["allowed_share"])
        secure = "is" if details["secure"] else "is not"
        said += (
            f" Below {details['threshold_bits']:.2f} bits are {share} of the records; up to {allowed} a release is "
            f"called secure, so this one {secure}."
        )
    if "likelihood" in details:
        said += f" {_LIKELIHOODS[details['likelihood']]}"
    if details.get("estimated"):
        low, high = details["interval"]
        said += f" Estimated from {details['targets']:,} records: between {low:.2f} and {high:.2f} bits."
    return said


def _like(bits: float | None) -> str:
    """How many equally likely things are as uncertain.

    >>> _like(3.0), _like(0.5), _like(None)
    ('8', '1.4', 'a few')
    """
    if bits is None or not 0 <= bits < 60:
        return "a few"
    number = 2.0**bits
    return f"{number:,.0f}" if number >= 10 or number.is_integer() else f"{number:.1f}"
