from __future__ import annotations

import numpy as np

from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves
from hushwood.techniques.domain_noise import Linfapt
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from support.mixed_tables import category, number, table_of
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
