"""A table as plain data for people to look at: what each column was taken for, how its values lie, what to doubt."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.distributions import CategoryCounts, Histogram, distributions
from hushwood.tables.columns.meanings import reason_of
from hushwood.tables.columns.value_texts import value_text
from hushwood.tables.columns.warnings import IDENTIFYING, suspicions
from hushwood.tables.frames.storage import column_of, distinct
from hushwood.tables.reading import Reading
from hushwood.tables.schema import KINDS, ROLES, Attribute

EXAMPLES = 4
LONGEST = 60  # letters of an example


def described_table(reading: Reading) -> dict[str, Any]:
    """Every column, and the kinds and roles that it could have."""
    shapes = {one.column: one.histogram or one.counts for one in distributions(reading.table, reading.table)}
    return {
        "name": reading.name,
        "records": reading.table.rows,
        "notes": list(reading.notes),
        "kinds": list(KINDS),
        "roles": list(ROLES),
        "columns": [_column(reading, a, shapes.get(a.name)) for a in reading.table.schema.attributes],
    }


def _column(
    reading: Reading, attribute: Attribute, shape: Histogram | CategoryCounts | None
) -> dict[str, Any]:
    values, suspected = column_of(reading.table, attribute), suspicions(reading.warnings)
    doubts = [doubt for doubt in reading.warnings if doubt.column == attribute.name]
    known = values.drop_nulls()
    different = distinct(known)
    return {
        "name": attribute.name,
        "kind": attribute.kind,
        "role": attribute.role,
        "why": reason_of(attribute, suspected.get(attribute.name, "")).why,
        "storage": attribute.storage,
        "low": _limit(attribute, attribute.low),
        "high": _limit(attribute, attribute.high),
        "missing": int(values.null_count()) / max(len(values), 1),
        "different": len(different),
        "examples": [_short(str(value)) for value in known.head(1000).unique(maintain_order=True)[:EXAMPLES]],
        "shape": _bars(shape),
        "warnings": [doubt.sentence for doubt in doubts],
        "drop": any(doubt.code in IDENTIFYING for doubt in doubts) and attribute.role != "class",
    }


def _limit(attribute: Attribute, limit: float | None) -> str:
    """An end of the domain as a person would type it."""
    if limit is None or attribute.kind != "numeric":
        return ""
    return value_text(limit, attribute.storage).replace(",", "")


def _bars(shape: Histogram | CategoryCounts | None) -> list[dict[str, Any]]:
    """The bars of a column in their order: a label and a number of records each."""
    if shape is None:
        return []
    if isinstance(shape, Histogram):
        pairs = zip(shape.labels, shape.before, strict=True)
    else:
        names = [*shape.categories, *([f"{shape.others} others"] if shape.others else [])]
        pairs = zip(names, shape.before[: len(names)], strict=False)
    return [{"label": _short(label), "count": count or 0} for label, count in pairs]


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
