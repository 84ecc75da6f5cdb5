from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves, whole_table
from hushwood.tables.domains import Boundary
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from support.mixed_tables import category, grown_forest, mixed_table, number, table_of
from support.small_trees import income_forest

STREAMS = Streams(bytes(range(32)))


def test_noise_is_scaled_to_the_sub_domain_and_stays_in_it() -> None:
    """Leaves of the age tree: 17 to 27 (Female), 17 to 20 and 21 to 27 (Male), 28 to 90."""
    ages, sexes = [20, 18, 25, 40] * 100, [0, 1, 1, 0] * 100
    table = table_of(
        {"age": (number("age", 17, 90), ages), "sex": (category("sex", ("Female", "Male", "Other")), sexes)}
    )
    segments = leaves(table, income_forest())
    perturber = Linfapt(NoiseParameters(0.5)).prepare(table, ["age"], segments)
    (law,) = perturber.law().laws
    assert isinstance(law, NoiseLaw)
    assert law.scale[segments.ids[:4]].tolist() == [5.5, 2, 3.5, 31.5]
    found = perturber.perturb(table.columns, segments.ids, range(400), STREAMS)["age"].reshape(-1, 4)
    assert found.min(axis=0).tolist() == [17, 17, 21, 28]
    assert found.max(axis=0)[:3].tolist() == [27, 20, 27]
    assert found.max() <= 90


def test_only_segments_that_test_the_attribute_are_covered() -> None:
    table = table_of(
        {"age": (number("age", 17, 90), [30.0] * 9), "sex": (category("sex", ("Female", "Male")), [1] * 9)}
    )
    segments = leaves(table, income_forest(), tree=1)
    perturber = Linfapt().prepare(table, ["age"], segments)
    covered = perturber.covers("age")
    assert covered is not None
    assert not covered.any()
    found = perturber.perturb(table.columns, segments.ids, range(9), STREAMS)["age"]
    assert np.array_equal(found, table.columns["age"])


def test_noise_is_scaled_to_the_whole_domain() -> None:
    table = table_of({"x": (number("x", 1, 10), [5.0] * 1000)})
    perturber = Linnapt(NoiseParameters(0.5)).prepare(table, ["x"], whole_table(table))
    (law,) = perturber.law().laws
    assert isinstance(law, NoiseLaw)
    assert law.scale.tolist() == [5]
    found = perturber.perturb(table.columns, np.zeros(1000, int), range(1000), STREAMS)["x"]
    assert set(found.tolist()) == set(range(1, 11))


def test_segments_that_test_the_attribute_are_left_alone() -> None:
    table = table_of(
        {"age": (number("age", 17, 90), [30.0] * 9), "sex": (category("sex", ("Female", "Male")), [1] * 9)}
    )
    segments = leaves(table, income_forest())
    found = (
        Linnapt().prepare(table, ["age"], segments).perturb(table.columns, segments.ids, range(9), STREAMS)
    )
    assert np.array_equal(found["age"], table.columns["age"])


def test_linfapt_and_linnapt_share_all_segments_out() -> None:
    table = mixed_table(4, 200)
    segments = leaves(table, grown_forest(table))
    for name in ("count", "price", "ratio"):
        here, there = (t.prepare(table, [name], segments).covers(name) for t in (Linfapt(), Linnapt()))
        assert here is not None
        assert there is not None
        assert (here ^ there).all()


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
