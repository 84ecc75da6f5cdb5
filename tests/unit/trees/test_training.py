from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError, InternalFault
from hushwood.tables.schema import Attribute
from hushwood.trees.training import MOST_BRANCHES, MOST_CLASSES, TrainingSet
from support.mixed_tables import category, number, table_of, target


def training_of(values: list[float], classes: list[int]) -> TrainingSet:
    column, codes = np.array(values), np.array(classes, np.int32)
    return TrainingSet.from_columns([Attribute("x", "numeric")], [column], codes, ("a", "b"))


def test_values_become_ranks_and_missing_becomes_minus_one() -> None:
    training = training_of([2.5, np.nan, -1.0, 2.5], [0, 1, 1, 0])
    assert training.codes.tolist() == [[1, -1, 0, 1]]
    assert training.values[0] is not None
    assert training.values[0].tolist() == [-1.0, 2.5]
    assert not training.complete


def test_records_without_a_class_are_left_out() -> None:
    training = training_of([1.0, 2.0, 3.0], [0, -1, 1])
    assert training.records == 2
    assert training.codes.tolist() == [[0, 1]]


def test_too_many_classes_are_refused() -> None:
    names = [str(i) for i in range(MOST_CLASSES + 1)]
    with pytest.raises(InputError, match="classes"):
        TrainingSet.from_columns([Attribute("x", "numeric")], [np.array([1.0])], np.array([0]), names)


def test_a_column_of_too_many_categories_is_left_out() -> None:
    columns = {
        "many": (category("many", [str(i) for i in range(MOST_BRANCHES + 1)]), [0.0, 1.0]),
        "most": (category("most", [str(i) for i in range(MOST_BRANCHES)]), [0.0, 1.0]),
        "age": (number("age", 0, 9), [3.0, 4.0]),
        "risk": (target("risk", "ab"), [0.0, 1.0]),
    }
    training = TrainingSet.from_table(table_of(columns))
    assert [a.name for a in training.attributes] == ["most", "age"]
    assert training.branches.tolist() == [MOST_BRANCHES, 2]


def test_only_the_chosen_rows_are_coded() -> None:
    columns = {"age": (number("age", 0, 9), [3.0, 9.0, 4.0]), "risk": (target("risk", "ab"), [0.0, 1.0, 1.0])}
    training = TrainingSet.from_table(table_of(columns), np.array([2, 0]))
    assert training.codes.tolist() == [[1, 0]]
    assert training.class_codes.tolist() == [1, 0]


def test_bits_that_ranks_and_classes_leave_free() -> None:
    training = training_of([1.0], [0])
    assert training.class_bits == 1
    assert [training.reach_bits(distinct) for distinct in (4, 2**26, 2**29)] == [6, 3, 0]


def test_numbers_too_large_to_compute_with_are_refused() -> None:
    """Halfway between 1e308 and 1.7e308 is infinity, above every rank."""
    with pytest.raises(InputError, match="Column 'x' has numbers as large as"):
        training_of([1e308, 1.7e308], [0, 1])


@pytest.mark.parametrize(("codes", "classes"), [([0, 2], [0, 1]), ([0, -2], [0, 1]), ([0, 1], [0, 2])])
def test_codes_outside_their_lists_are_refused(codes: list[int], classes: list[int]) -> None:
    with pytest.raises(InternalFault, match="must lie from -1 to 1"):
        TrainingSet.from_columns([category("x", "pq")], [np.array(codes)], np.array(classes), ("a", "b"))
