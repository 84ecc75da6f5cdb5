"""The few numbers that come first: what miners keep, and what an intruder learns.

All numbers follow further down the page; here are those that most readers ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hushwood.reports.attack_views import attempted, strongest, success_text
from hushwood.reports.findings import standing_out
from hushwood.reports.judgement import tone_of_attack
from hushwood.reports.measure_findings import measure_finding, other_limits
from hushwood.reports.measure_words import attack_title, words_of
from hushwood.reports.wording import Tone, measure, percent

MOST = 5
_MINERS = (
    "rule_types",
    "prediction_accuracy",
    "eduds",
    "correlations",
    "distribution_distances",
    "edusc",
    "clustering",
)
# Attacks that look for the same thing count as one; the strongest speaks for them.
_ATTACKS = (
    ("linkage", "assignment_linkage", "probabilistic_linkage", "outlier_linkage"),
    ("attribute_inference",),
    ("singling_out",),
    ("membership",),
    ("linkability",),
)
_RISKS = ("reidentification_entropy", "unchanged_cells", "class_entropy", "k_anonymity", "sers")


@dataclass(frozen=True, slots=True)
class Headline:
    """A number with its name, its mark, and what to see it beside."""

    title: str
    answer: str
    beside: str
    tone: Tone
    badge: str


def miners_headlines(document: Mapping[str, Any]) -> list[Headline]:
    """What miners keep, in at most five numbers."""
    return list(islice(_measures(document, _MINERS), MOST))


def intruder_headlines(document: Mapping[str, Any]) -> list[Headline]:
    """What an intruder learns, in at most five numbers; two places are left for measures."""
    attacks = list(islice(_attacks(document), MOST - 2))
    found = [*attacks, *islice(_measures(document, _RISKS), MOST - len(attacks))]
    counted = (Headline(f.title, f.answer, "", f.tone, "") for f in standing_out(document))
    return [*found, *islice(counted, max(0, 3 - len(found)))]


def _measures(document: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Headline]:
    for name in names:
        entry = measure(document, name)
        if entry is not None:
            card = measure_finding(entry)
            beside = f"{card.compares}{other_limits(entry['details'])}"
            yield Headline(words_of(entry).title, card.answer, beside, card.tone, card.badge)


def _attacks(document: Mapping[str, Any]) -> Iterator[Headline]:
    for names in _ATTACKS:
        entry = strongest([e for e in attempted(document) if e["name"] in names])
        if entry is not None:
            yield Headline(
                attack_title(entry["name"]),
                success_text(entry),
                f"A naive guesser has {percent(entry['naive'])}.{_untouched(entry)}",
                tone_of_attack(entry),
                entry["verdict"],
            )


def _untouched(entry: Mapping[str, Any]) -> str:
    share, noise = entry["untouched"], entry["noise"]
    if share is None:
        return ""
    beside = "" if noise is None else f", in pure noise {percent(noise)}"
    return f" In the untouched table it is {percent(share)}{beside}."
