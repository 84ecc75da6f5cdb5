from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.reconstruction.moments import subpopulation_covariance, subpopulation_mean
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.mask_and_swap import STAYS, ExchangedNumbers, MaskAndSwap, isolated
from hushwood.techniques.together.correlated_noise import added_noise, shrinking
from hushwood.techniques.together.learnt_groups import LearntGroup
from oracles import exchanges as oracle
from support.mixed_tables import category, mixed_table, number, table_of
from support.normal_tables import normal_numbers, numbers_table, released_numbers

point = st.tuples(st.integers(0, 6), st.integers(0, 3))


@given(
    st.lists(st.tuples(point, st.integers(0, 2)), min_size=1, max_size=25),
    st.integers(2, 4),
    st.integers(0, 3),
)
def test_who_is_at_risk_equals_the_oracle(
    people: list[tuple[tuple[int, int], int]], k: int, reach: int
) -> None:
    points, cells = [p for p, _ in people], [c for _, c in people]
    found = isolated(np.array(points, float), np.array(cells), k, float(reach))
    assert found.tolist() == oracle.at_risk(points, cells, k, reach)


def law_of(technique: MaskAndSwap, table: Table) -> ExchangedNumbers:
    names = [a.name for a in table.schema.inputs if a.kind == "numeric"]
    (law,) = technique.prepare(table, names, whole_table(table)).law().laws
    assert isinstance(law, ExchangedNumbers)
    return law


def town(rows: int = 300) -> Table:
    """Incomes around 50, three of them far above, and a home for everyone."""
    income = np.random.default_rng(1).normal(50, 5, rows)
    income[[3, 50, 90]] = [120, 121, 150]
    homes = np.arange(rows) % 2
    return table_of(
        {
            "income": (number("income", 0, 200, 2), np.round(income, 2).tolist()),
            "home": (category("home", "ns"), homes.tolist()),
        }
    )


def test_only_groups_with_a_record_that_stands_out_are_exchanged() -> None:
    law = law_of(MaskAndSwap(0.1, 3, controls=()), town())
    moved = np.flatnonzero(law.members != STAYS)
    assert {3, 50, 90} <= set(moved.tolist())
    assert len(moved) < 40
    assert np.bincount(law.members[moved]).max() <= 5


def test_exchanges_stay_in_the_subpopulation_and_keep_its_numbers() -> None:
    table = town()
    technique = MaskAndSwap(0.1, 3, controls=("home",))
    law, streams = law_of(technique, table), Streams(bytes(32))
    ids = np.zeros(table.rows, int)
    moved = law.members != STAYS
    masked, apart, released = (
        one.sample(table.columns, ids, range(table.rows), streams)["income"]
        for one in (law.masked, law.apart[0], law)
    )
    masked = np.where(moved, apart, masked)
    assert moved[[3, 50, 90]].all()
    assert (masked[moved] != released[moved]).any()
    for home in (0, 1):
        here = table.columns["home"] == home
        assert np.sort(masked[here]).tolist() == np.sort(released[here]).tolist()
    # A masked number of the group's other records, and never its own.
    for row in (3, 50, 90):
        others = np.flatnonzero((law.members == law.members[row]) & (np.arange(300) != row))
        assert released[row] in masked[others]


@pytest.mark.parametrize("scale", ["finite", "asymptotic"])
def test_the_noise_is_that_of_kim(scale: str) -> None:
    table = numbers_table(normal_numbers(80))
    law = law_of(MaskAndSwap(0.3, scale=scale), table)  # type: ignore[arg-type]
    kim = Kim(0.3, scale=scale).prepare(table, ["a", "b", "c"], whole_table(table))  # type: ignore[arg-type]
    wanted = kim.method.stated.described()
    found = law.masked.described()
    assert found == wanted


