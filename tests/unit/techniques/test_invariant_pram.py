from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.techniques.pram import InvariantPram
from hushwood.techniques.protocol import Technique
from oracles import transition_matrices as oracle
from support.transition_tables import coded_table, codes_with_counts, law_of, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
COUNTS = [50, 30, 15, 5]
VARIANTS = {
    "two-stage": InvariantPram(probability=0.6),
    "two-stage frequency": InvariantPram(probability=0.6, others="frequency"),
    "two-stage blended": InvariantPram(probability=0.8, blend=0.5),
    "direct": InvariantPram("direct"),
    "direct half": InvariantPram("direct", theta=0.5),
}
each_variant = pytest.mark.parametrize("technique", VARIANTS.values(), ids=VARIANTS)


def wanted_matrix(technique: InvariantPram, counts: list[int]) -> list[list[float]]:
    shares = [count / sum(counts) for count in counts]
    if technique.construction == "direct":
        return oracle.direct(technique.theta, shares)
    weights = [1] * len(counts) if technique.others == "equal" else counts
    return oracle.two_stages(oracle.change_matrix(technique.probability, weights), shares, technique.blend)


@each_variant
@settings(max_examples=30)
@given(counts=st.lists(st.integers(1, 300), min_size=1, max_size=6))
def test_the_matrix_keeps_the_frequencies(technique: InvariantPram, counts: list[int]) -> None:
    law = law_of(technique, coded_table(codes_with_counts(counts), len(counts)))
    matrix = matrix_of(law, list(range(len(counts))))
    shares = np.array(counts) / sum(counts)
    np.testing.assert_allclose(matrix, wanted_matrix(technique, counts), atol=1e-12)
    np.testing.assert_allclose(shares @ matrix, shares, rtol=0, atol=1e-12)


@each_variant
def test_it_is_kept_in_every_segment_with_missing_values_among_them(technique: InvariantPram) -> None:
    chance = np.random.default_rng(4)
    codes, ids = chance.integers(-1, 5, 200), chance.integers(0, 9, 200)
    inside = _inside(technique)
    law = law_of(inside, coded_table(codes.tolist(), 5), ids.tolist())
    for segment in range(9):
        here, counts = np.unique(codes[ids == segment], return_counts=True)
        matrix, shares = matrix_of(law, here.tolist(), segment), counts / counts.sum()
        np.testing.assert_allclose(shares @ matrix, shares, rtol=0, atol=1e-12)
        np.testing.assert_allclose(matrix, wanted_matrix(technique, counts.tolist()), atol=1e-12)
        assert len(here) == 1 or matrix.diagonal().min() < 0.999


def _inside(technique: InvariantPram) -> InvariantPram:
    return InvariantPram(
        technique.construction,
        technique.probability,
        technique.others,
        technique.blend,
        technique.theta,
        "segment",
    )


def released_counts(technique: Technique, table: Table, ids: list[int], runs: int) -> Integers:
    """Counts of every code in many runs of the same table, which has the rows of all runs one after the other."""
    segments = segmented(ids)
    perturber = technique.prepare(table, ["x"], segments)
    codes = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"].reshape(runs, -1)
    return np.stack([(codes == code).sum(axis=1) for code in range(len(COUNTS))], axis=1)


@each_variant
def test_frequencies_are_kept_on_average(technique: InvariantPram) -> None:
    runs = 3000
    table = coded_table(codes_with_counts(COUNTS) * runs, len(COUNTS))
    found = released_counts(technique, table, [0] * table.rows, runs)
    error = found.std(axis=0) / np.sqrt(runs)
    assert (error > 0).all()
    assert (np.abs(found.mean(axis=0) - COUNTS) < 4 * error).all()
    changed = found.std(axis=0).max()
    assert changed > 0.5


@each_variant
def test_frequencies_of_segments_are_kept_on_average(technique: InvariantPram) -> None:
    """Two segments of other mixes: each keeps its own, and only values that it holds appear in it."""
    runs, first, second = 2000, [8, 2, 0, 0], [0, 3, 6, 1]
    codes = codes_with_counts(first) + codes_with_counts(second)
    table = coded_table(codes * runs, 4)
    ids = ([0] * 10 + [1] * 10) * runs
    segments = segmented(ids)
    perturber = _inside(technique).prepare(table, ["x"], segments)
    found = perturber.perturb(table.columns, segments.ids, range(table.rows), STREAMS)["x"].reshape(runs, 20)
    for part, wanted in ((found[:, :10], first), (found[:, 10:], second)):
        counts = np.stack([(part == code).sum(axis=1) for code in range(4)], axis=1)
        error = counts.std(axis=0) / np.sqrt(runs)
        assert (np.abs(counts.mean(axis=0) - wanted) <= 4 * error).all()
        assert [w == 0 for w in wanted] == (counts.sum(axis=0) == 0).tolist()
    assert (found != np.array(codes)).any()


@pytest.mark.parametrize(
    "technique", [InvariantPram(probability=0), InvariantPram(blend=0), InvariantPram("direct", theta=0)]
)
def test_nothing_changes_if_nothing_may(technique: InvariantPram) -> None:
    law = law_of(technique, coded_table(codes_with_counts(COUNTS), 4))
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2, 3]), np.eye(4), atol=1e-15)


def test_all_change_in_the_direct_way_if_all_are_equally_frequent() -> None:
    law = law_of(InvariantPram("direct"), coded_table([0, 1, 2] * 4, 3))
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2]), (1 - np.eye(3)) / 2)


@pytest.mark.parametrize("construction", ["two-stage", "direct"])
def test_a_hundred_thousand_categories_need_no_matrix(construction: Any) -> None:
    categories = 100_000
    table = coded_table([*range(categories), *range(0, categories, 2)], categories)
    technique = InvariantPram(construction, probability=0.5, theta=0.5)
    perturber = technique.prepare(table, ["x"], segmented([0] * table.rows))
    columns, rows = table.columns, range(table.rows)
    released = perturber.perturb(columns, np.zeros(table.rows, int), rows, STREAMS)
    assert (released["x"] != columns["x"]).mean() > 0.25
    log_prob = perturber.law().log_prob(columns, released, np.zeros(table.rows, int))
    assert np.isfinite(log_prob).all()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"construction": "three"}, "two-stage or direct"),
        ({"theta": -0.1}, "theta of IPRAM must be between 0 and 1"),
        ({"blend": 2}, "blend of IPRAM must be between 0 and 1"),
        ({"probability": 1.01}, "probability of IPRAM must be"),
        ({"others": "rare"}, "others of IPRAM"),
        ({"within": "leaf"}, "within of IPRAM"),
    ],
)
def test_wrong_parameters_are_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        InvariantPram(**fields)


def test_it_says_where_frequencies_are_kept() -> None:
    assert "in its segment" in InvariantPram(within="segment").says()
    assert "in the column" in InvariantPram().says()
    assert InvariantPram(within="segment").keeps_segment
    assert not InvariantPram().keeps_segment
