"""Words set for a terminal: columns of text that fit its width, and paragraphs broken into lines.

What is said is in `terminal`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

WIDEST = 100
_GAP = 2
# The first column is cut before the last one becomes narrower than this.
_NARROWEST = 24


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
