"""Shares won back from FRAPP: equal to the inverse of the whole matrix, unbiased, with honest errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.reconstruction.gamma_diagonal import amplification, estimated_shares
from hushwood.tables.table import Table
from hushwood.techniques.frapp import Frapp, GammaDiagonalLaw
from oracles.transition_matrices import gamma_diagonal, largest_ratio
from support.mixed_tables import category, table_of
from support.transition_tables import segmented

ROWS = 20_000


def people(rows: int = ROWS) -> Table:
    """Two columns that go together, one of them with gaps."""
    chance = np.random.default_rng(8)
    city = chance.choice(3, rows, p=[0.6, 0.3, 0.1])
    smokes = np.where(chance.random(rows) < 0.1, -1, (chance.random(rows) < 0.2 + 0.3 * city).astype(int))
    return table_of(
        {
            "smokes": (category("smokes", ("no", "yes")), smokes.tolist()),
            "city": (category("city", "abc"), city.tolist()),
        }
    )


def laws_and_release(technique: Frapp, table: Table, key: int = 1) -> tuple[list[GammaDiagonalLaw], Table]:
    perturber = technique.prepare(table, ["smokes", "city"], segmented([0] * table.rows))
    laws = [law for law in perturber.law().laws if isinstance(law, GammaDiagonalLaw)]
    ids = np.zeros(table.rows, int)
    drawn = perturber.perturb(table.columns, ids, range(table.rows), Streams(bytes([key] * 32)))
    columns = {name: (table.schema[name], values.tolist()) for name, values in drawn.items()}
    return laws, table_of(columns)


def shares_of(table: Table) -> np.ndarray:
    """Of smokes (no, yes, missing) by city."""
    smokes = np.where(table.columns["smokes"] < 0, 2, table.columns["smokes"])
    return np.bincount(smokes * 3 + table.columns["city"], minlength=9).reshape(3, 3) / table.rows


@pytest.mark.parametrize("together", [True, False])
def test_the_closed_form_is_the_inverse_of_the_whole_matrix(together: bool) -> None:
    laws, released = laws_and_release(Frapp(16, together=together), people(500))
    found = estimated_shares(released, laws, ["smokes", "city"], clip=False).shares
    root = gamma_diagonal(4, 3)
    matrix = np.array(gamma_diagonal(16, 9)) if together else np.kron(root, root)
    wanted = np.linalg.solve(matrix.T, shares_of(released).ravel()).reshape(3, 3)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    for axis, name in enumerate(("city", "smokes")):
        alone = estimated_shares(released, laws, [name], clip=False).shares
        np.testing.assert_allclose(alone, wanted.sum(axis=axis), atol=1e-12)
    turned = estimated_shares(released, laws, ["city", "smokes"], clip=False).shares
    np.testing.assert_allclose(turned, wanted.T, atol=1e-12)


def test_by_hand() -> None:
    # 10 records, 6 released as a, 3 as b, 1 as c; γ = 4, n = 3: q = 1/2, x = (share - 1/6) / (1/2).
    table = table_of({"x": (category("x", "abc"), [0] * 6 + [1] * 3 + [2])})
    law = GammaDiagonalLaw(("x",), (3,), (False,), 4.0, "FRAPP")
    found = estimated_shares(table, [law], ["x"], clip=False)
    np.testing.assert_allclose(found.shares, [13 / 15, 4 / 15, -2 / 15])
    np.testing.assert_allclose(estimated_shares(table, [law], ["x"]).shares, [0.8, 0.2, 0.0])
    # Weights of a record are 5/3 where it matches and -1/3 elsewhere; of the first cell: sd = 2 · sqrt(.6 · .4).
    assert found.errors[0] == pytest.approx(2 * math.sqrt(0.24 / 10))


@pytest.mark.parametrize("together", [True, False])
def test_estimates_are_near_the_truth_by_their_errors(together: bool) -> None:
    table = people()
    true = shares_of(table)
    off = []
    for key in range(1, 6):
        laws, released = laws_and_release(Frapp(together=together), table, key)
        found = estimated_shares(released, laws, ["smokes", "city"], clip=False)
        off.append((found.shares - true) / found.errors)
        assert np.abs(shares_of(released) - true).max() > 5 * np.abs(found.shares - true).max()
    assert np.abs(np.mean(off)) < 0.6
    assert 0.4 < np.std(off) < 1.4
    clipped = estimated_shares(released, laws, ["smokes", "city"]).shares
    assert clipped.min() >= 0
    assert clipped.sum() == pytest.approx(1)


def test_amplification_is_the_largest_ratio_in_a_column() -> None:
    chance = np.random.default_rng(4)
    for size in (2, 3, 6):
        matrix = chance.dirichlet(np.full(size, 2.0), size)
        assert amplification(matrix) == pytest.approx(largest_ratio(matrix.tolist()))
    assert amplification(np.array(gamma_diagonal(7, 4))) == pytest.approx(7)
    assert amplification(np.eye(2)) == math.inf
    assert amplification(np.array([[0.5, 0.5, 0], [0.5, 0.5, 0], [0.5, 0.5, 0]])) == 1


def test_what_is_refused() -> None:
    laws, released = laws_and_release(Frapp(), people(50))
    with pytest.raises(InputError, match="column that FRAPP perturbed 'town'"):
        estimated_shares(released, laws, ["town"])
    gap = table_of({"city": (category("city", "abc"), [0, -1])})
    with pytest.raises(InputError, match="'city' has missing values, which its law rules out"):
        estimated_shares(gap, laws, ["city"])
    four = table_of({"city": (category("city", "abcd"), [0, 3])})
    with pytest.raises(InputError, match="'city' has more values than its law draws from"):
        estimated_shares(four, laws, ["city"])
    wide = GammaDiagonalLaw(("city", "smokes"), (4000, 4000), (False, True), 19.0, "FRAPP")
    with pytest.raises(InputError, match="16,000,000 combinations, more than 4,000,000; name fewer"):
        estimated_shares(released, [wide], ["city", "smokes"])
