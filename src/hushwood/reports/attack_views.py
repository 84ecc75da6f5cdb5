"""The attacks as rows of text: who knows what, how often it worked, and beside what that must be seen.

The chart of the same numbers is in `attack_chart`; what the rates mean was decided when the attack was scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.attacks.estimates import gain_over
from hushwood.reports.judgement import tone_of_attack
from hushwood.reports.measure_findings import NotAnswered
from hushwood.reports.measure_words import attack_title
from hushwood.reports.wording import FEW, Tone, percent, share_or_dash

_COLUMNS_NAMED = 8


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack in one scenario, in words."""

    title: str
    scenario: str
    question: str
    who: str
    success: str
    interval: str
    naive: str
    control: str
    untouched: str
    noise: str
    verdict: str
    tone: Tone


def attempted(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The attacks that could be tried, one entry per scenario."""
    return [entry for entry in document["attacks"] if "verdict" in entry]


def attack_rows(document: Mapping[str, Any]) -> list[AttackRow]:
    """All attempts in the order of the document."""
    return [_row(entry) for entry in attempted(document)]


def not_attempted(document: Mapping[str, Any]) -> list[NotAnswered]:
    """The attacks that could not be tried, with their reasons."""
    return [
        NotAnswered(attack_title(entry["name"]), entry["question"], entry["not_computable"])
        for entry in document["attacks"]
        if "not_computable" in entry
    ]


def strongest(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The attempt that came farthest from guessing to certainty."""
    return max(
        entries, key=lambda entry: (gain_over(entry["naive"], success(entry)), success(entry)), default=None
    )


def success(entry: Mapping[str, Any]) -> float:
    """The share of tries that worked; a withheld one stands for a few."""
    found = entry["success"]
    return float(entry["naive"] if found is None else found)


def success_text(entry: Mapping[str, Any]) -> str:
    """The share of tries that worked, in words."""
    return f"{FEW} tries" if entry["success"] is None else percent(entry["success"])


def interval_text(interval: Sequence[float] | None) -> str:
    """An interval of shares.

    >>> interval_text([0.01, 0.025]), interval_text(None)
    ('1 – 2.5\\xa0%', '–')
    """
    if interval is None:
        return "–"
    low, high = (f"{100 * end:.1f}".removesuffix(".0") for end in interval)
    return f"{low} – {high}\N{NO-BREAK SPACE}%"


def label_of(entry: Mapping[str, Any]) -> str:
    """The attack and its scenario, for a line of a chart or table."""
    return f"{attack_title(entry['name'])}: {entry['scenario']}"


def _row(entry: Mapping[str, Any]) -> AttackRow:
    return AttackRow(
        attack_title(entry["name"]),
        entry["scenario"],
        entry["question"],
        _who(entry),
        success_text(entry),
        interval_text(entry["interval"]),
        percent(entry["naive"]),
        share_or_dash(entry["control"]),
        share_or_dash(entry["untouched"]),
        share_or_dash(entry["noise"]),
        entry["verdict"],
        tone_of_attack(entry),
    )


def _who(entry: Mapping[str, Any]) -> str:
    """The scenario's sentence, and the known attributes by name where they are few."""
    parts = [entry["says"]]
    if entry["knows"]:
        parts.append(f"Known: {_named(entry['knows'])}.")
    if entry["other"]:
        parts.append(f"In the other source: {_named(entry['other'])}.")
    return " ".join(parts)


def _named(names: Sequence[str]) -> str:
    if len(names) <= _COLUMNS_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: _COLUMNS_NAMED - 1])} and {len(names) - _COLUMNS_NAMED + 1} more"
