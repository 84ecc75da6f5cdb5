"""One scale for all badges: how much risk or loss a number stands for, in the same words for measures and attacks.

A measure is graded by its place between the untouched table and pure noise, an attack by its excess or, without one, by
its verdict. Sentences say what a number means; only the badge judges it, and the page states the rule. What the
certificate says, or without one how the attacks went, is here too; policies are in `clearance`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hushwood.evaluation.answers import AttackAnswer, AttackVerdict, MeasureAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Direction, Mark, Measure, Side
from hushwood.measures.publishing import percent
from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.reports.wording import Tone

Grade = Literal["none", "small", "open", "idle", "clear", "large", ""]
# Thirds of the way from the bad end to the good one.
GOOD, CARE = 2 / 3, 1 / 3
AT_THE_END = 0.995  # two digits cannot tell it from the good end
# An excess below the first number is small, from the second one on it is large.
SMALL_EXCESS, LARGE_EXCESS = 0.05, 0.2
TONES: Mapping[Grade, Tone] = {
    "none": "good",
    "small": "good",
    "open": "care",
    "idle": "care",
    "clear": "care",
    "large": "bad",
    "": "plain",
}
WORST_FIRST: tuple[Grade, ...] = ("large", "clear", "open", "idle", "small", "none", "")
WORDS: Mapping[Grade, str] = {
    "none": "no {} shown",
    "small": "small {}",
    "open": "{} not ruled out",
    "idle": "says nothing",
    "clear": "clear {}",
    "large": "large {}",
    "": "",
}
NOUNS: Mapping[Side, str] = {"risk": "risk", "utility": "loss"}
RULE = (
    "One scale holds for every badge: none shown, small, clear or large. An attack is graded by how much more often it "
    f"is right about people of the table than about others: small is below {100 * SMALL_EXCESS:.0f} points, large "
    f"{100 * LARGE_EXCESS:.0f} or more, and a risk is not ruled out if the interval includes zero but goes beyond "
    "small. Without such a comparison, its rate is compared with guessing. A measure is graded by its place between "
    "pure noise and the untouched table: in the better third it is small, in the middle clear, in the worse third "
    "large; accuracy begins at what naming the most frequent class gives. Where there was nothing to keep, such as no "
    "rule, a number says nothing. Rules are graded by the verdict on the two trees. Where neither end is good or bad, "
    "as for the sizes of groups, there is no badge."
)
_BY_VERDICT: Mapping[AttackVerdict, Grade] = {
    AttackVerdict.NO_BETTER: "none",
    AttackVerdict.IN_GENERAL: "none",
    AttackVerdict.BETTER: "clear",
    AttackVerdict.MUCH_BETTER: "large",
}
_BY_MARK: Mapping[Mark, Grade] = {"good": "small", "care": "clear", "bad": "large"}


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
    if measure.says_nothing(answer.details) or not measure.marked:
        return None
    floor = measure.floor(answer.details)
    worst = noise if floor is None else floor
    bad, good = (worst, untouched) if measure.side == "utility" else (untouched, noise)
    return place_between(answer.value, bad, good, measure.better)


def grade_at(place: float | None) -> Grade:
    """The grade by the third of the way that a number stands in; at the good end itself there is nothing to show.

    >>> [grade_at(place) for place in (None, 0.2, 0.5, 0.9, 1.0)]
    ['', 'large', 'clear', 'small', 'none']
    """
    if place is None:
        return ""
    if place >= AT_THE_END:
        return "none"
    return "small" if place >= GOOD else "clear" if place >= CARE else "large"


def grade_of_measure(answer: MeasureAnswer) -> Grade:
    """By the measure's own judgement or by the place of its number."""
    if answer.measure.says_nothing(answer.details):
        return "idle"
    own, place = answer.measure.tone(answer.details), place_of(answer)
    by_place = grade_at(place)
    if own is None or (own == "good" and by_place == "none"):
        return by_place
    # A measure of risk only says what its place hides.
    worse = answer.measure.side == "risk" and by_place == "large"
    return by_place if worse else _BY_MARK[own]


