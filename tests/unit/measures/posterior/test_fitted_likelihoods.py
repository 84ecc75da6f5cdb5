"""Released cells that stand for several values fit the targets whose values they cover."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.measures.posterior import fitted_likelihoods as generalised_likelihoods
from hushwood.measures.posterior.fitted_likelihoods import generalised_likelihood
from hushwood.measures.posterior.likelihoods import Redraw
from hushwood.measures.protocol import Measurement
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.tables.recoding.cells import Generalised
from support.mixed_tables import category, number, table_of, target
from support.table_pairs import context_for

NAN = np.nan


def fits(likelihood: Redraw) -> list[list[bool]]:
    """Whether every released cell can be every target's."""
    rows = likelihood.row[0, likelihood.kind]
    cells = likelihood.released.astype(int)
    return [[bool(likelihood.table[row + cell] == 0) for cell in cells] for row in rows]


def numeric(low: list[float], high: list[float], suppressed: list[bool] | None = None) -> Generalised:
    return Generalised(np.array(suppressed or [False] * len(low)), np.array(low), np.array(high))


def test_ranges_hold_the_values_between_their_ends() -> None:
    wanted = np.array([20.0, 25, 30, 31, NAN])
    cells = numeric([20, 30, 25, NAN, 1], [30, 40, 25, NAN, 2], [False] * 4 + [True])
    found = generalised_likelihood(wanted, np.zeros(5), cells)
    assert found is not None
    assert fits(found[0]) == [
        [True, False, False, False, True],
        [True, False, True, False, True],
        [True, True, False, False, True],
        [False, True, False, False, True],
        [False, False, False, True, True],
    ]
    assert found[1] == {"kernel": "generalised", "different_cells": 5}


def test_ranges_are_as_the_plain_comparison_says() -> None:
    chance = np.random.default_rng(4)
    wanted = chance.integers(0, 30, 40).astype(float)
    ends = np.sort(chance.integers(0, 30, (2, 50)).astype(float), axis=0)
    suppressed = chance.random(50) < 0.2
    found = generalised_likelihood(wanted, ends[0], Generalised(suppressed, *ends))
    assert found is not None
    plain = ((wanted[:, None] >= ends[0]) & (wanted[:, None] <= ends[1])) | suppressed
    assert np.array_equal(fits(found[0]), plain)


def test_groups_of_categories_hold_their_members() -> None:
    """Categories a, b, c; the released column also has "{a, b}" (3), "*" (4) and a word nobody knows (5)."""
    covers = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1], [0, 0, 0]], bool)
    given = np.array([0, 3, 4, 5, -1], np.int32)
    cells = Generalised(given == 4, covers=covers)
    found = generalised_likelihood(np.array([0, 2, -1], np.int32), given, cells)
    assert found is not None
    assert fits(found[0]) == [
        [True, True, True, False, False],
        [False, False, True, False, False],
        [False, False, True, False, True],
    ]


@pytest.mark.parametrize("k", [2, 5])
def test_groups_of_k_hide_among_k(k: int) -> None:
    """Ages in ranges of k people each, all towns suppressed: log2 k bits for everybody."""
    rows = 4 * k
    ages = np.arange(rows).astype(float)
    low = ages // k * k
    original = table_of(
        {
            "age": (number("age", 0, rows), ages.tolist()),
            "town": (category("town", ("a", "b", "*")), [0, 1] * (rows // 2)),
            "ill": (target("ill", "ny"), [0, 1] * (rows // 2)),
        }
    )
    middle: dict[str, Array] = {"age": low + (k - 1) / 2, "town": np.full(rows, 2, np.int32)}
    released = original.with_columns(middle)
    cells = {
        "age": Generalised(np.zeros(rows, bool), low, low + k - 1),
        "town": Generalised(np.ones(rows, bool), covers=np.array([[1, 0], [0, 1], [1, 1]], bool)),
    }
    found = ReidentificationEntropy().compute(
        original, released, context_for(original, released, generalised=cells)
    )
    assert isinstance(found, Measurement)
    np.testing.assert_allclose(found.records["reidentification_bits"], log2(k), atol=1e-6)
    assert found.details["impossible"] == 0


def test_too_many_different_cells_are_left_to_a_fitted_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generalised_likelihoods, "_MOST_CELLS", 3)
    cells = numeric([0, 1, 2], [1, 2, 3])
    assert generalised_likelihood(np.array([0.0, 1.5]), np.zeros(3), cells) is None
    sets = Generalised(np.zeros(3, bool), covers=np.eye(3, dtype=bool))
    assert generalised_likelihood(np.arange(3), np.arange(3), sets) is None
