"""What an intruder learns from noise in proportion to the value, by a slow oracle over the law's own probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from hushwood.measures.posterior.evidence import evidence_for
from hushwood.measures.posterior.law_likelihoods import affordable_by_laws, law_evidence
from hushwood.measures.posterior.posteriors import posteriors
from hushwood.releasing.engines.memory import run
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.noise_in_parts import NoiseInParts, noise_in_parts
from hushwood.techniques.linfapt import Linfapt
from hushwood.techniques.linnapt import Linnapt
from oracles import reidentification as oracle
from support.mixed_tables import number, one_tree, table_of, target
from support.table_pairs import STREAMS, context_for

ROWS = 60
SHARE = 0.276
ALL = np.arange(ROWS)


@pytest.fixture(scope="module")
def table() -> Table:
    chance = np.random.default_rng(7)
    size, age = (chance.integers(1, 11, ROWS).astype(float).tolist() for _ in range(2))
    return table_of(
        {
            "size": (number("size", 1, 10), size),
            "age": (number("age", 1, 10), age),
            "k": (target("k", "ab"), chance.integers(0, 2, ROWS).tolist()),
        }
    )


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    """Sizes up to 3, and from 4 on; ages are tested nowhere."""
    test = {"attribute": "size", "threshold": 3}
    nodes = [
        {"id": 0, "test": test, "children": {"le": 1, "gt": 2}, "missing_to": 1, "counts": [2, 2]},
        {"id": 1, "counts": [1, 1]},
        {"id": 2, "counts": [1, 1]},
    ]
    return intersections(
        table, one_tree({"name": "size", "kind": "numeric", "integer": True, "precision": 0}, nodes)
    )


def wrapped(x: int, y: int, low: int, high: int, share: float) -> float:
    """The chance to become y by normal noise of a share of x, rounded and wrapped: turn by turn."""
    if not low <= x <= high:
        return 0.0
    width, spread = high - low + 1, share * x
    ends = [(y - x + turn * width - 0.5, y - x + turn * width + 0.5) for turn in range(-8, 9)]
    return float(sum(norm.cdf(end / spread) - norm.cdf(start / spread) for start, end in ends))


def steps_of(table: Table, segments: Segments, share: float = SHARE) -> tuple[PreparedStep, ...]:
    noise = NoiseParameters(share, of="value")
    return tuple(
        PreparedStep(technique.prepare(table, [name], segments), segments.ids)
        for technique in (Linfapt(noise), Linnapt(noise))
        for name in ("size", "age")
    )


def test_entropies_are_the_oracles(table: Table, segments: Segments) -> None:
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    evidence = law_evidence(table, released, context_for(table, released, steps=steps), ALL)
    assert evidence is not None
    assert evidence.source == "laws"
    assert "in proportion to the value" in evidence.described["age"]["law"]
    found = posteriors(evidence, np.zeros(ROWS, np.int64), 1)
    x = {name: table.columns[name].astype(int) for name in ("size", "age")}
    y = {name: released.columns[name].astype(int) for name in ("size", "age")}
    for target_row in range(0, ROWS, 3):
        logs = []
        for i in range(ROWS):
            box = (1, 3) if y["size"][i] <= 3 else (4, 10)
            size = wrapped(x["size"][target_row], y["size"][i], *box, SHARE)
            logs.append(oracle.log(size * wrapped(x["age"][target_row], y["age"][i], 1, 10, SHARE)))
        assert found.bits[target_row] == pytest.approx(oracle.entropy(oracle.posterior(logs)), abs=2e-5)


def test_a_wrong_share_gives_other_entropies(table: Table, segments: Segments) -> None:
    released = table.with_columns(run(table, steps_of(table, segments), STREAMS))
    bits = []
    for share in (SHARE, 2 * SHARE):
        context = context_for(table, released, steps=steps_of(table, segments, share))
        evidence = law_evidence(table, released, context, ALL)
        assert evidence is not None
        bits.append(posteriors(evidence, np.zeros(ROWS, np.int64), 1).bits)
    assert np.abs(bits[0] - bits[1]).mean() > 0.05


def test_where_no_law_works_the_value_is_copied(table: Table, segments: Segments) -> None:
    """LINFAPT alone leaves the age, which no rule tests."""
    noise = Linfapt(NoiseParameters(SHARE, of="value"))
    steps = tuple(PreparedStep(noise.prepare(table, [n], segments), segments.ids) for n in ("size", "age"))
    released = table.with_columns(run(table, steps, STREAMS))
    assert np.array_equal(released.columns["age"], table.columns["age"])
    evidence = law_evidence(table, released, context_for(table, released, steps=steps), ALL)
    assert evidence is not None
    found = posteriors(evidence.knowing(["age"]), np.zeros(ROWS, np.int64), 1)
    alike = [float(np.log2((table.columns["age"] == age).sum())) for age in table.columns["age"]]
    np.testing.assert_allclose(found.bits, alike, atol=1e-5)


def test_segments_with_the_same_law_are_asked_about_once(table: Table, segments: Segments) -> None:
    """The age has one law everywhere: ten values against ten, however many segments there are."""
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=steps)
    assert affordable_by_laws(table, released, context, 200) == ROWS
    assert affordable_by_laws(table, released, context, 50) < ROWS


def law(covered: list[bool], low: tuple[float, float] = (0, 0)) -> NoiseLaw:
    inside = Intervals(np.array(low), np.array([9.0, 9.0]), 0)
    return NoiseParameters(0.3, of="value").law("x", inside, "LINFAPT", np.array(covered))


def test_two_laws_that_overlap_or_are_none_of_noise_have_no_common_form() -> None:
    ids, one, other = np.arange(2), np.array([True, False]), np.array([False, True])
    here, there = law([True, False]), law([False, True])
    assert noise_in_parts([here, there], [ids, ids], [one, other]) is not None
    assert noise_in_parts([here, there], [ids, ids], [one, one]) is None
    assert noise_in_parts([here, there], [ids, ids[::-1]], [one, other]) is None
    assert noise_in_parts([here, NoiseInParts((there,), (other,))], [ids, ids], [one, other]) is None


def test_parts_draw_and_weigh_as_their_laws_do() -> None:
    parts = NoiseInParts(
        (law([True, False]), law([False, True])), (np.array([True, False]), np.array([False, True]))
    )
    ids, x = np.array([0, 1, 1]), {"x": np.array([4.0, 4.0, 0.0])}
    drawn = parts.sample(x, ids, range(3), STREAMS)
    assert drawn["x"][2] == 0
    assert np.isfinite(parts.log_prob(x, drawn, ids)).all()
    assert parts.described()["form"] == "noise in parts"


def test_two_steps_at_once_are_judged_by_fitted_kernels(table: Table, segments: Segments) -> None:
    steps = steps_of(table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=steps + steps)
    assert law_evidence(table, released, context, ALL) is None
    evidence = evidence_for(table, released, context, ALL)
    assert evidence is not None
    assert evidence.source == "fitted"
