from __future__ import annotations

from collections.abc import Sequence

import pytest

from hushwood.techniques.class_permutations import Ppt
from support.class_noise import assert_mean, before_and_after, changed


@pytest.mark.parametrize(("counts", "expected"), [((5, 2), 20 / 7), ((1, 1), 1), ((6, 3, 2), 6.545)])
def test_expected_number_of_changes(counts: Sequence[int], expected: float) -> None:
    assert_mean(changed(Ppt(), counts), expected)


def test_changes_vary_as_two_binomials_do() -> None:
    """Errata A4: variance mn / (m + n)."""
    assert float(changed(Ppt(), (5, 2), 20_000).var()) == pytest.approx(10 / 7, rel=0.05)


def test_minority_records_stay_as_many_on_average() -> None:
    _, after = before_and_after(Ppt(), (5, 2))
    assert_mean((after == 1).sum(axis=1), 2)


def test_homogeneous_leaves_do_not_change() -> None:
    assert not changed(Ppt(), (3,)).any()


def test_the_released_class_tells_nothing_about_the_original() -> None:
    before, after = before_and_after(Ppt(), (5, 2), 20_000)
    for label in (0, 1):
        assert float((before[after == label] == 0).mean()) == pytest.approx(5 / 7, abs=0.01)
