"""Draws of every technique follow the law it states, and the same check fails laws that are a little wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.approximate_swap import ApproximateSwap
from hushwood.techniques.class_permutations import Rpt
from hushwood.techniques.domain_noise import Linfapt
from hushwood.techniques.laws.noise import SHAPES, NoiseParameters
from hushwood.techniques.protocol import Columns, Perturber, Technique
from hushwood.techniques.swap import DaleniusReiss, Swap
from hushwood.techniques.warner import Warner
from support.law_checks import follows, leaves_nothing_open, probabilities, without_turns, wrong_laws
from support.law_domains import by_itself, reachable, released_values
from support.mixed_tables import category, grown_forest, mixed_table, number, table_of, target, with_smoker
from support.technique_variants import BOUNDARIES, VARIANTS, columns_for, draws_alone

DRAWS = 150_000
STREAMS = Streams(bytes(range(1, 33)))
CHUNKABLE = {name: technique for name, technique in VARIANTS.items() if draws_alone(technique)}
each_chunkable = pytest.mark.parametrize("technique", CHUNKABLE.values(), ids=CHUNKABLE)


@pytest.fixture(scope="module")
def table() -> Table:
    return with_smoker(mixed_table(3, 300))


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    """Of a forest that does not know the smoker: all numbers are tested somewhere."""
    return intersections(table, grown_forest(mixed_table(3, 300), min_leaf=15))


def columns_to_check(technique: Technique, table: Table) -> list[str]:
    """The technique's columns; categories only if it may leave values out, for no grid of numbers has a gap on it."""
    names = columns_for(technique, table)
    return [n for n in names if technique.perturbs != "any" or table.schema[n].kind == "categorical"]


def covered_rows(perturber: Perturber, table: Table, segments: Segments, name: str) -> Integers:
    """Records with a value that the perturber deals with, those of the widest and of the narrowest boxes first."""
    if name not in perturber.attributes:
        return np.zeros(0, np.int64)
    covered = perturber.covers(name)
    here = np.ones(table.rows, bool) if covered is None else covered[segments.ids]
    if table.schema[name].kind == "numeric":
        here &= ~np.isnan(table.columns[name])
        inside = segments.intervals[name].take(segments.ids)
        order = np.argsort(inside.width, kind="stable")
        return order[here[order]]
    return np.flatnonzero(here)


def draws_of(perturber: Perturber, record: Columns, segment: int, name: str, draws: int = DRAWS) -> Array:
    copies = {column: np.repeat(values, draws) for column, values in record.items()}
    return perturber.perturb(copies, np.full(draws, segment), range(draws), STREAMS)[name]


def record_at(table: Table, row: int) -> dict[str, Array]:
    return {name: values[row : row + 1] for name, values in table.columns.items()}


