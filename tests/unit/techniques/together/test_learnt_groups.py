"""Laws from moments: what they regenerate, by the algebra of the papers and by plain regression."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.together.learnt_groups import LearntGroup, regenerated, said_rho
from oracles import correlations as oracle
from support.correlated_tables import cut, described, hard_table, numbers_of, of_sizes
from support.mixed_tables import table_of


def learnt(table: Table, segments: Segments, **given: Any) -> LearntGroup:
    return LearntGroup.of(table, numbers_of(table), segments, given.pop("within", "table"), **given)


def law_of(group: LearntGroup, rho: float = 0.0) -> JointNormalLaw:
    return group.normal_law(regenerated(rho), "GADP")


def joint_covariance(seed: int, k: int, q: int) -> Floats:
    a = np.random.default_rng(seed).normal(size=(50, k + q))
    return np.atleast_2d(np.cov((a @ np.random.default_rng(seed + 1).normal(size=(k + q, k + q))).T))[None]


@pytest.mark.parametrize("rho", [0.0, 0.4, 0.95])
@pytest.mark.parametrize(("k", "q"), [(1, 0), (3, 0), (2, 3), (1, 1)])
def test_regenerated_numbers_have_the_covariances_of_the_papers(rho: float, k: int, q: int) -> None:
    """Σ_YY = Σ_XX, Σ_YS = Σ_XS and Σ_YX = C + rho (Σ_XX - C) with C = Σ_XS Σ_SS⁻¹ Σ_SX (algorithms 3.1)."""
    uu = joint_covariance(k + q, k, q)
    slope, rest = (part[0] for part in regenerated(rho)(uu, k))
    xx, xs, ss = uu[0, :k, :k], uu[0, :k, k:], uu[0, k:, k:]
    explained = xs @ np.linalg.inv(ss) @ xs.T if q else np.zeros((k, k))
    assert np.allclose(slope @ uu[0] @ slope.T + rest, xx)
    assert np.allclose((slope @ uu[0])[:, k:], xs)
    assert np.allclose((slope @ uu[0])[:, :k], explained + rho * (xx - explained))


def test_a_law_without_given_columns_has_every_cells_own_moments() -> None:
    table = hard_table(1, 200, ["real", "whole", "offset"], gaps=0.1)
    segments = cut(table, ("x0", 0.4))
    group = learnt(table, segments, within="segment")
    law = law_of(group)
    assert law.independent
    numbers = np.nan_to_num(group.numbers)
    means = law.means(table.columns, group.numbers, group.cell)
    for c in range(group.cells.count):
        here = numbers[group.cell == c].tolist()
        wanted = oracle.covariances(here)
        middle = [oracle.mean(oracle.column(here, j)) for j in range(3)]
        assert np.allclose(means[group.cell == c], middle, rtol=1e-12, atol=1e-12)
        assert np.allclose(law.root[c] @ law.root[c].T, wanted, rtol=1e-6, atol=1e-9)


def test_given_columns_are_regressed_on() -> None:
    table = hard_table(2, 150, ["real", "decimal", "real"])
    group = learnt(table, whole_table(table), given=("job", "k", "x2"))
    assert group.group.names == ("x0", "x1")
    law = law_of(group)
    design = group.given.design(table.columns)
    means = law.means(table.columns, group.numbers, group.cell)
    for j in range(2):
        left = oracle.residuals(group.numbers[:, j].tolist(), design.tolist())
        assert group.numbers[:, j] - means[:, j] == pytest.approx(np.array(left), abs=1e-7)
        assert (law.root[0, j] ** 2).sum() == pytest.approx(oracle.covariance(left, left))
    assert law.independent
    assert not law_of(group, 0.5).independent


@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_equal_numbers_stay_as_they_are_to_the_last_bit(rho: float) -> None:
    table = hard_table(3, 90, ["constant", "real", "constant whole"])
    group = learnt(table, cut(table, ("x1", 0.5)), within="segment")
    law = law_of(group, rho)
    means = law.means(table.columns, group.numbers, group.cell)
    assert (means[:, 0] == 0.1).all()
    assert (means[:, 2] == 7).all()
    assert not law.root[:, 0].any()
    assert law.independent == (rho == 0)


def test_numbers_that_are_equal_only_in_their_segment_stay_too() -> None:
    values = np.array([0.1] * 30 + [0.7] * 30 + [1e5 + 0.3] * 30)
    real = np.random.default_rng(6).normal(size=90)
    table = table_of(
        {
            "x0": (described("x0", values, None), values.tolist()),
            "x1": (described("x1", real, None), real.tolist()),
        }
    )
    group = learnt(table, of_sizes(table, [30, 30, 30]), within="segment")
    for rho in (0.0, 0.3, 0.7):
        law = law_of(group, rho)
        assert np.array_equal(law.means(table.columns, group.numbers, group.cell)[:, 0], values)
        assert law.independent == (rho == 0)


def test_a_column_that_the_given_ones_settle_keeps_no_noise() -> None:
    """Rounding error must not be taken for a variance, whose shares with other columns then are anything."""
    table = hard_table(4, 80, ["shared", "double", "real"])
    law = law_of(learnt(table, whole_table(table), given=("x0",)))
    assert not law.root[0, 0].any()
    assert law.root[0, 1, 0] == 0
    assert law.root[0, 1, 1] > 0.1


def test_given_columns_that_say_the_same_twice_do_no_harm() -> None:
    table = hard_table(5, 80, ["real", "shared", "double", "near 1e-9"])
    once, twice = (
        law_of(learnt(table, whole_table(table), given=given)) for given in (("x1",), ("x1", "x2", "x3"))
    )
    assert once.group.names[0] == twice.group.names[0] == "x0"
    assert np.abs(twice.slope).max() < 10
    left, also = (law.root[0, 0, 0] for law in (once, twice))
    assert left == pytest.approx(also)


@pytest.mark.parametrize("rho", [0.0, 0.5, 0.999])
@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp])
def test_shares_below_one_are_accepted(technique: type[Gadp | Cgadp | Egadp], rho: float) -> None:
    assert technique(rho).rho == rho


@pytest.mark.parametrize("rho", [-0.1, 1.0, 1.5, float("nan"), float("inf")])
@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp])
def test_others_are_refused(technique: type[Gadp | Cgadp | Egadp], rho: float) -> None:
    with pytest.raises(InputError, match="at least 0 and below 1"):
        technique(rho=rho)


@pytest.mark.parametrize("technique", [Gadp, Cgadp, Egadp, Shuffle, Rotation])
def test_unknown_places_are_refused(technique: type[Gadp | Cgadp | Egadp | Shuffle | Rotation]) -> None:
    with pytest.raises(
        InputError, match=r"within of [A-Z]+ must be segment or table; 'segments'.*Did you mean 'segment'"
    ):
        technique(within="segments")  # type: ignore[arg-type]


def test_how_reports_say_it() -> None:
    assert said_rho(0.0) == ""
    assert said_rho(0.25) == "; 25% of each value's own deviation stays"
    assert "25%" in Gadp(rho=0.25).says()
    assert Gadp(within="segment").moments == "the means and covariances of the segment"
    assert Gadp().moments == "the means and covariances of the whole table"
