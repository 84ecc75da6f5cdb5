"""The columns a published tree may test, and their records, coded once.

Numbers become ranks, categories codes, responses exact numbers; the same coding serves the original and the released
table. `growth` searches splits in it.

Groups are records with equal released quasi-identifiers. K-anonymity counts a group's records; strong L-diversity looks
at their original sensitive values (errata T13, T14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers, check_indices
from hushwood.errors import InputError, unknown_name
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels, missing_values
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.trees.kernels.records import ROW_BITS
from hushwood.trees.training import MOST_BRANCHES, MOST_CLASSES, TrainingSet

# Sums of this many bits are exact in a float64, in any order.
_EXACT_BITS = 52
_FEW = 20  # fewer records can all differ in an honest category
_SLACK = 1e-9  # 1/l of a group need not be a whole number of records


@dataclass(frozen=True, slots=True)
class Records:
    """Coded records: `codes[attribute, record]`, and for numbers the distinct `values` and the `orders` of rows.

    A missing category is a category of its own, the last one, called MISSING. `response` is the class code of every
    record or, in regression, a whole number in proportion to the response; `classes` is empty then.
    """

    attributes: tuple[Attribute, ...]
    codes: Codes
    values: tuple[Floats | None, ...]
    orders: tuple[Codes | None, ...]
    response: Array
    classes: tuple[str, ...]

    @property
    def rows(self) -> int:
        """Number of records."""
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

    def ordered(self, a: int) -> Integers:
        """The records in the order of a numeric attribute, each as its rank and its row, see `trees.kernels.binary`."""
        rows = np.asarray(self.orders[a], np.int64)
        return np.asarray((self.codes[a][rows].astype(np.int64) << ROW_BITS) | rows)

    def counts_of_values(self, a: int) -> Integers:
        """How many records have each distinct value or category of an attribute."""
        known = self.values[a]
        width = len(self.attributes[a].categories) if known is None else len(known)
        return np.bincount(self.codes[a], minlength=width)


def coded_response(table: Table) -> tuple[Array, tuple[str, ...]]:
    """The class of every record as a small code or, without classes, its response as a number that sums exactly."""
    attribute = table.schema.class_attribute
    if attribute is not None and attribute.kind == "numeric":
        return exact_numbers(table.columns[attribute.name]), ()
    codes, classes = class_labels(table)
    check_indices("Class codes", codes, len(classes))
    return codes.astype(np.uint16 if len(classes) <= MOST_CLASSES else np.int32), classes


def exact_numbers(values: Floats) -> Floats:
    """Whole numbers in proportion to the values' distance from their middle, so small that all sums are exact.

    They depend on the values alone, not on their order; tables of usual size keep about twelve digits.
    """
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.zeros(len(values))
    middle = low / 2 + high / 2
    widest = max(high - middle, middle - low)
    bits = int(np.floor(_EXACT_BITS - np.log2(len(values)) - np.log2(widest)))
    return np.asarray(np.rint(np.ldexp(values - middle, bits)))


def _with_missing(attribute: Attribute, column: Array) -> tuple[Attribute, Array]:
    if attribute.kind == "numeric" or not (column < 0).any():
        return attribute, column
    categories = (*attribute.categories, MISSING)
    return replace(attribute, categories=categories), np.where(column < 0, len(categories) - 1, column)


def testable(table: Table, options: PublishOptions) -> tuple[list[str], tuple[str, ...]]:
    """The columns that trees may test, and warnings about those that they may not."""
    _check_response(table, options)
    if options.l > 1 and not table.schema.in_role("confidential"):
        raise InputError(f"L = {options.l:g} needs a sensitive attribute; name it with --sensitive.")
    names: list[str] = []
    warnings: list[str] = []
    # If most categories have one record each, a tree that tests them would list people.
    most = min(MOST_BRANCHES, table.rows / 2) if table.rows >= _FEW else MOST_BRANCHES
    for attribute in table.schema.inputs:
        if attribute.role == "confidential":
            continue
        unknown = int(missing_values(table.columns[attribute.name]).sum())
        if attribute.kind == "numeric" and unknown:
            warnings.append(_missing_numbers(attribute.name, unknown, options))
        elif len(attribute.categories) > most:
            warnings.append(
                f"Column {attribute.name!r} has {len(attribute.categories):,} different values, too many to test; "
                "it is released as one value. If it names people, drop it with --identifier."
            )
        else:
            names.append(attribute.name)
            if unknown:
                warnings.append(
                    f"Column {attribute.name!r} lacks {unknown:,} values; missing is treated as a value."
                )
    declared = table.schema.in_role("quasi-identifier")
    others = [name for name in names if name not in declared]
    if declared and others and options.max_leaves is None:
        warnings.append(
            f"Only {', '.join(declared)} are declared as known to an intruder; K and L do not limit tests of other "
            "columns, and the tree may grow large: see --max-leaves."
        )
    return names, tuple(warnings)


def tests_of(plan: TreePlan, names: Sequence[str]) -> list[int]:
    """Places of the columns that one tree may test."""
    for name in plan.columns:
        if name not in names:
            raise unknown_name("testable column", name, names)
    return [place for place, name in enumerate(names) if name in plan.columns or not plan.columns]


def _missing_numbers(name: str, unknown: int, options: PublishOptions) -> str:
    if options.missing_numbers == "refuse":
        raise InputError(
            f"Column {name!r} lacks {unknown:,} numbers, and a published tree cannot test such a column; fill them, "
            "drop those records, or release the column as one value with --missing-numbers suppress."
        )
    return f"Column {name!r} lacks {unknown:,} numbers; no tree tests it, and it is released as one value."


def _check_response(table: Table, options: PublishOptions) -> None:
    response = table.schema.class_attribute
    if response is None:
        raise InputError("No class column is set; name it with --class.")
    unknown = int(missing_values(table.columns[response.name]).sum())
    if unknown:
        raise InputError(
            f"The class {response.name!r} is missing in {unknown:,} records; drop them or fill it in first."
        )
    numeric = response.kind == "numeric"
    for plan in options.trees:
        if numeric and plan.criterion != "variance":
            raise InputError(
                f"The class {response.name!r} holds numbers: a regression tree is grown by variance, not by "
                f"{plan.criterion}; leave the criterion out, or cut the class with --class-bins or --class-threshold."
            )
        if not numeric and plan.criterion == "variance":
            raise InputError(
                f"The class {response.name!r} holds categories, and variance needs numbers; use another criterion."
            )
    if numeric and not np.isfinite(table.columns[response.name]).all():
        raise InputError(f"The class {response.name!r} holds infinite numbers; correct them.")


@dataclass(frozen=True)
class ReleasedGroups:
    """The group of every record, from 0 without gaps; `l` is a group's size over its most frequent sensitive value."""

    ids: Integers
    sizes: Integers
    l: Mapping[str, Floats]

    @property
    def k(self) -> int:
        """Size of the smallest group."""
        return int(self.sizes.min())

    def failure(self, k: int, l: float) -> str | None:
        """Why the groups do not satisfy K and L, or None."""
        if self.k < k:
            return f"the smallest group has {self.k:,} of {len(self.ids):,} records, fewer than K = {k:,}"
        for name, found in self.l.items():
            if found.min() < l - _SLACK:
                reached = np.floor(found.min() * 1000) / 1000  # never more than there is
                return f"one value of {name!r} has more than 1/{l:g} of a group (L = {reached:g})"
        return None


