"""The forms that an intruder's guesses come in, as data; `scoring` says which of them are right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.table import Array

Rows = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RowGuesses:
    """The released row that each target is taken for; -1 for no guess."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class ValueGuesses:
    """The value of the wanted attribute for each target, in the column's own coding."""

    values: Array


@dataclass(frozen=True, slots=True)
class PredicateGuesses:
    """Conjunctions that one person alone is said to fulfil.

    Predicate p asks for all of its terms `begin[p] : begin[p + 1]`; a term compares the column of that name with a
    value by an operator: "<=", ">=", "==", or "missing".
    """

    begin: Rows
    column: tuple[str, ...]
    operator: tuple[str, ...]
    value: Floats

    def __len__(self) -> int:
        return len(self.begin) - 1


@dataclass(frozen=True, slots=True)
class PartGuesses:
    """Released rows near each target's first part and near each second part: [target, neighbour] each."""

    first: Rows
    second: Rows


@dataclass(frozen=True, slots=True)
class MemberGuesses:
    """Whether each target is said to be in the table, and how sure that is (higher: surer)."""

    member: NDArray[np.bool_]
    score: Floats


@dataclass(frozen=True, slots=True)
class NumberGuesses:
    """The numbers that stood in every released row before noise was added, by column."""

    columns: Mapping[str, Floats]


Guesses = RowGuesses | ValueGuesses | PredicateGuesses | PartGuesses | MemberGuesses | NumberGuesses
