"""Limits for a release: it fails "linkage>0.05" if linkage succeeds more often than that."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.registry import MEASURES

_LIMIT = re.compile(r"\s*([a-z_]+)\s*(<=|>=|<|>)\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(%?)\s*", re.IGNORECASE)
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class Limit:
    """The release fails if the number of this name and the limit compare in this way."""

    name: str
    comparison: str
    number: float

    def __str__(self) -> str:
        return f"{self.name}{self.comparison}{self.number:g}"


def limit_from_text(text: str) -> Limit:
    """Read a limit.

    >>> limit_from_text("linkage > 5%")
    Limit(name='linkage', comparison='>', number=0.05)
    """
    found = _LIMIT.fullmatch(text)
    try:
        name, comparison, number, percent = found.groups() if found else ("", "", "?", "")
        value = float(number) / (100 if percent else 1)
    except ValueError:
        raise InputError(
            f'A limit is a name, a comparison and a number, such as "linkage>0.05"; {text!r} was given.'
        ) from None
    if name not in MEASURES and name not in ATTACKS:
        raise unknown_name("measure or attack", name, (*MEASURES, *ATTACKS))
    return Limit(name, comparison, value)


def passed_limits(evaluation: Evaluation, limits: Sequence[Limit]) -> list[str]:
    """A sentence for every limit that the release exceeds, or that could not be checked."""
    sentences = []
    for limit in limits:
        numbers, reason = _numbers(evaluation, limit.name)
        fails = [n for n in numbers if _COMPARISONS[limit.comparison](n, limit.number)]
        if not numbers:
            sentences.append(f"{limit} could not be checked: {reason}")
        elif fails:
            worst = (max if limit.comparison.startswith(">") else min)(fails)
            sentences.append(f"{limit.name} is {worst:.4g}, which the limit {limit} does not allow.")
    return sentences


def _numbers(evaluation: Evaluation, name: str) -> tuple[list[float], str]:
    """All values of a measure or successes of an attack, and the reason if there are none."""
    answers = evaluation.named(name)
    reasons = [answer.reason for answer in answers if answer.reason is not None]
    numbers = [answer.value for answer in answers if answer.value is not None]
    return numbers, reasons[0] if reasons else "it was not computed."
