"""The tables of the experiments on published trees: Adult as the paper seems to have used it, and Abalone.

The paper has 30,717 records of Adult with 5 numerical and 7 categorical attributes. Without `fnlwgt` and
`native-country`, and with the class not counted, Adult has 5 and 7, and 30,718 of its records know them all. Its
second table, of cancer patients, is not public: Abalone, which is, also asks for a regression tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.experiments.paper_tables import PaperTables, paper_table
from hushwood.experiments.protocol import public_streams
from hushwood.tables.class_column import Response
from hushwood.tables.reading import read
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class Used:
    """The columns of a table that are not used, the sensitive ones, and what is predicted."""

    unused: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    response: Response = "class"


USED = {
    "adult": Used(("fnlwgt", "native-country"), ("occupation",)),
    "abalone": Used(response="number"),
}


def used_table(name: str, tables: PaperTables) -> Table:
    """The records that lack none of the columns used."""
    used = USED[name]
    return read(
        tables.frame(name).drop(used.unused).drop_nulls(),
        target=paper_table(name).target,
        roles=dict.fromkeys(used.sensitive, "confidential"),
        response=used.response,
    ).table


def counts_of(table: Table) -> dict[str, int]:
    """Records, and attributes beside the class, as the paper counts them."""
    kinds = [attribute.kind for attribute in table.schema.inputs]
    return {
        "records": table.rows,
        "numerical attributes": kinds.count("numeric"),
        "categorical attributes": kinds.count("categorical"),
    }


def fold_of_each(name: str, rows: int, folds: int) -> NDArray[np.int64]:
    """The fold of every record: drawn, all as large as they can be, the same in every run."""
    fold = np.empty(rows, np.int64)
    order = public_streams("tree-publishing-adult", name, "folds").order("folds", "", range(rows))
    fold[order] = np.arange(rows) % folds
    return fold
