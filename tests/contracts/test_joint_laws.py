"""Laws of several columns together, and of records that depend on each other; single columns are in `test_laws`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim, LogNoise, TendickMatloff
from hushwood.techniques.gadp import Egadp, Gadp
from hushwood.techniques.laws.fitted_families import cut
from hushwood.techniques.laws.joint_normal import JointNormalLaw, LogNormalLaw
from hushwood.techniques.laws.order_statistics import OrderStatisticLaw
from hushwood.techniques.liew import Liew
from hushwood.techniques.mask_and_swap import STAYS, ExchangedNumbers, MaskAndSwap
from hushwood.techniques.protocol import Technique
from hushwood.techniques.shuffle import Shuffle, ShuffledValues
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.routing import leaf_of_each
from support.law_checks import follows, tilted
from support.mixed_tables import category, grown_forest, mixed_table, number, random_model, table_of, target
from support.technique_variants import VARIANTS, columns_for

STREAMS = Streams(bytes(range(1, 33)))
DRAWS = 100_000


def group_of(technique: Technique, table: Table, segments: Segments) -> GroupPerturber:
    found = technique.prepare(table, columns_for(technique, table), segments)
    assert isinstance(found, GroupPerturber)
    return found


def draws_by_record(technique: Technique) -> bool:
    table = mixed_table(1, 60)
    if not technique.jointly:
        return False
    found = technique.prepare(table, columns_for(technique, table), whole_table(table))
    return isinstance(found, GroupPerturber) and isinstance(found.method, RecordDraws)


BY_RECORD = {name: technique for name, technique in VARIANTS.items() if draws_by_record(technique)}


@pytest.mark.parametrize("technique", BY_RECORD.values(), ids=BY_RECORD)
def test_where_no_other_way_is_needed_a_group_draws_from_its_law(technique: Technique) -> None:
    table = mixed_table(5, 400)
    segments = intersections(table, grown_forest(table, min_leaf=40, trees=1))
    group = group_of(technique, table, segments)
    assert isinstance(group.method, RecordDraws)
    law = group.method.stated
    own = group.method.able(group.cells)[group.cells.of(segments.ids, group.group.numbers(table.columns))]
    assert own.sum() > 200
    released = group.perturb(table.columns, segments.ids, range(table.rows), STREAMS)
    drawn = law.sample(table.columns, segments.ids, range(table.rows), STREAMS)
    assert [n for n in drawn if not np.array_equal(released[n][own], drawn[n][own], equal_nan=True)] == []
    after = {**table.columns, **released}
    stated, claimed = (one.log_prob(table.columns, after, segments.ids) for one in (law, group.law()))
    assert np.array_equal(stated[own], claimed[own])


def small_grids() -> Table:
    """Two columns of a few values that go together, with a class."""
    chance = np.random.default_rng(4)
    x = chance.integers(1, 7, 300)
    y = np.clip(x + chance.integers(-1, 2, 300), 1, 6)
    return table_of(
        {
            "x": (number("x", 1, 6), x.tolist()),
            "y": (number("y", 0, 7), y.tolist()),
            "k": (target("k", "no"), (x > 3).astype(int).tolist()),
        }
    )


def p_value(law: Any, table: Table, row: int, drawn: dict[str, Array]) -> float:
    """Of the draws of both columns, under all that the two grids (and all that noise reaches beyond them) hold."""
    x, y = (g.ravel() for g in np.meshgrid(np.arange(-9.0, 120), np.arange(-9.0, 120)))
    original = {name: np.repeat(values[row], len(x)) for name, values in table.columns.items()}
    chance = np.exp(law.log_prob(original, {**original, "x": x, "y": y}, np.zeros(len(x), int)))
    assert chance.sum() == pytest.approx(1, abs=1e-9)
    codes = (drawn["y"] + 9) * 129 + drawn["x"] + 9
    counts = np.bincount(codes.astype(int), minlength=len(x))
    assert (counts[chance == 0] == 0).all()
    expected = DRAWS * chance
    rare = expected < 8
    return float(
        chisquare(
            np.append(counts[~rare], counts[rare].sum()) + 0.0,
            np.append(expected[~rare], expected[rare].sum()) + 1e-9,
            sum_check=False,
        ).pvalue
    )


TOGETHER: dict[str, Technique] = {
    "GADP": Gadp(rho=0.5),
    "KIM": Kim(),
    "KIM unbounded": Kim(bounded=False),
    "TENDICK": TendickMatloff(0.2),
    "LOGNOISE": LogNoise(0.3),
    "LOGNOISE unbounded": LogNoise(0.3, bounded=False),
}


@pytest.mark.parametrize("technique", TOGETHER.values(), ids=TOGETHER)
@pytest.mark.parametrize("row", [0, 1, 2])
def test_two_columns_follow_their_joint_law(technique: Technique, row: int) -> None:
    table = small_grids()
    law = group_of(technique, table, whole_table(table)).method.stated
    copies = {name: np.repeat(values[row], DRAWS) for name, values in table.columns.items()}
    drawn = law.sample(copies, np.zeros(DRAWS, int), range(DRAWS), STREAMS)  # type: ignore[attr-defined]
    assert p_value(law, table, row, drawn) > 1e-3
    assert p_value(unrelated(law), table, row, drawn) < 1e-3


def unrelated(law: Any) -> Any:
    """The law with the same spread of each column, as if they were drawn apart."""
    if isinstance(law, LogNormalLaw):
        return replace(law, logs=unrelated(law.logs))
    assert isinstance(law, JointNormalLaw)
    spread = np.sqrt((law.root**2).sum(axis=2))
    return replace(law, root=spread[:, :, None] * np.eye(spread.shape[1]))


def many_segments(values: list[float], copies: int, high: float) -> tuple[Table, Segments]:
    """The same records in so many segments: each record's releases are independent draws."""
    table = table_of({"x": (number("x", 0, high), values * copies)})
    ids = np.repeat(np.arange(copies, dtype=np.int32), len(values))
    box = Intervals(np.zeros(copies), np.full(copies, high), 0)
    return table, Segments(ids, copies, {"x": box}, {}, {"x": np.zeros(copies, bool)})


