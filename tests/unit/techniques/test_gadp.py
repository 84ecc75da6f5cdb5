"""GADP: moments and security over many runs, and truncation that stays inside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from oracles import correlations as oracle
from support.correlated_tables import STREAMS, cut, described, hard_table, numbers_of, outside, released_by
from support.mixed_tables import table_of, target

RUNS = 200


def normal_table(rows: int = 300) -> Table:
    """Three normal columns that go with the class, and a fourth to condition on; domains far away."""
    chance = np.random.default_rng(7)
    label = chance.integers(0, 2, rows)
    root = np.array([[1.0, 0, 0, 0], [0.7, 0.6, 0, 0], [-0.4, 0.3, 2.0, 0], [0.5, -0.2, 0.1, 0.9]])
    x = chance.normal(size=(rows, 4)) @ root.T + np.outer(label, [1.0, 0.0, -2.0, 0.5])
    columns = {
        f"x{j}": (replace(described(f"x{j}", x[:, j], None), low=-1e3, high=1e3), x[:, j].tolist())
        for j in range(4)
    }
    return table_of({**columns, "k": (target("k", "ab"), label.tolist())})


def runs(technique: Gadp, table: Table) -> list[Floats]:
    """Released columns [record, column] of many keys, followed by the given ones as they are."""
    segments = whole_table(table)
    perturber = technique.prepare(table, numbers_of(table), segments)
    found = []
    for run in range(RUNS):
        streams = Streams(run.to_bytes(32, "big"))
        new = perturber.perturb(table.columns, segments.ids, range(table.rows), streams)
        found.append(np.stack([new.get(name, table.columns[name]) for name in table.columns], axis=1))
    return found


def surely_near(samples: Floats, wanted: Floats) -> bool:
    """Whether the means over all runs are within sampling error of what they should be."""
    error = samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
    return bool((np.abs(samples.mean(axis=0) - wanted) <= 4.5 * error + 1e-9).all())


@pytest.mark.parametrize("rho", [0.0, 0.7])
@pytest.mark.parametrize("given", [(), None, ("k", "x3")])
def test_moments_over_many_runs(rho: float, given: tuple[str, ...] | None) -> None:
    table = normal_table()
    original = np.stack([table.columns[name] for name in table.columns], axis=1)
    found = runs(Gadp(rho, given=given), table)
    assert surely_near(np.array([x.mean(axis=0) for x in found]), original.mean(axis=0))
    covariances = np.array([np.cov(x.T) for x in found])
    wanted = np.cov(original.T)
    assert surely_near(covariances[:, :4, :4], wanted[:4, :4])
    # The last column is the class: its links stay if it is given, and only then.
    assert surely_near(covariances, wanted) == (given != ())


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("given", [(), ("k", "x3")])
def test_the_partial_correlation_of_old_and_new_numbers_is_rho(rho: float, given: tuple[str, ...]) -> None:
    table = normal_table()
    design = [[float(table.columns[name][i]) for name in given] for i in range(table.rows)]
    old = [oracle.residuals(table.columns[f"x{j}"].tolist(), design) for j in range(3)]
    partial = []
    for x in runs(Gadp(rho, given=given), table)[:60]:
        new = [oracle.residuals(x[:, j].tolist(), design) for j in range(3)]
        partial.append([oracle.correlation(a, b) for a, b in zip(old, new, strict=True)])
    assert np.mean(partial, axis=0) == pytest.approx(np.full(3, rho), abs=0.03)


SECURITY = ((0.3, 0.2, 0.0, 0.1), (0.1, 0.2, 0.0, 0.0), (0.0, 0.1, 0.5, 0.0), (0.2, 0.0, 0.0, 0.4))


def test_a_feasible_security_matrix_is_reached() -> None:
    """Correlations of released (rows) with original columns; all else stays as it was."""
    table = normal_table()
    original = np.stack([table.columns[f"x{j}"] for j in range(4)], axis=1)
    own = np.corrcoef(original.T)
    assert np.linalg.eigvalsh(np.block([[own, np.array(SECURITY)], [np.array(SECURITY).T, own]])).min() > 0
    found = runs(Gadp(security=SECURITY, given=()), table)
    across = np.array([np.cov(x[:, :4].T, original.T)[:4, 4:] for x in found])
    spread = original.std(axis=0, ddof=1)
    assert surely_near(across, np.array(SECURITY) * np.outer(spread, spread))
    assert surely_near(np.array([np.cov(x[:, :4].T) for x in found]), np.cov(original.T))


def test_rho_is_one_of_the_security_matrices() -> None:
    table = normal_table()
    segments = whole_table(table)
    correlations = np.corrcoef(np.stack([table.columns[f"x{j}"] for j in range(4)]))
    wanted = tuple(tuple(row) for row in (0.6 * correlations).tolist())
    laws = [
        technique.prepare(table, numbers_of(table), segments).method.stated
        for technique in (Gadp(0.6, given=()), Gadp(security=wanted, given=()))
    ]
    one, other = laws
    assert isinstance(one, JointNormalLaw)
    assert isinstance(other, JointNormalLaw)
    assert np.allclose(one.slope, other.slope)
    assert np.allclose(one.root, other.root)


@pytest.mark.parametrize(
    ("security", "says"),
    [
        (tuple(tuple(float(i == j) * 1.2 for j in range(4)) for i in range(4)), "positive semidefinite"),
        (((0.9,) * 4,) * 4, "positive semidefinite"),
        (((0.5, 0.5), (0.5, 0.5)), "4 rows of 4 numbers"),
        (((0.5,) * 3,) * 4, "4 rows of 4 numbers"),
        (((float("nan"),) * 4,) * 4, "missing or infinite"),
    ],
)
def test_other_security_matrices_are_refused(security: tuple[tuple[float, ...], ...], says: str) -> None:
    table = normal_table()
    with pytest.raises(InputError, match=says):
        Gadp(security=security).prepare(table, numbers_of(table), whole_table(table))


def test_small_segments_do_not_stand_against_a_security_matrix() -> None:
    """A segment of two records has singular covariances, but takes another way anyhow."""
    table = hard_table(1, 60, ["real", "real"], gaps=0.1)
    segments = cut(table, ("x0", 0.02))
    perturber = Gadp(security=((0.5, 0.0), (0.0, 0.5)), within="segment").prepare(
        table, numbers_of(table), segments
    )
    perturber.perturb(table.columns, segments.ids, range(60), STREAMS)
    ways = perturber.ways()
    assert "own" in ways
    assert len(ways) > 1
    collinear = hard_table(2, 60, ["shared", "double"])
    with pytest.raises(InputError, match="positive semidefinite"):
        Gadp(security=((0.5, 0.0), (0.0, 0.5))).prepare(collinear, ["x0", "x1"], whole_table(collinear))


@pytest.mark.parametrize("rho", [0.0, 0.6])
@pytest.mark.parametrize("within", ["table", "segment"])
def test_releases_stay_inside(rho: float, within: str) -> None:
    kinds = ["real", "whole", "decimal", "single", "zeros", "binary", "double", "constant", "offset"]
    table = hard_table(3, 300, kinds, gaps=0.1)
    segments = cut(table, ("x0", 0.5), ("x3", 0.9), ("x1", 0.2))
    technique = Gadp(rho, within=within)  # type: ignore[arg-type]
    found = released_by(technique, table, segments)
    assert outside(table, segments, technique.within, found) == []
    assert set(found) == {f"x{i}" for i in range(9)}
