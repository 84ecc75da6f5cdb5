"""Names of categories that no record has do not leave."""

from __future__ import annotations

import json

import numpy as np

from hushwood.tables.present_categories import with_present_categories
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood.trees.model_file import forest_to_json
from mixed_tables import category, number, table_of, target


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
