""""""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.reconstruction import Disguise, undisguised_share
from hushwood.reconstruction.disguised import Answers
from oracles.reconstruction import disguised_counts, kronecker_inverse, share_of
from support.disguised_tables import answers_table, disguised, from_counts, people
from support.mixed_tables import category, number, table_of

YES_NO = ("no", "yes")
NAMES = "abcd"


def groups_by_name(groups: list[list[int]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(NAMES[column] for column in group) for group in groups)


@settings(max_examples=50)
@given(
    counts=st.dictionaries(st.tuples(*[st.integers(0, 1)] * 4), st.integers(1, 5), min_size=1, max_size=8),
    groups=st.sampled_from([[[0, 1, 2, 3]], [[0, 1], [2, 3]], [[0], [1], [2], [3]], [[0, 3]], [[1], [2, 0]]]),
    truth=st.sampled_from([(3, 4), (1, 3), (4, 5), (1, 1), (0, 1)]),
    wanted=st.dictionaries(st.integers(0, 3), st.integers(0, 1), min_size=1, max_size=4),
)
def test_answers_in_exact_proportion_give_the_true_share(
    counts: dict[Any, int], groups: list[list[int]], truth: tuple[int, int], wanted: dict[int, int]
) -> None:
    table = from_counts(disguised_counts(counts, groups, truth))
    disguise = Disguise(truth[0] / truth[1], groups_by_name(groups))
    where = {NAMES[column]: YES_NO[code] for column, code in wanted.items()}
    found = undisguised_share(table, disguise, where)
    assert found.share == pytest.approx(share_of(counts, wanted), abs=1e-9)


def test_one_group_as_printed() -> None:
    codes = disguised(people(500, 1), 0.7, [range(6)], 2)
    table = answers_table(codes)
    asked, opposite = (np.mean((codes[:, 0] == v) & (codes[:, 5] == 1 - v)) for v in (1, 0))
    found = undisguised_share(table, Disguise(0.7), {"a": "yes", "f": "no"})
    assert found.share == pytest.approx((0.7 * asked - 0.3 * opposite) / 0.4)


def test_three_groups_as_a_kronecker_product() -> None:
    codes = disguised(people(800, 1), 0.8, [(0, 1), (2,), (3, 4, 5)], 3)
    wanted = {0: 1, 1: 0, 2: 1, 3: 0, 5: 1}
    parts = [[0, 1], [2], [3, 5]]
    seen = []
    for state in product((0, 1), repeat=3):
        fits = np.ones(len(codes), bool)
        for part, turned in zip(parts, state, strict=True):
            for column in part:
                fits &= codes[:, column] == (1 - wanted[column] if turned else wanted[column])
        seen.append(float(fits.mean()))
    disguise = Disguise(0.8, (("a", "b"), ("c",), ("d", "e", "f")))
    where = {"abcdef"[column]: YES_NO[code] for column, code in wanted.items()}
    found = undisguised_share(answers_table(codes), disguise, where)
    assert found.share == pytest.approx(kronecker_inverse(seen, 3, 0.8)[0])


@pytest.mark.parametrize("groups", [None, (("a", "b"), ("c", "d", "e", "f"))])
def test_unbiased_with_an_honest_error(groups: Any) -> None:
    codes = people(400, 4)
    parts = [range(6)] if groups is None else [(0, 1), (2, 3, 4, 5)]
    true = float(np.mean((codes[:, 0] == 1) & (codes[:, 5] == 1)))
    found = [
        undisguised_share(
            answers_table(disguised(codes, 0.8, parts, seed)), Disguise(0.8, groups), {"a": "yes", "f": "yes"}
        )
        for seed in range(300)
    ]
    estimates = np.array([share for share, _ in found])
    spread = float(estimates.std(ddof=1))
    assert abs(estimates.mean() - true) < 4 * spread / 300**0.5
    # The error counts the drawing of the 400 people too, which these tables share.
    drawn = true * (1 - true) / 400
    assert np.mean([error**2 for _, error in found]) == pytest.approx(spread**2 + drawn, rel=0.2)


def test_equal_records_are_counted_once() -> None:
    table = answers_table(people(5000, 5))
    answers = Answers.of(table, Disguise(0.7))
    assert answers.codes.shape[1] <= 64
    assert answers.counts.sum() == answers.total == 5000


def test_very_many_columns() -> None:
    chance = np.random.default_rng(1)
    codes = chance.integers(0, 2, (50, 70))
    names = [f"c{i}" for i in range(70)]
    table = table_of({n: (category(n, YES_NO), codes[:, i].tolist()) for i, n in enumerate(names)})
    found = undisguised_share(table, Disguise(0.9), {"c0": "yes"})
    assert found.share == pytest.approx((codes[:, 0].mean() * 0.9 - 0.1 * (1 - codes[:, 0].mean())) / 0.8)
    assert len(Answers.of(table, Disguise(0.9)).counts) == 50


def test_only_the_columns_asked_for_must_be_answers() -> None:
    table = table_of(
        {
            "age": (number("age", 0, 9), [1, 2, 3, 4]),
            "smokes": (category("smokes", YES_NO), [0, 1, 1, 1]),
            "city": (category("city", ("x", "y", "z")), [0, 1, 2, -1]),
        }
    )
    assert undisguised_share(table, Disguise(1.0), {"smokes": "yes"}).share == 0.75
    for name, value in (("age", "1"), ("city", "x")):
        with pytest.raises(InputError, match=f"'{name}' does not have exactly two categories"):
            undisguised_share(table, Disguise(1.0), {name: value})
    with pytest.raises(InputError, match="'smokes' has no category 'maybe'; it has no and yes"):
        undisguised_share(table, Disguise(1.0), {"smokes": "maybe"})
    with pytest.raises(InputError, match="'smokes' has missing answers"):
        gaps = table.with_columns({"smokes": np.array([-1, 0, 1, 1], np.int32)})
        undisguised_share(gaps, Disguise(1.0), {"smokes": "yes"})


@pytest.mark.parametrize(
    ("truth", "groups", "message"),
    [
        (0.5, None, "pure chance"),
        (1.5, None, "between 0 and 1"),
        (0.8, (("a", "b"), ("b",)), "in several: b"),
    ],
)
def test_wrong_disguises_are_refused(truth: float, groups: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Disguise(truth, groups)


def test_unknown_columns_in_groups_are_named() -> None:
    with pytest.raises(InputError, match="no column of answers 'zip'"):
        undisguised_share(answers_table(people(5, 1)), Disguise(0.8, (("a", "zip"),)), {"a": "yes"})