@pytest.mark.parametrize("first", [0, 3, 5])
def test_shuffling_gives_every_record_its_segments_shares(first: int) -> None:
    table, segments = many_segments([1, 1, 2, 5, 9, 9], 20_000, 10)
    group = group_of(Shuffle(within="segment"), table, segments)
    drawn = group.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"][first::6]
    record = {"x": table.columns["x"][first : first + 1]}
    assert follows(group.law(), table.schema["x"], record, 0, drawn)
    stated = group.method.stated
    assert isinstance(stated, ShuffledValues)
    wrong = replace(stated, shares=tuple(tilted(shares) for shares in stated.shares))
    wrong_group = replace(group, method=replace(group.method, stated=wrong))  # type: ignore[type-var]
    assert not follows(wrong_group.law(), table.schema["x"], record, 0, drawn)


@pytest.mark.parametrize("first", [0, 2, 3, 5])
def test_a_fitted_distribution_gives_every_record_its_order_statistic(first: int) -> None:
    table, segments = many_segments([1, 1, 2, 5, 9, 9], 20_000, 10)
    perturber = Liew(("normal",), within="segment").prepare(table, ["x"], segments)
    drawn = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"][first::6]
    record = {"x": table.columns["x"][first : first + 1]}
    (law,) = perturber.law().laws
    assert isinstance(law, OrderStatisticLaw)
    assert follows(law, table.schema["x"], record, 0, drawn)
    shape = law.fitted.shape._replace(second=1.2 * law.fitted.shape.second)
    wider = cut(law.fitted.family, shape, law.intervals.low - 0.5, law.intervals.high + 0.5)
    one_off = np.where(law.held.first > 0, law.held.first - 1, 1)
    for wrong in (replace(law, fitted=wider), replace(law, held=replace(law.held, first=one_off))):
        assert not follows(wrong, table.schema["x"], record, 0, drawn)


