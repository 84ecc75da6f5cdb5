"""Which columns a published tree may test, and what is refused before growing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.errors import InputError, unknown_name
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.records import too_many_values

_FEW = 20  # fewer records can all differ in an honest category


def testable(table: Table, options: PublishOptions) -> tuple[list[str], tuple[str, ...]]:
    """The columns that trees may test, and warnings about those that they may not."""
    _check_response(table, options)
    if options.l > 1 and not table.schema.in_role("confidential"):
        raise InputError(f"L = {options.l:g} needs a sensitive attribute; name it with --sensitive.")
    names: list[str] = []
    warnings: list[str] = []
    for attribute in table.schema.inputs:
        if attribute.role == "confidential":
            continue
        unknown = int(missing_values(table.columns[attribute.name]).sum())
        if attribute.kind == "numeric" and unknown:
            warnings.append(_missing_numbers(attribute.name, unknown, options))
        elif too_many_values(attribute) or _names_records(attribute, table.rows):
            warnings.append(
                f"Column {attribute.name!r} has {len(attribute.categories):,} different values, too many to test; "
                "it is released as one value. If it names people, drop it with --identifier."
            )
        else:
            names.append(attribute.name)
            if unknown:
                warnings.append(
                    f"Column {attribute.name!r} lacks {unknown:,} values; missing is taken as a value."
                )
    declared = table.schema.in_role("quasi-identifier")
    others = [name for name in names if name not in declared]
    if declared and others and options.max_leaves is None:
        warnings.append(
            f"Only {', '.join(declared)} can be told apart by an intruder, it was said; tests of other columns are not "
            "limited by K or L, and the tree may grow large: see --max-leaves."
        )
    return names, tuple(warnings)


def tests_of(plan: TreePlan, names: Sequence[str]) -> list[int]:
    """Places of the columns that one tree may test."""
    for name in plan.columns:
        if name not in names:
            raise unknown_name("testable column", name, names)
    return [place for place, name in enumerate(names) if name in plan.columns or not plan.columns]


def _names_records(attribute: Attribute, rows: int) -> bool:
    """Whether most categories have one record each: a tree that tests them would publish a list of people."""
    return rows >= _FEW and len(attribute.categories) > rows / 2


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
        raise InputError("No class column is set; name it with --class (or target= in Python).")
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
