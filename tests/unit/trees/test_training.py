from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.schema import Attribute
from hushwood.trees.training import MOST_CLASSES, TrainingSet


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
