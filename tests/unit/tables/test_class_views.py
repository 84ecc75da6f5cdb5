"""A table seen with another class."""

from __future__ import annotations

import polars as pl

from hushwood.tables.class_views import for_class
from hushwood.tables.reading import read_table
from hushwood.tables.table import class_labels

FRAME = pl.DataFrame(
    {"a": ["x", "y", "x", "y"], "n": [1.0, 2.0, None, 9.0], "b": ["u", "u", "v", None], "k": [1, 2, 3, 4]}
)


def test_one_of_several_classes_is_looked_at() -> None:
    table = read_table(FRAME, target=["a", "b"])
    assert class_labels(table)[1] == ("x", "y")
    seen = for_class(table, "b")
    assert class_labels(seen)[1] == ("u", "v")
    assert class_labels(seen)[0].tolist() == [0, 0, 1, -1]
    assert [a.name for a in seen.schema.inputs] == ["n", "k"]


def test_any_column_can_be_seen_as_the_class_and_a_number_becomes_a_response() -> None:
    table = read_table(FRAME)
    assert table.schema.class_attribute is None
    seen = for_class(table, "n")
    target = seen.schema.class_attribute
    assert target is not None
    assert (target.response, target.bins) == (True, (1.0, 2.0))
    assert class_labels(seen)[0].tolist() == [0, 1, -1, 2]
    assert [a.name for a in seen.schema.inputs] == ["a", "b", "k"]
    assert table.schema.classes == ()
