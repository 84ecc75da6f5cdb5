from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, spearmanr

from hushwood.errors import InputError
from hushwood.segments.partition import whole_table
from hushwood.techniques.laws.fitted_families import FAMILY_NAMES
from hushwood.techniques.laws.order_statistics import OrderStatisticLaw
from hushwood.techniques.liew import Liew
from oracles import order_statistics as oracle
from oracles.normal_chances import rounded
from support.normal_tables import normal_numbers, numbers_table, released_numbers, segments_of


def law_of(
    values: list[float], technique: Liew, precision: int | None = 0, far: float = 9
) -> OrderStatisticLaw:
    table = numbers_table(np.array(values)[:, None], precision, far)
    (law,) = technique.prepare(table, ["a"], whole_table(table)).law().laws
    assert isinstance(law, OrderStatisticLaw)
    return law


def test_two_records_and_two_values() -> None:
    """0 and 1 are equally likely, so the lower of two draws is a 0 three times in four."""
    table = numbers_table(np.array([[-1.0], [1.0]]), 0, 1)
    table.columns["a"][:] = [-1.0, 1.0]
    law = Liew(("normal",)).prepare(table, ["a"], whole_table(table)).law()
    asked = {"a": np.array([-1.0, -1.0, -1.0, 1.0])}
    outcome = {"a": np.array([-1.0, 0.0, 1.0, 1.0])}
    found = np.exp(law.log_prob(asked, outcome, np.zeros(4, int)))
    end = rounded(-1, 0.0, 1.0, -1, 1)
    assert found[0] == pytest.approx(1 - (1 - end) ** 2)
    assert found[2] == pytest.approx(end**2)
    assert found[3] == pytest.approx(found[0])
    assert found[:3].sum() == pytest.approx(1)


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_the_law_equals_the_oracle(family: str) -> None:
    values = [-9.0, -3.0, -3.0, -3.0, 0.0, 4.0, 4.0, 7.0]
    law = law_of(values, Liew((family,)))
    grid = np.arange(-9.0, 10.0)
    limits = np.append(grid - 0.5, 9.5)
    upto = law.fitted.upto(limits, np.zeros(len(limits), int)).tolist()
    for value in set(values):
        ranks = [rank for rank, other in enumerate(values, 1) if other == value]
        found = np.exp(law.log_prob({"a": np.full(19, value)}, {"a": grid}, np.zeros(19, int)))
        wanted = [oracle.chance(upto[i], upto[i + 1], ranks, len(values)) for i in range(19)]
        assert found == pytest.approx(wanted, abs=1e-10)


def test_the_density_of_a_fine_grid_adds_up_to_one() -> None:
    law = law_of(np.random.default_rng(1).normal(0, 2, 40).tolist(), Liew(), None)
    limits = np.linspace(-9, 9, 40_001)
    y = (limits[1:] + limits[:-1]) / 2
    for x in law.held.values[[0, 20, 39]]:
        density = np.exp(law.log_prob({"a": np.full(len(y), x)}, {"a": y}, np.zeros(len(y), int)))
        assert density.sum() * (limits[1] - limits[0]) == pytest.approx(1, abs=1e-6)


def test_the_column_has_the_fitted_distribution_and_the_order_stays() -> None:
    x = normal_numbers(5000)
    y = released_numbers(Liew(), numbers_table(x))
    assert not np.isin(y, x).any()
    for j in range(3):
        assert (np.diff(y[np.argsort(x[:, j]), j]) >= 0).all()
        assert kstest(y[:, j], "norm", (x[:, j].mean(), x[:, j].std())).pvalue > 1e-3
    assert spearmanr(x[:, 0], x[:, 1])[0] == pytest.approx(spearmanr(y[:, 0], y[:, 1])[0], abs=1e-4)


def test_equal_numbers_share_their_ranks_out() -> None:
    x = np.repeat([1.0, 5.0], 500)[:, None]
    y = released_numbers(Liew(), numbers_table(x, 2, 99))[:, 0]
    assert y[:500].max() <= y[500:].min()
    assert len(np.unique(y[:500])) > 50
    assert abs(np.corrcoef(np.arange(500), y[:500])[0, 1]) < 0.15


def test_gaps_constants_and_lone_records() -> None:
    x = np.array([[1.0, 7.0], [np.nan, 7.0], [3.0, 7.0], [9.0, 7.0]])
    table = numbers_table(x, 0, 9)
    y = released_numbers(Liew(within="segment"), table, segments_of(table, [0, 0, 0, 1]))
    assert np.isnan(y[1, 0])
    assert (y[:, 1] == 7).all()
    (law,) = Liew(within="segment").prepare(table, ["a"], segments_of(table, [0, 0, 0, 1])).law().laws
    table_law = law_of([1.0, 3.0, 9.0], Liew())
    # The record alone follows the distribution of the table.
    asked, grid = np.full(19, 9.0), np.arange(-9.0, 10.0)
    alone = np.exp(law.log_prob({"a": asked}, {"a": grid}, np.ones(19, int)))
    limits = np.append(grid - 0.5, 9.5)
    assert alone == pytest.approx(np.diff(table_law.fitted.upto(limits, np.zeros(20, int))), abs=1e-12)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="families of LIEW must be normal, uniform"):
        Liew(("cauchy",))
    with pytest.raises(InputError, match="Name at least one of normal"):
        Liew(())
