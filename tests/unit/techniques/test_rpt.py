from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hushwood.techniques.class_permutations import Rpt
from support.class_noise import assert_mean, before_and_after, changed


@pytest.mark.parametrize(
    ("counts", "expected"), [((5, 2), 20 / 7), ((1, 1), 1), ((6, 3, 2), 6.545), ((4,), 0)]
)
def test_expected_number_of_changes(counts: Sequence[int], expected: float) -> None:
    assert_mean(changed(Rpt(), counts), expected) if expected else None
    assert expected or not changed(Rpt(), counts).any()


def test_two_classes_change_in_pairs() -> None:
    """Errata A6: an even number of changes holds for two classes only."""
    assert set((changed(Rpt(), (5, 2)) % 2).tolist()) == {0}
    assert set((changed(Rpt(), (6, 3, 2)) % 2).tolist()) == {0, 1}


def test_totals_are_kept_in_every_leaf() -> None:
    before, after = before_and_after(Rpt(), (6, 3, 2), 200)
    assert np.array_equal(np.sort(before, axis=1), np.sort(after, axis=1))


def test_the_released_class_tells_nothing_about_the_original() -> None:
    """Errata A5: P(original = majority | released) = m / (m + n) whatever was released."""
    before, after = before_and_after(Rpt(), (5, 2), 20_000)
    for label in (0, 1):
        share = float((before[after == label] == 0).mean())
        assert share == pytest.approx(5 / 7, abs=0.01)
