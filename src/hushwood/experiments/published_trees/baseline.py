"""The baseline beside TPP: InfoGain Mondrian's release with so many parts, numbers as means, categories as sets.

What is measured of both is in `folds`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.jobs.tree_accuracy import responses
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table
from hushwood.techniques.generalised_groups import group_labels, group_numbers
from hushwood.techniques.mondrian_parts import Limits, Parts, mondrian_parts


def parts_of(original: Table, parts: int) -> Parts:
    """At most so many parts of the table; nothing else is asked of them."""
    return mondrian_parts(original, original.schema.quasi_identifiers, Limits(k=1, max_parts=parts))


def mondrian_release(original: Table, parts: Parts) -> Table:
    """The table with every quasi-identifier generalised in the parts.

    Means are not rounded to the column's decimals, so that parts which differ stay different.
    """
    schema, columns = original.schema, {}
    for name in schema.quasi_identifiers:
        attribute, columns[name] = _generalised(original.schema[name], original.columns[name], parts)
        schema = schema.with_attribute(attribute)
    return original.with_columns(columns, schema)


def predicted_by_parts(training: Table, parts: Parts, test: Table) -> Array:
    """What the parts themselves predict for unseen records, by somebody who knows where they were cut."""
    learnt, part = responses(training), parts.of(test.columns)
    sizes = np.bincount(parts.ids)
    if training.schema.class_attribute and training.schema.class_attribute.kind == "numeric":
        return np.asarray((np.bincount(parts.ids, learnt) / sizes)[part])
    counts = np.zeros((parts.count, int(learnt.max()) + 1))
    np.add.at(counts, (parts.ids, learnt), 1)
    return np.asarray(counts.argmax(axis=1)[part])


def _generalised(attribute: Attribute, column: NDArray[Any], parts: Parts) -> tuple[Attribute, NDArray[Any]]:
    if attribute.kind == "numeric":
        real = replace(attribute, precision=None, storage="Float64")
        return real, group_numbers(column, parts.ids, parts.count, real, "mean")[parts.ids]
    codes, categories = group_labels(column, parts.ids, parts.count, attribute)
    return replace(attribute, categories=categories), codes[parts.ids]
