"""A policy: who gets the table, and how much an intruder may learn from it, each limit with its source.

Built-in policies are the TOML files in `built_in`; a file of the same form can be given in their place. Limits can be
given in words, too: "linkage<=0.01" is a requirement, "attribute_inference.excess>0.05" a reason to fail, and
"reidentification_entropy.below(3)>5%" is the thesis' test of security: T, the share of the records that have fewer than
3 bits, must not exceed v, here 5 %. Without a number in brackets the threshold is the measure's own.
"""

from __future__ import annotations

import operator
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import reduce
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any, Literal, get_args

from hushwood.attacks.judging.pooled import BY_GUESSING, FURTHER, WORST_OFF
from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.measures.registry import MEASURES

Disclosure = Literal["identity", "attribute", "membership", "other"]
DEFAULT = "public"
CONFIDENCE = 0.95
EVERYONE = "public"  # the recipient of a table that anyone may have
OVERRIDDEN = "given with --limit"
IN_ITS_PLACE = "in the place of linkage, which says nothing of made-up records"
SINGLING_OUT = "singling_out"
_KEYS = {"title", "recipient", "says", "source", "notes", "confidence", "intruder", "limits"}
# Who tries to find out who was in the table, and what that intruder knows.
INTRUDERS: Mapping[str, str] = {
    "list of candidates": "has a list of candidates, two thirds of whom are in it, knows all attributes of everybody "
    "on the list, how the release was made and the published tree, and makes releases of the same kind to learn from",
    "reference population": "knows all attributes of a person and has a sample of other people of the same population, "
    "but no list of who may be in the table",
}
_LIMIT_KEYS = {"disclosure", "measure", "at_most", "source", "people", "not_shown_above", "secondary"}
_NUMBER = r"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?"
_QUANTITY = re.compile(rf"([a-z_]+)(?:\.([a-z0-9_]+)(?:\(\s*({_NUMBER})\s*\))?)?", re.IGNORECASE)
_LIMIT = re.compile(
    rf"\s*([a-z_]+(?:\.[a-z0-9_]+(?:\([^()]*\))?)?)\s*(<=|>=|<|>)\s*({_NUMBER})\s*(%?)\s*", re.IGNORECASE
)
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SUCCESS, EXCESS, ADVANTAGE, BELOW = "", "excess", "advantage", "below"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One limit of a policy: the upper end of the quantity's interval must not be above `at_most`.

    With `not_shown_above`, the lower end must not be above that number either. `secondary` says that the number was
    read in a source that quotes it.
    """

    disclosure: Disclosure
    quantity: Quantity
    at_most: float
    source: str
    people: str = ""
    not_shown_above: float | None = None
    secondary: bool = False
    overrides: float | None = None  # the policy's own number, where the user gave another one


@dataclass(frozen=True, slots=True)
class Policy:
    """A named set of requirements; `intruder` is who tries to find out who was in the table, if that is limited."""

    name: str
    title: str
    recipient: str
    says: str
    source: str
    requirements: tuple[Requirement, ...]
    notes: tuple[str, ...] = ()
    confidence: float = CONFIDENCE
    intruder: str = ""

    @property
    def attacks(self) -> tuple[str, ...]:
        """The names of the attacks that must be tried."""
        return tuple(dict.fromkeys(r.quantity.name for r in self.requirements if r.quantity.is_attack))

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures that must be computed."""
        return tuple(dict.fromkeys(r.quantity.name for r in self.requirements if not r.quantity.is_attack))

    @property
    def thresholds(self) -> dict[str, tuple[float, ...]]:
        """By measure, the thresholds at which records must be counted."""
        return thresholds_in(requirement.quantity for requirement in self.requirements)

    def with_limits(self, texts: Sequence[str]) -> Policy:
        """The policy with other numbers: "linkage<=0.01" replaces its limit on linkage, or adds one."""
        return reduce(Policy.overridden, map(limit_from_text, texts), self)

    def for_made_up(self) -> Policy:
        """The policy for records that are said to stand for no one.

        Who says so must still show that nobody is singled out: where only linkage is limited, singling out is in its
        place.
        """
        if SINGLING_OUT in self.attacks:
            return self
        linkage = [one for one in self.requirements if one.quantity.finds_records]
        if not linkage:
            return self
        strictest = min(linkage, key=lambda one: one.at_most)
        instead = replace(strictest, quantity=Quantity(SINGLING_OUT, EXCESS), people="", source=IN_ITS_PLACE)
        return replace(self, requirements=(*self.requirements, instead))

    def overridden(self, limit: Limit) -> Policy:
        """The policy with another number for one quantity."""
        if limit.comparison != "<=":
            raise InputError(
                f'A limit of a policy is a ceiling, such as "linkage<=0.01"; "{limit}" was given.'
            )
        old = [r for r in self.requirements if _concerns(r.quantity, limit.quantity)]
        if old:
            new = tuple(
                replace(r, at_most=limit.number, source=OVERRIDDEN, overrides=r.at_most) if r in old else r
                for r in self.requirements
            )
        else:
            new = (
                *self.requirements,
                Requirement("other", limit.quantity, limit.number, OVERRIDDEN),
            )
        return replace(self, requirements=new)


def _concerns(of_policy: Quantity, given: Quantity) -> bool:
    """Whether a limit replaces one of the policy: plain "linkage" stands for what the policy limits of linkage."""
    if BELOW in {of_policy.aspect, given.aspect}:
        return of_policy == given
    if of_policy.aspect in FURTHER:  # the rest of what plain "list_membership" says is about its advantage
        return of_policy == given
    return of_policy.name == given.name and given.aspect in {"", of_policy.aspect}


