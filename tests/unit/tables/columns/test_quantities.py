from __future__ import annotations

from hushwood.tables.columns.quantities import are_years, can_be_year, without_separators


def test_years_are_known_by_name_and_range() -> None:
    assert are_years("Baujahr", 1500, 2200)
    assert not are_years("Baujahr", 1499, 2000)
    assert are_years("x", 1800, 2100)
    assert not are_years("x", 1799, 2000)
    assert not are_years("year", None, 2000)


def test_numbers_that_can_be_years() -> None:
    assert can_be_year(1998.5)
    assert not can_be_year(12)


def test_only_separators_of_thousands_go() -> None:
    assert without_separators("1,998 – 2,003, 12") == "1998 – 2003, 12"
