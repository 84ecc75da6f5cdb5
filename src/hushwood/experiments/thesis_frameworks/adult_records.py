"""The 25,600 and 4,562 records of Adult that the thesis trains and tests on in chapter 7, as far as its numbers tell.

It says that about 15 % of every leaf of a See5 tree on the 30,162 complete records are kept for testing, and neither
which nor how many of each leaf. Taking the first ones of every leaf, as many as below, gives what it prints of the
others: the six means, their last digits cut off; all 15 correlations, rounded or cut off; and 21,763 and 3,822 records
that their tree classifies rightly. A search near 15 % found 207 ways that give the means; 15 of them give the counts,
and one of these the correlations: this one, which has the roundest numbers too. `plain_split` searches nothing;
`wbc_records` does the same as this for WBC.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.thesis_frameworks.first_of_leaves import first_of_leaves
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions

SEE5 = GrowOptions("see5", min_leaf=200)
# Records in each leaf of the tree on all 30,162, in the order of its leaves, and how many of them are for testing.
LEAF_SIZES = (15_592, 1_475, 2_611, 461, 3_405, 1_143, 233, 2_971, 623, 318, 1_330)
TEST_RECORDS = (2_360, 221, 395, 70, 520, 171, 35, 450, 93, 47, 200)


def adult_records(tables: PaperTables) -> tuple[Table, Table]:
    """Training and test records, parted as the thesis' numbers tell."""
    return split_adult(tables, TEST_RECORDS)


def split_adult(tables: PaperTables, wanted: Sequence[int]) -> tuple[Table, Table]:
    """Training and test records, so many of each leaf for testing."""
    table = tables.table("adult")
    tested = first_of_leaves(table, SEE5, LEAF_SIZES, wanted, "adult.data")
    return table.take(np.flatnonzero(~tested)), table.take(np.flatnonzero(tested))
