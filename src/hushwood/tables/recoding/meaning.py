"""What rules of coarsening mean for the columns of a table; those that do not fit a column are refused.

A limit of a top or bottom code is a number, a date, or a percentile that shows nobody's own value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from math import floor, log10
from pathlib import Path

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.formats.schema_file import limit_number
from hushwood.tables.frames.storage import EXACT_LIMIT, storable
from hushwood.tables.recoding.recodings import CategoryGroups, Moments, Recoding, RoundedNumbers, starts
from hushwood.tables.recoding.rules import CODE_LEVELS, UNITS, CoarseningRule, file_and_level
from hushwood.tables.recoding.taxonomies import Taxonomy, read_hierarchy
from hushwood.tables.schema import LARGEST_NUMBER, Attribute, Schema

_ON_GRID = 1e-9
FEWEST = 5  # records at the limit or beyond it; and exactly at it, if it is not rounded
_PERCENT = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*%")


def recodings(
    rules: Sequence[CoarseningRule],
    schema: Schema,
    columns: Mapping[str, Array] | None = None,
    hierarchies: Mapping[str, Taxonomy] | None = None,
    *,
    classes: bool = False,
) -> dict[str, Recoding]:
    """What becomes of every column with a rule; columns that are not there, or of another kind, are refused.

    Percentiles are those of `columns`. A column that a rule names a file for may have its hierarchy in `hierarchies`.
    `classes` may be coarsened where the caller can do with coarser ones.
    """
    allowed = schema.kept if classes else schema.inputs
    known = [a.name for a in allowed]
    found: dict[str, Recoding] = {}
    for rule in rules:
        if rule.column not in known:
            raise _not_to_coarsen(rule.column, schema, known)
        attribute, values = schema[rule.column], (columns or {}).get(rule.column)
        if attribute.kind == "categorical":
            found[rule.column] = _groups(rule, attribute, (hierarchies or {}).get(rule.column))
        elif is_temporal(attribute.storage) and any(word in UNITS for word, _ in rule.steps):
            found[rule.column] = _moments(rule, attribute)
        else:
            found[rule.column] = _numbers(rule, attribute, values)
    return found


def _not_to_coarsen(name: str, schema: Schema, known: Sequence[str]) -> InputError:
    role = schema[name].role if name in schema.names else ""
    if role == "identifier":
        return InputError(
            f"Column {name!r} is dropped as an identifier, so there is nothing to coarsen; omit its rule."
        )
    if role == "ignored":
        return InputError(
            f"Column {name!r} is ignored, which copies it unchanged; omit its rule of coarsening or --ignore."
        )
    return unknown_name("column to coarsen", name, known)


def _groups(rule: CoarseningRule, attribute: Attribute, taxonomy: Taxonomy | None) -> CategoryGroups:
    word, value = rule.steps[0]
    if len(rule.steps) == 1 and word == "file":
        named = file_and_level(value)
        if named is not None:
            found = taxonomy or read_hierarchy(Path(named[0]), attribute.name)
            return CategoryGroups.of_level(attribute, found, named[1])
    if len(rule.steps) == 1 and word in CODE_LEVELS and not value:
        return CategoryGroups.of_codes(attribute, word)
    if len(rule.steps) > 1 or word not in ("", "prefix") or not value.isdecimal():
        raise InputError(
            f"Column {rule.column!r} holds texts: say how many of their first characters stay, such as "
            f"{rule.column}=3digits, or name a hierarchy, such as {rule.column}=FILE.csv:1."
        )
    return CategoryGroups.of_starts(attribute, int(value))


def _moments(rule: CoarseningRule, attribute: Attribute) -> Moments:
    word, value = rule.steps[0]
    kind = attribute.storage.partition("[")[0]
    if len(rule.steps) > 1 or value or kind not in ("Date", "Datetime") or (kind == "Date" and word == "day"):
        units = "year, quarter or month" if kind == "Date" else "year, quarter, month or day"
        raise InputError(
            f"Column {rule.column!r} holds {kind} values: coarsen them to {units}, such as {rule.column}=year."
        )
    return Moments(attribute, word)


def _numbers(rule: CoarseningRule, attribute: Attribute, values: Array | None) -> RoundedNumbers:
    found = RoundedNumbers(attribute)
    for word, value in rule.steps:
        if word in ("", "round"):
            found = replace(found, step=_step(value, attribute))
        elif word not in ("top", "bottom"):
            raise InputError(
                f"Column {rule.column!r} holds numbers: round them, or give a top or bottom code, such as "
                f"{rule.column}=5 or --top-code {rule.column}=100; {' '.join((word, value)).strip()!r} was given. To "
                "cut the digits of a code, declare it as categorical in a schema file."
            )
    for word, value in rule.steps:
        if word in ("top", "bottom"):
            limit = limit_of(word, value, attribute, values, found.step)
            found = replace(found, top=limit) if word == "top" else replace(found, bottom=limit)
    if found.top is not None and found.bottom is not None and not found.bottom < found.top:
        raise InputError(
            f"The bottom code of {rule.column!r}, {found.bottom:g}, must be below its top code, {found.top:g}."
        )
    return found


def _step(value: str, attribute: Attribute) -> float:
    try:
        step = float(value)
    except ValueError:
        step = np.nan
    own, largest = attribute.precision, max(abs(attribute.low or 0.0), abs(attribute.high or 0.0))
    least = largest / EXACT_LIMIT if own is None else 10.0**-own * (1 - _ON_GRID)
    fits = step > 0 and least <= step <= LARGEST_NUMBER
    if not fits or (own is not None and abs(step * 10.0**own - round(step * 10.0**own)) > _ON_GRID):
        allowed = f" from {least:.2g} to {LARGEST_NUMBER:g}"
        if own is not None:
            allowed = f" that is a multiple of the column's step {10.0**-own:g}"
        raise InputError(
            f"Numbers of {attribute.name!r} are rounded to multiples of a positive number{allowed}; {value!r} was "
            "given."
        )
    return step


def number_of(text: str, attribute: Attribute) -> float:
    """The number that the text stands for; dates and moments are written as such."""
    try:
        if attribute.storage == "Date":
            return limit_number(date.fromisoformat(text))
        if attribute.storage.startswith("Datetime"):
            return limit_number(datetime.fromisoformat(text))
        number = float(text)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        what = "dates such as 1990-12-31" if attribute.storage.startswith("Date") else "numbers"
        raise InputError(f"Column {attribute.name!r} holds {what}; {text!r} in a rule is not one.")
    if abs(number) > LARGEST_NUMBER:
        raise InputError(
            f"A rule for {attribute.name!r} may name numbers up to {LARGEST_NUMBER:g}; {text!r} was given."
        )
    return number


def is_percentile(text: str) -> bool:
    """Whether a limit is given as a percentile, which needs the records.

    >>> is_percentile("99.5 %"), is_percentile("99")
    (True, False)
    """
    return _PERCENT.fullmatch(text.strip()) is not None


def limit_of(word: str, text: str, attribute: Attribute, values: Floats | None, step: float | None) -> float:
    """The limit of a top or bottom code, on the column's grid; a percentile is that of the `values`."""
    if not text:
        raise InputError(
            f'Give the {word} code of {attribute.name!r} a value: "{attribute.name}: {word} 100".'
        )
    if not is_percentile(text):
        return float(storable(np.array([number_of(text, attribute)]), attribute)[0])
    share = float(text.strip().rstrip("%")) / 100
    if not 0 < share < 1:
        raise InputError(
            f"A {word} code is a percentile above 0 % and below 100 %; {text!r} was given for {attribute.name!r}."
        )
    known = np.empty(0) if values is None else np.sort(values[~np.isnan(values)])
    return _rounded(word, known, share, attribute, step)


