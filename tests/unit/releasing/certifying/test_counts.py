from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Array, Flags
from hushwood.releasing.certifying import counts as hashed_numbers
from hushwood.releasing.certifying.counts import (
    GAP,
    CountedSegments,
    CountedValues,
    Differences,
    Groups,
    Marks,
    Numbering,
    Sums,
    grown,
    words_of,
)


def test_combinations_of_leaves_are_numbered_as_they_are_met() -> None:
    segments = CountedSegments([4, 3])
    leaves = [np.array([3, 0, 3, 3], np.int32), np.array([2, 2, 2, 1], np.int32)]
    assert segments.of(leaves, 4).tolist() == [0, 1, 0, 2]
    assert segments.of([leaf[::-1] for leaf in leaves], 4).tolist() == [2, 0, 1, 0]
    assert segments.count == 3


@pytest.mark.parametrize("trees", [2, 30])
def test_more_leaves_than_a_number_can_tell_apart(trees: int) -> None:
    """Thirty trees of a thousand leaves: only the first and the last part the records."""
    rows = np.arange(2000)
    leaves = [np.zeros(2000, np.int32) for _ in range(trees)]
    leaves[0], leaves[-1] = (rows // 1000).astype(np.int32), (rows % 1000).astype(np.int32)
    segments = CountedSegments([1000] * trees)
    assert np.array_equal(segments.of(leaves, 2000), rows)
    assert np.array_equal(segments.of([leaf[::-1] for leaf in leaves], 2000), rows[::-1])


def test_the_table_is_one_group() -> None:
    groups = Groups((), [])
    assert groups.count == 0
    assert groups.of([np.array([1, 2], np.int32)], {}, 2).tolist() == [0, 0]
    assert (groups.count, groups.lone.tolist()) == (1, [False])


def test_a_number_is_alone_until_another_batch_brings_a_partner() -> None:
    groups = Groups([3], ["a", "b"])
    columns = {"a": np.array([1.0, np.nan, 2.0]), "b": np.full(3, np.nan)}
    groups.of([np.array([0, 1, 1], np.int32)], columns, 3)
    assert groups.lone.tolist() == [True, True]
    groups.of([np.array([0, 2], np.int32)], {"a": np.array([5.0, np.nan]), "b": np.array([1.0, np.nan])}, 2)
    assert groups.lone.tolist() == [True, True, False]  # the first because of its number in b
    groups.of([np.array([0, 1], np.int32)], {"a": np.array([np.nan, 1.0]), "b": np.array([1.0, np.nan])}, 2)
    assert groups.lone.tolist() == [False, False, False]


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


def test_equal_numbers_have_equal_words_and_gaps_their_own() -> None:
    words = words_of(np.array([0.0, -0.0, 1.0, np.nan, -np.nan, np.inf])).tolist()
    assert words[0] == words[1] == 0
    assert words[3] == words[4] == GAP
    assert len(set(words)) == 4
    assert words_of(np.array([2, -1], np.int32)).tolist() == [2, GAP]


def test_arrays_grow_with_zeros() -> None:
    assert grown(np.array([3], np.uint64), 3).tolist() == [3, 0, 0]
    assert grown(np.array([3, 4]), 1).tolist() == [3, 4]


@given(batches=st.lists(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 5)), max_size=20), max_size=5))
def test_pairs_are_numbered_as_they_are_met(batches: list[list[tuple[int, int]]]) -> None:
    numbering, met = Numbering(), dict[tuple[int, int], int]()
    for batch in batches:
        groups, words = np.array(batch, np.int64).reshape(-1, 2).T.copy()
        wanted = [met.setdefault(pair, len(met)) for pair in batch]
        assert numbering.of(groups, words).tolist() == wanted
    assert numbering.count == len(met)
    assert numbering.groups.tolist() == [group for group, _ in met]
    assert numbering.known.tolist() == [word != GAP for _, word in met]


def test_many_pairs_in_one_batch_and_again() -> None:
    groups = np.arange(10_000) // 100
    words = (np.arange(10_000) % 100) * 2**40
    numbering = Numbering()
    for _ in range(2):
        assert np.array_equal(numbering.of(groups, words), np.arange(10_000))
    assert numbering.count == 10_000
