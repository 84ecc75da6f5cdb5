"""What outsiders may see of numbers: no count of one to four records, and no exact number; and numbers in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.detail_tables import DetailColumn, DetailTable

# Groups with fewer records than this are called rare or small, and are not shown exactly to outsiders.
SMALL = 5
_SPACE = "\N{NO-BREAK SPACE}"


def safe_count(count: float | None) -> int | None:
    """A count that outsiders may see: None for one to four, otherwise the nearest multiple of five.

    >>> [safe_count(n) for n in (0, 3, 5, 123)]
    [0, None, 5, 125]
    """
    if count is None or 0 < count < SMALL:
        return None
    return int((count + SMALL // 2) // SMALL * SMALL)


def chosen(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The entries with these keys, as far as there are any."""
    return {key: given[key] for key in keys if key in given}


def counted(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The counts with these keys, made safe."""
    return {key: safe_count(given[key]) for key in keys}


def at_most_few(count: float) -> int | None:
    """A count that outsiders may see; zero is withheld as well."""
    return None if count < SMALL else safe_count(count)


def safe_share(share: float | None, records: int) -> float | None:
    """A share of the records, rounded to five records and two digits; None if it stands for one to four records.

    >>> safe_share(0.003, 1000), safe_share(0.5012, 1000), safe_share(0.9999, 1000)
    (None, 0.5, 1.0)
    """
    if share is None or not records:
        return share
    count = safe_count(round(share * records, 6))  # a share of whole records comes back with rounding errors
    return None if count is None else two_digits(min(count / records, 1.0))


def two_digits(value: float | None) -> float | None:
    """A number with two significant digits, and never more than four decimals.

    >>> two_digits(0.12345), two_digits(1234.0), two_digits(None)
    (0.12, 1200.0, None)
    """
    return None if value is None else round(float(f"{value:.2g}"), 4)


def two_decimals(value: float | None) -> float | None:
    """A number with two decimals; None stays None."""
    return None if value is None else round(value, 2)


def percent(share: float | None) -> str:
    """A share with one decimal, none if it is whole; a tiny one is not called zero.

    >>> percent(0.125), percent(1.0), percent(0.0002)
    ('12.5\\xa0%', '100\\xa0%', 'under 0.1\\xa0%')
    """
    if share is None:
        return "a few"
    if 0 < share < 0.001:
        return f"under 0.1{_SPACE}%"
    if 0.999 < share < 1:
        return f"over 99.9{_SPACE}%"
    return f"{100 * share:.1f}".removesuffix(".0") + f"{_SPACE}%"


def column_table(
    title: str, says: str, details: Mapping[str, Any], titles: Mapping[str, str], worst_by: str
) -> DetailTable:
    """The numbers in `titles` that any column has; the column with the largest `worst_by` comes first."""
    columns = sorted(details["columns"], key=lambda column: -abs(column.get(worst_by) or 0.0))
    shown = [key for key in titles if any(column.get(key) is not None for column in columns)]
    return DetailTable(
        title,
        says,
        (DetailColumn("Column"), *(DetailColumn(titles[key], "number") for key in shown)),
        tuple((column["column"], *(column.get(key) for key in shown)) for column in columns),
    )


def publishable_columns(details: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The numbers with these keys of every column, rounded."""
    return {
        "columns": [
            {"column": column["column"]} | {key: two_decimals(column.get(key)) for key in keys}
            for column in details["columns"]
        ]
    }
