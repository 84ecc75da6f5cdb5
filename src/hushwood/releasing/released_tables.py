"""The table that goes out: columns of an engine, with labels that only the release has and numbers as ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array
from hushwood.releasing.engines.protocol import PreparedStep
from hushwood.tables.generalised.ranges import as_ranges, range_codes
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Generalises, Relabels


def released_table(original: Table, steps: Sequence[PreparedStep], columns: Mapping[str, Array]) -> Table:
    """The original with the columns that an engine made of it; those with new categories or ranges hold texts."""
    schema = original.schema
    for step in steps:
        if isinstance(step.perturber, Relabels):
            for name, known in step.perturber.categories.items():
                schema = schema.with_attribute(replace(schema[name], categories=known, storage="String"))
        if isinstance(step.perturber, Generalises) and step.perturber.as_text:
            ends = step.perturber.intervals(original.columns)
            for name in step.perturber.as_text:
                codes, labels = range_codes(*ends[name], schema[name])
                gone = np.isnan(columns[name])  # blanked after all
                columns = {**columns, name: np.where(gone, -1, codes).astype(np.int32)}
                schema = schema.with_attribute(as_ranges(schema[name], labels))
    return original.with_columns(columns, schema)