@each_chunkable
def test_draws_follow_the_law(technique: Technique, table: Table, segments: Segments) -> None:
    checked = 0
    for name in columns_to_check(technique, table):
        perturber = by_itself(technique.prepare(table, [name], segments), segments)
        rows = covered_rows(perturber, table, segments, name)
        if not len(rows) or name == "void":
            continue
        for row in {int(rows[0]), int(rows[len(rows) // 2]), int(rows[-1])}:
            record, segment = record_at(table, row), int(segments.ids[row])
            drawn = draws_of(perturber, record, segment, name)
            assert follows(perturber.law(), table.schema[name], record, segment, drawn), (name, row)
            checked += 1
    assert checked


def most_open_row(perturber: Perturber, table: Table, segments: Segments, name: str) -> int:
    """The record that could become most, where a wrong law shows."""
    rows = covered_rows(perturber, table, segments, name)

    def openness(row: int) -> float:
        chance = probabilities(
            perturber.law(), table.schema[name], record_at(table, row), int(segments.ids[row])
        )
        return -float((chance**2).sum())

    return int(max(rows[:: max(len(rows) // 40, 1)].tolist(), key=openness))


@each_chunkable
def test_wrong_laws_fail_the_same_check(technique: Technique, table: Table, segments: Segments) -> None:
    failed = 0
    names = {"class": ["risk"], "numeric": ["count", "price", "ratio"]}
    for name in names.get(technique.perturbs, ["smoker" if isinstance(technique, Warner) else "job"]):
        perturber = by_itself(technique.prepare(table, [name], segments), segments)
        if not len(covered_rows(perturber, table, segments, name)):
            continue
        if leaves_nothing_open(perturber.law()):
            pytest.skip("Of like values every segment allows only one; the literal variant is checked.")
        row = most_open_row(perturber, table, segments, name)
        record, segment = record_at(table, row), int(segments.ids[row])
        drawn = draws_of(perturber, record, segment, name)
        assert follows(perturber.law(), table.schema[name], record, segment, drawn)
        for what, wrong in wrong_laws(perturber.law()).items():
            assert not follows(wrong, table.schema[name], record, segment, drawn), (name, what)
            failed += 1
    assert failed


@pytest.mark.parametrize("turns", [0, 1])
@pytest.mark.parametrize("boundary", ["wrap", "reflect"])
@pytest.mark.parametrize("name", ["price", "ratio"])
def test_a_law_without_the_second_turn_fails(
    name: str, boundary: str, turns: int, table: Table, segments: Segments
) -> None:
    technique = Linfapt(NoiseParameters(2.0, boundary))  # type: ignore[arg-type]
    perturber = technique.prepare(table, [name], segments)
    row = int(covered_rows(perturber, table, segments, name)[0])
    record, segment = record_at(table, row), int(segments.ids[row])
    drawn = draws_of(perturber, record, segment, name)
    attribute = table.schema[name]
    assert follows(perturber.law(), attribute, record, segment, drawn)
    assert not follows(without_turns(perturber.law(), turns), attribute, record, segment, drawn)


@pytest.mark.parametrize(
    ("technique", "name"),
    [
        (Rpt(), "risk"),
        (Swap(), "job"),
        (Swap(joint=True), "job"),
        (DaleniusReiss((), within="segment"), "job"),
        (DaleniusReiss((), 0.7, within="segment"), "job"),
        (ApproximateSwap(controls=(), within="segment"), "job"),
    ],
    ids=["RPT", "SWAP", "SWAP joint", "DRSWAP", "DRSWAP share", "REISS"],
)
@pytest.mark.parametrize("first", [0, 4, 6])
def test_a_permutation_gives_every_record_its_segments_shares(
    technique: Technique, name: str, first: int
) -> None:
    """Twenty thousand segments of five, one and one: the same record of each is an independent draw."""
    copies = 20_000
    table = table_of(
        {
            "job": (category("job", "abc"), [0, 0, 0, 0, 0, 1, -1] * copies),
            "risk": (target("risk", "abc"), [0, 0, 0, 0, 0, 1, -1] * copies),
        }
    )
    ids = np.repeat(np.arange(copies, dtype=np.int32), 7)
    perturber = technique.prepare(table, [name], Segments(ids, copies, {}, {}, {}))
    drawn = perturber.perturb(table.columns, ids, range(table.rows), STREAMS)[name][first::7]
    record = record_at(table, first)
    assert follows(perturber.law(), table.schema[name], record, 0, drawn)
    for what, wrong in wrong_laws(perturber.law()).items():
        assert not follows(wrong, table.schema[name], record, 0, drawn), what


@settings(max_examples=150)
@given(
    noise=st.floats(0.0, 100.0),
    boundary=st.sampled_from(BOUNDARIES),
    shape=st.sampled_from(SHAPES),
    precision=st.sampled_from([0, 2, None]),
    low=st.integers(-50, 50),
    values=st.integers(1, 60),
    share=st.floats(0.0, 1.0),
)
def test_noise_laws_sum_to_one(
    noise: float, boundary: str, shape: str, precision: int | None, low: int, values: int, share: float
) -> None:
    if precision is None and 0 < noise < 0.02:
        return  # the density is narrower than the slices it is added up in
    scale = 10.0 ** (precision or 0)
    attribute = number("x", low / scale, (low + values) / scale, precision)
    place = low + share * values
    x = (place if precision is None else np.rint(place)) / scale
    box = Intervals(np.array([float(low)]), np.array([float(low + values)]), precision)
    parameters = NoiseParameters(noise, boundary, shape)  # type: ignore[arg-type]
    law = parameters.law("x", box, "LINFAPT")
    if precision is None and noise == 0:
        same = {"x": np.array([x])}
        assert law.log_prob(same, same, np.array([0])).tolist() == [0]
        return
    total = probabilities(law, attribute, {"x": np.array([x])}, 0).sum()
    assert total == pytest.approx(1, abs=1e-9 if precision is not None else 2e-3)


@each_chunkable
def test_probabilities_of_every_record_sum_to_one(
    technique: Technique, table: Table, segments: Segments
) -> None:
    for name in columns_to_check(technique, table):
        attribute = table.schema[name]
        if attribute.kind == "numeric" and attribute.precision is None:
            continue
        perturber = by_itself(technique.prepare(table, [name], segments), segments)
        rows = covered_rows(perturber, table, segments, name)
        if not len(rows):
            continue
        values = released_values(reachable(perturber.law(), attribute))
        original = {n: np.repeat(column[rows], len(values)) for n, column in table.columns.items()}
        released = {**original, name: np.tile(values, len(rows))}
        ids = np.repeat(segments.ids[rows], len(values))
        total = (
            np.exp(perturber.law().log_prob(original, released, ids))
            .reshape(len(rows), len(values))
            .sum(axis=1)
        )
        np.testing.assert_allclose(total, 1, atol=1e-9)


@pytest.mark.parametrize("technique", VARIANTS.values(), ids=VARIANTS)
def test_what_is_released_was_possible(technique: Technique, table: Table, segments: Segments) -> None:
    names = columns_for(technique, table)
    perturber = technique.prepare(table, names, segments)
    released = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)
    log_prob = perturber.law().log_prob(table.columns, {**table.columns, **released}, segments.ids)
    assert log_prob.shape == (table.rows,)
    assert np.isfinite(log_prob).all()
    # A perturber that must see all records draws none of them alone.
    assert perturber.law().dependent or not perturber.whole_column
