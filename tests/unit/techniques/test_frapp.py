"""The gamma-diagonal matrix: its law, its amplification, and the test for breaches."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.techniques.frapp import Frapp, GammaDiagonalLaw, most_amplification, worst_posterior
from hushwood.techniques.laws.joint import JointLaw
from oracles.transition_matrices import gamma_diagonal, largest_ratio, worst_belief
from support.law_checks import wrong_laws
from support.mixed_tables import category, table_of
from support.transition_tables import coded_table, law_of, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
DRAWS = 60_000


def pairs_table(copies: int = 1) -> Table:
    """A column of two values with gaps next to one of three without."""
    return table_of(
        {
            "smokes": (category("smokes", ("no", "yes")), [0, 1, -1] * copies),
            "city": (category("city", "abc"), [0, 1, 2] * copies),
        }
    )


def joint_law(technique: Frapp, table: Table) -> JointLaw:
    law = technique.prepare(table, ["smokes", "city"], segmented([0] * table.rows)).law()
    assert isinstance(law, JointLaw)
    return law


def whole_matrix(law: JointLaw) -> np.ndarray:
    """The probability of every record from every record, in the order of the product of values."""
    records = list(product([0, 1, -1], [0, 1, 2]))
    pairs = list(product(records, records))
    old, new = (
        {name: np.array([pair[side][j] for pair in pairs]) for j, name in enumerate(("smokes", "city"))}
        for side in (0, 1)
    )
    found = np.exp(law.log_prob(old, new, np.zeros(len(pairs), int)))
    return found.reshape(len(records), len(records))


def test_one_column_by_hand() -> None:
    # Three values, γ = 4: 4/6 for the value itself, 1/6 for each other; the table has no gaps, so none appear.
    law = law_of(Frapp(4), coded_table([0, 1, 2], 3))
    wanted = [[4 / 6, 1 / 6, 1 / 6, 0], [1 / 6, 4 / 6, 1 / 6, 0], [1 / 6, 1 / 6, 4 / 6, 0]]
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2, -1])[:3], wanted)


def test_together_the_law_is_the_gamma_diagonal_matrix_of_all_records() -> None:
    np.testing.assert_allclose(whole_matrix(joint_law(Frapp(), pairs_table())), gamma_diagonal(19, 9))


def test_apart_every_column_has_a_matrix_and_the_record_the_same_amplification() -> None:
    found = whole_matrix(joint_law(Frapp(16, together=False), pairs_table()))
    np.testing.assert_allclose(found, np.kron(gamma_diagonal(4, 3), gamma_diagonal(4, 3)))
    assert largest_ratio(found.tolist()) == pytest.approx(16)


@pytest.mark.parametrize("together", [True, False])
def test_draws_of_whole_records_follow_the_law_and_fail_a_wrong_one(together: bool) -> None:
    from scipy.stats import chisquare

    law = joint_law(Frapp(together=together), pairs_table())
    copies = {"smokes": np.full(DRAWS, 1, np.int32), "city": np.full(DRAWS, 2, np.int32)}
    drawn = law.sample(copies, np.zeros(DRAWS, int), range(DRAWS), STREAMS)
    cell = np.where(drawn["smokes"] < 0, 2, drawn["smokes"]) * 3 + drawn["city"]
    counts = np.bincount(cell, minlength=9)
    assert chisquare(counts, DRAWS * whole_matrix(law)[5]).pvalue > 1e-3
    wrong = JointLaw(tuple(worse for one in law.laws for worse in wrong_laws(one).values()))
    assert chisquare(counts, DRAWS * whole_matrix(wrong)[5]).pvalue < 1e-3


def test_a_huge_domain_costs_nothing() -> None:
    columns = {f"c{i}": (category(f"c{i}", [str(v) for v in range(50)]), [0, 49]) for i in range(60)}
    table = table_of(columns)
    law = Frapp().prepare(table, list(columns), segmented([0, 0])).law()
    assert isinstance(law, JointLaw)
    (only,) = law.laws
    assert isinstance(only, GammaDiagonalLaw)
    assert only.cells == pytest.approx(50.0**60)
    released = law.sample(table.columns, np.zeros(2, int), range(2), STREAMS)
    logs = law.log_prob(table.columns, released, np.zeros(2, int))
    np.testing.assert_allclose(logs, -60 * np.log(50), rtol=1e-12)
    more = {f"c{i}": (category(f"c{i}", [str(v) for v in range(50)]), [0, 49]) for i in range(200)}
    with pytest.raises(InputError, match=r"more than 10\^300 combinations .* set together=false"):
        Frapp().prepare(table_of(more), list(more), segmented([0, 0]))


@pytest.mark.parametrize(("gamma", "prior"), [(19, 0.05), (2, 0.3), (100, 0.01)])
def test_the_breach_test_is_tight(gamma: float, prior: float) -> None:
    matrix = gamma_diagonal(gamma, 5)
    assert largest_ratio(matrix) == pytest.approx(gamma)
    reached = worst_belief(matrix, prior)
    assert worst_posterior(gamma, prior) == pytest.approx(reached)
    assert most_amplification(prior, reached) == pytest.approx(gamma)


def test_gamma_is_the_largest_that_is_safe_and_a_larger_one_is_refused() -> None:
    assert Frapp().amplification == pytest.approx(19)
    assert Frapp(prior=0.1, posterior=0.6).amplification == pytest.approx(13.5)
    assert Frapp(3).amplification == 3
    with pytest.raises(
        InputError,
        match=r"gamma 30 a belief of 0\.05 can grow to 0\.612, above the posterior of 0\.5; give a gamma of at most 19",
    ):
        Frapp(30)
    with pytest.raises(InputError, match=r"The posterior must be above the prior; 0\.05 and 0\.2 were given"):
        Frapp(prior=0.2, posterior=0.05)
    with pytest.raises(InputError, match="gamma of FRAPP must be above 1; 1 was given"):
        Frapp(1)
    with pytest.raises(InputError, match="prior of FRAPP must be"):
        Frapp(prior=0)
