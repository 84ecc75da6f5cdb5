"""Numbers that may not mean what they say: codes for "missing", totals in the last row, slips of the keyboard.

Nothing is changed because of them. They are asked about, because each of them moves means and widens domains.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

import numpy as np

from hushwood.arrays import Floats
from hushwood.tables.columns.warnings import ColumnWarning
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

MISSING_CODE, TOTAL, FAR_OUT = "missing-code", "total", "far-out"
_BELOW = (*range(-9, 0), -66, -77, -88, *range(-99, -95), -777, -888, *range(-999, -995), -9999)
_ABOVE = (7, 8, 9, *range(96, 100), *range(996, 1000), 9998, 9999, 99999)
_MOST_CODES = 4
_LONGEST_SCALE = 11  # 0 to 10
_APART = 3.0  # a code above a column that is no scale is this many times its largest number
_RARE_DIGIT = 0.01  # 9 above a scale is a code from this share of the records on; it might be a count
_FEW_ROWS = 20
_FAR = 20.0


def odd_numbers(table: Table) -> Iterator[ColumnWarning]:
    """What to ask about the numbers of a table."""
    known = {a.name: table.columns[a.name] for a in table.schema.attributes if _counts(a)}
    different = {name: np.unique(values[~np.isnan(values)]) for name, values in known.items()}
    codes = {name: missing_codes(values, different[name]) for name, values in known.items()}
    for name, found in codes.items():
        if found:
            yield ColumnWarning(name, MISSING_CODE, _asks_missing(name, codes, different))
        else:
            yield from _far_out(name, different[name], table.rows)
    totals = [name for name, values in known.items() if is_total(values)]
    if totals:
        others = f" and of {len(totals) - 1} more" if len(totals) > 1 else ""
        yield ColumnWarning(
            totals[0],
            TOTAL,
            f"The last row holds the sum of column {totals[0]!r}{others}. A total is no person: remove that row.",
        )


def _counts(attribute: Attribute) -> bool:
    """Whether the column holds numbers of people, not dates, weights or what is dropped or copied."""
    timed = attribute.storage.startswith(("Date", "Time", "Duration"))
    return attribute.kind == "numeric" and not (attribute.carried or attribute.weight or timed)


def missing_codes(values: Floats, different: Floats) -> tuple[int, ...]:
    """Numbers such as -99 and 9 that stand apart from a column's other numbers, as codes for "missing" do.

    >>> ratings = np.array([1.0, 2, 3, 4, 5, 3, 2, -99, 9])
    >>> missing_codes(ratings, np.unique(ratings))
    (-99, 9)
    """
    low = _run(different, _BELOW)
    negative = int(np.searchsorted(different, 0.0))
    if low != negative or low > _MOST_CODES or low == len(different) or -1.0 in different[1:low]:
        low = 0  # numbers that go below 0 anyway
    highs = range(1, min(_MOST_CODES, _run(different[::-1], _ABOVE)) + 1)
    stand_above = (
        n for n in highs if _stand_above(values, different[low : len(different) - n], different[-n])
    )
    high = next(stand_above, 0)
    return tuple(int(code) for code in (*different[:low], *different[len(different) - high :]))


def _run(from_the_end: Floats, codes: tuple[int, ...]) -> int:
    """How many of the first numbers are codes, without a gap."""
    is_code = np.isin(from_the_end[: _MOST_CODES + 1], codes)
    return len(is_code) if is_code.all() else int(np.argmin(is_code))


def _stand_above(values: Floats, rest: Floats, code: float) -> bool:
    """Whether the lowest of the codes lies apart from the rest: above a scale, or far above other numbers."""
    if len(rest) < 2 or rest[0] < 0:
        return False
    top = float(rest[-1])
    whole = len(rest) <= _LONGEST_SCALE and np.array_equal(rest, np.arange(rest[0], rest[0] + len(rest)))
    if not whole or top >= _LONGEST_SCALE:
        return bool(code >= _APART * max(top, 1.0) and code > _LONGEST_SCALE)
    often = code > _LONGEST_SCALE or float((values >= code).mean()) >= _RARE_DIGIT
    return bool(code >= top + 2 and often)


def is_total(values: Floats) -> bool:
    """Whether the last number is the sum of the others, at least three of which count.

    >>> is_total(np.array([3.0, 4.0, 5.0, 12.0])), is_total(np.array([0.0, 0.0, 7.0, 7.0]))
    (True, False)
    """
    others = values[:-1][~np.isnan(values[:-1])]
    if np.count_nonzero(others) < 3 or np.isnan(values[-1]):
        return False
    total, largest = float(others.sum()), float(np.abs(others).max())
    return bool(abs(total) > largest and abs(values[-1] - total) <= 1e-9 * abs(total))


def _far_out(name: str, different: Floats, records: int) -> Iterator[ColumnWarning]:
    if records < _FEW_ROWS or len(different) < 3:
        return
    for word, first, second, option in (
        ("largest", different[-1], different[-2], "top"),
        ("smallest", different[0], different[1], "bottom"),
    ):
        if second * first > 0 and abs(first) >= _FAR * abs(second):
            yield ColumnWarning(
                name,
                FAR_OUT,
                f"Column {name!r}: the {word} number is {first / second:,.0f} times the next. If it is a slip, correct "
                f"it; if it is true, cut it off with --{option}-code {shlex.quote(name)}="
                f"{'99' if option == 'top' else '1'}%.",
            )


def _asks_missing(name: str, codes: Mapping[str, tuple[int, ...]], different: Mapping[str, Floats]) -> str:
    own = codes[name]
    rest = different[name][~np.isin(different[name], own)]
    listed = ", ".join(map(str, own))
    says = f"Column {name!r} holds {listed} apart from its other numbers, {rest[0]:g} to {rest[-1]:g}. "
    for other, values in different.items():
        ordinary = set(own) & set(values.tolist()) - set(codes[other])
        if ordinary:
            return (
                f"{says}If that means missing, empty those fields before: {min(ordinary)} is an ordinary number of "
                f"column {other!r}."
            )
    return f"{says}If that means missing, use --missing={','.join(map(str, own))}."