def _rounded(word: str, known: Floats, share: float, attribute: Attribute, step: float | None) -> float:
    """The percentile, if five records have that very value; or else rounded towards the middle.

    Five records must lie at it or beyond, too. That one of them has a rounded value shows nothing about anyone.
    """
    if len(known):
        exact = float(np.quantile(known, share, method="inverted_cdf"))
        shared = step is None and np.count_nonzero(known == exact) >= FEWEST
        for limit in (exact,) if shared else _candidates(word, exact, attribute, step):
            beyond = np.count_nonzero(known >= limit if word == "top" else known <= limit)
            if beyond >= FEWEST:
                return limit
    raise InputError(
        f"Column {attribute.name!r} has no {word} code near that percentile that hides its {FEWEST - 1} most extreme "
        f"records; give it as a number: --{word}-code {attribute.name}=LIMIT."
    )


def _candidates(word: str, exact: float, attribute: Attribute, step: float | None) -> Iterator[float]:
    """Ever coarser limits: two digits and fewer, or the start of a month, quarter or year.

    With a declared step they are multiples of that.
    """
    later = 0 if word == "top" else 1
    if step is None and attribute.storage.startswith("Date"):
        for calendar in ("month", "quarter", "year"):
            yield float(starts(np.array([exact]), calendar, attribute.storage, later)[0])
        return
    size = floor(log10(abs(exact))) if exact else 0
    units = [times * 10.0**power for power in (size - 1, size) for times in (1, 2, 5)]
    least = 0.0 if attribute.precision is None else 10.0**-attribute.precision
    for unit in units if step is None else [step * times for times in (1, 2, 5, 10, 20, 50, 100)]:
        if unit >= least:
            times = exact / unit
            whole = np.rint(times) if abs(times - np.rint(times)) < _ON_GRID else np.floor(times) + later
            yield float(storable(np.array([whole * unit]), attribute)[0]) + 0.0
