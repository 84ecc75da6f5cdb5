"""Limits in words: "linkage<=0.01" is a requirement, "attribute_inference.excess>0.05" a reason to fail.

"reidentification_entropy.below(3)>5%" is the thesis' test of security: T, the share of the records that have fewer than
3 bits, must not exceed v, here 5 %. Without a number in brackets the threshold is the measure's own.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from math import isfinite

from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.measures.registry import MEASURES

_NUMBER = r"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?"
_QUANTITY = re.compile(rf"([a-z_]+)(?:\.([a-z_]+)(?:\(\s*({_NUMBER})\s*\))?)?", re.IGNORECASE)
_LIMIT = re.compile(
    rf"\s*([a-z_]+(?:\.[a-z_]+(?:\([^()]*\))?)?)\s*(<=|>=|<|>)\s*({_NUMBER})\s*(%?)\s*", re.IGNORECASE
)
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SUCCESS, EXCESS, ADVANTAGE, BELOW = "", "excess", "advantage", "below"


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a limit is about: a measure's value, or an attack's success, its excess or its advantage.

    Of a measure that has a number for every record, it can also be the share of the records below `threshold`.
    """

    name: str
    aspect: str = SUCCESS
    threshold: float | None = None

    def __str__(self) -> str:
        at = "" if self.threshold is None else f"({self.threshold:g})"
        return f"{self.name}.{self.aspect}{at}" if self.aspect else self.name

    @property
    def compares(self) -> bool:
        """Whether people who were never in the table are needed to know it."""
        return self.aspect in {EXCESS, ADVANTAGE}

    @property
    def finds_records(self) -> bool:
        """Whether it says how often a person's own record is found, which made-up records make meaningless."""
        return self.is_attack and ATTACKS[self.name]().goal == "row"

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack's."""
        return self.name in ATTACKS


@dataclass(frozen=True, slots=True)
class Limit:
    """A quantity, a comparison and a number."""

    quantity: Quantity
    comparison: str
    number: float

    def __str__(self) -> str:
        return f"{self.quantity}{self.comparison}{self.number:g}"


def quantity_from_text(text: str) -> Quantity:
    """Read a name, or a name with its aspect; names and aspects that do not exist are refused.

    >>> quantity_from_text("attribute_inference.excess")
    Quantity(name='attribute_inference', aspect='excess', threshold=None)
    """
    found = _QUANTITY.fullmatch(text.strip())
    name, aspect, threshold = found.groups() if found else (text.strip().partition(".")[0], text, None)
    aspect = aspect or SUCCESS
    if name not in MEASURES and name not in ATTACKS:
        raise unknown_name("measure or attack", name, (*MEASURES, *ATTACKS))
    allowed = _aspects(name)
    if aspect not in allowed or (threshold and aspect != BELOW):
        named = [f"{name}.{one}" if one else name for one in allowed]
        named[-1] += "(BITS)" if BELOW in allowed else ""
        raise InputError(f"{text!r} cannot be limited; {' or '.join(named)} can.")
    return Quantity(name, aspect, None if threshold is None else _number(threshold, text))


def thresholds_in(quantities: Iterable[Quantity]) -> dict[str, tuple[float, ...]]:
    """By measure, the thresholds at which records are to be counted."""
    found: dict[str, tuple[float, ...]] = {}
    for quantity in quantities:
        if quantity.threshold is not None:
            found[quantity.name] = (*found.get(quantity.name, ()), quantity.threshold)
    return found


def _number(number: str, text: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise InputError(f"{number!r} is not a number; {text!r} was given.") from None


def limit_from_text(text: str) -> Limit:
    """Read a limit.

    >>> str(limit_from_text("linkage > 5%")), str(limit_from_text("membership.advantage<=.1"))
    ('linkage>0.05', 'membership.advantage<=0.1')
    """
    found = _LIMIT.fullmatch(text)
    try:
        name, comparison, number, percent = found.groups() if found else ("", "", "?", "")
        value = float(number) / (100 if percent else 1)
        if not isfinite(value):  # it would clear everything
            raise ValueError
    except ValueError:
        raise InputError(
            f'A limit is a name, a comparison and a number, such as "linkage>0.05"; {text!r} was given.'
        ) from None
    return Limit(quantity_from_text(name), comparison, value)


def _aspects(name: str) -> tuple[str, ...]:
    """Success counts for every attack; members are told apart by an advantage, other attacks may have an excess."""
    if name not in ATTACKS:
        counts = any(field.name == BELOW for field in fields(MEASURES[name]))  # type: ignore[arg-type]
        return (SUCCESS, BELOW) if counts else (SUCCESS,)
    goal = ATTACKS[name]().goal
    if goal == "member":
        return (SUCCESS, ADVANTAGE)
    return (SUCCESS,) if goal == "numbers" else (SUCCESS, EXCESS)
