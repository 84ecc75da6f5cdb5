"""GADP: moments and security over many runs, and truncation that stays inside.

C-GADP: every segment's own distributions, and ranks that go together as before. EGADP: what the papers promise exactly
is exact; what does not fit its box is rotated.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ks_2samp, spearmanr

from hushwood.arrays import Codes, Floats
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp, rotated_back
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.together.fallbacks import OWN, ROTATION
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.together.group_rows import GroupRows
from oracles import correlations as oracle
from support.correlated_tables import (
    STREAMS,
    Drawn,
    cut,
    described,
    drawn_by,
    hard_table,
    numbers_of,
    outside,
    released_by,
    widened,
)
from support.mixed_tables import number, table_of, target

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


KINDS = ["real", "whole", "zeros", "single", "decimal", "shared"]


@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_every_segment_has_its_own_distributions(rho: float) -> None:
    table = hard_table(1, 4000, KINDS)
    segments = cut(table, ("x0", 0.4), ("x2", 0.8))
    found = released_by(Cgadp(rho, within="segment"), table, segments)
    for s in range(4):
        here = segments.ids == s
        for name in numbers_of(table):
            test = ks_2samp(table.columns[name][here], found[name][here], method="asymp")
            assert test.pvalue > 1e-3, (s, name)


def test_the_class_keeps_its_link_and_the_table_its_distributions() -> None:
    table = hard_table(2, 3000, ["real", "shared"])
    found = released_by(Cgadp(), table, whole_table(table))
    label = table.columns["k"]
    for name in numbers_of(table):
        assert ks_2samp(table.columns[name], found[name], method="asymp").statistic < 0.05
        old, new = (np.corrcoef(values, label)[0, 1] for values in (table.columns[name], found[name]))
        assert new == pytest.approx(old, abs=0.05)


def test_rank_correlations_within_sampling_error() -> None:
    table = hard_table(3, 500, ["real", "shared", "near 1e-6", "large"])
    names = numbers_of(table)
    old = spearmanr(np.stack([table.columns[name] for name in names], axis=1))[0]
    new = []
    perturber = Cgadp(given=()).prepare(table, names, whole_table(table))
    for key in range(40):
        found = perturber.perturb(table.columns, np.zeros(500, int), range(500), Streams(bytes([key] * 32)))
        new.append(spearmanr(np.stack([found[name] for name in names], axis=1))[0])
    # A correlation of ranks in 500 records has a standard error of at most 1 / √499.
    assert np.abs(np.mean(new, axis=0) - old).max() < 4 / np.sqrt(499 * 40) + 0.005
    assert np.std(new, axis=0).max() < 1.3 / np.sqrt(499)


@pytest.mark.parametrize("rho", [0.3, 0.9])
def test_rho_is_the_correlation_of_old_and_new_ranks(rho: float) -> None:
    table = hard_table(4, 2000, ["real", "large"])
    found = released_by(Cgadp(rho, given=()), table, whole_table(table))
    for name in numbers_of(table):
        wanted = 6 / np.pi * np.arcsin(rho / 2)
        assert spearmanr(table.columns[name], found[name])[0] == pytest.approx(wanted, abs=0.06)


@pytest.mark.parametrize("within", ["table", "segment"])
@pytest.mark.parametrize("given", [(), None, ("job", "x5")])
def test_releases_stay_inside_cgadp(within: str, given: tuple[str, ...] | None) -> None:
    table = hard_table(5, 300, [*KINDS, "constant", "offset", "double"], gaps=0.1)
    segments = cut(table, ("x0", 0.5), ("x3", 0.95))
    technique = Cgadp(0.2, within=within, given=given)  # type: ignore[arg-type]
    assert outside(table, segments, technique.within, released_by(technique, table, segments)) == []


def correlation_of_residuals(done: Drawn, j: int) -> float:
    design = done.perturber.given.design(done.rows.columns).tolist()
    old, new = (oracle.residuals(x[:, j].tolist(), design) for x in (done.before, done.after))
    return oracle.correlation(old, new)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.9])
@pytest.mark.parametrize("given", [(), None, ("job", "x2")])
def test_residuals_have_exactly_the_wanted_correlation(rho: float, given: tuple[str, ...] | None) -> None:
    table = widened(hard_table(1, 60, ["real", "decimal", "real"]))
    done = drawn_by(Egadp(rho, given=given), table, whole_table(table))
    assert done.ways.tolist() == [OWN]
    for j in range(done.before.shape[1]):
        assert correlation_of_residuals(done, j) == pytest.approx(rho, abs=1e-9)


@pytest.mark.parametrize("given", [None, ("job", "x2")])
def test_links_to_given_columns_are_exact(given: tuple[str, ...] | None) -> None:
    table = widened(hard_table(2, 80, ["real", "whole", "real"], gaps=0.05))
    done = drawn_by(Egadp(given=given), table, whole_table(table))
    sizes = done.perturber.cells.sizes
    design = done.perturber.given.common_design(table.columns, done.cell, sizes)
    for c in np.flatnonzero(done.ways == OWN).tolist():
        here = done.cell == c
        known = done.perturber.cells.known[c]
        both = [np.concatenate([x[here][:, known], design[here]], axis=1) for x in (done.before, done.after)]
        assert np.allclose(np.cov(both[0].T), np.cov(both[1].T), rtol=1e-9, atol=1e-9)


def test_a_record_alone_in_its_class_moves_too() -> None:
    table = widened(hard_table(7, 60, ["real", "real"]))
    label = np.repeat(np.array([0, 1, 2], np.int32), [1, 2, 57])
    done = drawn_by(Egadp(), table.with_columns({"k": label}), whole_table(table))
    assert done.ways.tolist() == [OWN]
    assert np.abs(done.after - done.before).min() > 1e-6


def test_draws_are_normal_and_of_no_single_direction() -> None:
    """Over many keys a record's new deviation has the spread of its column and no mean."""
    table = widened(hard_table(3, 40, ["zeros", "real"]))
    segments = whole_table(table)
    found = np.array(
        [
            drawn_by(Egadp(given=()), table, segments, Streams(key.to_bytes(32, "big"))).after
            for key in range(300)
        ]
    )
    spread = np.std([table.columns[name] for name in ("x0", "x1")], axis=1)
    mean = np.mean([table.columns[name] for name in ("x0", "x1")], axis=1)
    z = (found - mean) / spread
    assert np.abs(z.mean(axis=0)).max() < 4.5 / np.sqrt(300)
    assert z.std(axis=0) == pytest.approx(np.ones((40, 2)), abs=0.25)


