"""Which of an intruder's guesses are right, by a `Truth` that holds the original and that no attack ever gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.attacks.judging.estimates import Rate, wilson
from hushwood.attacks.protocol import (
    Guesses,
    MemberGuesses,
    NumberGuesses,
    PartGuesses,
    PredicateGuesses,
    RowGuesses,
    ValueGuesses,
)
from hushwood.tables.table import Table, label_columns, missing_values

Part = TypeVar("Part")
# A number is guessed right if it is off by at most this share of the column's middle nine tenths.
CLOSE = 0.05
MIDDLE = (0.05, 0.95)
# Allows for rounding, so that a difference of exactly the tolerance counts on every scale of the column.
_ROUNDING = 1 + 1e-6


@dataclass(frozen=True, slots=True)
class Truth:
    """What only the scorer knows about the targets.

    `original` is the table they were drawn from, and the one in which predicates are counted; target i is its row
    `target_rows[i]` (-1: not in it) and has the released row `partner_rows[i]` (-1: dropped). Its second part stands
    at `second_order[i]` of the knowledge's `other`. A target who was never in the table is row `holdout_rows[i]` of
    the hold-out (-1: was in it). `tolerances` say how close a guessed number must be, by column; by default that
    follows from `original`.
    """

    original: Table
    target_rows: Integers
    partner_rows: Integers | None = None
    second_order: Integers | None = None
    members: Flags | None = None
    wants: str | None = None
    tolerances: Mapping[str, float] = field(default_factory=dict)
    holdout_rows: Integers | None = None


def hits(guesses: Guesses, truth: Truth) -> Floats:
    """1 for every right guess, 0 for a wrong one, NaN where no guess was made.

    There is one number per target, or per predicate; for `NumberGuesses` it is the share of the target's numbers
    that were restored.
    """
    match guesses:
        case RowGuesses():
            return np.where(guesses.rows < 0, np.nan, guesses.rows == _needed(truth.partner_rows))
        case ValueGuesses():
            return _value_hits(guesses, truth)
        case PredicateGuesses():
            return _as_numbers(matching_rows(guesses, truth)[0] == 1)
        case PartGuesses():
            return _part_hits(guesses, _needed(truth.second_order))
        case MemberGuesses():
            return _as_numbers(guesses.member == _needed(truth.members))
        case NumberGuesses():
            return _number_hits(guesses, truth)


def rate_of(right: Floats, ways: int = 1) -> Rate:
    """The rate of right guesses among those made; `ways` as in `wilson`."""
    tried = right[~np.isnan(right)]
    return wilson(float(tried.sum()), len(tried), ways)


def matching_rows(guesses: PredicateGuesses, truth: Truth) -> tuple[Integers, Integers]:
    """How many records satisfy each predicate (2 stands for more), and the first that does."""
    from hushwood.attacks.search.predicates import count_matches

    return count_matches(guesses, truth.original.columns)


def close_enough(guessed: Array, true: Array, tolerance: float = 0.0) -> Flags:
    """Whether values are guessed right: codes must be equal, numbers close; two missing values are equal."""
    numeric = true.dtype.kind == "f"
    near = np.abs(guessed - true) <= tolerance * _ROUNDING if numeric else guessed == true
    return np.asarray(near | (missing_values(guessed) & missing_values(true)), np.bool_)


def tolerance_of(column: Array) -> float:
    """How far a guessed number may be off: a twentieth of the span from the 5 % to the 95 % quantile.

    Anonymeter allows 5 % of the guess itself. That changes with the column's zero point (years of age or of birth),
    allows nothing at 0, and counts every negative guess as right. A share of the
    column's own span is the same for a column shifted, scaled or negated, and robust to a few huge values.
    """
    known = column[~np.isnan(column)]
    if len(known) == 0:
        return 0.0
    low, high = np.quantile(known, MIDDLE)
    return CLOSE * float(high - low)


def _tolerance(truth: Truth, name: str) -> float:
    if name in truth.tolerances:
        return truth.tolerances[name]
    column = truth.original.columns[name]
    return tolerance_of(column) if column.dtype.kind == "f" else 0.0


def _value_hits(guesses: ValueGuesses, truth: Truth) -> Floats:
    name = _needed(truth.wants)
    schema = truth.original.schema
    true = label_columns(schema, {name: truth.original.columns[name][truth.target_rows]})[name]
    guessed = label_columns(schema, {name: guesses.values})[name]
    return _as_numbers(close_enough(guessed, true, _tolerance(truth, name)))


def _part_hits(guesses: PartGuesses, second_order: Integers) -> Floats:
    """Whether the neighbours of both parts of a person have a released row in common."""
    first, second = guesses.first[:, :, None], guesses.second[second_order][:, None, :]
    return _as_numbers(((first == second) & (first >= 0)).any(axis=(1, 2)))


def _number_hits(guesses: NumberGuesses, truth: Truth) -> Floats:
    partners = _needed(truth.partner_rows)
    there = partners >= 0
    right, tried = np.zeros(len(partners)), np.zeros(len(partners))
    for name, numbers in guesses.columns.items():
        true = truth.original.columns[name][truth.target_rows]
        known = there & ~np.isnan(true)
        guessed = numbers[np.where(there, partners, 0)]
        right += known & close_enough(guessed, true, _tolerance(truth, name))
        tried += known
    return np.where(tried > 0, right / np.maximum(tried, 1), np.nan)


def _as_numbers(right: Flags) -> Floats:
    return np.asarray(right, np.float64)


def _needed(part: Part | None) -> Part:
    if part is None:
        raise LookupError("The truth lacks what these guesses are judged by.")
    return part
