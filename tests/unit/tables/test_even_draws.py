from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.tables.even_draws import evenly_drawn
from hushwood.tables.schema import Attribute
from mixed_tables import category, number

STREAMS = Streams(bytes(32))


def test_every_value_of_a_domain_is_equally_likely() -> None:
    for attribute, expected in (
        (number("age", -2, 3), [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
        (number("price", 0.1, 0.3, 1), [0.1, 0.2, 0.3]),
        (category("job", "abcd"), [0, 1, 2, 3]),
    ):
        values, counts = np.unique(evenly_drawn(attribute, 12_000, STREAMS, "test"), return_counts=True)
        assert values.tolist() == expected
        assert counts.tolist() == pytest.approx([12_000 / len(expected)] * len(expected), rel=0.1)


def test_reals_lie_inside_the_domain() -> None:
    values = evenly_drawn(number("height", 1.5, 2.5, None), 5000, STREAMS, "test")
    assert 1.5 < values.min() < 1.51
    assert 2.49 < values.max() < 2.5


def test_without_a_domain_values_are_missing() -> None:
    assert np.isnan(evenly_drawn(Attribute("age", "numeric"), 3, STREAMS, "test")).all()
    assert evenly_drawn(category("job", ()), 3, STREAMS, "test").tolist() == [-1, -1, -1]


def test_purposes_draw_different_values() -> None:
    one, other = (evenly_drawn(number("age", 0, 1000), 50, STREAMS, purpose) for purpose in ("a", "b"))
    assert (one != other).any()
