"""The attacks as rows of text: who knows what, how often the attack succeeded, and what to compare that with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.evaluation.answers import AttackAnswer
from hushwood.measures.publishing import percent
from hushwood.reports.release.judgement import TONES, badge, grade_of_attack
from hushwood.reports.words.wording import FEW, Tone, points, share_or_dash

_COLUMNS_NAMED = 8
_OVER = {"control": "over people who were never in the table", "chance": "over chance"}


@dataclass(frozen=True, slots=True)
class AttackRow:
    """One attack in one scenario, in words.

    `first` is the number to read first, with what it is `over`: the excess in points or, where none is known, the
    success. `within` is the interval of that number. There is a verdict only where the badge follows it.
    """

    title: str
    scenario: str
    question: str
    who: str
    first: str
    over: str
    within: str
    success: str
    interval: str
    naive: str
    control: str
    untouched: str
    noise: str
    verdict: str
    tone: Tone
    badge: str

    @property
    def label(self) -> str:
        """The attack and its scenario, for a line of a chart or table."""
        return f"{self.title}: {self.scenario}"


def attack_row(answer: AttackAnswer, judged: AttackAnswer | None = None) -> AttackRow:
    """An attack that was tried, in words; `judged` is the answer before numbers were withheld from it."""
    grade = grade_of_attack(judged or answer)
    success = f"{FEW} attempts" if answer.success is None else percent(answer.success)
    first, over, within = _first(answer, success)
    return AttackRow(
        answer.attack.title,
        answer.scenario.name if answer.scenario else "",
        answer.attack.question,
        _who(answer),
        first,
        over,
        within,
        success,
        interval_text(answer.interval),
        percent(answer.naive),
        share_or_dash(answer.control),
        share_or_dash(answer.untouched),
        share_or_dash(answer.noise),
        str(answer.verdict or "") if answer.excess is None else "",
        TONES[grade],
        badge("risk", grade),
    )


def strongest_place(answers: Sequence[AttackAnswer]) -> int:
    """Which attack comes furthest: by its excess or, if one has none, by its success over guessing."""
    excesses = [answer.excess for answer in answers]
    values = [excess.value for excess in excesses if excess is not None]
    if len(values) == len(answers):
        return values.index(max(values))
    return max(range(len(answers)), key=lambda place: answers[place].strength)


def _first(answer: AttackAnswer, success: str) -> tuple[str, str, str]:
    found = answer.excess
    if found is None:
        return success, f"guessing: {percent(answer.naive)}", interval_text(answer.interval)
    low, high = (points(end, unit="") for end in found.interval)
    return (
        points(found.value),
        _OVER[found.over],
        f"{low} to {points(found.interval[1])}" if low != high else "",
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
