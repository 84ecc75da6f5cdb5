"""Signs against the binomial probabilities, worked out by hand."""

from __future__ import annotations

import pytest

from hushwood.experiments.class_noise.sign_test import sign_test


@pytest.mark.parametrize(
    ("greater", "smaller", "chance"), [(5, 0, 1 / 32), (4, 1, 6 / 32), (0, 3, 1.0), (0, 0, 1.0)]
)
def test_the_chance_of_so_many(greater: int, smaller: int, chance: float) -> None:
    pairs = [(2.0, 1.0)] * greater + [(1.0, 2.0)] * smaller + [(1.0, 1.0)]
    signs = sign_test(pairs)
    assert (signs.greater, signs.smaller) == (greater, smaller)
    assert signs.chance == pytest.approx(chance)
    assert signs.significant == (greater == 5)
