from __future__ import annotations

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.tables.domains import Intervals, from_steps, to_steps, wrap
from hushwood.techniques.laws.noise import NoiseLaw

STREAMS = Streams(bytes(range(32)))
ROWS = 2_000


def plainly(law: NoiseLaw, values: np.ndarray, segment_ids: np.ndarray) -> np.ndarray:
    """The law in plain numpy, one array after the other."""
    inside = law.intervals.take(segment_ids)
    x = to_steps(values, inside.precision)
    place = x - inside.first
    if not inside.decimal:
        place = np.clip(np.rint(place / inside.step), 0.0, inside.points - 1.0)
    noise = np.rint(law.scale[segment_ids] / inside.step * STREAMS.normal("T", "x", 0, range(len(values))))
    steps = wrap(place + noise, inside.points) * (1.0 if inside.decimal else inside.step)
    moves = (law.scale[segment_ids] > 0) & (inside.width > 0)
    if law.covered is not None:
        moves &= law.covered[segment_ids]
    return np.where(moves & ~np.isnan(values), from_steps(inside.first + steps, inside.precision), values)


@pytest.mark.parametrize("precision", [None, 0, 2])
@pytest.mark.parametrize("covered", [None, np.array([True, False, True])])
@pytest.mark.parametrize("noise", [0.0, 0.1, 3.0])
def test_the_loop_says_what_numpy_says(
    precision: int | None, covered: np.ndarray | None, noise: float
) -> None:
    unit = 1.0 if precision is None else 10.0**precision
    low, high = np.array([-5.0, 3.0, 7.0]) * unit, np.array([5.0, 9.0, 7.0]) * unit
    intervals = Intervals(low, high, precision)
    law = NoiseLaw("x", intervals, noise * intervals.width, "wrap", "normal", "T", covered)
    segment_ids = np.arange(ROWS) % 3
    u = STREAMS.uniform("values", "", 0, range(ROWS))
    values = from_steps(
        np.rint(low[segment_ids] + u * (high - low)[segment_ids])
        if precision is not None
        else low[segment_ids] + u * (high - low)[segment_ids],
        precision,
    )
    values[::17] = np.nan
    found = law.sample({"x": values}, segment_ids, range(ROWS), STREAMS)["x"]
    np.testing.assert_array_equal(found, plainly(law, values, segment_ids))
