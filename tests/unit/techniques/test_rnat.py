from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.domains import Boundary
from hushwood.techniques.domain_noise import Rnat
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(32)))


def chances(x: float, released: list[float], precision: int | None = 0, **options: Any) -> list[float]:
    """The law of a number between 1 and 4, or 1 and 5 if continuous."""
    table = table_of({"x": (number("x", 1, 4 if precision == 0 else 5, precision), [x])})
    law = Rnat(**options).prepare(table, ["x"], whole_table(table)).law()
    count = len(released)
    found = law.log_prob({"x": np.full(count, x)}, {"x": np.array(released)}, np.zeros(count, int))
    return [float(p) for p in np.exp(found)]


@pytest.mark.parametrize("boundary", get_args(Boundary))
@pytest.mark.parametrize("precision", [0, None])
def test_every_value_is_equally_likely(boundary: Boundary, precision: int | None) -> None:
    """The old one too, wherever it lies: no tree can learn what a released number was not (errata B2)."""
    for x in (1.0, 2.0, 4.0):
        assert chances(x, [1, 2, 3, 4], precision, boundary=boundary) == pytest.approx([0.25] * 4)


def test_the_printed_reach_by_hand() -> None:
    """Four values, noise -3 to 3: 0 leads back home once, every other value is reached twice."""
    assert chances(2, [1, 2, 3, 4], reach="printed") == pytest.approx([2 / 7, 1 / 7, 2 / 7, 2 / 7])


def test_the_printed_reach_on_reals() -> None:
    """Even but for the one of 2³⁰ grid points that the value itself lies on: only noise of 0 leads there, no turn."""
    found = chances(2, [1.5, 2, 3, 5], None, reach="printed")
    assert found == pytest.approx([0.25, 0.125, 0.25, 0.25])


def test_the_domain_is_never_left_and_used_to_its_ends() -> None:
    """Errata B2: the printed domain [a, a + D] would be left by one."""
    table = table_of({"x": (number("x", 3, 6), [3.0, 4.0, 5.0, 6.0] * 200)})
    perturber = Rnat().prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(800, int), range(800), STREAMS)["x"]
    assert set(found.tolist()) == {3, 4, 5, 6}


@pytest.mark.parametrize("reach", ["domain", "printed"])
def test_one_value_stays(reach: Literal["domain", "printed"]) -> None:
    table = table_of({"x": (number("x", 3, 3), [3.0] * 50)})
    perturber = Rnat(reach=reach).prepare(table, ["x"], whole_table(table))
    assert set(perturber.perturb(table.columns, np.zeros(50, int), range(50), STREAMS)["x"].tolist()) == {3}
