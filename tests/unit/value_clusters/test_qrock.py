"""QROCK against the oracle, by hand, and on the mushrooms of its paper."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given

from hushwood.errors import InputError
from hushwood.value_clusters.grouping.records import record_tuples
from hushwood.value_clusters.rock import Qrock, qrock
from oracles import record_clusters as oracle
from support.real_data import load
from support.record_rows import Row, everything, found, numbers, row_lists, shares, tuples_of


@given(row_lists(), shares())
def test_it_equals_the_oracle(rows: list[Row], theta: float) -> None:
    clusters = qrock(tuples_of(rows), Qrock(theta))
    assert found(clusters) == oracle.qrock(rows, theta)
    others = everything(rows)
    wanted = [oracle.label_by_neighbours(row, rows, found(clusters), theta, 0) for row in others]
    assert clusters.labelled(numbers(others)).tolist() == wanted


def test_a_chain_of_neighbours_is_one_cluster() -> None:
    """Neighbours are equal in two of three attributes; the ends of the chain share no value."""
    rows = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1), (2, 2, 2)]
    assert found(qrock(tuples_of(rows), Qrock(0.5))) == dict(zip(rows, [0, 0, 0, 0, 1], strict=True))
    assert len(set(found(qrock(tuples_of(rows), Qrock(0.51))).values())) == 5


def test_a_record_goes_where_it_has_most_neighbours() -> None:
    """(0, 1, 0) is a neighbour of three records on the left, and of one on the right."""
    rows = [(0, 0, 0)] * 3 + [(5, 1, 0), (5, 1, 1), (7, 7, 7)]
    clusters = qrock(tuples_of(rows), Qrock(0.5))
    assert found(clusters) == {(0, 0, 0): 0, (5, 1, 0): 1, (5, 1, 1): 1, (7, 7, 7): 2}
    asked = [(0, 1, 0), (5, 1, 5), (8, 8, 7), (8, 8, 8)]
    assert clusters.labelled(numbers(asked)).tolist() == [0, 1, 2, 0]


def test_the_kinds_of_mushrooms_are_found() -> None:
    """Guha et al. find 21 clusters at theta 0.8 too, all of one class but one, of 32 edible and 72 poisonous kinds."""
    _, columns, poisonous, _ = load("mushroom")
    values = (np.stack(columns, axis=1) + 1 + np.arange(len(columns)) * 20).astype(np.int32)
    clusters = qrock(record_tuples(values, 20 * len(columns)), Qrock(0.8, tuples=len(values)))
    labels = clusters.labelled(values)
    cells = np.zeros((labels.max() + 1, 2), np.int64)
    np.add.at(cells, (labels, poisonous), 1)
    large = [1728, 1728, 1296, 768, 704, 288, 288, 256, 192, 192, 192]
    sizes = sorted(cells.sum(axis=1).tolist(), reverse=True)
    assert sizes == [*large, 104, 96, 96, 48, 48, 36, 32, 16, 8, 8]
    mixed = cells[cells.min(axis=1) > 0].tolist()
    assert mixed == [[32, 72]]


def test_parameters_are_checked() -> None:
    wrong: list[dict[str, Any]] = [{"theta": -1}, {"theta": 2}, {"tuples": 0}]
    for one in wrong:
        with pytest.raises(InputError, match=f"{next(iter(one))} of QROCK"):
            Qrock(**one)
