"""Tables as arrays; names of categories that no record has do not leave."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from hushwood.errors import InputError, InternalFault
from hushwood.tables.reading import read_table
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import (
    Table,
    bin_names,
    check_weights,
    class_labels,
    weight_numbers,
    with_present_categories,
)
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.trees.model_file import forest_to_json
from support.mixed_tables import category, number, table_of, target

FRAME = pl.DataFrame({"id": ["a", "b", "c"], "x": [1, 2, 3], "y": ["no", None, "yes"]})


def test_take_keeps_the_order_given() -> None:
    table = read_table(FRAME, target="y", roles={"id": "identifier"}).take(np.array([2, 0]))
    assert table.rows == 2
    assert table.columns["x"].tolist() == [3.0, 1.0]
    assert table.columns["y"].tolist() == [1, 0]
    assert table.carried["id"].to_list() == ["c", "a"]


def test_take_without_carried_columns() -> None:
    assert read_table(FRAME).take(np.array([1])).columns["x"].tolist() == [2.0]


def test_with_columns_replaces_some() -> None:
    table = read_table(FRAME)
    changed = table.with_columns({"x": np.array([7.0, 8.0, 9.0])})
    assert changed.columns["x"].tolist() == [7.0, 8.0, 9.0]
    assert changed.columns["y"] is table.columns["y"]
    assert table.columns["x"].tolist() == [1.0, 2.0, 3.0]


def test_class_labels() -> None:
    codes, names = class_labels(read_table(FRAME, target="y"))
    assert codes.tolist() == [0, -1, 1]
    assert names == ("no", "yes")
    with pytest.raises(InputError, match="--class"):
        class_labels(read_table(FRAME))


def test_binned_class_labels() -> None:
    attribute = Attribute("y", "categorical", "class", "Int64", categories=("5", "10", "11"), bins=(10.0,))
    columns = {"y": np.array([0, 1, 2, -1], dtype=np.int32)}
    codes, names = class_labels(Table(Schema((attribute,)), columns, pl.DataFrame(), 4))
    assert codes.tolist() == [0, 0, 1, -1]
    assert names == ("<= 10", "> 10")


def test_bin_names_tell_large_limits_apart() -> None:
    assert len(set(bin_names((1234567.0, 1234568.0)))) == 3


def test_codes_that_no_category_has_are_refused() -> None:
    table = read_table(FRAME, target="y")
    with pytest.raises(InternalFault, match="Codes of column 'y' must lie from -1 to 1"):
        table.with_columns({"y": np.array([0, 1, 2], np.int32)})


def people() -> Table:
    """Town x is declared and nobody lives there; one person's town is missing."""
    return table_of(
        {
            "town": (category("town", "axbyc"), [0, 0, 2, 2, 4, 4, -1, 0]),
            "age": (number("age", 0, 9), [1, 2, 3, 4, 5, 6, 7, 8]),
            "y": (target("y", "uvw"), [0, 0, 1, 1, 0, 0, 1, 0]),
        }
    )


def test_only_categories_that_occur_are_left_in_their_order() -> None:
    table = with_present_categories(people())
    assert table.schema["town"].categories == ("a", "b", "c")
    assert table.columns["town"].tolist() == [0, 0, 1, 1, 2, 2, -1, 0]
    assert table.columns["town"].dtype == np.int32


def test_the_class_too_unless_only_others_are_named() -> None:
    assert with_present_categories(people()).schema["y"].categories == ("u", "v")
    table = with_present_categories(people(), people().schema.inputs)
    assert table.schema["y"].categories == ("u", "v", "w")
    assert table.schema["town"].categories == ("a", "b", "c")


def test_numbers_stay_as_they_are() -> None:
    table = with_present_categories(people())
    assert table.columns["age"] is not None
    assert table.schema["age"] == people().schema["age"]


def test_a_published_tree_and_its_table_name_nobody_else() -> None:
    published = publish(people(), PublishOptions(k=1))
    assert published.table.schema["town"].categories == ("a", "b", "c", "{a, c}", "{b, missing}")
    assert "x" not in json.dumps(forest_to_json(published.forest)["attributes"][0]["values"])


def test_texts_of_a_dropped_column_are_read_as_numbers() -> None:
    found = weight_numbers(pl.Series("w", ["1.5", None, "3"]))
    np.testing.assert_array_equal(found, [1.5, np.nan, 3.0])


def test_good_weights_pass_and_missing_ones_may_be_there() -> None:
    check_weights(pl.Series("w", [0, 2, None]))


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([1.0, -0.5], r"contains the weight -0\.5, and no record can stand for fewer than 0 people"),
        ([0.0, 0.0, None], r"has no weight above 0"),
        ([1.0, float("inf")], r"contains infinite weights"),
        (["1", "many"], r"declared as the weight, but contains 'many'\. Weights are numbers"),
        ([True, False], r"declared as the weight, but contains Boolean values"),
    ],
)
def test_other_columns_are_refused(values: list[object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_weights(pl.Series("w", values))
