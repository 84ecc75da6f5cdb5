"""When a number is good news: by its place between the untouched table and pure noise, or by its attack's verdict.

One rule holds for all measures, and the page states it.
"""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer, Verdict
from hushwood.measures.protocol import Direction, Side
from hushwood.reports.words.wording import Tone

# Thirds of the way from the bad end to the good one.
GOOD, CARE = 2 / 3, 1 / 3
RULE = (
    "A number is marked by its place between pure noise and the untouched table: in the better third, the middle or "
    "the worse third. For analysts the untouched table is the good end, for the people in the table pure noise is. "
    "Rules are marked by the verdict on the two trees, attacks by whether their whole interval lies above the naive "
    "guesser. Where neither end is good or bad, as for the sizes of groups, nothing is marked."
)
_BADGES: Mapping[Side, Mapping[Tone, str]] = {
    "utility": {"good": "kept", "care": "partly kept", "bad": "mostly lost", "plain": ""},
    "risk": {"good": "hidden", "care": "partly hidden", "bad": "exposed", "plain": ""},
}
_ATTACK_TONES: Mapping[Verdict, Tone] = {
    Verdict.NO_BETTER: "good",
    Verdict.IN_GENERAL: "good",
    Verdict.BETTER: "care",
    Verdict.MUCH_BETTER: "bad",
}


def place_between(
    value: float | None, bad: float | None, good: float | None, better: Direction
) -> float | None:
    """Where a number stands on a line from its bad end, 0, to its good end, 1; beyond an end it stands there.

    None where an end is not known, or where both ends are the same or the wrong way round: then the number says
    nothing between the two.
    """
    if value is None or bad is None or good is None:
        return None
    gap = good - bad if better == "higher" else bad - good
    if gap <= 1e-9 * max(1.0, abs(good), abs(bad)):
        return None
    return min(max((value - bad) / (good - bad), 0.0), 1.0)


def place_of(answer: MeasureAnswer) -> float | None:
    """Where a measure's number stands between its two ends, if it is to be marked."""
    measure, untouched, noise = answer.measure, answer.untouched, answer.noise
    bad, good = (noise, untouched) if measure.side == "utility" else (untouched, noise)
    return place_between(answer.value, bad, good, measure.better) if measure.marked else None


def tone_at(place: float | None) -> Tone:
    """Good news or bad, by the third of the way that a number stands in."""
    if place is None:
        return "plain"
    return "good" if place >= GOOD else "care" if place >= CARE else "bad"


def tone_of_measure(answer: MeasureAnswer) -> Tone:
    """Good news or bad, by the measure's own judgement or by the place of its number."""
    return answer.measure.tone(answer.details) or tone_at(place_of(answer))


def tone_of_attack(answer: AttackAnswer) -> Tone:
    """Good news or bad, by the verdict."""
    return "plain" if answer.verdict is None else _ATTACK_TONES[answer.verdict]


def badge(side: Side, tone: Tone) -> str:
    """The mark in words, so that nothing is said by colour alone."""
    return _BADGES[side][tone]
