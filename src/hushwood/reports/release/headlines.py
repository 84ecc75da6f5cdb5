"""The few numbers that come first: what miners keep, and what an intruder learns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.measures.publishing import percent
from hushwood.reports.release.attack_views import AttackRow, attack_row, strongest_place
from hushwood.reports.release.findings import measure_finding
from hushwood.reports.release.judgement import WORDS, WORST_FIRST, grade_of_attack
from hushwood.reports.release.standing_out import standing_out
from hushwood.reports.words.wording import Tone

MOST = 5
IDLE = WORDS["idle"]


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
    for shown, judged in sorted(strongest, key=lambda pair: _urgency(pair[1])):
        row = attack_row(shown, judged)
        yield Headline(row.title, row.first, _compared(row, shown), row.tone, row.badge)


def _urgency(answer: AttackAnswer) -> tuple[int, int]:
    return WORST_FIRST.index(grade_of_attack(answer)), answer.attack.headline or 0


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
