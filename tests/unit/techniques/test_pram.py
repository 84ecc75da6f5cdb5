from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import by_segment
from hushwood.techniques.laws.groupings import whole_table as whole_table_two_stage
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.pram import InvariantPram, Pram, RandomCategorical, TwoStageLaw, two_stage_law
from hushwood.techniques.protocol import Technique
from oracles import transition_matrices as oracle
from support.mixed_tables import category, table_of
from support.transition_tables import coded_table, codes_with_counts, law_of, matrix_of, segmented

STREAMS = Streams(bytes(range(32)))
TURN = [[0.5, 0.5, 0.0], [0.0, 0.9, 0.1], [1.0, 0.0, 0.0]]


def test_others_equally_likely() -> None:
    law = law_of(Pram(probability=0.3), coded_table(codes_with_counts([5, 2, 1]), 3))
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2]), oracle.change_matrix(0.3, [1, 1, 1]))


def test_others_by_frequency() -> None:
    law = law_of(Pram(probability=0.3, others="frequency"), coded_table(codes_with_counts([5, 2, 1]), 3))
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2]), oracle.change_matrix(0.3, [5, 2, 1]))


@pytest.mark.parametrize("others", ["equal", "frequency"])
def test_inside_segments_only_values_that_occur_there(others: Any) -> None:
    """Segment 0 holds v0 three times and v2 once, segment 1 only v1 and missing."""
    table = coded_table([0, 0, 0, 2, 1, -1, 1], 3)
    law = law_of(Pram(probability=0.4, others=others, within="segment"), table, [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_allclose(matrix_of(law, [0, 2, 1, -1])[:2], [[0.6, 0.4, 0, 0], [0.4, 0.6, 0, 0]])
    np.testing.assert_allclose(matrix_of(law, [1, -1, 0], 1)[:2], [[0.6, 0.4, 0], [0.4, 0.6, 0]])


def test_a_given_matrix_leaves_missing_alone() -> None:
    law = law_of(Pram({"x": TURN}), coded_table([0, 1, 2, -1], 3))
    wanted = np.zeros((4, 4))
    wanted[:3, :3], wanted[3, 3] = TURN, 1
    np.testing.assert_allclose(matrix_of(law, [0, 1, 2, -1]), wanted)


def test_a_given_matrix_may_speak_of_missing() -> None:
    rows = [[0.2, 0.8], [0.7, 0.3]]
    law = law_of(Pram({"x": rows}), coded_table([0, -1], 1))
    np.testing.assert_allclose(matrix_of(law, [0, -1]), rows)


def test_a_given_matrix_inside_segments_is_taken_given_the_segments_values() -> None:
    """Where v1 cannot be, v0 stays; v2 always leaves for v0, and without v0 it stays."""
    law = law_of(Pram({"x": TURN}, within="segment"), coded_table([0, 2, 1, 2, 0, 1], 3), [0, 0, 1, 1, 2, 2])
    np.testing.assert_allclose(matrix_of(law, [0, 2]), [[1, 0], [1, 0]])
    np.testing.assert_allclose(matrix_of(law, [1, 2], 1), [[0.9, 0.1], [0.0, 1.0]])
    np.testing.assert_allclose(matrix_of(law, [0, 1], 2), [[0.5, 0.5], [0.0, 1.0]])


NAMED = {
    "v2": {"v2": 0.0, "v0": 1.0, "v1": 0.0},
    "v0": {"v2": 0.0, "v0": 0.5, "v1": 0.5},
    "v1": {"v2": 0.1, "v0": 0.0, "v1": 0.9},
}


def test_a_matrix_with_names_comes_in_any_order() -> None:
    table = coded_table([0, 1, 2, -1], 3)
    assert table.schema["x"].categories == ("v0", "v1", "v2")
    by_name, by_place = law_of(Pram({"x": NAMED}), table), law_of(Pram({"x": TURN}), table)
    np.testing.assert_allclose(matrix_of(by_name, [0, 1, 2, -1]), matrix_of(by_place, [0, 1, 2, -1]))


def test_a_matrix_with_names_may_speak_of_missing() -> None:
    rows = {"": {"": 0.3, "v0": 0.7}, "v0": {"": 0.8, "v0": 0.2}}
    law = law_of(Pram({"x": rows}), coded_table([0, -1], 1))
    np.testing.assert_allclose(matrix_of(law, [0, -1]), [[0.2, 0.8], [0.7, 0.3]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"v0": {"v0": 0.5, "v1": 0.4, "v2": 0.0}}, "row of 'v0' in the matrix of 'x' sums to 0.9"),
        ({"v0": {"v0": 1.5, "v1": -0.5, "v2": 0.0}}, "its smallest entry is -0.5"),
        ({"v0": {"v0": 0.5, "v1": 0.5}}, "has a row for 'v2', but no column"),
        ({"v0": {"v0": 0.5, "v1": 0.5, "v2": 0.0, "w": 0.0}}, "has a column for 'w', but no row"),
    ],
)
def test_a_matrix_with_names_is_checked(change: dict[str, dict[str, float]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Pram({"x": {**NAMED, **change}})


def test_a_matrix_with_names_must_fit_the_column() -> None:
    with pytest.raises(InputError, match=r"no row for 'v3'; it needs one for each of the column's 4 values"):
        law_of(Pram({"x": NAMED}), coded_table([0, 1, 2, 3], 4))
    with pytest.raises(InputError, match=r"has a row for 'v2', which is not a value of the column"):
        law_of(Pram({"x": NAMED}), coded_table([0, 1], 2))


def test_columns_without_a_matrix_change_with_the_probability() -> None:
    law = law_of(Pram({}, 0.25), coded_table([0, 1], 2))
    np.testing.assert_allclose(matrix_of(law, [0, 1]), [[0.75, 0.25], [0.25, 0.75]])


@pytest.mark.parametrize("seed", range(5))
def test_any_matrix_in_any_segments_as_a_plain_loop_says(seed: int) -> None:
    chance = np.random.default_rng(seed)
    width, rows = 6, 40
    matrix = chance.dirichlet(np.full(width, 0.3), width)
    codes, ids = chance.integers(0, width, rows), chance.integers(0, 5, rows)
    law = law_of(
        Pram({"x": matrix.tolist()}, within="segment"), coded_table(codes.tolist(), width), ids.tolist()
    )
    for segment in set(ids.tolist()):
        here = sorted(set(codes[ids == segment].tolist()))
        found = matrix_of(law, here, segment)
        for i, v in enumerate(here):
            total = sum(matrix[v, w] for w in here)
            wanted = [matrix[v, w] / total if total > 0 else float(v == w) for w in here]
            np.testing.assert_allclose(found[i], wanted, atol=1e-12)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ([[0.5, 0.5]], "as many columns as rows"),
        ([[0.5, 0.5], [1.0]], "as many columns as rows"),
        ([], "as many columns as rows"),
        ([[0.5, 0.5], [0.5, 0.4]], "Row 2 of the matrix of 'x' sums to 0.9"),
        ([[1.5, -0.5], [0.0, 1.0]], "smallest entry is -0.5"),
        ([[float("nan"), 1.0], [0.0, 1.0]], "Row 1"),
    ],
)
def test_matrices_that_are_none_are_refused(matrix: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Pram({"x": matrix})


def test_a_matrix_of_another_size_is_refused() -> None:
    with pytest.raises(InputError, match="has 2 rows; it needs 3, one for every category, or 4"):
        law_of(Pram({"x": [[1, 0], [0, 1]]}), coded_table([0, 1, 2], 3))


def test_a_matrix_of_an_unknown_column_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'y'"):
        law_of(Pram({"y": TURN}), coded_table([0, 1, 2], 3))


def test_matrices_over_too_many_segments_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushwood.techniques.laws.redraw.MOST_ENTRIES", 11)
    with pytest.raises(InputError, match="would have 12 entries, more than 11"):
        law_of(Pram({"x": TURN}, within="segment"), coded_table([0, 1, 2], 3), [0, 1, 2])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"probability": 1.2}, "1.2"),
        ({"others": "even"}, "equal or frequency"),
        ({"within": "leaf"}, "segment"),
    ],
)
def test_wrong_parameters_are_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Pram(**fields)


