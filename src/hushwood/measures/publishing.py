"""What outsiders may see: no count of one to four records, no exact number, and of details only what is marked.

Details of measures are declared as typed dictionaries; a field that outsiders may see is annotated with its mark, and
comes in the order of the declaration. Numbers in words are here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args, get_type_hints, is_typeddict

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


@dataclass(frozen=True, slots=True)
class Public:
    """The mark of a detail that outsiders may see: what is shown of it, given the detail it is about, if it names one.

    Of a list or mapping, every value is shown like this.
    """

    shown: Callable[..., Any]
    about: str = ""

    def of(self, value: Any, details: Mapping[str, Any]) -> Any:
        """What outsiders see of a value among these details."""
        if isinstance(value, Mapping):
            return {key: self.of(each, details) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(each, details) for each in value]
        return self.shown(value, details.get(self.about)) if self.about else self.shown(value)


PUBLIC = Public(lambda value: value)
SAFE_COUNT = Public(safe_count)
TWO_DECIMALS = Public(two_decimals)
TWO_DIGITS = Public(two_digits)


def share_of(count: str) -> Public:
    """A share of the records that another detail counts."""
    return Public(safe_share, count)


def published(declared: type, details: Mapping[str, Any]) -> dict[str, Any]:
    """The marked details, as far as there are any; rows of a declared type show their own marked fields."""
    return {
        name: mark.of(details[name], details) if row is None else _rows(row, details[name])
        for name, mark, row in _marked(declared)
        if name in details
    }


def _rows(row: type, value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [published(row, each) for each in value]
    return None if value is None else published(row, value)


@cache
def _marked(declared: type) -> list[tuple[str, Public, type | None]]:
    """Marked fields, each with its mark and with the declared type of its rows, if it has one."""
    found = []
    for name, hint in get_type_hints(declared, include_extras=True).items():
        parts = list(_parts(hint))
        mark = next((part for part in parts if isinstance(part, Public)), None)
        if mark is not None:
            found.append((name, mark, next(filter(is_typeddict, parts), None)))
    return found


def _parts(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _parts(part)


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
