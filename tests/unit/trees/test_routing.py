"""Which leaves records reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.arrays import Codes, Floats
from hushwood.errors import InternalFault
from hushwood.tables.table import Table
from hushwood.trees.model_file import forest_from_json, forest_to_json
from hushwood.trees.routing import (
    class_weights,
    counts_reached,
    leaf_of_each,
    leaves_reached,
    maximum_entropy,
    predictions,
    vote,
)
from oracles import voting as oracle
from support.mixed_tables import category, number, table_of, target
from support.small_trees import income_forest, stump

NAN = float("nan")
FEMALE, MALE, OTHER, MISSING, UNSEEN = 0, 1, 2, -1, 7


def leaves(tree: int, age: list[float], sex: list[int]) -> list[int]:
    forest = income_forest()
    columns = {"age": np.array(age), "sex": np.array(sex, np.int32)}
    return [int(leaf) for leaf in leaf_of_each(forest.trees[tree], forest, columns)]


def weights(tree: int, age: float, sex: int) -> list[float]:
    columns: list[Floats | Codes] = [np.array([age]), np.array([sex], np.int32)]
    return [float(weight) for weight in class_weights(income_forest().trees[tree], columns)[0]]


def test_every_record_reaches_its_leaf() -> None:
    assert leaves(0, [20, 21, 27, 27, 28], [MALE, OTHER, FEMALE, MALE, FEMALE]) == [4, 5, 2, 5, 6]


def test_missing_values_and_unseen_categories_follow_missing_to() -> None:
    assert leaves(0, [NAN, 27, 27, 18], [FEMALE, MISSING, UNSEEN, MISSING]) == [6, 5, 5, 4]
    assert leaves(1, [NAN, NAN], [MISSING, UNSEEN]) == [3, 3]


def test_columns_the_tree_does_not_test_need_not_be_there() -> None:
    forest = income_forest()
    assert leaf_of_each(forest.trees[1], forest, {"sex": np.array([OTHER, FEMALE])}).tolist() == [4, 1]


def test_counts_are_those_of_the_leaf_or_of_several_in_shares() -> None:
    tree = income_forest().trees[0]
    found = counts_reached(tree, [np.array([27.0, NAN]), np.array([FEMALE, FEMALE], np.int32)])
    assert found[0].tolist() == tree.counts[2].tolist()
    # 19 of 24 records lie below 27.
    assert found[1].tolist() == pytest.approx((19 * tree.counts[2] + 5 * tree.counts[6]) / 24)


def test_a_single_leaf_takes_every_record() -> None:
    forest = stump()
    assert leaf_of_each(forest.trees[0], forest, {"age": np.zeros(3)}).tolist() == [0, 0, 0]


def test_more_records_than_one_block() -> None:
    repeats = 30_000
    assert leaves(0, [20, 21, 28] * repeats, [MALE, MALE, MALE] * repeats) == [4, 5, 6] * repeats


def test_a_missing_number_speaks_for_both_sides() -> None:
    # 19 of 24 records lie below 27: 19/24 of the pure leaf of women, 5/24 of one fifth against four.
    assert weights(0, NAN, FEMALE) == pytest.approx([(19 + 1) / 24, 4 / 24])


@pytest.mark.parametrize("sex", [MISSING, UNSEEN])
def test_a_missing_category_speaks_for_all_children(sex: int) -> None:
    # 5 of 19 records are women in a pure leaf, 14 of 19 go on and are one tenth low above 20.
    assert weights(0, 25, sex) == pytest.approx([(5 + 1.4) / 19, 12.6 / 19])


def test_a_leaf_without_records_speaks_for_its_parent() -> None:
    assert weights(1, 40, OTHER) == pytest.approx([2 / 14, 12 / 14])


def test_children_may_stand_in_any_order() -> None:
    # The root sends 10/24 to a leaf of 9 : 1; the rest meets the children 4, 3, 4, of which 3 has all records.
    assert weights(1, 40, MISSING) == pytest.approx([(9 + 2) / 24, (1 + 12) / 24])


def test_a_tree_that_tests_more_columns_than_there_are_is_refused() -> None:
    with pytest.raises(InternalFault, match="Tested attributes must lie from -1 to 0"):
        class_weights(income_forest().trees[0], [np.array([20.0, 30.0])])


LOW, HIGH = 0, 1


@pytest.fixture
def table() -> Table:
    """Sexes in another order than the forest's, one that it does not know, and a missing one."""
    sexes = category("sex", ["Male", "Nobody", "Female"])
    return table_of(
        {
            "age": (number("age", 17, 90), [18, 25, 25, 30, 18]),
            "sex": (sexes, [0, 2, 1, -1, -1]),
            "income": (target("income", ["low", "high"]), [0, 0, 0, 1, 1]),
        }
    )


def test_values_are_found_by_their_texts(table: Table) -> None:
    first, second = leaves_reached(income_forest(), table)
    assert first.tolist() == [4, 2, 5, 6, 4]
    assert second.tolist() == [3, 1, 3, 3, 3]


