"""The records a published tree is grown on, coded once: ranks of numbers, codes of categories, exact responses.

`growth` searches splits in them; the same coding serves the original and the released table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.kernel_doors import check_indices
from hushwood.tables.category_labels import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.tree_publishing.split_kernels import ROW_BITS
from hushwood.trees.training import MOST_BRANCHES, MOST_CLASSES, TrainingSet

# Sums of so many bits are exact in a float64, in whatever order they are added up.
_EXACT_BITS = 52


@dataclass(frozen=True, slots=True)
class Records:
    """Coded records: `codes[attribute, record]`, and for numbers the distinct `values` and the `orders` of rows.

    A missing category is a category of its own, the last one, called MISSING. `response` is the class code of every
    record or, in regression, a whole number in proportion to the response; `classes` is empty then.
    """

    attributes: tuple[Attribute, ...]
    codes: NDArray[np.int32]
    values: tuple[NDArray[np.float64] | None, ...]
    orders: tuple[NDArray[np.int32] | None, ...]
    response: NDArray[Any]
    classes: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many records there are."""
        return len(self.response)

    @classmethod
    def of(cls, table: Table, names: Sequence[str], threads: int = 1) -> Records:
        """Code the named columns of a table and its response."""
        response, classes = coded_response(table)
        attributes, columns = [], []
        for name in names:
            attribute, column = _with_missing(table.schema[name], table.columns[name])
            attributes.append(attribute)
            columns.append(column)
        coded = TrainingSet.from_columns(
            attributes, columns, np.zeros(table.rows, np.int64), ("all",), threads
        )
        return cls(tuple(attributes), coded.codes, coded.values, coded.sorted_rows, response, classes)

    def ordered(self, a: int) -> NDArray[np.int64]:
        """The records in the order of a numeric attribute, each as its rank and its row, see `split_kernels`."""
        rows = np.asarray(self.orders[a], np.int64)
        return np.asarray((self.codes[a][rows].astype(np.int64) << ROW_BITS) | rows)

    def counts_of_values(self, a: int) -> NDArray[np.int64]:
        """How many records have each distinct value or category of an attribute."""
        known = self.values[a]
        width = len(self.attributes[a].categories) if known is None else len(known)
        return np.bincount(self.codes[a], minlength=width)


def coded_response(table: Table) -> tuple[NDArray[Any], tuple[str, ...]]:
    """The class of every record as a small code or, without classes, its response as a number that sums exactly."""
    attribute = table.schema.class_attribute
    if attribute is not None and attribute.kind == "numeric":
        return exact_numbers(table.columns[attribute.name]), ()
    codes, classes = class_labels(table)
    check_indices("Class codes", codes, len(classes))
    return codes.astype(np.uint16 if len(classes) <= MOST_CLASSES else np.int32), classes


def exact_numbers(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Whole numbers in proportion to the values' distance from their middle, so small that all sums are exact.

    They depend on the values alone, not on their order; about twelve digits are left for tables of usual size.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.zeros(len(values))
    middle = low / 2 + high / 2
    widest = max(high - middle, middle - low)
    bits = int(np.floor(_EXACT_BITS - np.log2(len(values)) - np.log2(widest)))
    return np.asarray(np.rint(np.ldexp(values - middle, bits)))


def too_many_values(attribute: Attribute) -> bool:
    """Whether an attribute has more categories than a readable test can name."""
    return len(attribute.categories) > MOST_BRANCHES


def _with_missing(attribute: Attribute, column: NDArray[Any]) -> tuple[Attribute, NDArray[Any]]:
    if attribute.kind == "numeric" or not (column < 0).any():
        return attribute, column
    categories = (*attribute.categories, MISSING)
    return replace(attribute, categories=categories), np.where(column < 0, len(categories) - 1, column)
