from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Array, Flags
from hushwood.releasing.certifying import counts as hashed_numbers
from hushwood.releasing.certifying.counts import CountedValues, Differences, Marks, Sums, words_of

GROUPS = np.array([0, 0, 0, 1, 1])
BEFORE = np.array([1.0, 2.0, 2.0, 4.0, np.nan])
NONE = np.zeros(2, bool)
LONE = np.array([True, False])


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashed_numbers, "MARKS", 1 << 16)
    monkeypatch.setattr(hashed_numbers, "CELLS", 1 << 16)


def wrong(counted: CountedValues, after: list[float], exempt: Flags = NONE) -> list[bool] | None:
    """What is wrong if the released rows come one by one, those of the end first."""
    changed: Array = np.array(after)
    for row in range(5):
        place = slice(4 - row, 5 - row)
        counted.add(GROUPS[place], words_of(BEFORE[place]), words_of(changed[place]))
    found = counted.wrong(exempt)
    return None if found is None else found.tolist()


def test_sums_tell_which_groups_have_other_numbers() -> None:
    assert wrong(Sums(), [2, 1, 2, 4, np.nan]) == [False, False]
    assert wrong(Sums(), [2, 1, 1, 4, np.nan]) == [True, False]
    assert wrong(Sums(), [2, 2, 4, 1, np.nan]) == [True, True]
    assert wrong(Sums(), [2, 2, 4, 1, np.nan], LONE) == [False, True]
    assert wrong(Sums(), [2, 2, np.nan, 4, 1]) == [True, True]


def test_marks_find_a_number_that_its_group_did_not_have() -> None:
    assert wrong(Marks(5), [1, 1, np.nan, 4, 4]) == [False, False]
    assert wrong(Marks(5), [1, 1, 4, 4, 4]) is None
    assert wrong(Marks(5), [1, 1, 3, 4, 4]) is None
    assert wrong(Marks(5), [1, 1, 3, 4, 4], LONE) == [False, False]


def test_differences_find_a_number_that_is_too_frequent() -> None:
    assert wrong(Differences(), [2, np.nan, 1, np.nan, 4]) == [False, False]
    assert wrong(Differences(), [2, 1, 1, np.nan, np.nan]) is None
    assert wrong(Differences(), [2, 1, 2, 2, np.nan]) is None
    assert wrong(Differences(), [2, 1, 1, np.nan, np.nan], LONE) == [False, False]


def test_an_honest_release_of_many_numbers_never_looks_broken() -> None:
    """More numbers than there are bits and cells."""
    rows = 100_000
    chance = np.random.default_rng(1)
    groups, before = chance.integers(0, 7, rows), words_of(chance.normal(size=rows))
    order = np.argsort(groups, kind="stable")
    after = np.empty_like(before)
    after[order] = before[np.lexsort((chance.random(rows), groups))]
    for counted in (Sums(), Marks(rows), Differences()):
        for part in np.array_split(np.arange(rows), 3):
            counted.add(groups[part], before[part], after[part])
        found = counted.wrong(np.zeros(7, bool))
        assert found is not None
        assert not found.any()