@pytest.mark.parametrize("first", [0, 2, 3, 5])
def test_exchanged_records_have_the_noise_of_one_of_the_others(first: int) -> None:
    """Four thousand subpopulations of six people, all at risk: groups of 1, 1, 2 and 5, 9, 9."""
    copies = 4_000
    homes = category("home", [str(i) for i in range(copies)])
    numbers = [1, 1, 2, 5, 9, 9] * copies
    table = table_of(
        {
            "x": (number("x", 0, 10), numbers),
            "home": (homes, np.repeat(np.arange(copies), 6).tolist()),
        }
    )
    segments = whole_table(table)
    perturber = MaskAndSwap(0.1, 3, 0.0, ("home",)).prepare(table, ["x"], segments)
    drawn = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"][first::6]
    record = {"x": table.columns["x"][first : first + 1]}
    (law,) = perturber.law().laws
    assert isinstance(law, ExchangedNumbers)
    assert follows(law, table.schema["x"], record, 0, drawn)
    stays = replace(law, members=np.full_like(law.members, STAYS))
    all_six = replace(law, members=np.repeat(np.arange(copies), 6))
    wider = replace(law, apart=tuple(replace(one, root=1.25 * one.root) for one in law.apart))
    for wrong in (stays, all_six, wider):
        assert not follows(wrong, table.schema["x"], record, 0, drawn)


def test_among_many_a_record_of_egadp_is_normal() -> None:
    """A hundred records in a wide domain, 2,500 times: the law that is stated for one of them."""
    values = np.rint(500 + 100 * np.random.default_rng(2).normal(size=100))
    table, segments = many_segments(values.tolist(), 2500, 1000)
    group = group_of(Egadp(within="segment"), table, segments)
    near = int(np.argmin(np.abs(values - values.mean())))
    drawn = group.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"][near::100]
    record = {"x": table.columns["x"][near : near + 1]}
    assert follows(group.law(), table.schema["x"], record, 0, drawn)
    stated = group.method.stated
    assert isinstance(stated, JointNormalLaw)
    wrong = replace(group, method=replace(group.method, stated=replace(stated, root=1.2 * stated.root)))  # type: ignore[type-var]
    assert not follows(wrong.law(), table.schema["x"], record, 0, drawn)


JOINTLY_KEEPING = {
    name: technique
    for name, technique in VARIANTS.items()
    if technique.jointly and technique.keeps_segment and technique.perturbs != "categorical"
}


@pytest.mark.parametrize("technique", JOINTLY_KEEPING.values(), ids=JOINTLY_KEEPING)
def test_columns_of_single_precision_are_possible_inside_their_boxes(technique: Technique) -> None:
    """Small segments, in which one column settles the other; a single tells 128 numbers at 100,000 apart."""
    chance = np.random.default_rng(1)
    found = {
        "x": 100_000 + chance.random(600),
        "w": chance.normal(size=600),
    }
    columns = {name: values.astype(np.float32).astype(float) for name, values in found.items()}
    described = {
        name: replace(number(name, float(v.min()), float(v.max()), None), storage="Float32")
        for name, v in columns.items()
    }
    risk = (target("risk", "ab"), [0, 1] * 300)
    table = table_of({**{n: (described[n], v.tolist()) for n, v in columns.items()}, "risk": risk})
    forest = forest_from_json(random_model(5, table, trees=4, depth=6))
    segments = intersections(table, forest)
    assert (segments.sizes == 2).any()
    group = technique.prepare(table, list(columns), segments)
    released = {
        **table.columns,
        **group.perturb(table.columns, segments.ids, range(table.rows), STREAMS),
    }
    assert all(np.array_equal(released[n], released[n].astype(np.float32)) for n in columns)
    assert np.isfinite(group.law().log_prob(table.columns, released, segments.ids)).all()
    for tree in forest.trees:
        before, after = (leaf_of_each(tree, forest, c) for c in (table.columns, released))
        assert np.array_equal(before, after)
