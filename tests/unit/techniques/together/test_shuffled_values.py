"""What is stated of one shuffled record: a value of its own cell, as likely as it is frequent."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from hushwood.techniques.shuffle import Shuffle
from support.correlated_tables import cut, hard_table, numbers_of


def test_one_column_has_the_shares_of_its_cells_values() -> None:
    table = hard_table(1, 120, ["whole", "real"], gaps=0.15)
    segments = cut(table, ("x1", 0.5))
    law = Shuffle(within="segment").prepare(table, ["x0"], segments).law()
    values = table.columns["x0"]
    for s in range(2):
        here = np.flatnonzero((segments.ids == s) & ~np.isnan(values))
        counts = Counter(values[here].tolist())
        for value, count in counts.items():
            released = {**table.columns, "x0": np.where(np.isnan(values), np.nan, value)}
            found = np.exp(law.log_prob(table.columns, released, segments.ids))[here]
            assert found == pytest.approx(np.full(len(here), count / len(here)))
        foreign = {**table.columns, "x0": np.where(np.isnan(values), np.nan, 99.0)}
        assert np.isneginf(law.log_prob(table.columns, foreign, segments.ids)[here]).all()


def test_a_column_more_is_likelier_where_it_goes_with_the_first() -> None:
    table = hard_table(2, 200, ["shared", "real"])
    law = Shuffle(given=()).prepare(table, numbers_of(table), cut(table)).law()
    x = np.sort(table.columns["x0"])
    y = np.sort(table.columns["x1"])
    together = law.log_prob(table.columns, {"x0": x, "x1": y}, np.zeros(200, int))
    apart = law.log_prob(table.columns, {"x0": x, "x1": y[::-1].copy()}, np.zeros(200, int))
    middle = np.abs(np.arange(200) - 99.5) > 20
    assert (together[middle] > apart[middle]).all()


def test_the_law_is_told_without_values() -> None:
    table = hard_table(3, 20, ["whole"])
    told = Shuffle().prepare(table, ["x0"], cut(table)).law().described()
    assert told["form"] == "permutation within segments"
    assert "values" not in told
