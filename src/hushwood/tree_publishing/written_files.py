"""The written table, counted again before it is shown: its minimum group size K and its diversity L.

Works on the file alone and with its own counting, so that a fault in the publisher's code cannot hide itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.errors import InputError, InternalFault
from hushwood.tables.table import Table
from hushwood.tree_publishing.reading import read_released
from hushwood.tree_publishing.rebuild import TreeVerdict, verdict
from hushwood.tree_publishing.tree_file import published_forest

if TYPE_CHECKING:
    import polars as pl

    from hushwood.tree_publishing.options import PublishOptions

_NOTHING = "nothing was published. Please report this."
_SLACK = 1e-9  # 1/l of a group need not be a whole number of records


def rebuilt(released: Path, model: Mapping[str, Any]) -> TreeVerdict:
    """The verdict of anyone who receives the two files; raises unless they give the tree."""
    try:
        forest = published_forest(model)
        found = verdict(forest, read_released(forest, released))
    except InputError as fault:
        raise InternalFault(f"The written files cannot be read back: {fault} So {_NOTHING}") from fault
    if not found:
        raise InternalFault(f"The released table does not give the tree: {found.difference} So {_NOTHING}")
    return found


def recounted(
    original: Table, released: pl.DataFrame, by: Sequence[str], options: PublishOptions
) -> tuple[int, dict[str, float]]:
    """K and L of the released table, grouped by these columns; raises if they are below what was asked for."""
    k, diversity = counted(original, released, by)
    if k < options.k:
        raise InternalFault(f"The smallest group has {k} records, fewer than K = {options.k}; {_NOTHING}")
    for name, found in diversity.items():
        if found < options.l - _SLACK:
            raise InternalFault(
                f"{name!r} has L = {found:.3g} in some group, less than {options.l:g}; {_NOTHING}"
            )
    return k, diversity


def counted(original: Table, released: pl.DataFrame, by: Sequence[str]) -> tuple[int, dict[str, float]]:
    """The smallest group of records that agree in these columns, and the smallest strong L of each sensitive
    attribute, counted on its original values."""
    import polars as pl

    keys = [f"key {place}" for place in range(len(by))] or ["all"]
    known = pl.DataFrame({key: released[name] for key, name in zip(keys, by, strict=False)})
    if not by:
        known = pl.DataFrame({"all": np.zeros(released.height, np.int8)})
    sizes = known.group_by(keys).len("records")
    diverse: dict[str, float] = {}
    for name in original.schema.in_role("confidential"):
        values = known.with_columns(pl.Series("value", original.columns[name]))
        counted = values.group_by(*keys, "value").len("same").group_by(keys)
        shares = counted.agg((pl.col("same").sum() / pl.col("same").max()).alias("l"))
        diverse[name] = float(shares["l"].to_numpy().min())
    return int(sizes["records"].to_numpy().min()), diverse
