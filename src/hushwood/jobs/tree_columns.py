"""What became of each column in a published table, and which original values each released one stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tables.value_texts import limit_text

if TYPE_CHECKING:
    import polars as pl

    from hushwood.tree_publishing.column_maps import ColumnMap, Part
    from hushwood.tree_publishing.publish import Published

MOST_PARTS = 100
_NAMED = 12
_ROLES = {"confidential": "sensitive"}


def column_entries(original: Table, published: Published) -> list[dict[str, Any]]:
    """One entry for every column of the original, in its order."""
    from hushwood.tables.frames import frame_from_table

    before, after = frame_from_table(original), frame_from_table(published.table)
    maps = {column.name: column for column in published.columns}
    entries = []
    for attribute in original.schema.attributes:
        entry: dict[str, Any] = {"name": attribute.name, "role": _ROLES.get(attribute.role, attribute.role)}
        if attribute.role == "identifier":
            entry |= {"what": "dropped", "before": None, "after": 0, "parts": []}
        elif attribute.name in maps:
            same = _same(before[attribute.name], after[attribute.name])
            entry |= _mapped(maps[attribute.name], attribute, same)
        else:
            different = int(before[attribute.name].n_unique())
            what = "copied" if attribute.carried else "unchanged"
            entry |= {"what": what, "before": different, "after": different, "parts": []}
        entries.append(entry)
    return entries


def stands_for(part: Part, attribute: Attribute) -> str:
    """The original values behind a released one, in words."""
    if part.values:
        rest = f" and {len(part.values) - _NAMED} more" if len(part.values) > _NAMED else ""
        return ", ".join(part.values[:_NAMED]) + rest
    low, high = (
        None if limit is None else limit_text(limit, attribute.storage) for limit in (part.low, part.high)
    )
    if low is None and high is None:
        return "missing" if part.released is None else "all values"
    if low is None:
        return f"up to {high}"
    return f"above {low}" if high is None else f"above {low}, up to {high}"


def _mapped(column: ColumnMap, attribute: Attribute, same: bool) -> dict[str, Any]:
    what = "unchanged" if same else "suppressed" if column.after <= 1 else "generalised"
    return {
        "what": what,
        "before": column.before,
        "after": column.after,
        "parts": list(_parts(column.parts[:MOST_PARTS], attribute)),
    }


def _parts(parts: Sequence[Part], attribute: Attribute) -> Iterator[dict[str, Any]]:
    for part in parts:
        released = part.released
        if isinstance(released, float | int):
            released = limit_text(released, attribute.storage)
        yield {
            "stands_for": stands_for(part, attribute),
            "released": "missing" if released is None else released,
            "records": part.records,
        }


def _same(before: pl.Series, after: pl.Series) -> bool:
    return before.dtype == after.dtype and before.equals(after, null_equal=True)
