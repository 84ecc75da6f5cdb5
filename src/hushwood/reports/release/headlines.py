"""The few numbers that come first: what miners keep, and what an intruder learns; and every attack as a row of text.

A row says who knows what, how often the attack succeeded, and what to compare that with. What is left for analysts is
said in a sentence: no policy has limits for it, and a release that keeps nothing is safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.measures.publishing import percent
from hushwood.reports.release.findings import measure_finding, standing_out
from hushwood.reports.release.judgement import TONES, WORDS, WORST_FIRST, Conclusion, badge, grade_of_attack
from hushwood.reports.wording import FEW, Tone, points, share_or_dash

MOST = 5
IDLE = WORDS["idle"]
_LOST = {"bad": "Large loss for analysts.", "care": "Clear loss for analysts."}
_GOOD = "No large loss for analysts was shown."
_PARTLY = "What can be judged shows no large loss for analysts, but part of it says nothing."
_COLUMNS_NAMED = 8
_OVER = {"control": "over people who were never in the table", "chance": "over chance"}


@dataclass(frozen=True, slots=True)
class Headline:
    """A number with its name, its mark, and what to compare it with."""

    title: str
    answer: str
    compares: str
    tone: Tone
    badge: str


def miners_headlines(evaluation: Evaluation, full: Evaluation | None = None) -> list[Headline]:
    """What miners keep, in at most five numbers."""
    said: dict[str, Headline] = {}
    for item in _measures(evaluation, full or evaluation, "utility"):
        # Several numbers may say nothing for one reason, such as that no rule was found.
        said.setdefault(item.compares if item.badge == IDLE else item.title, item)
    return list(islice(said.values(), MOST))


def intruder_headlines(evaluation: Evaluation, full: Evaluation | None = None) -> list[Headline]:
    """What an intruder learns, in at most five numbers; two places are kept for measures."""
    attacks = list(islice(_attacks(evaluation, full or evaluation), MOST - 2))
    measures = _measures(evaluation, full or evaluation, "risk")
    found = [*attacks, *islice(measures, MOST - len(attacks))]
    found_there = standing_out(evaluation.release, evaluation.audit.people)
    counted = (Headline(f.title, f.answer, "", f.tone, f.badge) for f in found_there)
    return [*found, *islice(counted, max(0, 3 - len(found)))]


def _measures(evaluation: Evaluation, full: Evaluation, side: Side) -> Iterator[Headline]:
    pairs = zip(evaluation.answered(side), full.answered(side), strict=True)
    placed = [(m.measure.headline, m, judged) for m, judged in pairs if m.measure.headline is not None]
    for _, answer, judged in sorted(placed, key=lambda entry: entry[0]):
        card = measure_finding(answer, judged)
        remarks = answer.measure.headline_remarks(answer.details)
        compares = card.meaning if card.badge == IDLE else f"{card.compares} {remarks}".strip()
        yield Headline(card.title, card.answer, compares, card.tone, card.badge)


def _attacks(evaluation: Evaluation, full: Evaluation) -> Iterator[Headline]:
    """The strongest attack of every family, as attacks of one family look for the same thing; the worst news first.

    It is chosen by the full evaluation: a number that is withheld must not give its place to a milder one.
    """
    families: dict[str, list[tuple[AttackAnswer, AttackAnswer]]] = {}
    for pair in zip(evaluation.tried, full.tried, strict=True):
        if pair[0].attack.headline is not None:
            families.setdefault(pair[0].attack.family, []).append(pair)
    strongest = [pairs[strongest_place([judged for _, judged in pairs])] for pairs in families.values()]
    strongest.sort(
        key=lambda pair: (WORST_FIRST.index(grade_of_attack(pair[1])), pair[1].attack.headline or 0)
    )
    for shown, judged in strongest:
        row = attack_row(shown, judged)
        yield Headline(row.title, row.first, _compared(row, shown), row.tone, row.badge)


def _compared(row: AttackRow, answer: AttackAnswer) -> str:
    """What the number is over, then the raw rate and what to compare it with."""
    if answer.excess is None:
        control = "" if answer.control is None else f", people who were never in the table {row.control}"
        return f"A naive guesser has {row.naive}{control}.{_untouched(answer)}"
    untouched = "" if answer.untouched is None else f", untouched {row.untouched}"
    return f"{row.over} (right: {row.success}, guessing {row.naive}{untouched})"


def _untouched(answer: AttackAnswer) -> str:
    if answer.untouched is None:
        return ""
    noise = "" if answer.noise is None else f", in pure noise {percent(answer.noise)}"
    return f" In the untouched table it is {percent(answer.untouched)}{noise}."


def use_verdict(kept: Sequence[Headline]) -> Conclusion | None:
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
        return Conclusion(lost[0].tone, f"{_LOST[lost[0].tone]} {named}.", why)
    return Conclusion("care", _PARTLY, why) if idle else Conclusion("good", _GOOD, "")


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
