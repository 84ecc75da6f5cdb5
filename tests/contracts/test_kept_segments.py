"""Techniques that promise to keep segments: every record stays in its leaf of every tree, counts stay too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Array
from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.class_permutations import Rpt
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.laws.noise import SHAPES, NoiseParameters
from hushwood.techniques.protocol import Technique
from hushwood.techniques.swap import Swap
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.routing import leaf_of_each
from oracles import intersections as oracle
from support import technique_variants
from support.mixed_tables import (
    grown_forest,
    mixed_table,
    number,
    plain_rows,
    random_model,
    table_of,
    target,
    with_smoker,
)
from support.technique_variants import BOUNDARIES, VARIANTS, columns_for, prepared

STREAMS = Streams(bytes(range(32)))
KEEPING = {name: technique for name, technique in VARIANTS.items() if technique.keeps_segment}
each_keeping = pytest.mark.parametrize("technique", KEEPING.values(), ids=KEEPING)


@pytest.fixture(scope="module")
def table() -> Table:
    return with_smoker(mixed_table(12, 600))


@pytest.fixture(scope="module", params=["data", "midpoint"])
def forest(table: Table, request: pytest.FixtureRequest) -> Forest:
    return grown_forest(table, min_leaf=8, thresholds=request.param)


@pytest.fixture(scope="module")
def segments(table: Table, forest: Forest) -> Segments:
    return intersections(table, forest)


def released_by(technique: Technique, table: Table, segments: Segments) -> Table:
    return technique_variants.released_by(technique, table, segments, STREAMS)


def leaves_of(table: Table, forest: Forest) -> list[list[int]]:
    return [leaf_of_each(tree, forest, table.columns).tolist() for tree in forest.trees]


@each_keeping
def test_records_stay_in_their_leaf_of_every_tree(
    technique: Technique, table: Table, forest: Forest, segments: Segments
) -> None:
    assert leaves_of(released_by(technique, table, segments), forest) == leaves_of(table, forest)


@pytest.mark.parametrize("name", [n for n in VARIANTS if n not in KEEPING and not n.startswith("CAPT")])
def test_the_controls_do_not_keep_records_there(
    name: str, table: Table, forest: Forest, segments: Segments
) -> None:
    assert leaves_of(released_by(VARIANTS[name], table, segments), forest) != leaves_of(table, forest)


def test_literal_capt_moves_records_that_strict_capt_keeps() -> None:
    table = mixed_table(11, 400)
    model = random_model(3, table)
    moved = released_by(Capt("literal", 0.5), table, intersections(table, forest_from_json(model)))
    before, after = plain_rows(table), plain_rows(moved)
    assert [oracle.leaves_of(model, r) for r in after] != [oracle.leaves_of(model, r) for r in before]


@each_keeping
@settings(max_examples=8)
@given(seed=st.integers(0, 2**31), rows=st.integers(1, 60), trees=st.integers(1, 3), depth=st.integers(0, 5))
def test_records_stay_in_the_leaves_of_any_forest(
    technique: Technique, seed: int, rows: int, trees: int, depth: int
) -> None:
    """Random tests, thresholds beside the grid, categories the forest never saw; routed by the oracle, by name."""
    table = mixed_table(seed, 60).take(np.arange(rows))
    model = random_model(seed, mixed_table(seed, 60), trees, depth)
    segments = intersections(table, forest_from_json(model))
    before, after = plain_rows(table), plain_rows(released_by(technique, table, segments))
    assert [oracle.leaves_of(model, r) for r in after] == [oracle.leaves_of(model, r) for r in before]


@pytest.mark.parametrize(
    "categorical", [Swap(), Capt(), Capt(probability=1)], ids=["SWAP", "CAPT", "CAPT p=1"]
)
@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_techniques_of_a_framework_together_keep_the_leaves(
    categorical: Technique, boundary: str, shape: str
) -> None:
    parameters = NoiseParameters(0.7, boundary, shape)  # type: ignore[arg-type]
    techniques = (Linfapt(parameters), Linnapt(parameters), categorical, Rpt())
    for seed in range(4):
        table = mixed_table(seed, 200)
        model = random_model(seed, table)
        segments = intersections(table, forest_from_json(model))
        steps = [step for technique in techniques for step in prepared(technique, table, segments)]
        released = table.with_columns(memory.run(table, steps, STREAMS))
        before, after = plain_rows(table), plain_rows(released)
        assert [oracle.leaves_of(model, r) for r in after] == [oracle.leaves_of(model, r) for r in before]


@pytest.mark.parametrize("boundary", BOUNDARIES)
@pytest.mark.parametrize("noise", [1e-6, 1 / 3])
def test_columns_of_single_precision_stay_when_they_are_written(boundary: str, noise: float) -> None:
    """Values of about 100 000 with a fraction: a single tells 128 of them apart, and a box holds a few."""
    rows = 3000
    x = (100_000 + np.random.default_rng(1).random(rows)).astype(np.float32).astype(float)
    attribute = replace(number("x", float(x.min()), float(x.max()), None), storage="Float32")
    table = table_of({"x": (attribute, x.tolist()), "risk": (target("risk", "ab"), [0, 1] * (rows // 2))})
    model = random_model(8, table, trees=3, depth=5)
    segments = intersections(table, forest_from_json(model))
    assert segments.count > 5
    technique = Linfapt(NoiseParameters(noise, boundary))  # type: ignore[arg-type]
    released = released_by(technique, table, segments).columns["x"]
    assert np.array_equal(released, released.astype(np.float32))
    before, after = plain_rows(table), plain_rows(table.with_columns({"x": released}))
    assert [oracle.leaves_of(model, r) for r in after] == [oracle.leaves_of(model, r) for r in before]


@pytest.mark.parametrize("technique", [Rpt(), Swap()], ids=["RPT", "SWAP"])
def test_permutations_keep_the_counts_of_every_segment(
    technique: Technique, table: Table, segments: Segments
) -> None:
    released = released_by(technique, table, segments)
    for name in columns_for(technique, table):
        before, after = (_cells(t.columns[name], segments) for t in (table, released))
        assert before == after


def _cells(codes: Array, segments: Segments) -> dict[tuple[int, int], int]:
    cells, counts = np.unique(np.stack([segments.ids, codes]), axis=1, return_counts=True)
    return dict(zip(map(tuple, cells.T.tolist()), counts.tolist(), strict=True))
