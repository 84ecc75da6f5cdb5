"""What coarsening takes from columns, by hand."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.evaluation.coarsening_facts import coarsening_facts
from hushwood.tables.coarse.columns import CoarseColumns
from hushwood.tables.coarse.rules import parsed_rules
from hushwood.tables.reading import read
from hushwood.tables.table import Table

AGES = [20, 21, 23, 25, 30]


def people() -> Table:
    towns = ["Bonn", "Bern", "Kiel", "Kiel", None]
    return read(pl.DataFrame({"age": AGES, "town": towns})).table


def test_numbers_that_were_rounded() -> None:
    table = people()
    (found,) = coarsening_facts(CoarseColumns.of(parsed_rules(["age=5"]), table), table)
    assert (found.column, found.says) == ("age", "rounded to multiples of 5")
    assert found.changed == pytest.approx(2 / 5)  # 21 became 20, 23 became 25
    distance = np.sqrt((1 + 4) / 5) / np.std(AGES)
    assert found.moved == pytest.approx(distance)
    assert 0 < found.loss < 1


def test_texts_that_were_cut_and_gaps_that_do_not_count() -> None:
    table = people()
    (found,) = coarsening_facts(CoarseColumns.of(parsed_rules(["town=1letter"]), table), table)
    assert found.changed == 1.0
    assert found.moved is None
    # B* stands for two of three towns in two records, K* for one in two: LM is (1/2 + 1/2 + 0 + 0) / 4.
    assert found.loss == pytest.approx(0.25)


def test_nothing_was_coarsened() -> None:
    assert coarsening_facts(CoarseColumns(), people()) == ()