def test_trees_speak_together(table: Table) -> None:
    forest = income_forest()
    shares = [[4, 0], [5, 0], [1, 9], [1, 4], [4, 0]], [[2, 12], [9, 1], [2, 12], [2, 12], [2, 12]]
    expected = sum(np.array(own) / np.sum(own, axis=1, keepdims=True) for own in shares)
    assert predictions(forest, table).tolist() == np.argmax(expected, axis=1).tolist()


def test_the_unit_of_weights_changes_no_prediction(table: Table) -> None:
    """A leaf whose relative weights add up to less than 1 speaks as loudly as any other."""
    model = forest_to_json(income_forest())
    for node in model["trees"][0]["nodes"]:
        node["counts"] = [count / 1000 for count in node["counts"]]
    expected = predictions(income_forest(), table).tolist()
    assert predictions(forest_from_json(model), table).tolist() == expected


def test_one_leaf_and_numbers(table: Table) -> None:
    assert predictions(stump(), table).tolist() == [0] * 5
    assert predictions(stump(classes=False), table).tolist() == [2.5] * 5
    model = forest_to_json(stump(classes=False))
    model["trees"].append({"nodes": [{"id": 0, "value": 3.5}]})
    assert predictions(forest_from_json(model), table).tolist() == [3.0] * 5


@st.composite
def leaves_of_records(draw: st.DrawFn) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """Class weights (trees, records, classes) in quarters, no leaf empty."""
    trees, records, classes = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(2, 4))
    leaf = st.lists(st.sampled_from([0, 0, 4, 4, 8, 12, 3, 40]), min_size=classes, max_size=classes).filter(
        any
    )
    drawn = draw(st.lists(leaf, min_size=trees * records, max_size=trees * records))
    return np.array(drawn, dtype=np.float64).reshape(trees, records, classes) / 4


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((3, 1, 0), (0.6, 0.2, 0.2)),
        ((3, 0, 0), (0.75, 0.125, 0.125)),
        ((2, 2, 1), (1 / 3, 1 / 3, 1 / 3)),
        ((0.5, 0, 4), (0.75 / 5.5, 0.75 / 5.5, 4 / 5.5)),
        ((0, 0), (0.5, 0.5)),
    ],
)
def test_maximum_entropy_by_hand(counts: tuple[float, ...], expected: tuple[float, ...]) -> None:
    np.testing.assert_allclose(maximum_entropy(np.array([counts], dtype=np.float64)), [expected])


@given(leaves_of_records(), st.sampled_from([0.5, 1.0, 2.0]))
def test_maximum_entropy_like_the_oracle(
    counts: np.ndarray[tuple[int, int, int], np.dtype[np.float64]], s: float
) -> None:
    for of_tree in counts:
        wanted = [
            [float(p) for p in oracle.maximum_entropy(oracle.exact(leaf), *oracle.exact([s]))]
            for leaf in of_tree
        ]
        np.testing.assert_allclose(maximum_entropy(of_tree, s=s), wanted, atol=1e-12)


@pytest.mark.parametrize("method", list(oracle.METHODS))
@given(counts=leaves_of_records())
def test_vote_like_the_oracle(
    method: str, counts: np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
) -> None:
    wanted = [
        oracle.METHODS[method]([oracle.exact(leaf) for leaf in counts[:, record]])
        for record in range(counts.shape[1])
    ]
    assert vote(counts, method).tolist() == wanted


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("package", 1),
        ("voting1", 0),
        ("voting2", 1),
        ("credal", 1),
        ("credal-majority", 1),
        ("credal-dominance", 1),
    ],
)
def test_one_sure_leaf_against_two_doubtful_ones(method: str, expected: int) -> None:
    counts = np.array([[[9, 1]], [[2, 8]], [[3, 7]]], dtype=np.float64)
    assert vote(counts, method).tolist() == [expected]


def test_a_tie_of_two_trees_goes_to_the_surer_one() -> None:
    counts = np.array([[[6, 4]], [[1, 9]]], dtype=np.float64)
    assert vote(counts, "package").tolist() == [1]
    assert vote(counts, "credal-majority").tolist() == [0]


@pytest.mark.parametrize(
    ("method", "leaves", "expected"),
    [
        ("credal-dominance", [[0, 0, 1], [0, 2, 0], [0, 0, 1], [0, 0, 1], [0, 0, 2]], 1),
        ("voting2", [[7, 3], [6, 4], [5, 5], [1, 9], [1, 9]], 0),
        ("package", [[7, 3], [6, 4], [7, 13], [7, 13]], 0),
    ],
)
def test_rounding_does_not_decide_a_tie(method: str, leaves: list[list[float]], expected: int) -> None:
    assert oracle.METHODS[method]([oracle.exact(leaf) for leaf in leaves]) == expected
    assert vote(np.array(leaves, dtype=np.float64)[:, None, :], method).tolist() == [expected]
