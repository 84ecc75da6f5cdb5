from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.techniques.pram import Pram
from oracles import transition_matrices as oracle
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
    with pytest.raises(InputError, match=r"has a row for 'v2', which is no value of the column"):
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
