"""The schema that `inspect --save` writes: what each column is and why, without values that may identify people.

Left out are the exact limits of numbers, which are single people's own; categories that fewer than five records have;
and every value of a column that looks as if it identifies people. What is left out is found in the data again.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array
from hushwood.errors import visible
from hushwood.tables.columns.meanings import reason_of
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.columns.warnings import suspicions
from hushwood.tables.formats.schema_file import limit_text, schema_to_toml
from hushwood.tables.links.links import Condition
from hushwood.tables.reading import Reading
from hushwood.tables.schema import Attribute

_FEW = 5
_DAY = 86_400
_YEAR_DAYS = 365.2425


def saved_schema(reading: Reading) -> str:
    """The text of the file, with the reason above each column."""
    table, suspected = reading.table, suspicions(reading.warnings)
    attributes, comments = [], {}
    for attribute in table.schema.attributes:
        name = attribute.name
        reason = reason_of(attribute, suspected.get(name, ""))
        way = "proposed" if name in suspected else "to change it"
        said = [f"{reason.why}; {way}: {reason.line}" if reason.line else reason.why]
        kept = attribute
        if not attribute.carried:
            kept, note = _without_values(attribute, table.columns[name], name in suspected)
            said += [note] if note else []
        attributes.append(kept)
        comments[name] = [visible(line) for line in said]
    unlisted = {a.name for a in attributes if a.kind == "categorical" and not a.categories}
    links = tuple(
        link
        for link in table.schema.links
        # What a condition says are values; it is found again in the data.
        if not (isinstance(link, Condition) and unlisted & set(link.columns))
    )
    return schema_to_toml(replace(table.schema, attributes=tuple(attributes), links=links), comments)


def _without_values(attribute: Attribute, column: Array, suspected: bool) -> tuple[Attribute, str]:
    """The attribute that may be written down, and what is to be said about that."""
    if attribute.kind == "numeric":
        return _without_limits(attribute, column, suspected)
    if suspected:
        return replace(attribute, categories=()), "its values are not listed"
    counts = np.bincount(column + 1, minlength=len(attribute.categories) + 1)[1:]
    rare = int(((counts > 0) & (counts < _FEW)).sum())
    if not rare or attribute.ordered:
        return attribute, ""
    listed = f"{len(attribute.categories):,} categories, not listed because fewer than {_FEW} records have"
    return replace(attribute, categories=()), f"{listed} {'one' if rare == 1 else f'{rare:,}'} of them"


def _without_limits(attribute: Attribute, column: Array, suspected: bool) -> tuple[Attribute, str]:
    """Declared limits are kept, limits of the data are not."""
    known = column[~np.isnan(column)]
    low, high = attribute.low, attribute.high
    if low is None or high is None or not len(known):
        return attribute, ""
    own_low, own_high = low == known.min(), high == known.max()
    kept = replace(attribute, low=None if own_low else low, high=None if own_high else high)
    if suspected or not (own_low or own_high):
        return kept, ""
    outer = [limit_text(limit, attribute.storage) for limit in _outward(low, high, attribute.storage)]
    wide = f"low = {outer[0]} and high = {outer[1]}"
    return kept, f"its limits are single people's values; declare wider ones if you need some, such as {wide}"


def _outward(low: float, high: float, storage: str) -> tuple[float, float]:
    """Round limits around all values: of dates whole decades, of other numbers one digit of their range.

    >>> _outward(18, 94, "Int64"), _outward(0.2, 0.75, "Float64")
    ((10.0, 100.0), (0.2, 0.8))
    """
    if is_temporal(storage) and storage.startswith("Date"):
        step = 10 * _YEAR_DAYS * (1 if storage == "Date" else _DAY)
        return float(round(math.floor(low / step) * step)), float(round(math.ceil(high / step) * step))
    width = (high - low) or abs(high) or 1.0
    power = math.floor(math.log10(width))
    step = 10.0**power
    ends = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    return round(ends[0], max(0, -power)) + 0.0, round(ends[1], max(0, -power)) + 0.0
