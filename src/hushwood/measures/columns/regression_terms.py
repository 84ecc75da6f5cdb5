"""The columns of a table as the terms of regressions: its numbers, and 0 or 1 for every frequent category."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.measures.columns.numeric_columns import is_constant, known
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

WIDEST = 60  # terms
LEAST_SHARE = 0.05  # of the original's records: rarer categories are no terms


@dataclass(frozen=True, slots=True)
class Term:
    """A column of the regressions in both tables: a number in the original's standard deviations, or flags.

    A number times the `spread` plus the `middle` is the table's own.
    """

    name: str
    column: str
    numeric: bool
    before: Array
    after: Array
    middle: float = 0.0
    spread: float = 1.0


def regression_terms(
    original: Table, released: Table, *, least: float = LEAST_SHARE, widest: int = WIDEST
) -> list[Term]:
    """Numbers that vary and that most records have, then the frequent categories except the most frequent one.

    Frequent are those of at least the share `least`. Of very many terms, the first ones; the class comes before all
    others.
    """
    found: list[Term] = []
    categorical: list[Term] = []
    for attribute in sorted(original.schema.kept, key=lambda attribute: attribute.role != "class"):
        if min(len(found), len(categorical)) >= widest:
            break
        before, after = original.columns[attribute.name], released.columns[attribute.name]
        if attribute.kind == "numeric" or attribute.bins:
            old, new = (_numbers(attribute, values) for values in (before, after))
            there = known(old)
            if 2 * len(there) > len(old) and not is_constant(there):
                middle, spread = float(there.mean()), float(there.std())
                scaled = (old - middle) / spread, (new - middle) / spread
                found.append(Term(attribute.name, attribute.name, True, *scaled, middle, spread))
        elif len(categorical) < widest:
            categorical += _indicators(attribute, before, after, least)
    return [*found, *categorical][:widest]


def _numbers(attribute: Attribute, values: Array) -> Floats:
    """A numeric column; a binned class by its own numbers."""
    if attribute.kind == "numeric":
        return np.where(np.isfinite(values), values, np.nan)
    return np.array([*map(float, attribute.categories), np.nan])[values]


def _indicators(attribute: Attribute, before: Array, after: Array, least: float) -> list[Term]:
    counts = np.bincount(before + 1, minlength=len(attribute.categories) + 1)[1:]
    order = np.argsort(-counts, kind="stable")
    chosen = [code for code in order[1:].tolist() if counts[code] >= least * len(before) and counts[code]]
    return [
        Term(
            f"{attribute.name} = {attribute.categories[code]}",
            attribute.name,
            False,
            before == code,
            after == code,
        )
        for code in chosen
    ]
