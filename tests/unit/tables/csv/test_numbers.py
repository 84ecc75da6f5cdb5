"""Numbers with the signs of a language."""

from __future__ import annotations

import polars as pl
import pytest

from hushwood.tables.csv.numbers import parsed_numbers
from hushwood.tables.csv.ways import Way


@pytest.mark.parametrize(
    ("way", "texts", "numbers"),
    [
        (Way("decimal", ","), ["1,5", "-2", ",5"], [1.5, -2.0, 0.5]),
        (Way("decimal", ",", "."), ["1.234.567,5", "999", "1234,5"], [1234567.5, 999.0, 1234.5]),
        (Way("decimal", ".", ","), ["1,234.5", "-0.5"], [1234.5, -0.5]),
        (Way("whole", ".", " "), ["1 234", "12"], [1234, 12]),
        (Way("decimal", ".", "'"), ["1'234.50"], [1234.5]),
        (Way("decimal", ",", "\u202f"), ["1\u202f234,5"], [1234.5]),
        (Way("decimal", places=2), ["27.60", "1.00"], [27.6, 1.0]),
    ],
)
def test_numbers(way: Way, texts: list[str], numbers: list[float]) -> None:
    found = parsed_numbers(pl.Series("a", texts), way)
    assert found.to_list() == numbers
    assert found.dtype == (pl.Int64 if way.kind == "whole" else pl.Float64)


@pytest.mark.parametrize(
    ("way", "texts"),
    [
        (Way("decimal", ","), ["1,5", "1.5"]),
        (Way("decimal", ","), ["1,2,3"]),
        (Way("decimal", ",", "."), ["1.23,5"]),
        (Way("decimal", ",", "."), ["12.3456"]),
        (Way("decimal", ".", ","), ["1,23"]),
        (Way("whole", ".", " "), ["1 23"]),
        (Way("decimal", places=2), ["27.6", "27.60"]),
        (Way("decimal", pointed=True), ["5", "5.5"]),
        (Way("decimal", ","), ["00,5", "1,5"]),
        (Way("mixed"), ["007", "1,5"]),
        (Way("mixed"), ["1.2.2020"]),
    ],
)
def test_numbers_in_another_way(way: Way, texts: list[str]) -> None:
    assert parsed_numbers(pl.Series("a", texts), way).null_count()