def test_means_and_covariances_stay() -> None:
    x = normal_numbers(20_000)
    y = released_numbers(MaskAndSwap(0.2, bounded=False), numbers_table(x))
    spread = x.std(axis=0)
    assert np.abs((y.mean(axis=0) - x.mean(axis=0)) / spread).max() < 0.02
    away = (np.cov(y, rowvar=False) - np.cov(x, rowvar=False)) / np.outer(spread, spread)
    assert np.abs(away).max() < 0.04


def test_a_subpopulation_is_estimated_without_bias() -> None:
    """By KIM's formulas: exchanges inside it change neither sums nor sums of squares."""
    x = normal_numbers(400)
    x[300:] = 0.4 * x[300:] + [45.0, -10.0, 100.0]
    part = category("part", "ab")
    table = numbers_table(x)
    columns = {a.name: (a, table.columns[a.name].tolist()) for a in table.schema.attributes}
    table = table_of({**columns, "part": (part, [0] * 300 + [1] * 100)})
    technique = MaskAndSwap(0.5, controls=("part",), scale="asymptotic", bounded=False)
    perturber = technique.prepare(table, "abc", whole_table(table))
    factor = float(shrinking(0.5))

    def release(run: int) -> Floats:
        streams = Streams(bytes([run] * 32))
        found = perturber.perturb(table.columns, np.zeros(400, int), range(400), streams)
        return np.stack([found[name] for name in "abc"], axis=1)

    releases = [release(run) for run in range(150)]
    means = np.array([subpopulation_mean(z[300:], z, factor) for z in releases])
    covariances = np.array([subpopulation_covariance(z[300:], z, 0.5, factor) for z in releases])
    # Of covariances the exchange keeps only the variances.
    variances = np.diagonal(covariances, axis1=1, axis2=2)
    for found, truth in ((means, x[300:].mean(axis=0)), (variances, x[300:].var(axis=0, ddof=1))):
        off = (found.mean(axis=0) - truth) / (found.std(axis=0, ddof=1) / len(found) ** 0.5)
        assert np.abs(off).max() < 4


def test_missing_numbers_stay_where_they_are() -> None:
    table = mixed_table(4, 200)
    names = ["count", "price", "ratio", "constant", "void"]
    perturber = MaskAndSwap().prepare(table, names, whole_table(table))
    released = perturber.perturb(table.columns, np.zeros(200, int), range(200), Streams(bytes(32)))
    for name in names:
        assert np.array_equal(np.isnan(released[name]), np.isnan(table.columns[name]))
    assert (released["constant"] == 7).all()


def test_a_table_without_numbers_and_what_is_refused() -> None:
    table = table_of({"home": (category("home", "ns"), [0, 1, 1])})
    perturber = MaskAndSwap().prepare(table, [], whole_table(table))
    assert perturber.attributes == ()
    assert perturber.perturb(table.columns, np.zeros(3, int), range(3), Streams(bytes(32))) == {}
    with pytest.raises(InputError, match="no column for a control 'sex'"):
        MaskAndSwap(controls=("sex",)).prepare(town(), ["income"], whole_table(town()))
    with pytest.raises(InputError, match="2 or more; 1 was given"):
        MaskAndSwap(k=1)


RECORDS = np.array([[1, 2], [1, 2], [3, 3], [5, 1], [5, 1], [6, 9], [8, 8]], float)
GROUPS = [0, 0, 0, 1, STAYS, 1, STAYS]
NONE = np.zeros(1, int)


def law_of_exchanged_numbers(members: list[int], precision: int | None = 0) -> ExchangedNumbers:
    table = numbers_table(RECORDS, precision, 20)

    def noise(names: list[str]) -> JointNormalLaw:
        learnt = LearntGroup.of(table, names, whole_table(table), "table")
        return learnt.normal_law(added_noise(0.3, learnt.numbers, learnt.cells.known), "M")

    apart = (noise(["a"]), noise(["b"]))
    return ExchangedNumbers(noise(["a", "b"]), apart, np.array(members, np.int32), table.columns)


