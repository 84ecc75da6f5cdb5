"""Numbers released as the text of an interval, "20-30"; `numeric_cells` reads it back."""

from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.arrays import Codes, Floats
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.frames.storage import column_of_numbers, texts_of
from hushwood.tables.schema import Attribute

_LARGEST_WHOLE = 1e15


def can_be_ranges(attribute: Attribute) -> bool:
    """Whether intervals of a column can be written as text; durations have no text."""
    return attribute.kind == "numeric" and not attribute.storage.startswith("Duration")


def range_codes(low: Floats, high: Floats, attribute: Attribute) -> tuple[Codes, tuple[str, ...]]:
    """The label of every interval as a code (-1 where missing), and the labels in the order of their intervals.

    >>> age = Attribute("age", "numeric", storage="Int64", precision=0)
    >>> range_codes(np.array([20.0, np.nan, -3.0]), np.array([30.0, np.nan, -3.0]), age)
    (array([ 1, -1,  0], dtype=int32), ('-3', '20-30'))
    """
    known = ~np.isnan(low)
    pairs, place = np.unique(np.column_stack([low, high])[known], axis=0, return_inverse=True)
    labels = _labels(pairs[:, 0], pairs[:, 1], attribute)
    codes = np.full(len(low), -1, np.int32)
    codes[known] = place.reshape(-1)
    return codes, tuple(labels)


def as_ranges(attribute: Attribute, labels: tuple[str, ...]) -> Attribute:
    """The attribute of the released texts."""
    return Attribute(attribute.name, "categorical", attribute.role, "String", categories=labels)


def _labels(low: Floats, high: Floats, attribute: Attribute) -> list[str]:
    temporal = is_temporal(attribute.storage)
    first, last = (
        _moments(x, attribute) if temporal else [_text(v) for v in x.tolist()] for x in (low, high)
    )
    found = []
    for start, end, below_zero in zip(first, last, (low < 0).tolist(), strict=True):
        sign = " to " if temporal or below_zero else "-"
        found.append(start if start == end else f"{start}{sign}{end}")
    return found


def _text(value: float) -> str:
    """A number that is read back exactly."""
    return f"{value:.0f}" if value == round(value) and abs(value) < _LARGEST_WHOLE else repr(value)


def _moments(values: Floats, attribute: Attribute) -> list[str]:
    column: pl.Series = column_of_numbers(values, attribute)
    return texts_of(column).to_list()
