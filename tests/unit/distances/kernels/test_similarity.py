from __future__ import annotations

import numpy as np

from hushwood.distances.kernels.blocks import LOG_UNIT, scaled_log2


def test_the_logarithm_is_right_from_a_grid_step_to_many_attributes() -> None:
    values = np.concatenate((np.geomspace(2.0**-24, 2048, 20_001), [0.5, 0.75, 1, 1.5, 3])).astype(np.float32)
    found = np.array([scaled_log2(value) for value in values]) / LOG_UNIT
    np.testing.assert_allclose(found, np.log2(values.astype(float)), atol=4e-6, rtol=1e-7)


def test_the_logarithm_of_powers_of_two_is_whole() -> None:
    powers = [scaled_log2(np.float32(2.0**power)) / LOG_UNIT for power in range(-20, 12)]
    assert powers == list(range(-20, 12))


def test_the_logarithm_of_nothing_is_finite() -> None:
    assert np.isfinite(scaled_log2(np.float32(0)))
