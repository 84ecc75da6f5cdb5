"""A table that knows only the categories its records have: the name of a value that nobody has is not published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table


def with_present_categories(table: Table, attributes: Iterable[Attribute] | None = None) -> Table:
    """The same records, with the categories that occur, in their order; of some attributes or of all."""
    schema, columns = table.schema, {}
    for attribute in table.schema.kept if attributes is None else attributes:
        if attribute.kind == "numeric":
            continue
        codes = table.columns[attribute.name]
        held = np.bincount(codes + 1, minlength=len(attribute.categories) + 1)[1:]
        if held.all():
            continue
        # Missing values have the code -1, the last place of the new codes.
        new = np.append(np.cumsum(held > 0) - 1, -1).astype(np.int32)
        categories = tuple(name for name, count in zip(attribute.categories, held, strict=True) if count)
        schema = schema.with_attribute(replace(attribute, categories=categories))
        columns[attribute.name] = new[codes]
    return table.with_columns(columns, schema)
