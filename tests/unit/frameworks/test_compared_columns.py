from __future__ import annotations

import numpy as np
import polars as pl

from hushwood.frameworks.compared_columns import compared
from hushwood.tables.reading import read_table

FRAME = pl.DataFrame({"age": [20, None, 31], "city": ["b", None, "new"]})
AGE = {"name": "age", "kind": "numeric", "precision": 0}
CITY = {"name": "city", "kind": "categorical", "values": ["a", "b"]}


def test_numbers_and_their_gaps() -> None:
    found = compared(FRAME, AGE)
    np.testing.assert_array_equal(found.values, [20.0, np.nan, 31.0])
    assert (found.texts, found.gaps) == (None, 1)


def test_known_categories_come_first_and_unknown_ones_after_them() -> None:
    found = compared(FRAME, CITY)
    assert found.values.tolist() == [1, -1, 2]
    assert (found.texts, found.gaps) == (("a", "b", "new"), 1)
    assert compared(FRAME.head(1), CITY).texts == ("a", "b")


def test_a_table_is_taken_as_it_is() -> None:
    table = read_table(FRAME, target="city")
    found = compared(table, CITY)
    assert found.values is table.columns["city"]
    assert (found.texts, found.gaps) == (("b", "new"), 1)