def test_cells_that_do_not_fit_are_rotated_and_as_exact() -> None:
    table = hard_table(4, 200, ["zeros", "binary", "real"])
    done = drawn_by(Egadp(within="segment"), table, cut(table, ("x2", 0.5)))
    assert done.ways.tolist() == [ROTATION, ROTATION]
    low, high = done.rows.room()
    assert ((done.after >= low[done.cell]) & (done.after <= high[done.cell])).all()
    for c in range(2):
        here = done.cell == c
        assert np.allclose(np.cov(done.after[here].T), np.cov(done.before[here].T), rtol=1e-9)


def test_few_numbers_outside_are_turned_back() -> None:
    """Normal numbers with the domain of their sample: most cells still take their own way, and are exact."""
    table = hard_table(5, 2000, ["real", "shared"])
    done = drawn_by(Egadp(), table, whole_table(table))
    assert done.ways.tolist() == [OWN]
    low, high = done.rows.room()
    assert ((done.after >= low[0]) & (done.after <= high[0])).all()
    assert np.allclose(np.cov(done.after.T), np.cov(done.before.T), rtol=1e-9)


def test_the_same_key_gives_the_same_numbers_and_another_does_not() -> None:
    table = hard_table(6, 100, ["real", "whole", "single"], gaps=0.1)
    segments = cut(table, ("x0", 0.5))
    one, again = (released_by(Egadp(within="segment"), table, segments) for _ in range(2))
    other = released_by(Egadp(within="segment"), table, segments, Streams(bytes(32)))
    for name in one:
        assert np.array_equal(one[name], again[name], equal_nan=True)
        assert not np.array_equal(one[name], other[name], equal_nan=True)