def built_in_names() -> tuple[str, ...]:
    """The names of the built-in policies, the default first."""
    folder = files("hushwood.policies") / "built_in"
    names = sorted(
        entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")
    )
    return (DEFAULT, *(name for name in names if name != DEFAULT))


def policy_named(given: str | Path | Policy, limits: Sequence[str] = ()) -> Policy:
    """A built-in policy by its name, or the policy in a TOML file, with other limits where they are given."""
    others = [
        limit_from_text(text) for text in limits
    ]  # before the limits of the policy load measures and attacks
    policy = given if isinstance(given, Policy) else _read(given)
    return reduce(Policy.overridden, others, policy)


def _read(given: str | Path) -> Policy:
    name = str(given)
    if name in built_in_names():
        text = (files("hushwood.policies") / "built_in" / f"{name}.toml").read_text(encoding="utf-8")
        return policy_from_toml(text, name)
    path = Path(given)
    if not path.is_file():
        if path.suffix == ".toml":
            raise InputError(f"There is no policy file {name}; check the name and the folder you are in.")
        raise unknown_name("policy", name, built_in_names())
    try:
        return policy_from_toml(path.read_text(encoding="utf-8"), path.stem)
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"The policy {name} cannot be read: {fault}; it must be a text file.") from fault


def policy_from_toml(text: str, name: str) -> Policy:
    """The policy that a TOML text describes; what it lacks or says wrongly is named."""
    try:
        return _policy(tomllib.loads(text), name)
    except (tomllib.TOMLDecodeError, RecursionError) as fault:
        raise InputError(f"The policy {name} is not valid TOML: {fault}.") from fault
    except InputError:
        raise
    except KeyError as missing:
        raise InputError(
            f"The policy {name} lacks the entry {missing}; docs/policies.md shows all of them."
        ) from None
    except (TypeError, ValueError, AttributeError) as fault:
        raise InputError(f"The policy {name} has an entry of the wrong kind: {fault}.") from fault


def _policy(plain: Mapping[str, Any], name: str) -> Policy:
    _check_keys(plain, _KEYS, name)
    confidence = _number(plain.get("confidence", CONFIDENCE))
    if not 0.5 <= confidence < 1:
        raise InputError(
            f"The policy {name} has a confidence of {confidence:g}; give one from 0.5 to below 1."
        )
    intruder = plain.get("intruder", "")
    if intruder and intruder not in INTRUDERS:
        raise unknown_name("intruder", str(intruder), tuple(INTRUDERS))
    limits, notes = plain["limits"], plain.get("notes", [])
    if not isinstance(limits, list) or not isinstance(notes, list):
        raise TypeError("limits and notes are lists")
    if not limits:
        raise InputError(f"The policy {name} has no limits, so it would clear everything; add one.")
    return Policy(
        name,
        str(plain["title"]),
        str(plain["recipient"]),
        str(plain["says"]),
        str(plain["source"]),
        tuple(_requirement(entry, name) for entry in limits),
        tuple(map(str, notes)),
        confidence,
        str(intruder),
    )


def _requirement(entry: Mapping[str, Any], name: str) -> Requirement:
    _check_keys(entry, _LIMIT_KEYS, name)
    disclosure = entry["disclosure"]
    if disclosure not in get_args(Disclosure):
        raise unknown_name("disclosure", str(disclosure), get_args(Disclosure))
    above, secondary = entry.get("not_shown_above"), entry.get("secondary", False)
    if not isinstance(secondary, bool):
        raise TypeError(f"secondary is true or false, not {secondary!r}")
    return Requirement(
        disclosure,
        quantity_from_text(str(entry["measure"])),
        _number(entry["at_most"]),
        str(entry["source"]),
        str(entry.get("people", "")),
        None if above is None else _number(above),
        secondary,
    )


def _number(value: Any) -> float:
    """A number that something can be compared with; an infinite limit would clear everything."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _check_keys(plain: Mapping[str, Any], allowed: set[str], name: str) -> None:
    for key in plain:
        if key not in allowed:
            raise unknown_name(f"entry of the policy {name}", key, tuple(sorted(allowed)))


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a limit is about: a measure's value, or an attack's success, its excess or its advantage.

    Of an attack on a list of people it can also be the share of members found at few false alarms, and each of these
    among the worst-off. Of a measure that has a number for every record, it can also be the share of the records below
    `threshold`.
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
        return self.aspect in {EXCESS, ADVANTAGE, *FURTHER}

    @property
    def by_guessing(self) -> float:
        """What guessing would give."""
        return BY_GUESSING.get(self.aspect, 0.0)

    @property
    def is_share(self) -> bool:
        """Whether it is a share of people or records, not a difference of two."""
        return self.aspect == BELOW or self.by_guessing > 0

    @property
    def of_worst_off(self) -> bool:
        """Whether it is about the worst-off alone."""
        return self.aspect.startswith(WORST_OFF)

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
    return Quantity(name, aspect, None if threshold is None else _threshold(threshold, text))


def thresholds_in(quantities: Iterable[Quantity]) -> dict[str, tuple[float, ...]]:
    """By measure, the thresholds at which records are to be counted."""
    found: dict[str, tuple[float, ...]] = {}
    for quantity in quantities:
        if quantity.threshold is not None:
            found[quantity.name] = (*found.get(quantity.name, ()), quantity.threshold)
    return found


def _threshold(number: str, text: str) -> float:
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
        return (SUCCESS, ADVANTAGE, *FURTHER) if ATTACKS[name]().listed else (SUCCESS, ADVANTAGE)
    return (SUCCESS,) if goal == "numbers" else (SUCCESS, EXCESS)
