from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves, whole_table
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from support.mixed_tables import category, grown_forest, mixed_table, number, table_of
from support.small_trees import income_forest

STREAMS = Streams(bytes(range(32)))


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
