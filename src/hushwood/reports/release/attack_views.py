"""The attacks as rows of text: who knows what, how often the attack succeeded, and what to compare that with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.evaluation.answers import AttackAnswer
from hushwood.measures.publishing.number_words import percent
from hushwood.reports.release.judgement import tone_of_attack
from hushwood.reports.words.wording import FEW, Tone, share_or_dash

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

    @property
    def label(self) -> str:
        """The attack and its scenario, for a line of a chart or table."""
        return f"{self.title}: {self.scenario}"


def attack_row(answer: AttackAnswer) -> AttackRow:
    """An attack that was tried, in words."""
    return AttackRow(
        answer.attack.title,
        answer.scenario.name if answer.scenario else "",
        answer.attack.question,
        _who(answer),
        f"{FEW} attempts" if answer.success is None else percent(answer.success),
        interval_text(answer.interval),
        percent(answer.naive),
        share_or_dash(answer.control),
        share_or_dash(answer.untouched),
        share_or_dash(answer.noise),
        str(answer.verdict or ""),
        tone_of_attack(answer),
    )


def interval_text(interval: Sequence[float] | None) -> str:
    """An interval of shares.

    >>> interval_text([0.01, 0.025]), interval_text(None)
    ('1 – 2.5\\xa0%', '–')
    """
    if interval is None:
        return "–"
    low, high = (f"{100 * end:.1f}".removesuffix(".0") for end in interval)
    return f"{low} – {high}\N{NO-BREAK SPACE}%"


def _who(answer: AttackAnswer) -> str:
    """The scenario's sentence, the known attributes by name where they are few, and what the attack says itself."""
    if answer.scenario is None:
        return ""
    parts = [answer.scenario.says]
    if answer.scenario.knows:
        parts.append(f"Known: {_named(answer.scenario.knows)}.")
    if answer.scenario.other:
        parts.append(f"In the other source: {_named(answer.scenario.other)}.")
    parts.append(answer.attack.remarks(answer.details))
    return " ".join(part for part in parts if part)


def _named(names: Sequence[str]) -> str:
    if len(names) <= _COLUMNS_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: _COLUMNS_NAMED - 1])} and {len(names) - _COLUMNS_NAMED + 1} more"