def test_the_law_equals_the_oracle() -> None:
    """Two equal records in one group, and two of which one stays."""
    law = law_of_exchanged_numbers(GROUPS)

    def masked(record: oracle.Record, released: oracle.Record) -> float:
        old, new = ({"a": np.array([r[0]]), "b": np.array([r[1]])} for r in (record, released))
        return float(np.exp(law.masked.log_prob(old, new, NONE))[0])

    def apart(column: int, x: float, y: float) -> float:
        name = "ab"[column]
        return float(
            np.exp(law.apart[column].log_prob({name: np.array([x])}, {name: np.array([y])}, NONE))[0]
        )

    groups = [None if group == STAYS else group for group in GROUPS]
    released = RECORDS + np.array([1, -1])
    new = {"a": released[:, 0], "b": released[:, 1]}
    for asked in ((1.0, 2.0), (3.0, 3.0), (5.0, 1.0), (8.0, 8.0)):
        old = {"a": np.full(7, asked[0]), "b": np.full(7, asked[1])}
        found = np.exp(law.log_prob(old, new, np.zeros(7, int)))
        wanted = [oracle.chance(asked, y, RECORDS.tolist(), groups, masked, apart) for y in released.tolist()]
        assert found == pytest.approx(wanted, rel=1e-9)


def test_the_chances_of_two_columns_add_up_to_one() -> None:
    law = law_of_exchanged_numbers(GROUPS)
    x, y = (g.ravel() for g in np.meshgrid(np.arange(-20.0, 21), np.arange(-20.0, 21)))
    for a, b in ((1.0, 2.0), (5.0, 1.0), (6.0, 9.0), (8.0, 8.0)):
        old = {"a": np.full(len(x), a), "b": np.full(len(x), b)}
        assert np.exp(law.log_prob(old, {"a": x, "b": y}, np.zeros(len(x), int))).sum() == pytest.approx(1)


def test_a_record_that_the_table_does_not_have_keeps_its_numbers() -> None:
    law = law_of_exchanged_numbers(GROUPS)
    old, new = {"a": np.array([2.0]), "b": np.array([7.0])}, {"a": np.array([3.0]), "b": np.array([7.0])}
    assert law.log_prob(old, new, NONE) == pytest.approx(law.masked.log_prob(old, new, NONE))


def sources(law: ExchangedNumbers, seed: int) -> Integers:
    """Whose number every record has, [record, column]."""
    streams, ids = Streams(bytes([seed] * 32)), np.zeros(7, int)
    turned = law.sample(law.columns, ids, range(7), streams)
    found = np.empty((7, 2), int)
    for j, (name, apart) in enumerate(zip("ab", law.apart, strict=True)):
        own = law.masked.sample(law.columns, ids, range(7), streams)[name]
        drawn = np.where(law.members == STAYS, own, apart.sample(law.columns, ids, range(7), streams)[name])
        found[:, j] = [drawn.tolist().index(value) for value in turned[name].tolist()]
    return found


def test_columns_are_turned_apart_and_no_record_keeps_its_own_numbers() -> None:
    law = law_of_exchanged_numbers(GROUPS, None)
    found = np.array([sources(law, seed) for seed in range(60)])
    assert (found[:, 4] == 4).all()
    assert (found[:, [3, 5]] == np.array([5, 3])[:, None]).all()
    turns = {(tuple(run[:3, 0]), tuple(run[:3, 1])) for run in found.tolist() for run in [np.array(run)]}
    assert turns == {(one, two) for one in ((1, 2, 0), (2, 0, 1)) for two in ((1, 2, 0), (2, 0, 1))}


def test_nothing_is_exchanged_where_all_stay() -> None:
    law = law_of_exchanged_numbers([STAYS] * 7, None)
    assert (sources(law, 1) == np.arange(7)[:, None]).all()
    assert law.described()["exchanged"] == 0
    assert law_of_exchanged_numbers(GROUPS).described()["exchanged"] == 5