def groups_by(parts: Sequence[Array], sensitive: Mapping[str, Array], rows: int) -> ReleasedGroups:
    """Group records by codes of their quasi-identifiers; without any, all records are one group."""
    ids = np.zeros(rows, np.int64)
    for part in parts:
        ids = dense_codes(ids * (int(part.max(initial=0)) + 1) + part)[1]
    sizes = np.bincount(ids)
    return ReleasedGroups(
        ids, sizes, {name: _strong_l(ids, sizes, codes) for name, codes in sensitive.items()}
    )


def sensitive_codes(table: Table) -> dict[str, Integers]:
    """The original values of every sensitive attribute as codes; a missing one is a value like any other."""
    return {name: dense_values(table.columns[name]) for name in table.schema.in_role("confidential")}


def dense_values(column: Array) -> Integers:
    """Equal values as equal codes from 0."""
    if column.dtype.kind == "f":
        return np.asarray(np.unique(column, return_inverse=True)[1], np.int64)
    return np.asarray(dense_codes(column.astype(np.int64) + 1)[1], np.int64)


def _strong_l(ids: Array, sizes: Array, codes: Array) -> Floats:
    width = int(codes.max(initial=0)) + 1
    pairs, place = dense_codes(ids * width + codes)
    most = np.zeros(len(sizes), np.int64)
    np.maximum.at(most, pairs // width, np.bincount(place))
    return np.asarray(sizes / most)
