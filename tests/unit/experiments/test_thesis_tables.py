"""Test records are a share of every leaf, drawn by key or the first ones, and the rest is for training."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from hushwood.experiments.synthetic_tables import credit_risk
from hushwood.experiments.thesis_tables import THESIS_TABLES, Setting, complete_records, parted
from hushwood.measures.grown import Grown
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each

SETTING = Setting(GrowOptions(min_leaf=20), 0.2, threads=1)


def numbered(rows: int) -> Table:
    """A table whose records can be told apart by their rent."""
    table = credit_risk(rows, bytes(32))
    return table.with_columns({"Income": table.columns["Income"] + np.arange(rows) / 1e6})


def places(table: Table, part: Table) -> list[int]:
    where = {value: i for i, value in enumerate(table.columns["Income"].tolist())}
    return [where[value] for value in part.columns["Income"].tolist()]


@pytest.mark.parametrize("how", ["drawn", "first"])
def test_every_leaf_gives_its_share(how: Literal["drawn", "first"]) -> None:
    table = numbered(600)
    training, test = parted(table, replace(SETTING, test_records=how), Streams(bytes(32)))
    tested, trained = places(table, test), places(table, training)
    assert sorted(tested + trained) == list(range(600))
    assert tested == sorted(tested)
    grown = Grown(table, SETTING.builder)
    leaf = leaf_of_each(grown.tree.trees[0], grown.tree, table.columns).tolist()
    sizes, taken = Counter(leaf), Counter(leaf[row] for row in tested)
    assert len(sizes) > 2
    assert all(taken[one] == round(0.2 * size) for one, size in sizes.items())
    first = [row for row in range(600) if leaf[:row].count(leaf[row]) < round(0.2 * sizes[leaf[row]])]
    assert (tested == first) is (how == "first")


def test_another_key_draws_other_records() -> None:
    table = numbered(300)
    drawn = [parted(table, SETTING, Streams(bytes([key]) * 32))[1] for key in (1, 1, 2)]
    one, again, other = (places(table, test) for test in drawn)
    assert one == again != other


def test_records_with_gaps_and_identifiers_are_left_out(tmp_path: Path) -> None:
    described = THESIS_TABLES["wbc"]
    file = tmp_path / described.file
    file.parent.mkdir()
    file.write_text("Sample_code_number,Mitoses,Class\n1,3,2\n2,,4\n3,5,4\n", encoding="utf-8")
    table = complete_records(described, tmp_path)
    assert table.columns["Mitoses"].tolist() == [3, 5]
    assert table.schema.names == ("Mitoses", "Class")
