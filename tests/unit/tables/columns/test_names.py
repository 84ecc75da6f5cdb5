"""Names that Polars takes for patterns, and names that nobody can write."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.columns.names import check_writable, literal
from hushwood.tables.frames.any_frame import to_polars
from hushwood.tables.reading import read_table


@pytest.mark.parametrize("name", ["*", "^a.*$", "^$"])
def test_methods_of_a_column_work_under_its_literal_name(name: str) -> None:
    column = literal(pl.Series(name, ["1", "2"]))
    assert column.str.contains("1").to_list() == [True, False]
    assert column.to_frame().select(pl.col(column.name)).width == 1
    assert repr(name)[1:-1] in column.name


@pytest.mark.parametrize("name", ["", "a", "a*", "^a", "a$", "**"])
def test_other_names_stay(name: str) -> None:
    assert literal(pl.Series(name, [1])).name == name


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_names_that_cannot_be_written_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="Rename the column"):
        check_writable(["fine", name])
    with pytest.raises(InputError, match="Rename the column"):
        to_polars(pd.DataFrame([[1], [2]], columns=pd.Index([name], dtype=object)))


def test_a_name_with_a_nul_is_refused_in_a_polars_frame() -> None:
    with pytest.raises(InputError, match="Rename the column"):
        read_table(pl.DataFrame({"a\0b": [1, 2], "y": ["u", "v"]}), target="y")
