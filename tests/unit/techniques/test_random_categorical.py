from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.pram import RandomCategorical
from support.mixed_tables import category, table_of

STREAMS = Streams(bytes(range(32)))


def column(codes: list[int]) -> Table:
    return table_of({"x": (category("x", "abcd"), codes)})


def released(table: Table, probability: float) -> list[int]:
    perturber = RandomCategorical(probability).prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    return [int(code) for code in found]


def test_law_by_hand() -> None:
    """Four values, p = 0.3: each of the three others with 0.1."""
    table = column([0, 1])
    law = RandomCategorical(0.3).prepare(table, ["x"], whole_table(table)).law()
    found = law.log_prob({"x": np.full(5, 1)}, {"x": np.array([0, 1, 2, 3, -1])}, np.zeros(5, int))
    assert np.exp(found) == pytest.approx([0.1, 0.7, 0.1, 0.1, 0])


def test_missing_is_a_value_where_there_is_one() -> None:
    table = column([0, -1])
    law = RandomCategorical(0.4).prepare(table, ["x"], whole_table(table)).law()
    found = law.log_prob({"x": np.full(2, -1)}, {"x": np.array([-1, 3])}, np.zeros(2, int))
    assert np.exp(found) == pytest.approx([0.6, 0.1])


def test_certain_change_changes_every_value() -> None:
    codes = [i % 4 for i in range(2000)]
    found = released(column(codes), 1.0)
    assert all(one != other for one, other in zip(found, codes, strict=True))
    assert set(found) == {0, 1, 2, 3}


def test_values_nobody_has_are_released_too() -> None:
    assert set(released(column([0] * 500), 0.5)) == {0, 1, 2, 3}


def test_a_hundred_thousand_categories() -> None:
    names = [str(i) for i in range(100_000)]
    table = table_of({"x": (category("x", names), list(range(100_000)))})
    perturber = RandomCategorical(0.5).prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    assert float((found != table.columns["x"]).mean()) == pytest.approx(0.5, abs=0.01)
    assert len(np.unique(found)) > 60_000


@pytest.mark.parametrize("probability", [-0.1, 1.5, float("nan")])
def test_bad_probabilities_are_refused(probability: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        RandomCategorical(probability)
