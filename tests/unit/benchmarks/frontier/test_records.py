from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from frontier.records import Columns, Scale, coded, columns_of, features, indicators, places

from support.frontier_people import STREAMS

FRAME = pl.DataFrame({"age": [20, 30, 40], "city": ["x", "y", "x"], "ill": ["no", "yes", "no"]})
COLUMNS = columns_of(FRAME, "ill")


def test_texts_are_categories_and_levels_are_sorted() -> None:
    assert Columns(("age",), {"city": ("x", "y")}, "ill", ("no", "yes")) == COLUMNS


def test_codes_follow_the_levels_and_the_class_is_last() -> None:
    records = coded(FRAME, COLUMNS, STREAMS)
    assert records.numbers.tolist() == [[20], [30], [40]]
    assert records.codes.tolist() == [[0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("cell", "allowed"), [("{x, y}", {0, 1}), ("*", {0, 1, 2}), ("{y, z and 2 more}", {1, 2})]
)
def test_a_cell_of_several_levels_is_one_of_them_evenly(cell: str, allowed: set[int]) -> None:
    many = 3_000
    columns = Columns((), {"city": ("x", "y", "z")}, "ill", ("no",))
    frame = pl.DataFrame({"city": [cell] * many, "ill": ["no"] * many})
    drawn = np.bincount(coded(frame, columns, STREAMS).codes[:, 0], minlength=3) / many
    assert {int(c) for c in np.flatnonzero(drawn)} == allowed
    assert np.abs(drawn[list(allowed)] - 1 / len(allowed)).max() < 0.05


@pytest.mark.parametrize(
    "strange", [{"city": ["x", "y", "q"]}, {"age": [1, None, 3]}, {"ill": ["no", None, "no"]}]
)
def test_what_the_table_does_not_hold_stops_the_run(strange: dict[str, list[object]]) -> None:
    with pytest.raises(ValueError, match=r"of the release holds 'q'|missing"):
        coded(
            FRAME.with_columns(**{name: pl.Series(values) for name, values in strange.items()}),
            COLUMNS,
            STREAMS,
        )


def test_indicators_by_hand() -> None:
    assert indicators(np.array([[0, 1], [1, 0]]), (2, 3)).tolist() == [[1, 0, 0, 1, 0], [0, 1, 1, 0, 0]]
    assert indicators(np.empty((2, 0), np.int64), ()).shape == (2, 0)


def test_features_omit_a_column() -> None:
    records = coded(FRAME, COLUMNS, STREAMS)
    scale = Scale.of(records)
    assert features(records, COLUMNS, scale).tolist() == [[0, 1, 0], [0.5, 0, 1], [1, 1, 0]]
    assert features(records, COLUMNS, scale, target=True, but=0).tolist() == [
        [1, 0, 1, 0],
        [0, 1, 0, 1],
        [1, 0, 1, 0],
    ]
    assert features(records, COLUMNS, scale, target=True, but=1).tolist() == [
        [0, 1, 0],
        [0.5, 0, 1],
        [1, 1, 0],
    ]


def test_a_category_that_differs_is_one_apart() -> None:
    records = coded(FRAME, COLUMNS, STREAMS)
    points = places(records, COLUMNS, Scale.of(records))
    assert ((points[0] - points[1]) ** 2).sum() == pytest.approx(0.25 + 1)
    assert ((points[0] - points[2]) ** 2).sum() == pytest.approx(1)