SIZE = 400


def people(seed: int = 1, low: float = -3.0, high: float = 3.0) -> Table:
    chance = np.random.default_rng(seed)
    kind = chance.integers(0, 2, SIZE)
    columns = {name: np.clip(chance.normal(size=SIZE) + kind / 2, low, high) for name in ("a", "b", "c")}
    risk = Attribute("risk", "categorical", categories=("high", "low"), role="class")
    numbers = {name: (number(name, low, high, None), values.tolist()) for name, values in columns.items()}
    return table_of({**numbers, "risk": (risk, kind.tolist())})


def rows_of(table: Table, perturber: GroupPerturber) -> GroupRows:
    ids = whole_table(table).ids
    return GroupRows.of(perturber, table.columns, ids, range(table.rows), Streams(bytes(32)))


def perturber_for(table: Table, given: tuple[str, ...] | None = ()) -> GroupPerturber:
    return Egadp(given=given).prepare(table, ("a", "b", "c"), whole_table(table))


def moments(numbers: Floats, kind: Codes) -> Floats:
    return np.cov(np.column_stack([numbers, kind]).T)


@pytest.mark.parametrize("given", [(), ("risk",)])
def test_a_few_numbers_outside_come_back_and_all_moments_stay(given: tuple[str, ...]) -> None:
    table = people()
    rows = rows_of(table, perturber_for(table, given))
    numbers = rows.numbers.copy()
    numbers[[3, 50, 51], [0, 1, 2]] = [3.2, -3.4, 3.1]
    before = numbers.copy()
    found, fits = rotated_back(rows, numbers, np.ones(1, bool))
    assert fits.tolist() == [True]
    assert np.abs(found).max() <= 3
    assert found.mean(axis=0) == pytest.approx(before.mean(axis=0), abs=1e-14)
    np.testing.assert_allclose(np.cov(found.T), np.cov(before.T), atol=1e-13)
    moved = (found != before).any(axis=1)
    assert 5 <= moved.sum() <= 9, "three records and two mates of each"
    if given:
        kind = table.columns["risk"]
        np.testing.assert_allclose(moments(found, kind), moments(before, kind), atol=1e-13)


def test_many_numbers_outside_are_left_to_the_walk() -> None:
    table = people()
    rows = rows_of(table, perturber_for(table))
    numbers = rows.numbers.copy()
    numbers[:30, 0] = 3.1
    found, fits = rotated_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_cells_that_are_not_chosen_and_what_nobody_can_turn_stay() -> None:
    table = people()
    rows = rows_of(table, perturber_for(table))
    numbers = rows.numbers.copy()
    numbers[7, 1] = 1e6
    for chosen in (False, True):
        found, fits = rotated_back(rows, numbers.copy(), np.array([chosen]))
        assert fits.tolist() == [False]
        assert np.array_equal(found, numbers)


def test_given_numbers_would_be_left_behind_so_nothing_is_turned() -> None:
    table = people()
    rows = rows_of(table, perturber_for(table, ("c",)))
    numbers = rows.numbers.copy()
    numbers[7, 0] = 3.3
    found, fits = rotated_back(rows, numbers.copy(), np.ones(1, bool))
    assert fits.tolist() == [False]
    assert np.array_equal(found, numbers)


def test_exact_draws_of_ordinary_numbers_fit_now_and_narrow_ones_are_still_rotated() -> None:
    ways = {}
    for width in (3.0, 0.5):
        table = people(2, -width, width)
        perturber = perturber_for(table)
        ways[width] = perturber.drawn(rows_of(table, perturber))[1].tolist()
    assert ways == {3.0: [OWN], 0.5: [ROTATION]}
