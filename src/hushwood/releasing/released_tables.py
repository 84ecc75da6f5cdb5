"""The table that goes out: changed columns, with labels that only the release has and numbers as ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array
from hushwood.tables.recoding.texts import as_ranges, range_codes
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Generalises, Perturber, Relabels


def released_table(original: Table, used: Iterable[Perturber], columns: Mapping[str, Array]) -> Table:
    """The original with changed columns; those with new categories or ranges hold texts."""
    schema = original.schema
    for perturber in used:
        if isinstance(perturber, Relabels):
            for name, known in perturber.categories.items():
                schema = schema.with_attribute(
                    replace(schema[name], categories=known, storage="String", ordered=False)
                )
        if isinstance(perturber, Generalises) and perturber.as_text:
            ends = perturber.intervals(original.columns)
            for name in perturber.as_text:
                codes, labels = range_codes(*ends[name], schema[name])
                gone = np.isnan(columns[name])  # blanked after all
                columns = {**columns, name: np.where(gone, -1, codes).astype(np.int32)}
                schema = schema.with_attribute(as_ranges(schema[name], labels))
    return original.with_columns(columns, schema)
