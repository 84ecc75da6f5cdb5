"""The tables of the experiments on published trees: Adult as the paper seems to have used it, and Abalone.

The paper has 30,717 records of Adult with 5 numerical and 7 categorical attributes. Without `fnlwgt` and
`native-country`, and with the class not counted, Adult has 5 and 7, and 30,718 of its records know them all. Its
second table, of cancer patients, is not public: Abalone, which is, also asks for a regression tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.tables.class_column import Response
from hushwood.tables.reading import read
from hushwood.tables.table import Table

# A public key: the folds hide nothing, and are the same in every run.
_SECRET = b"hushwood published trees".ljust(32, b"\0")


@dataclass(frozen=True, slots=True)
class Described:
    """A file, what is predicted from which of its columns, and the sensitive ones."""

    name: str
    file: str
    target: str
    columns: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    response: Response = "class"


ADULT = Described(
    "adult",
    "adult/adult.csv",
    "income",
    (
        *("age", "workclass", "education", "education-num", "marital-status", "occupation"),
        *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
    ),
    ("occupation",),
)
ABALONE = Described(
    "abalone",
    "abalone/abalone.csv",
    "Rings",
    (
        *("Sex", "Length", "Diameter", "Height"),
        *("Whole_weight", "Shucked_weight", "Viscera_weight", "Shell_weight"),
    ),
    response="number",
)


def described_table(described: Described, folder: Path) -> Table:
    """The records that lack none of the columns used."""
    import polars as pl

    frame = pl.read_csv(folder / described.file).select(*described.columns, described.target).drop_nulls()
    return read(
        frame,
        target=described.target,
        roles=dict.fromkeys(described.sensitive, "confidential"),
        response=described.response,
    ).table


def fold_of_each(table: Table, folds: int) -> NDArray[np.int64]:
    """The fold of every record: drawn by key, all as large as they can be."""
    fold = np.empty(table.rows, np.int64)
    fold[Streams(_SECRET).order("folds", "", range(table.rows))] = np.arange(table.rows) % folds
    return fold