def grade_of_excess(value: float, interval: tuple[float, float]) -> Grade:
    """By its size, if all of its interval lies above zero; if not, by how much the interval leaves room for.

    >>> grade_of_excess(0.01, (-0.01, 0.03)), grade_of_excess(0.01, (-0.1, 0.12)), grade_of_excess(0.3, (0.2, 0.4))
    ('none', 'open', 'large')
    """
    low, high = interval
    if low <= 0:
        return "none" if high <= SMALL_EXCESS else "open"
    return "small" if value < SMALL_EXCESS else "clear" if value < LARGE_EXCESS else "large"


def grade_of_attack(answer: AttackAnswer) -> Grade:
    """By the excess or, without one, by the verdict."""
    if answer.excess is not None:
        return grade_of_excess(answer.excess.value, answer.excess.interval)
    return "" if answer.verdict is None else _BY_VERDICT[answer.verdict]


def badge(side: Side, grade: Grade) -> str:
    """The grade in words, so that nothing is said by colour alone.

    >>> badge("risk", "none"), badge("utility", "large"), badge("risk", "open"), badge("risk", "")
    ('no risk shown', 'large loss', 'risk not ruled out', '')
    """
    return WORDS[grade].format(NOUNS[side])


_CHECK = (
    "The released file was read back from disk, and every record was sent through {} again by code that had no part in "
    "changing it."
)
_MADE_UP = (
    "All records are made up: they were drawn from a model of the table, and none stands for one person. Nothing is "
    "promised about rules."
)
_MATCHED = (
    "The released file was read back from disk and sent through the rules of the original: {share} of the released "
    "records can be matched with an original record that takes the same path through {where}."
)
_NO_RULE = (
    "No rule was found in the original, so all {records} records are in one segment and the certificate promises "
    "nothing about rules."
)
_NOT_FOUND_AGAIN = (
    "That is the certificate: the records stayed where the rules of the original had put them. Who has only the "
    "release and looks for rules finds the same rule for {share} of the records."
)
_DRAWN = (
    "All {records} released records lie in a leaf of {where} that was grown on people drawn from the table, as many in "
    "every leaf as were drawn there."
)
_DRAWN_LOOSELY = (
    "All records are made up: their people were drawn from the table, and their values from those of a segment. "
    "Nothing is promised about rules."
)
_ONE_DRAWN = (
    "Segments have to be so large that all {records} records are in one, so the certificate promises nothing about "
    "rules."
)
_FOREIGN = "Nothing was promised about it here, so there is no certificate; it is judged by its values alone."


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A headline, and one sentence on how it was found."""

    tone: Tone
    headline: str
    check: str


def details_of(evaluation: Evaluation, measure: type[Measure]) -> Any:
    """The details of a measure as it declares them; None where it has no answer, or no details."""
    answer = evaluation.measure(measure.name)
    return answer.details or None if answer else None


def made_here(evaluation: Evaluation) -> bool:
    """Whether it is known how the release was made."""
    return bool(evaluation.release.plan)


def made_up(evaluation: Evaluation) -> bool:
    """Whether it is known that no released record stands for one person."""
    certificate = evaluation.release.certificate
    return certificate is not None and not certificate.paired


def drawn(evaluation: Evaluation) -> bool:
    """Whether the people were drawn from the table before anything was learnt."""
    return any(step.row_order == "drawn" for step in evaluation.release.plan)


def certificate_verdict(evaluation: Evaluation) -> Conclusion:
    """The certificate in words; without one, how the attacks went."""
    if not made_here(evaluation):
        return _foreign(evaluation)
    certificate = evaluation.release.certificate
    if certificate is None or not certificate.per_tree:
        return Conclusion(
            "plain", "This release was made without a forest, so it promises nothing about rules.", ""
        )
    records, kept, trees = certificate.records, certificate.kept, len(certificate.per_tree)
    if evaluation.release.segments is not None and evaluation.release.segments.count == 1:
        why = _ONE_DRAWN if drawn(evaluation) else _NO_RULE
        return Conclusion("care", why.format(records=f"{records:,}"), "")
    where = "the tree" if trees == 1 else f"all {trees} trees"
    check = _CHECK.format("the tree" if trees == 1 else "every tree")
    if not certificate.paired:
        if kept == records and certificate.claimed:
            return Conclusion("good", _DRAWN.format(records=f"{records:,}", where=where), check)
        share = f"{kept:,} of {records:,} ({percent(kept / records)})"
        said = _DRAWN_LOOSELY if drawn(evaluation) else _MADE_UP
        return Conclusion("plain", said, _MATCHED.format(share=share, where=where))
    if kept == records and certificate.claimed:
        held = [
            f" The rows of each {name} are together in one segment." for name in certificate.together or ()
        ]
        said = f"All {records:,} records still follow the same rules in {where}.{''.join(held)}"
        return Conclusion("good", said, f"{_found_again(evaluation)}{check}")
    share = f"{kept:,} of {records:,} records ({percent(kept / records)})"
    headline = f"{share} still follow the same rules in {where}."
    if certificate.claimed:
        return Conclusion("care", f"The promise is broken: only {headline}", check)
    return Conclusion("plain", f"{headline} No promise was made.", check)


def law_sentence(evaluation: Evaluation) -> str:
    """What the law of counts predicts for intruders with a list; empty where no segment releases its counts."""
    law = evaluation.release.law
    if law is None:
        return ""
    everything = law.all_but_one > 0.995
    rest = "learns everything" if everything else f"{100 * law.all_but_one:.0f} points"
    return (
        f"The counts of a segment of {law.people:,.0f} records are expected to give an intruder with a list of "
        f"candidates, a third of whom are not in the table, an advantage of {100 * law.listed:.0f} points; one who "
        f"knows everybody else {'' if everything else 'has '}{rest}."
    )


def attack_sentence(evaluation: Evaluation) -> str:
    """How many of the attacks learn something about people of the table; empty if none was tried."""
    grades = [grade_of_attack(answer) for answer in evaluation.tried]
    if not grades:
        return ""
    one, many = len(grades) == 1, f"the {len(grades)} attacks that were tried"
    much, undecided = grades.count("large"), grades.count("open")
    better = grades.count("small") + grades.count("clear") + much
    who = "The attack that was tried" if one else f"{better or 'None'} of {many}"
    learns = ("does not learn" if one else "learns") if not better else "learns" if better == 1 else "learn"
    more = "much more" if better and much == better else "more"
    some = f", and {much} much more" if 0 < much < better else ""
    undone = f" For {'it' if one else f'{undecided} of them'} this cannot be ruled out." if undecided else ""
    return f"{who} {learns} {more} about people of the table than guessing{some}.{undone}"


def _found_again(evaluation: Evaluation) -> str:
    """How the certificate goes with rules that are found again for a part of the records only."""
    found = evaluation.measure(RuleTypes.name)
    if found is None or found.value is None or found.value >= 1 or found.measure.says_nothing(found.details):
        return ""
    return _NOT_FOUND_AGAIN.format(share=percent(found.value)) + " "


def _foreign(evaluation: Evaluation) -> Conclusion:
    known = bool(evaluation.release.about.technique)
    maker = "A release judged without its private part." if known else "A release that was not made here."
    said = attack_sentence(evaluation)
    if not said:
        return Conclusion("plain", f"{maker} No attack was tried.", _FOREIGN)
    tones: set[Tone] = {TONES[grade_of_attack(answer)] for answer in evaluation.tried}
    tone: Tone = "bad" if "bad" in tones else "care" if "care" in tones else "good"
    return Conclusion(tone, f"{maker} {said}", _FOREIGN)
