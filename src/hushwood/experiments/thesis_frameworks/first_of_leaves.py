"""Test records as the thesis took them: of every leaf of a tree on all records the first, in the order of the file.

How many of each leaf is found from what it prints, in `adult_records` and `wbc_records`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.measures.grown import Grown
from hushwood.random_streams import group_order
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each


def first_of_leaves(
    table: Table, builder: GrowOptions, leaf_sizes: Sequence[int], wanted: Sequence[int], file: str
) -> NDArray[np.bool_]:
    """A mark on so many first records of every leaf that holds any; the leaves must have these sizes."""
    grown = Grown(table, builder).tree
    _, leaf = np.unique(leaf_of_each(grown.trees[0], grown, table.columns), return_inverse=True)
    sizes = np.bincount(leaf)
    if sizes.tolist() != list(leaf_sizes):
        raise InputError(
            f"The tree on the {table.rows:,} complete records has other leaves than on the file of the repository; "
            f"use that file ({file}), its records in their order."
        )
    order = group_order(leaf)
    place = np.arange(table.rows) - (np.cumsum(sizes) - sizes)[leaf[order]]
    marked = np.zeros(table.rows, bool)
    marked[order[place < np.array(wanted)[leaf[order]]]] = True
    return marked
