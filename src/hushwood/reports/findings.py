"""What counting in a release answers: each number with its question, meaning, good direction and comparison.

Numbers are put into words by `wording`, measures become cards in `measure_findings`; pages and the terminal only
arrange what is said there and here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.evaluation.release_facts import SMALL
from hushwood.reports.measure_words import MEASURES
from hushwood.reports.wording import FEW, Tone, count, measure, part_of, things


@dataclass(frozen=True, slots=True)
class Finding:
    """One number of the report, with all a reader needs to judge it.

    `badge` is the tone in words; `place` is where the number stands on a line between two ends, from 0 to 1, and
    `ends` are their labels.
    """

    name: str
    question: str
    answer: str
    meaning: str
    good_way: str
    compares: str
    tone: Tone = "plain"
    title: str = ""
    badge: str = ""
    place: float | None = None
    ends: tuple[str, str] = ("", "")


def standing_out(document: Mapping[str, Any]) -> list[Finding]:
    """Who might still stand out, as far as that can be counted for this release."""
    release = document["release"]
    found = []
    if release["segments"] is not None:
        found += [_alone(release), _small_segments(release)]
    if release["rare_categories"] is not None:
        found.append(_rare(release))
    if release["unique_extremes"] is not None:
        found.append(_extremes(release))
    return found


def class_finding(document: Mapping[str, Any]) -> Finding | None:
    """Whether as many classes moved as shuffling within segments should move."""
    found = measure(document, "changed_classes")
    if found is None:
        return None
    details = found["details"]
    usual, around = FEW, ""
    if details["expected"] is not None:
        expected = float(details["expected"])
        low, high = usual_changes(expected, details)
        usual = f"about {count(expected) if expected >= SMALL else f'{expected:.1f}'}"
        around = f", and in 19 of 20 releases between {low:,.0f} and {high:,.0f}"
    whole = details.get("within") == "whole table"
    shuffled = "Shuffling the whole column" if whole else "Shuffling within these segments"
    return Finding(
        "changed_classes",
        "How many records carry another class now?",
        part_of(details["changed"], details["records"]),
        MEASURES["changed_classes"].meaning,
        "Close to the expected number is right: more would blur the rules, fewer would give people away.",
        f"{shuffled} changes {usual} on average{around}; the untouched table has none.",
        title=MEASURES["changed_classes"].title,
    )


def usual_changes(expected: float, details: Mapping[str, Any]) -> tuple[float, float]:
    """Between which numbers of changed classes 19 of 20 shuffles end, given the mean."""
    spread = 2 * details["deviation"]
    return max(0.0, expected - spread), min(float(details["records"]), expected + spread)


def _out_of(number: int | None, total: int | None) -> str:
    return count(number) if total is None else f"{count(number)} of {count(total)}"


def _alone(release: Mapping[str, Any]) -> Finding:
    alone, records = release["segments"]["alone"], release["records"]
    return Finding(
        "alone",
        "How many records are alone in their segment?",
        part_of(alone, records),
        "A segment is a group of records that follow the same rules in every tree. "
        "A record alone in its segment has nobody to swap categories or class with.",
        "Lower is better; none is best.",
        "With a single segment for the whole table nobody would be alone, but no rule would be kept. "
        "Fewer trees or a larger minimum leaf make larger segments.",
        "care" if alone is None or alone else "good",
        title="Alone in their segment",
    )


def _small_segments(release: Mapping[str, Any]) -> Finding:
    segments, records = release["segments"], release["records"]
    small, median = segments["small"], count(segments["median"])
    return Finding(
        "small_segments",
        f"How many records share their segment with fewer than {small - 1} others?",
        part_of(segments["below_small"], records),
        f"In a segment of fewer than {small} records there are few others to be mistaken for.",
        "Lower is better.",
        f"Half of all {things(segments['count'], 'segment')} hold {median} records or fewer.",
        "care" if segments["below_small"] is None or segments["below_small"] else "good",
        title=f"In segments of fewer than {small}",
    )


def _rare(release: Mapping[str, Any]) -> Finding:
    rare = release["rare_categories"]
    if rare["count"] == 0:
        answer, compares = (
            "none",
            f"No category has {FEW} records, so there is none to give anyone away.",
        )
    else:
        answer = _out_of(rare["unchanged"], rare["records"])
        compares = (
            f"The table has {things(rare['count'], 'rare category', 'rare categories')}; "
            "untouched, all of these records would keep theirs."
        )
    return Finding(
        "rare_categories",
        "How many records kept a rare category?",
        answer,
        f"A category that {FEW} records have points at a handful of people. "
        "What counts here is whether it still sits on the record it came from.",
        "Lower is better.",
        compares,
        "care" if rare["unchanged"] is None or rare["unchanged"] else "good",
        title="Kept a rare category",
    )


def _extremes(release: Mapping[str, Any]) -> Finding:
    extremes = release["unique_extremes"]
    if extremes["count"] == 0:
        answer, compares = "none", "Every lowest and highest value is shared by several records."
    else:
        answer = _out_of(extremes["unchanged"], extremes["count"])
        compares = "In the untouched table all of them are."
    return Finding(
        "unique_extremes",
        "How many lowest or highest values that only one record had are still on that record?",
        answer,
        "The oldest person or the highest income is easily recognised by somebody who knows of it.",
        "Lower is better; none is best.",
        compares,
        "care" if extremes["unchanged"] is None or extremes["unchanged"] else "good",
        title="Kept a unique extreme",
    )
