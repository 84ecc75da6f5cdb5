from __future__ import annotations

import numpy as np
import pytest

from hushwood.tables.schema import Schema
from hushwood.techniques.sequential.coded_columns import (
    CodedColumn,
    binned,
    coded_inputs,
    frequent_levels,
    level_bins,
    level_scores,
    mid_ranks,
    number_bins,
)
from support.mixed_tables import category, number


def test_numbers_become_ranks_and_come_back() -> None:
    column = CodedColumn.of_numbers("x", np.array([2.5, np.nan, -1.0, 2.5]))
    assert column.codes.tolist() == [2, 0, 1, 2]
    assert column.counts.tolist() == [1, 1, 2]
    assert np.array_equal(column.values(), [2.5, np.nan, -1.0, 2.5], equal_nan=True)
    assert not column.constant


def test_categories_keep_their_codes_and_missing_is_the_last() -> None:
    column = CodedColumn.of_categories("c", np.array([1, -1, 0]), 2)
    assert (column.codes.tolist(), column.levels) == ([1, 2, 0], 3)
    assert column.values().tolist() == [1, -1, 0]
    assert column.with_codes(np.array([2], np.int32)).constant


def test_mid_ranks_are_those_of_scipy() -> None:
    from scipy.stats import rankdata

    codes = np.random.default_rng(2).integers(1, 9, 50).astype(np.int32)
    assert mid_ranks(codes, 9).tolist() == (2 * rankdata(codes) - 51).astype(int).tolist()


def test_rare_levels_are_put_together() -> None:
    codes = np.array([0] * 5 + [1] * 3 + [2, 3, 4], np.int32)
    found, levels = frequent_levels(codes, 6, most=2)
    assert levels == 3
    assert found.tolist() == [0] * 5 + [1] * 3 + [2] * 3
    assert frequent_levels(codes, 6)[1] == 5


def test_bins_hold_about_as_many_records_each() -> None:
    assert number_bins(np.array([3, 1, 1])).tolist() == [0, 1, 2]
    counts = np.concatenate([[7], np.ones(5_000, int)])
    bins = number_bins(counts)
    assert bins[0] == 0
    assert bins[1] > 0
    assert (np.diff(bins.astype(int)) >= 0).all()
    sizes = np.bincount(bins[1:])[1:]
    assert sizes.max() - sizes.min() <= 1


def test_levels_are_ordered_by_their_score() -> None:
    scores = np.array([0.3, -1.0, 0.3, 2.0])
    assert level_bins(scores, np.ones(4, int)).tolist() == [1, 0, 1, 2]
    many = np.random.default_rng(0).normal(size=1_000)
    bins = level_bins(many, np.ones(1_000, int)).astype(int)
    assert (np.diff(bins[np.argsort(many)]) >= 0).all()
    assert bins.max() == 255


def test_the_score_of_a_number_is_the_mean_of_its_level() -> None:
    codes, goal = np.array([0, 0, 1, 2], np.int32), np.array([2, 4, 10, -1])
    assert level_scores(codes, 4, goal, 0).tolist() == [3.0, 10.0, -1.0, 3.75]


def test_the_score_of_two_classes_orders_by_the_smoothed_share() -> None:
    codes = np.array([0] * 4 + [1] * 4 + [2] * 4, np.int32)
    goal = np.array([0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0])
    scores = level_scores(codes, 4, goal, 2)
    # Shares of class 1, smoothed with one record of the table's 1/3, minus that; the fourth level was never seen.
    shares = np.array([(1 + 1 / 3) / 5, (3 + 1 / 3) / 5, (1 / 3) / 5, 1 / 3]) - 1 / 3
    assert scores == pytest.approx(np.sign(scores[1]) * shares * np.sqrt(2), abs=1e-9)


def test_bins_of_some_rows() -> None:
    schema = Schema((number("x", 5, 7), category("c", "ab")))
    columns = coded_inputs(schema, ["x", "c"], {"x": np.array([5.0, 7.0, 5.0]), "c": np.array([0, 1, -1])})
    maps = [np.array([0, 1, 2], np.uint8), np.array([9, 8, 7], np.uint8)]
    assert binned(columns, maps, np.array([2, 1])).tolist() == [[1, 2], [7, 8]]
