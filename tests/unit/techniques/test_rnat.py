from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Law
from hushwood.techniques.rnat import Rnat
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(32)))


def law_of(table: Table) -> Law:
    return Rnat().prepare(table, ["x"], whole_table(table)).law()


def test_whole_numbers_by_hand() -> None:
    """Four values, noise -3 to 3: 0 leads back home once, every other value is reached twice."""
    law = law_of(table_of({"x": (number("x", 1, 4), [2.0])}))
    found = law.log_prob({"x": np.full(4, 2.0)}, {"x": np.arange(1.0, 5)}, np.zeros(4, int))
    assert np.exp(found) == pytest.approx([2 / 7, 1 / 7, 2 / 7, 2 / 7])


def test_reals_become_uniform() -> None:
    """But for the one of 2³⁰ grid points that the value itself lies on: only noise of 0 leads there, no turn."""
    law = law_of(table_of({"x": (number("x", 0, 4, None), [1.0])}))
    found = law.log_prob({"x": np.full(4, 1.0)}, {"x": np.array([0.5, 1, 2, 4])}, np.zeros(4, int))
    assert np.exp(found) == pytest.approx([0.25, 0.125, 0.25, 0.25])


def test_the_domain_is_never_left_and_used_to_its_ends() -> None:
    """Errata B2: the printed domain [a, a + D] would be left by one."""
    table = table_of({"x": (number("x", 3, 6), [3.0, 4.0, 5.0, 6.0] * 200)})
    perturber = Rnat().prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(800, int), range(800), STREAMS)["x"]
    assert set(found.tolist()) == {3, 4, 5, 6}


def test_one_value_stays() -> None:
    table = table_of({"x": (number("x", 3, 3), [3.0] * 50)})
    perturber = Rnat().prepare(table, ["x"], whole_table(table))
    assert set(perturber.perturb(table.columns, np.zeros(50, int), range(50), STREAMS)["x"].tolist()) == {3}
