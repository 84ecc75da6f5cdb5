"""The training and test records of chapter 7, as far as the thesis' printed numbers determine them.

It says that a share of every leaf of a See5 tree on all complete records is kept for testing, and neither which records
nor how many of each leaf. Both tables take the first records of every leaf in file order, and as many as give the
printed numbers.

Adult, about 15 % for testing: the numbers below give the six printed means of the training records, their last digits
cut off; all 15 correlations, rounded or cut off; and the 21,763 and 3,822 records that their tree classifies correctly.
A search near 15 % found 207 choices that give the means; 15 of them give the counts, and one of these the correlations:
this one, which also has the roundest numbers. The plain reading in `frameworks_adult` searches nothing.

WBC, about 12 % for testing, 600 records for training: the choices below give the printed 208 malignant records, the
first column of Table 8.1 and the nine printed means. Rounded means leave 27 such choices, means with their last digits
cut off 35. Of these 62, 11 also give the 4 errors of the tree on the 600 and the 9 on the 83; of those, the one below
is nearest to 12 % of each leaf among the ones with the fewest deviating correlations (2 of 36, by 0.001, digits cut
off). So Table 8.1 agrees by construction, errors and correlations were used to choose, and other choices fit as well.
No equal share of all leaves fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.errors import InputError
from hushwood.measures.models.grown import Grown
from hushwood.random_streams import group_order
from hushwood.tables.table import Table
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.paper_tables import PaperTables


def first_of_leaves(
    table: Table, builder: GrowOptions, leaf_sizes: Sequence[int], wanted: Sequence[int], file: str
) -> Flags:
    """Marks the wanted number of first records of every leaf; the leaves must have these sizes."""
    grown = Grown(table, Builder(builder)).tree
    _, leaf = np.unique(leaf_of_each(grown.trees[0], grown, table.columns), return_inverse=True)
    sizes = np.bincount(leaf)
    if sizes.tolist() != list(leaf_sizes):
        raise InputError(
            f"The tree on the {table.rows:,} complete records has other leaves than on the repository's file; use that "
            f"file ({file}), with its records in their order."
        )
    order = group_order(leaf)
    place = np.arange(table.rows) - (np.cumsum(sizes) - sizes)[leaf[order]]
    marked = np.zeros(table.rows, bool)
    marked[order[place < np.array(wanted)[leaf[order]]]] = True
    return marked


ADULT_BUILDER = GrowOptions("see5", min_leaf=200)
# Records in each leaf of the tree on all 30,162, and how many of them are for testing.
ADULT_LEAF_SIZES = (15_592, 1_475, 2_611, 461, 3_405, 1_143, 233, 2_971, 623, 318, 1_330)
ADULT_TEST_RECORDS = (2_360, 221, 395, 70, 520, 171, 35, 450, 93, 47, 200)


def adult_records(tables: PaperTables) -> tuple[Table, Table]:
    """Training and test records, divided as the thesis' numbers say."""
    return split_adult(tables, ADULT_TEST_RECORDS)


def split_adult(tables: PaperTables, wanted: Sequence[int]) -> tuple[Table, Table]:
    """Training and test records, with the wanted number of each leaf for testing."""
    table = tables.table("adult")
    tested = first_of_leaves(table, ADULT_BUILDER, ADULT_LEAF_SIZES, wanted, "adult.data")
    return table.take(np.flatnonzero(~tested)), table.take(np.flatnonzero(tested))


WBC_BUILDER = GrowOptions("see5", min_leaf=2)
# Records in each leaf of the tree on all 683, and how many of them are for testing.
WBC_LEAF_SIZES = (371, 22, 2, 11, 2, 2, 8, 19, 4, 11, 3, 54, 174)
WBC_TEST_RECORDS = (42, 3, 2, 1, 0, 0, 2, 2, 1, 3, 2, 7, 18)


@dataclass(frozen=True, slots=True)
class WbcRecords:
    """Training and test records, and the identifiers of the training records, which are not among their columns."""

    training: Table
    test: Table
    identifiers: Integers

    def row(self, identifier: int) -> int:
        """The training record with this identifier."""
        return int(np.flatnonzero(self.identifiers == identifier)[0])


def chapter_seven_records(tables: PaperTables) -> WbcRecords:
    """The complete records, divided as the thesis' numbers say."""
    table = tables.table("wbc")
    tested = first_of_leaves(
        table, WBC_BUILDER, WBC_LEAF_SIZES, WBC_TEST_RECORDS, "breast-cancer-wisconsin.data"
    )
    identifiers = tables.frame("wbc").drop_nulls()["Sample_code_number"].to_numpy()
    return WbcRecords(
        table.take(np.flatnonzero(~tested)), table.take(np.flatnonzero(tested)), identifiers[~tested]
    )
