"""What to ask about a survey weight before it is released: does it single people out, or name their stratum?

Design weights follow from how people were drawn: everyone in a stratum has the same, and it may tell which one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.tables.columns.warnings import ColumnWarning
from hushwood.tables.table import Table

NEARLY_UNIQUE = 0.5  # share of the records that have a weight of their own
SEVERAL = 5  # records to a weight on average, before a stratum can be told from chance
MOST_NAMED = 3


def weight_warnings(table: Table) -> tuple[ColumnWarning, ...]:
    """The doubts about the weight of a table, none if it has none."""
    attribute, weights = table.schema.weight, table.weights
    if attribute is None or weights is None:
        return ()
    name = attribute.name
    return tuple(
        ColumnWarning(name, "weight", f"Column {name!r} {sentence}")
        for sentence in _doubts(table, weights, released=attribute.role != "identifier")
    )


def _doubts(table: Table, weights: Floats, *, released: bool) -> Iterator[str]:
    nothing = int((weights == 0).sum())
    if nothing:
        records = "one record that is" if nothing == 1 else f"{nothing:,} records that are"
        yield f"has {records} without a weight or with weight 0: no tree learns from them, and no count includes them."
    if not released:
        yield "is dropped from the release, so every released record counts the same in measures."
        return
    _, codes, counts = np.unique(weights, return_inverse=True, return_counts=True)
    alone = float((counts == 1).sum()) / max(len(weights), 1)
    if alone > NEARLY_UNIQUE and len(weights) >= 2:
        yield (
            f"gives {alone:.0%} of the records a weight that no other record has: who knows a person's weight, or how "
            "it was computed, can find the person by it. Consider --drop-weight, or round the weights first."
        )
    elif len(counts) > 1 and len(weights) >= SEVERAL * len(counts):
        told = list(_told_by(table, codes, len(counts)))
        if told:
            more = f" and {len(told) - MOST_NAMED} more" if len(told) > MOST_NAMED else ""
            yield (
                f"tells the value of {', '.join(map(repr, told[:MOST_NAMED]))}{more}: every weight occurs with one "
                "value only, as design weights do in strata. Released weights change within segments; consider "
                "--drop-weight if strata are small."
            )


def _told_by(table: Table, weight_codes: Integers, different: int) -> Iterator[str]:
    """The categorical columns, or classes, of several values whose value follows from the weight."""
    for attribute in table.schema.kept:
        if attribute.kind != "categorical" or attribute.weight:
            continue
        values = np.asarray(table.columns[attribute.name], np.int64)
        low, high = np.full(different, np.iinfo(np.int64).max), np.full(different, -2, np.int64)
        np.minimum.at(low, weight_codes, values)
        np.maximum.at(high, weight_codes, values)
        if (low == high).all() and len(np.unique(low)) > 1:
            yield attribute.name
