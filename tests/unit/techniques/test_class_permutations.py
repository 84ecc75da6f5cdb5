from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from hushwood.segments.segments import Segments
from hushwood.techniques.class_permutations import Alpt, Ppt, Rpt
from hushwood.techniques.laws.redraw import RedrawLaw
from support.class_noise import assert_mean, before_and_after, changed, copies_of_a_leaf
from support.mixed_tables import table_of, target


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


@pytest.mark.parametrize(("counts", "expected"), [((5, 2), 20 / 7), ((1, 1), 1), ((6, 3, 2), 6.545)])
def test_expected_number_of_changes_ppt(counts: Sequence[int], expected: float) -> None:
    assert_mean(changed(Ppt(), counts), expected)


def test_changes_vary_as_two_binomials_do() -> None:
    """Errata A4: variance mn / (m + n)."""
    assert float(changed(Ppt(), (5, 2), 20_000).var()) == pytest.approx(10 / 7, rel=0.05)


def test_minority_records_stay_as_many_on_average() -> None:
    _, after = before_and_after(Ppt(), (5, 2))
    assert_mean((after == 1).sum(axis=1), 2)


def test_homogeneous_leaves_do_not_change() -> None:
    assert not changed(Ppt(), (3,)).any()


def test_the_released_class_tells_nothing_about_the_original_ppt() -> None:
    before, after = before_and_after(Ppt(), (5, 2), 20_000)
    for label in (0, 1):
        assert float((before[after == label] == 0).mean()) == pytest.approx(5 / 7, abs=0.01)


@pytest.mark.parametrize(("counts", "expected"), [((5, 2), 20 / 7), ((6, 3, 2), 6.545)])
def test_as_many_changes_as_rpt_and_ppt(counts: Sequence[int], expected: float) -> None:
    assert_mean(changed(Alpt(), counts), expected)


def law_of(counts: Sequence[int], copies: int = 3) -> RedrawLaw:
    table, segments = copies_of_a_leaf(counts, copies)
    (law,) = Alpt().prepare(table, ["class"], segments).law().laws
    assert isinstance(law, RedrawLaw)
    return law


def test_the_probability_is_the_expected_share_of_changes() -> None:
    """Errata A1: the sum divided by, not multiplied with, the number of records."""
    assert law_of((5, 2)).change.tolist() == pytest.approx([20 / 49])
    assert law_of((6, 3, 2)).change.tolist() == pytest.approx([(11 - 49 / 11) / 11])


def test_two_leaves_share_one_probability() -> None:
    """A leaf of (3, 1) and one of four: E(N) = 1.5 of 8 records; class 1 is 1 of 8."""
    table = table_of({"class": (target("class", "ab"), [0, 0, 0, 1, 0, 0, 0, 0])})
    segments = Segments(np.array([0] * 4 + [1] * 4, np.int32), 2, {}, {}, {})
    law = Alpt().prepare(table, ["class"], segments).law()
    for original, released, wanted in ((0, 0, 1 - 1.5 / 8), (0, 1, 1.5 / 8), (1, 0, 1.5 / 8)):
        one, other = ({"class": np.array([code])} for code in (original, released))
        assert np.exp(law.log_prob(one, other, np.array([1]))) == pytest.approx(wanted)


def test_a_changed_class_is_another_one_in_proportion() -> None:
    """To class c with probability R_c / (N - R_original)."""
    law = law_of((6, 3, 2))
    p = float(law.change[0])
    columns = {"class": np.array([1, 1, 1])}
    found = np.exp(law.log_prob(columns, {"class": np.array([0, 1, 2])}, np.zeros(3, int)))
    assert found == pytest.approx([p * 6 / 8, 1 - p, p * 2 / 8])


def test_one_class_never_changes() -> None:
    assert not changed(Alpt(), (5,)).any()
