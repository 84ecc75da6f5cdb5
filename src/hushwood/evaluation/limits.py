"""Limits that a release must keep: "linkage>0.05" means that it fails if linkage succeeds more often.

The numbers are those of the evaluation document.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.measures.registry import MEASURES

_LIMIT = re.compile(r"\s*([a-z_]+)\s*(<=|>=|<|>)\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(%?)\s*", re.IGNORECASE)
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


@dataclass(frozen=True, slots=True)
class Limit:
    """The release fails if the number of this name compares so with the limit."""

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


def passed_limits(document: Mapping[str, Any], limits: Sequence[Limit]) -> list[str]:
    """A sentence for every limit that the release does not keep; what could not be found out is not kept."""
    sentences = []
    for limit in limits:
        numbers, reason = _numbers(document, limit.name)
        fails = [n for n in numbers if _COMPARISONS[limit.comparison](n, limit.number)]
        if not numbers:
            sentences.append(f"{limit} could not be checked: {reason}")
        elif fails:
            worst = (max if limit.comparison.startswith(">") else min)(fails)
            sentences.append(f"{limit.name} is {worst:.4g}, which the limit {limit} does not allow.")
    return sentences


def entries_named(document: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A document's entries for a measure, or for an attack in all its scenarios."""
    return [entry for entry in (*document["measures"], *document["attacks"]) if entry["name"] == name]


def number_of(entry: Mapping[str, Any]) -> float:
    """The value of a measure or the success of an attack; the entry must have one."""
    return float(entry["value"] if "value" in entry else entry["success"])


def _numbers(document: Mapping[str, Any], name: str) -> tuple[list[float], str]:
    """All values of a measure or successes of an attack, and the reason if there are none."""
    entries = entries_named(document, name)
    numbers = [number_of(entry) for entry in entries if "not_computable" not in entry]
    reasons = [entry["not_computable"] for entry in entries if "not_computable" in entry]
    return numbers, reasons[0] if reasons else "it was not asked for."
