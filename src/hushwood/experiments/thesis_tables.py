"""Adult and WBC as the thesis used them in chapter 7: complete records, a part of every leaf kept for testing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from hushwood.measures.grown import Grown
from hushwood.random_streams import Streams, group_order, keyed_order
from hushwood.tables.reading import read
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each


@dataclass(frozen=True, slots=True)
class Setting:
    """How all trees are grown, the share of every leaf that is kept for testing, and how these records are chosen.

    They are drawn by key or, as the thesis seems to have done, the first of the leaf in the order of the file.
    """

    builder: GrowOptions
    test_share: float
    test_records: Literal["drawn", "first"] = "drawn"
    threads: int = 2


@dataclass(frozen=True, slots=True)
class ThesisTable:
    """A file, its class and identifiers, and the setting of the experiments on it."""

    file: str
    target: str
    setting: Setting
    identifiers: tuple[str, ...] = ()


THESIS_TABLES = {
    "adult": ThesisTable("adult/adult.csv", "income", Setting(GrowOptions(min_leaf=200), 0.15)),
    "wbc": ThesisTable(
        "wbc/wbc.csv", "Class", Setting(GrowOptions(min_leaf=2), 0.12), ("Sample_code_number",)
    ),
}


def complete_records(described: ThesisTable, folder: Path) -> Table:
    """The records without a missing value, the identifier dropped."""
    import polars as pl

    frame = pl.read_csv(folder / described.file).drop(described.identifiers)
    return read(frame.drop_nulls(), target=described.target).table


def parted(table: Table, setting: Setting, streams: Streams) -> tuple[Table, Table]:
    """Training and test records; the latter are a share of every leaf of a tree on all records."""
    grown = Grown(table, setting.builder, threads=setting.threads)
    leaf = leaf_of_each(grown.tree.trees[0], grown.tree, table.columns)
    words = streams.words("test records", "", 0, range(table.rows))
    order = group_order(leaf) if setting.test_records == "first" else keyed_order(words, leaf)
    sizes = np.bincount(leaf)
    place = np.arange(table.rows) - (np.cumsum(sizes) - sizes)[leaf[order]]
    tested = np.zeros(table.rows, bool)
    tested[order[place < np.rint(setting.test_share * sizes)[leaf[order]]]] = True
    return table.take(np.flatnonzero(~tested)), table.take(np.flatnonzero(tested))
