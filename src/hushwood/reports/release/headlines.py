"""The few numbers that come first: what miners keep, and what an intruder learns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.protocol import Side
from hushwood.measures.publishing.number_words import percent
from hushwood.reports.release.attack_views import attack_row
from hushwood.reports.release.findings import measure_finding
from hushwood.reports.release.standing_out import standing_out
from hushwood.reports.words.wording import Tone

MOST = 5


@dataclass(frozen=True, slots=True)
class Headline:
    """A number with its name, its mark, and what to compare it with."""

    title: str
    answer: str
    compares: str
    tone: Tone
    badge: str


def miners_headlines(evaluation: Evaluation) -> list[Headline]:
    """What miners keep, in at most five numbers."""
    return list(islice(_measures(evaluation, "utility"), MOST))


def intruder_headlines(evaluation: Evaluation) -> list[Headline]:
    """What an intruder learns, in at most five numbers; two places are kept for measures."""
    attacks = list(islice(_attacks(evaluation), MOST - 2))
    found = [*attacks, *islice(_measures(evaluation, "risk"), MOST - len(attacks))]
    counted = (Headline(f.title, f.answer, "", f.tone, "") for f in standing_out(evaluation.release))
    return [*found, *islice(counted, max(0, 3 - len(found)))]


def _measures(evaluation: Evaluation, side: Side) -> Iterator[Headline]:
    placed = [(m.measure.headline, m) for m in evaluation.answered(side) if m.measure.headline is not None]
    for _, answer in sorted(placed, key=lambda pair: pair[0]):
        card = measure_finding(answer)
        remarks = answer.measure.headline_remarks(answer.details)
        yield Headline(card.title, card.answer, f"{card.compares} {remarks}".strip(), card.tone, card.badge)


def _attacks(evaluation: Evaluation) -> Iterator[Headline]:
    """The strongest attack of every family, as attacks of one family look for the same thing."""
    families: dict[str, list[AttackAnswer]] = {}
    for answer in evaluation.tried:
        if answer.attack.headline is not None:
            families.setdefault(answer.attack.family, []).append(answer)
    for answers in sorted(families.values(), key=lambda answers: answers[0].attack.headline or 0):
        strongest = max(answers, key=lambda answer: answer.strength)
        row = attack_row(strongest)
        compares = f"A naive guesser has {row.naive}.{_untouched(strongest)}"
        yield Headline(row.title, row.success, compares, row.tone, row.verdict)


def _untouched(answer: AttackAnswer) -> str:
    if answer.untouched is None:
        return ""
    noise = "" if answer.noise is None else f", in pure noise {percent(answer.noise)}"
    return f" In the untouched table it is {percent(answer.untouched)}{noise}."
