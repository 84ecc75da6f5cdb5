"""Numbers in words, the same on the page and in the terminal, and lines of text in columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Literal

from hushwood.measures.protocol import Unit
from hushwood.measures.publishing import SMALL, percent

Tone = Literal["good", "plain", "care", "bad"]
FEW = f"fewer than {SMALL}"
_SPACE = "\N{NO-BREAK SPACE}"
WIDEST = 100
_GAP = 2
# The first column is cut before the last one becomes narrower than this.
_NARROWEST = 24


def count(number: float | None) -> str:
    """A count; None was withheld because it is small.

    >>> count(1234), count(0), count(None)
    ('1,234', 'none', 'fewer than 5')
    """
    if number is None:
        return FEW
    return f"{number:,.0f}" if number else "none"


def things(number: float | None, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> things(1, "record"), things(0, "record"), things(2, "category", "categories")
    ('1 record', 'no records', '2 categories')
    """
    plural = many or f"{one}s"
    if number == 0:
        return f"no {plural}"
    return f"{count(number)} {one if number == 1 else plural}"


def share_or_dash(share: float | None) -> str:
    """A share, or a dash where there is none.

    >>> share_or_dash(0.5), share_or_dash(None)
    ('50\\xa0%', '–')
    """
    return "–" if share is None else percent(share)


def points(share: float, unit: str = " points") -> str:
    """A difference of shares in percentage points, with its sign.

    >>> points(0.0071), points(-0.03), points(0.0002), points(0.01), points(0.024, unit="")
    ('+0.7 points', '−3 points', '0 points', '+1 point', '+2.4')
    """
    number = f"{abs(100 * share):.1f}".removesuffix(".0")
    sign = "" if number == "0" else "−" if share < 0 else "+"
    return f"{sign}{number}{unit.removesuffix('s') if number == '1' else unit}"


def band(low: int, high: int | None) -> str:
    """A range of whole numbers; without a highest it is open.

    >>> band(1, 1), band(1000, 1999), band(5000, None)
    ('1', '1,000–1,999', '5,000+')
    """
    if high is None:
        return f"{low:,}+"
    return f"{low:,}" if high == low else f"{low:,}–{high:,}"


def part_of(number: float | None, total: int) -> str:
    """A number of records with its share of all.

    >>> part_of(0, 10), part_of(None, 10), part_of(5, 20)
    ('none', 'fewer than 5', '5 (25\\xa0%)')
    """
    if number is None or number == 0 or total == 0:
        return count(number)
    return f"{count(number)} ({percent(number / total)})"


def amount(value: float | None, unit: Unit = "number") -> str:
    """A number with its unit; None was withheld because it is small.

    >>> amount(0.125, "share"), amount(3.14159, "bits"), amount(0.0421, "deviations"), amount(2.0), amount(None)
    ('12.5\\xa0%', '3.14\\xa0bits', '0.04\\xa0sd', '2', 'fewer than 5')
    """
    if value is None:
        return FEW
    match unit:
        case "share":
            return percent(value)
        case "bits":
            return f"{value:.2f}{_SPACE}bits"
        case "deviations":
            return f"{_short(value)}{_SPACE}sd"
        case "records":
            return f"{value:,.0f}"
    return _short(value)


def short_number(value: float | None) -> str:
    """A number with three significant digits, for tables; a dash where there is none.

    >>> short_number(1234567.0), short_number(0.00012345), short_number(None)
    ('1,230,000', '0.000123', '–')
    """
    if value is None:
        return "–"
    if value and not 1e-4 <= abs(value) < 1e9:
        return f"{value:.2e}"
    return f"{float(f'{value:.3g}'):,.10g}"


def _short(value: float) -> str:
    """At most two decimals; large numbers keep three digits, tiny ones are not called zero."""
    if 0 < abs(value) < 0.005:
        return "about 0"
    return f"{value:.2f}".rstrip("0").rstrip(".") if abs(value) < 100 else short_number(value)


def wrapped(text: str, indent: int = 0) -> list[str]:
    """A paragraph as lines; if it is set in, those after the first are set in by two more.

    >>> wrapped("a few words", indent=2)
    ['  a few words']
    """
    lead = " " * indent
    return textwrap.wrap(
        text, WIDEST, initial_indent=lead, subsequent_indent=2 * lead, break_on_hyphens=False
    )


def columns(rows: Sequence[Sequence[str]], head: Sequence[str] | None = None) -> list[str]:
    """Rows as lines, their cells one below the other; the last column is broken into lines where it is too long.

    >>> columns([("one", "1", "good"), ("three", "3", "")])
    ['  one    1  good', '  three  3']
    """
    everything = [*([head] if head else []), *rows]
    if not everything:
        return []
    widths = [max(len(row[i]) for row in everything) for i in range(len(everything[0]))]
    fixed = sum(widths[1:-1]) + _GAP * len(widths)
    widths[0] = max(1, min(widths[0], WIDEST - fixed - min(widths[-1], _NARROWEST)))
    room = WIDEST - fixed - widths[0]
    return [line for row in everything for line in _lines(row, widths, room)]


def _lines(row: Sequence[str], widths: Sequence[int], room: int) -> list[str]:
    """One row; a first cell or a last one that is too long goes on in the next line."""
    deeper = "  " if widths[0] > _NARROWEST else ""
    first = textwrap.wrap(row[0], widths[0], subsequent_indent=deeper, break_on_hyphens=False) or [""]
    last = textwrap.wrap(row[-1], max(room, 1), break_on_hyphens=False) or [""]
    lines = []
    for at in range(max(len(first), len(last))):
        middle = row[1:-1] if at == 0 else [""] * (len(row) - 2)
        cells = [first[at] if at < len(first) else "", *middle]
        set_out = (" " * _GAP).join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=False))
        tail = last[at] if at < len(last) else ""
        lines.append(f"{' ' * _GAP}{set_out}{' ' * _GAP}{tail}".rstrip())
    return lines
