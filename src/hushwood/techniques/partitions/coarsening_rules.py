"""Rules of coarsening as data: "age: 5", "income: 1000, top 100000", "visit: year", "zip: 3".

A column, then what becomes of its values: numbers are rounded to multiples, top and bottom coded; dates and times go to
the start of their day, month or year; texts keep their first characters. `coarsening` applies the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import storable
from hushwood.tables.generalised.columns import labels_to_explain
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.partitions.generalised_groups import coded_labels
from hushwood.techniques.partitions.suppression_rules import number_of

EXAMPLES = '"age: 5", "income: top 100000", "visit: year" or "zip: 3"'
_UNITS = {"year": "Y", "month": "M", "day": "D"}
_FORM = re.compile(r"(?P<word>round|top|bottom|prefix|year|month|day)?\s*(?P<value>\S.*)?", re.IGNORECASE)
_ON_GRID = 1e-9


@dataclass(frozen=True, slots=True)
class Rule:
    """What becomes of one column: words such as round, top, year or prefix, with their value as it was written."""

    column: str
    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """Rounded to a multiple of `step`, not above `top`, not below `bottom`; each only if it is given."""

    attribute: Attribute
    step: float | None = None
    top: float | None = None
    bottom: float | None = None

    def recode(self, values: Floats) -> Floats:
        """The released number of every value."""
        out = np.asarray(values, np.float64)
        if self.step is not None:
            out = np.floor(out / self.step + 0.5) * self.step
        if self.top is not None:
            out = np.where(values >= self.top, self.top, np.minimum(out, self.top))
        if self.bottom is not None:
            out = np.where(values <= self.bottom, self.bottom, np.maximum(out, self.bottom))
        return storable(out, self.attribute) + 0.0

    def ends(self, values: Floats) -> tuple[Floats, Floats]:
        """The smallest and the largest number that is released like each value, as far as the domain goes."""
        y, half = self.recode(values), (self.step or 0.0) / 2
        low, high = y - half, self._before(y + half) if self.step is not None else y
        if self.step is not None and self.attribute.precision is not None:
            low = _up(low, self.attribute.precision)
        if self.top is not None:
            high = np.where(y >= self.top, np.maximum(self.attribute.high or 0.0, y), high)
        if self.bottom is not None:
            low = np.where(y <= self.bottom, np.minimum(self.attribute.low or 0.0, y), low)
        return low, np.maximum(high, low)

    def _before(self, limit: Floats) -> Floats:
        """The last number below a limit: on a grid a whole step."""
        decimals = self.attribute.precision
        return limit if decimals is None else _up(limit, decimals) - 10.0**-decimals


@dataclass(frozen=True, slots=True)
class Moments:
    """Dates and times as the first moment of their year, month or day, in UTC."""

    attribute: Attribute
    unit: str

    def recode(self, values: Floats) -> Floats:
        """The first moment of every value's unit."""
        return self._starts(values, 0)

    def ends(self, values: Floats) -> tuple[Floats, Floats]:
        """The first and the last moment of the unit."""
        last = self._starts(values, 1) - 10.0 ** -(self.attribute.precision or 0)
        return self.recode(values), last

    def _starts(self, values: Floats, later: int) -> Floats:
        tick = "D" if self.attribute.storage == "Date" else "s"
        known = ~np.isnan(values)
        moments = np.floor(np.where(known, values, 0.0)).astype(np.int64).astype(f"datetime64[{tick}]")
        starts = (moments.astype(f"datetime64[{self.unit}]") + later).astype(f"datetime64[{tick}]")
        return np.where(known, starts.astype(np.int64).astype(np.float64), np.nan)


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Texts with their first characters only, and a star for what is gone.

    In a column of codes that are all as long, there is a star for every character.
    """

    code_of: Codes  # the released code of every category, missing last
    categories: tuple[str, ...]
    key: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(cls, attribute: Attribute, kept: int) -> Prefixes:
        """Of a column, with this many characters kept."""
        codes_alike = len({len(text) for text in attribute.categories}) == 1
        stars = len(attribute.categories[0]) - kept if codes_alike else 1
        labels = [text[:kept] + "*" * stars if len(text) > kept else text for text in attribute.categories]
        sets: dict[str, list[str]] = {}
        for label, text in zip(labels, attribute.categories, strict=True):
            sets.setdefault(label, []).append(text)
        codes, categories = coded_labels([*labels, None], attribute)
        return cls(codes, categories, labels_to_explain(sets, attribute.categories))

    def recode(self, values: Array) -> Codes:
        """The released code of every category."""
        return np.asarray(self.code_of[np.asarray(values, np.int64)], np.int32)


Recoding = Numbers | Moments | Prefixes


def parsed_rules(texts: Iterable[str]) -> list[Rule]:
    """The rules in order; what cannot be read, and two rules for one column, are refused."""
    found: dict[str, Rule] = {}
    for text in texts:
        column, sign, said = text.rpartition(":")
        steps = [_FORM.fullmatch(part.strip()) for part in said.split(",")]
        if not sign or not column.strip() or not all(step and step[0] for step in steps):
            raise InputError(f"A rule of coarsening is COLUMN: HOW, such as {EXAMPLES}; {text!r} was given.")
        name = column.strip()
        if name in found:
            raise InputError(f"Column {name!r} has two rules of coarsening; put them in one, with commas.")
        words = tuple(((s["word"] or "").lower(), (s["value"] or "").strip()) for s in steps if s)
        found[name] = Rule(name, words)
    return list(found.values())


def recodings(rules: Sequence[Rule], schema: Schema) -> dict[str, Recoding]:
    """What becomes of every column with a rule; columns that are not there, or of another kind, are refused."""
    known = [a.name for a in schema.inputs]
    found: dict[str, Recoding] = {}
    for rule in rules:
        if rule.column not in known:
            raise unknown_name("column to coarsen", rule.column, known)
        attribute = schema[rule.column]
        if attribute.kind == "categorical":
            found[rule.column] = _prefixes(rule, attribute)
        elif is_temporal(attribute.storage) and any(word in _UNITS for word, _ in rule.steps):
            found[rule.column] = _moments(rule, attribute)
        else:
            found[rule.column] = _numbers(rule, attribute)
    return found


def _prefixes(rule: Rule, attribute: Attribute) -> Prefixes:
    word, value = rule.steps[0]
    if len(rule.steps) > 1 or word not in ("", "prefix") or not value.isdecimal():
        raise InputError(
            f"Column {rule.column!r} holds texts: say how many of their first characters stay, such as "
            f'"{rule.column}: 3".'
        )
    return Prefixes.of(attribute, int(value))


def _moments(rule: Rule, attribute: Attribute) -> Moments:
    word, value = rule.steps[0]
    kind = attribute.storage.partition("[")[0]
    if len(rule.steps) > 1 or value or kind not in ("Date", "Datetime") or (kind == "Date" and word == "day"):
        raise InputError(
            f"Column {rule.column!r} holds {kind} values: coarsen them to year, month"
            f'{" or day" if kind == "Datetime" else ""}, such as "{rule.column}: year".'
        )
    return Moments(attribute, _UNITS[word])


def _numbers(rule: Rule, attribute: Attribute) -> Numbers:
    found = Numbers(attribute)
    for word, value in rule.steps:
        if word in ("", "round"):
            found = replace(found, step=_step(value, attribute))
        elif word == "top":
            found = replace(found, top=_limit(word, value, attribute))
        elif word == "bottom":
            found = replace(found, bottom=_limit(word, value, attribute))
        else:
            raise InputError(
                f"Column {rule.column!r} holds numbers: round them, or give a top or bottom code, such as "
                f'"{rule.column}: 5, top 100"; {" ".join((word, value)).strip()!r} was given. To cut the digits of a '
                "code, declare it as categorical in a schema file."
            )
    _check_codes(found)
    return found


def _step(value: str, attribute: Attribute) -> float:
    try:
        step = float(value)
    except ValueError:
        step = np.nan
    scaled = step * 10.0 ** (attribute.precision or 0)
    if not 0 < step < np.inf or (attribute.precision is not None and abs(scaled - round(scaled)) > _ON_GRID):
        decimals = attribute.precision
        grid = "" if decimals is None else f" that is a multiple of the column's step {10.0**-decimals:g}"
        raise InputError(
            f"Numbers of {attribute.name!r} are rounded to multiples of a positive number{grid}; {value!r} was given."
        )
    return step


def _limit(word: str, value: str, attribute: Attribute) -> float:
    if not value:
        raise InputError(
            f'Give the {word} code of {attribute.name!r} a value: "{attribute.name}: {word} 100".'
        )
    return float(storable(np.array([number_of(value, attribute)]), attribute)[0])


def _check_codes(found: Numbers) -> None:
    name = found.attribute.name
    if found.top is not None and found.bottom is not None and not found.bottom < found.top:
        raise InputError(
            f"The bottom code of {name!r}, {found.bottom:g}, must be below its top code, {found.top:g}."
        )
    for code in (found.top, found.bottom):
        if code is not None and found.step is not None:
            times = code / found.step
            if abs(times - round(times)) > _ON_GRID:
                raise InputError(
                    f"Numbers of {name!r} are rounded to multiples of {found.step:g}; choose a top or bottom code "
                    f"that is one, not {code:g}."
                )


def _up(values: Floats, decimals: int) -> Floats:
    """The nearest number of the grid that is not below."""
    scale = 10.0**decimals
    return np.asarray(np.ceil(values * scale - _ON_GRID) / scale)
