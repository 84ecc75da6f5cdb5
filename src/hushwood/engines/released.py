"""The released table: new columns in the schema of the original, but for categories that only the release has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Relabels


def released_table(
    original: Table, steps: Sequence[PreparedStep], columns: Mapping[str, NDArray[Any]]
) -> Table:
    """The table with the columns that an engine made of it; columns with new categories hold texts."""
    schema = original.schema
    for step in steps:
        if isinstance(step.perturber, Relabels):
            schema = _relabelled(schema, step.perturber.categories)
    return original.with_columns(columns, schema)


def _relabelled(schema: Schema, categories: Mapping[str, tuple[str, ...]]) -> Schema:
    for name, known in categories.items():
        schema = schema.with_attribute(replace(schema[name], categories=known, storage="String"))
    return schema
