"""Joint normal laws: probabilities add up to one, and draws are even in the law of each column given those before."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr
from scipy.stats import kstest, lognorm

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import LogNoise
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.joint_normal import JointNormalLaw, LogNormalLaw, logarithms
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.permutation import permutation_law
from hushwood.techniques.together.group_perturber import GroupPerturber
from support.correlated_tables import STREAMS, cut, hard_table, numbers_of
from support.mixed_tables import category, number, table_of, target


def law_of(technique: Gadp, table: Table, segments: Segments) -> JointNormalLaw:
    law = technique.prepare(table, numbers_of(table), segments).method.stated
    assert isinstance(law, JointNormalLaw)
    return law


def grid_table(seed: int) -> Table:
    """A binary column, a column of five values that goes with it, and a third with one decimal and gaps."""
    chance = np.random.default_rng(seed)
    one = chance.integers(0, 2, 60).astype(float)
    two = np.clip(np.rint(2 * one + chance.normal(size=60)), -1, 3)
    three = np.clip(np.rint(5 * (two + chance.normal(size=60))) / 10, -0.4, 0.4)
    three[chance.random(60) < 0.3] = np.nan
    return table_of(
        {
            "a": (number("a", 0, 1), one.tolist()),
            "b": (number("b", -1, 3), two.tolist()),
            "c": (number("c", -0.4, 0.4, 1), three.tolist()),
            "k": (target("k", "uv"), chance.integers(-1, 2, 60).tolist()),
        }
    )


@pytest.mark.parametrize("rho", [0.0, 0.7])
@pytest.mark.parametrize("given", [(), None, ("k", "b")])
def test_probabilities_of_all_points_of_a_grid_add_up_to_one(
    rho: float, given: tuple[str, ...] | None
) -> None:
    table = grid_table(1)
    segments = whole_table(table)
    law = law_of(Gadp(rho, given=given), table, segments)
    values = {"a": [0.0, 1.0], "b": [-1.0, 0, 1, 2, 3], "c": [i / 10 for i in range(-4, 5)]}
    total = np.zeros(table.rows)
    for point in product(*(values[name] for name in law.attributes)):
        released = {
            name: np.where(np.isnan(table.columns[name]), np.nan, value)
            for name, value in zip(law.attributes, point, strict=True)
        }
        chance = np.exp(law.log_prob(table.columns, {**table.columns, **released}, segments.ids))
        gap = np.isnan(table.columns["c"]) & ("c" in law.attributes)
        total += np.where(gap, chance / len(values["c"]), chance)  # a gap is met once for every value of c
    assert total == pytest.approx(np.ones(table.rows))


def test_a_density_on_reals_integrates_to_one() -> None:
    table = hard_table(2, 50, ["real", "shared"])
    segments = cut(table, ("x0", 0.5))
    law = law_of(Gadp(0.5, within="segment"), table, segments)
    axes, sizes = [], []
    for name in ("x0", "x1"):
        inside = segments.intervals[name]
        edges = np.linspace(inside.low[0], inside.high[0], 201)
        axes.append((edges[1:] + edges[:-1]) / 2)
        sizes.append(edges[1] - edges[0])
    first, second = (side.ravel() for side in np.meshgrid(*axes))
    record = int(np.flatnonzero(segments.ids == 0)[0])
    original = {name: np.full(len(first), values[record]) for name, values in table.columns.items()}
    logs = law.log_prob(original, {"x0": first, "x1": second}, np.zeros(len(first), int))
    assert np.exp(logs).sum() * sizes[0] * sizes[1] == pytest.approx(1, abs=0.01)


def test_outside_the_box_and_beside_the_gaps_nothing_is_possible() -> None:
    table = hard_table(3, 60, ["real", "whole"], gaps=0.2)
    segments = cut(table, ("x0", 0.5))
    law = law_of(Gadp(within="segment"), table, segments)
    released = law.sample(table.columns, segments.ids, range(60), STREAMS)
    assert np.isfinite(law.log_prob(table.columns, released, segments.ids)).all()
    high = segments.intervals["x0"].high[segments.ids]
    beyond = {**released, "x0": high + law.group.step[segments.ids, 0]}
    assert np.isneginf(law.log_prob(table.columns, beyond, segments.ids)).all()
    gone = {**released, "x1": np.where(np.isnan(released["x1"]), 3.0, np.nan)}
    assert np.isneginf(law.log_prob(table.columns, gone, segments.ids)).all()


def places(law: JointNormalLaw, table: Table, released: dict[str, Floats], segments: Segments) -> Floats:
    """The place of every released number in its truncated law given those before: even between 0 and 1."""
    numbers, new = law.group.numbers(table.columns), law.group.numbers(released)
    cell = law.cells.of(segments.ids, numbers)
    low, high = (end[cell] for end in law.bounds())
    mean = law.means(table.columns, numbers, cell)
    z = np.zeros(new.shape)
    found = np.empty(new.shape)
    for j in range(new.shape[1]):
        root = law.root[cell, j]
        middle = mean[:, j] + (root[:, :j] * z[:, :j]).sum(axis=1)
        z[:, j] = (new[:, j] - middle) / root[:, j]
        first, last = ndtr((low[:, j] - middle) / root[:, j]), ndtr((high[:, j] - middle) / root[:, j])
        found[:, j] = (ndtr(z[:, j]) - first) / (last - first)
    return found


@pytest.mark.parametrize("rho", [0.0, 0.8])
def test_draws_are_even_in_the_law_of_every_column(rho: float) -> None:
    table = hard_table(4, 4000, ["real", "shared", "zeros"])
    segments = cut(table, ("x0", 0.3), ("x2", 0.8))
    law = law_of(Gadp(rho, within="segment"), table, segments)
    released = dict(law.sample(table.columns, segments.ids, range(4000), STREAMS))
    for column in places(law, table, released, segments).T:
        assert kstest(column, "uniform").pvalue > 1e-3


@pytest.mark.parametrize(
    "kinds", [["shared", "double"], ["single", "single", "near 1e-9"], ["constant", "real"]]
)
@pytest.mark.parametrize("rho", [0.0, 0.6])
def test_draws_are_possible_also_where_columns_settle_each_other(kinds: list[str], rho: float) -> None:
    table = hard_table(5, 200, [*kinds, "double"])
    segments = cut(table, ("x1", 0.5))
    law = law_of(Gadp(rho, within="segment"), table, segments)
    released = law.sample(table.columns, segments.ids, range(200), STREAMS)
    found = law.log_prob(table.columns, released, segments.ids)
    assert np.isfinite(found).all()


def test_the_log_probability_of_one_number_by_hand() -> None:
    """One column 0, 2 with mean 1 and variance 2: P(0) = P(-1.5 < z√2 < -0.5) / P(-1.5 < z√2 < 1.5)."""
    table = table_of({"a": (number("a", 0, 2), [0.0, 2.0])})
    law = law_of(Gadp(given=()), table, whole_table(table))
    found = law.log_prob(table.columns, {"a": np.zeros(2)}, np.zeros(2, int))
    ends = ndtr(np.array([-1.5, -0.5, 1.5]) / np.sqrt(2))
    assert found == pytest.approx(np.log((ends[1] - ends[0]) / (ends[2] - ends[0])))


def test_far_from_the_mean_log_probabilities_stay_finite() -> None:
    """A value at the end of a domain that lies 100 deviations away from the mean."""
    values = [0.0] * 50 + [1.0] * 50
    table = table_of({"a": (number("a", 0, 60), values)})
    law = law_of(Gadp(given=()), table, whole_table(table))
    found = law.log_prob(table.columns, {"a": np.full(100, 60.0)}, np.zeros(100, int))
    spread = float(np.std(values, ddof=1))
    assert found[0] == pytest.approx(log_ndtr(-59.0 / spread), rel=1e-3)


def law_of_log_normal(
    values: list[float], low: float, high: float, precision: int | None, bounded: bool
) -> LogNormalLaw:
    table = table_of({"x": (number("x", low, high, precision), values)})
    perturber = LogNoise(0.5, bounded=bounded).prepare(table, ["x"], whole_table(table))
    assert isinstance(perturber, GroupPerturber)
    assert isinstance(perturber.method.stated, LogNormalLaw)
    return perturber.method.stated


def chances(law: LogNormalLaw, x: float, released: list[float]) -> list[float]:
    n = len(released)
    found = law.log_prob({"x": np.full(n, x)}, {"x": np.array(released)}, np.zeros(n, int))
    return [float(p) for p in np.exp(found)]


VALUES = [1.0, 2.0, 4.0, 16.0]
NOISE = (0.5 * np.var(np.log(VALUES), ddof=1)) ** 0.5


def free(x: float) -> lognorm:
    """What x becomes: lognormal around it, with the drift that makes x the mean."""
    return lognorm(NOISE, scale=x * np.exp(-(NOISE**2) / 2))


def test_reals_have_the_lognormal_density() -> None:
    law = law_of_log_normal(VALUES, 0.5, 50, None, bounded=False)
    assert free(4.0).mean() == pytest.approx(4)
    released = [0.1, 1.0, 4.0, 300.0]
    assert chances(law, 4.0, released) == pytest.approx(free(4.0).pdf(released).tolist())
    at_zero, below = chances(law, 4.0, [0.0, -1.0])
    assert at_zero < 1e-99  # zero stands for half a step above it
    assert below == 0


def test_reals_inside_a_domain_have_the_truncated_one() -> None:
    law = law_of_log_normal(VALUES, 0.5, 20, None, bounded=True)
    inside = free(4.0).cdf(20) - free(4.0).cdf(0.5)
    assert chances(law, 4.0, [1.0, 19.0]) == pytest.approx((free(4.0).pdf([1.0, 19.0]) / inside).tolist())
    assert chances(law, 4.0, [0.4, 21.0]) == [0, 0]


@pytest.mark.parametrize("bounded", [True, False])
def test_a_grid_has_the_lognormal_probability_of_every_step(bounded: bool) -> None:
    law = law_of_log_normal(VALUES, 0, 20, 0, bounded)
    steps = np.arange(0.0, 21)
    wanted = free(2.0).cdf(steps + 0.5) - free(2.0).cdf(steps - 0.5)
    if bounded:
        wanted = wanted / free(2.0).cdf(20.5)
    assert wanted[0] > 1e-3
    assert chances(law, 2.0, steps.tolist()) == pytest.approx(wanted.tolist())
    assert chances(law, 2.0, [-1.0, -2.0]) == [0, 0]


def test_with_an_origin_it_is_the_law_of_the_number_above_it() -> None:
    """From -3 up, with a standard deviation of 3: 6 is added first, and 3, 6, 9 ... are what logarithms see."""
    law = law_of_log_normal([-3.0, 0.0, 0.0, 3.0, 3.0, -3.0, -4.5, 4.5], -20, 20, None, bounded=False)
    origin = float(law.origin[0])
    assert origin == pytest.approx(4.5 + np.std([-3.0, 0.0, 0.0, 3.0, 3.0, -3.0, -4.5, 4.5]))
    spread = float(law.logs.root[0, 0, 0])
    stated = lognorm(spread, loc=-origin, scale=(1.0 + origin) * np.exp(-(spread**2) / 2))
    assert stated.mean() == pytest.approx(1.0)
    assert chances(law, 1.0, [-5.0, 1.0, 8.0]) == pytest.approx(stated.pdf([-5.0, 1.0, 8.0]).tolist())
    assert chances(law, 1.0, [-origin - 0.1]) == [0]


def test_logarithms_end_at_the_origin() -> None:
    found = logarithms(np.array([[1.0, -3.0, -9.0]]), np.full(3, 2.0))
    assert found.tolist() == [[np.log(3.0), -np.inf, -np.inf]]


OTHER_STREAMS = Streams(bytes(range(32)))
BOX = Intervals(np.array([0.0]), np.array([9.0]), 0)


def noise(name: str) -> NoiseLaw:
    return NoiseParameters().law(name, BOX, "LINFAPT")


def test_log_probabilities_add_up() -> None:
    original = {"x": np.array([3.0, 4.0]), "y": np.array([5.0, 6.0])}
    released = {"x": np.array([4.0, 4.0]), "y": np.array([9.0, 0.0])}
    ids = np.zeros(2, int)
    parts = [noise(name).log_prob(original, released, ids) for name in ("x", "y")]
    found = JointLaw((noise("x"), noise("y"))).log_prob(original, released, ids)
    np.testing.assert_allclose(found, parts[0] + parts[1])


def test_no_laws_give_probability_one_to_every_record() -> None:
    empty = JointLaw(())
    assert empty.log_prob({}, {}, np.zeros(3, int)).tolist() == [0, 0, 0]
    assert empty.sample({}, np.zeros(3, int), range(3), OTHER_STREAMS) == {}
    assert not empty.dependent


def test_one_permutation_makes_the_whole_dependent() -> None:
    table = table_of({"c": (category("c", "ab"), [0, 1])})
    swap = permutation_law(table, "c", Segments(np.zeros(2, np.int32), 1, {}, {}, {}), "SWAP")
    assert JointLaw((noise("x"), swap)).dependent
    assert LawPerturber(("x", "c"), JointLaw((noise("x"), swap))).whole_column
    assert not LawPerturber(("x",), JointLaw((noise("x"),))).whole_column


def test_covers() -> None:
    joint = JointLaw((noise("x"),))
    assert LawPerturber(("x",), joint).covers("x") is None
    found = LawPerturber(("x",), joint, {"x": np.array([True, False])}).covers("x")
    assert found is not None
    assert found.tolist() == [True, False]


def test_described_is_plain_data() -> None:
    plain = JointLaw((noise("x"),)).described()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["laws"][0]["scale"] == pytest.approx([10 / 3])