@pytest.mark.parametrize("within", ["table", "segment"])
def test_a_hundred_thousand_categories_need_no_matrix(within: Any) -> None:
    categories = 100_000
    table = coded_table(list(range(categories)), categories)
    segments = segmented([row % 10 for row in range(categories)])
    perturber = Pram(probability=0.5, others="frequency", within=within).prepare(table, ["x"], segments)
    assert len(pickle.dumps(perturber)) < 4_000_000
    found = perturber.perturb(table.columns, segments.ids, range(categories), STREAMS)["x"]
    assert (found != table.columns["x"]).mean() == pytest.approx(0.5, abs=0.01)


def test_it_says_what_it_does() -> None:
    assert Pram(probability=0.2).says() == "Changed with probability 20% to another value of the column."
    assert "matrix given" in Pram({"x": TURN}).says()
    assert Pram(within="segment").keeps_segment
    assert not Pram().keeps_segment


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
def test_a_hundred_thousand_categories_need_no_matrix_invariant_pram(construction: Any) -> None:
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
def test_wrong_parameters_are_refused_invariant_pram(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        InvariantPram(**fields)


def test_it_says_where_frequencies_are_kept() -> None:
    assert "in its segment" in InvariantPram(within="segment").says()
    assert "in the column" in InvariantPram().says()
    assert InvariantPram(within="segment").keeps_segment
    assert not InvariantPram().keeps_segment


def column(codes: list[int]) -> Table:
    return table_of({"x": (category("x", "abcd"), codes)})


def released(table: Table, probability: float) -> list[int]:
    perturber = RandomCategorical(probability).prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    return [int(code) for code in found]


def test_law_by_hand() -> None:
    """Four values, p = 0.3: each of the three others with 0.1."""
    table = column([0, 1])
    law = RandomCategorical(0.3).prepare(table, ["x"], whole_table(table)).law()
    found = law.log_prob({"x": np.full(5, 1)}, {"x": np.array([0, 1, 2, 3, -1])}, np.zeros(5, int))
    assert np.exp(found) == pytest.approx([0.1, 0.7, 0.1, 0.1, 0])


def test_missing_is_a_value_where_there_is_one() -> None:
    table = column([0, -1])
    law = RandomCategorical(0.4).prepare(table, ["x"], whole_table(table)).law()
    found = law.log_prob({"x": np.full(2, -1)}, {"x": np.array([-1, 3])}, np.zeros(2, int))
    assert np.exp(found) == pytest.approx([0.6, 0.1])


def test_certain_change_changes_every_value() -> None:
    codes = [i % 4 for i in range(2000)]
    found = released(column(codes), 1.0)
    assert all(one != other for one, other in zip(found, codes, strict=True))
    assert set(found) == {0, 1, 2, 3}


def test_values_nobody_has_are_released_too() -> None:
    assert set(released(column([0] * 500), 0.5)) == {0, 1, 2, 3}


def test_a_hundred_thousand_categories() -> None:
    names = [str(i) for i in range(100_000)]
    table = table_of({"x": (category("x", names), list(range(100_000)))})
    perturber = RandomCategorical(0.5).prepare(table, ["x"], whole_table(table))
    found = perturber.perturb(table.columns, np.zeros(table.rows, int), range(table.rows), STREAMS)["x"]
    assert float((found != table.columns["x"]).mean()) == pytest.approx(0.5, abs=0.01)
    assert len(np.unique(found)) > 60_000


@pytest.mark.parametrize("probability", [-0.1, 1.5, float("nan")])
def test_bad_probabilities_are_refused(probability: float) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        RandomCategorical(probability)


def distribution(weights: list[int]) -> Distributions:
    size = len(weights)
    return Distributions.from_weights(np.zeros(size, int), np.arange(size), np.array(weights), size + 1)


def law(counts: list[int], towards: list[int], probability: float, blend: float) -> TwoStageLaw:
    return two_stage_law(
        "x", distribution(counts), distribution(towards), probability, blend, whole_table_two_stage, "IPRAM"
    )


@given(
    cells=st.lists(st.tuples(st.integers(1, 500), st.integers(1, 20)), min_size=1, max_size=7),
    probability=st.floats(0, 1),
    blend=st.floats(0, 1),
)
def test_the_closed_form_is_the_product_of_both_matrices(
    cells: list[tuple[int, int]], probability: float, blend: float
) -> None:
    counts, towards = [count for count, _ in cells], [weight for _, weight in cells]
    shares = [count / sum(counts) for count in counts]
    wanted = oracle.two_stages(oracle.change_matrix(probability, towards), shares, blend)
    found = matrix_of(law(counts, towards, probability, blend), list(range(len(counts))))
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(np.array(shares) @ found, shares, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("counts", [[1, 10**6], [1, 1, 10**6], [1, 2, 3, 10**7], [*[1] * 20, 10**6]])
@pytest.mark.parametrize("by_frequency", [False, True])
@pytest.mark.parametrize("probability", [1e-6, 0.5, 1.0])
def test_one_value_that_is_nearly_all_costs_no_digits(
    counts: list[int], by_frequency: bool, probability: float
) -> None:
    towards = counts if by_frequency else [1] * len(counts)
    found = matrix_of(law(counts, towards, probability, 1.0), list(range(len(counts))))
    shares = np.array(counts) / sum(counts)
    np.testing.assert_allclose(shares @ found, shares, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=0, atol=1e-12)


@pytest.mark.parametrize("blend", [1.0, 0.4])
@pytest.mark.parametrize("value", [0, 1, 2])
def test_draws_go_there_and_back(value: int, blend: float) -> None:
    rows, made = 60_000, law([6, 3, 1], [1, 1, 2], 0.6, blend)
    columns = {"x": np.full(rows, value, np.int32)}
    drawn = made.sample(columns, np.zeros(rows, int), range(rows), STREAMS)["x"]
    assert drawn.dtype == np.int32
    wanted = matrix_of(made, [0, 1, 2])[value]
    found = np.bincount(drawn, minlength=3) / rows
    assert (np.abs(found - wanted) < 4.5 * np.sqrt(wanted * (1 - wanted) / rows)).all()


def test_a_value_that_does_not_occur_stays() -> None:
    made = law([6, 3], [1, 1], 0.6, 1.0)
    assert matrix_of(made, [-1, 0])[0].tolist() == [1, 0]
    columns = {"x": np.full(50, -1, np.int32)}
    assert set(made.sample(columns, np.zeros(50, int), range(50), STREAMS)["x"].tolist()) == {-1}


def test_groups_are_told_apart() -> None:
    groups, codes = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2])
    shares = Distributions.from_weights(groups, codes, np.array([9, 1, 2, 2]), 4)
    even = Distributions.from_weights(groups, codes, np.ones(4), 4)
    made = two_stage_law("x", shares, even, 0.3, 1.0, by_segment, "IPRAM")
    matrix = oracle.change_matrix(0.3, [1, 1])
    np.testing.assert_allclose(matrix_of(made, [0, 1], 0), oracle.two_stages(matrix, [0.9, 0.1], 1))
    np.testing.assert_allclose(matrix_of(made, [1, 2], 1), oracle.two_stages(matrix, [0.5, 0.5], 1))
    assert matrix_of(made, [1, 0], 1)[0, 1] == 0


def test_described_is_plain_data() -> None:
    plain = law([6, 3, 1], [1, 1, 1], 0.2, 0.5).described()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain
    assert len(plain["stages"]) == 2
