"""What a chart is: a Vega-Lite specification with the same numbers as a plain table, in the page's colours.

Colours are CSS variables of the page, so that light, dark and print need no second drawing. Specifications are
written out with the parts in `spec_parts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hushwood.measures.publishing import SMALL

Spec = dict[str, Any]  # Vega-Lite, or a part of it
BEFORE, AFTER, AFTER_SOFT, CARE, BAD, INK, MUTED = (
    f"var(--{name})" for name in ("before", "after", "after-soft", "care", "bad", "ink", "muted")
)
ROW = 26

CONFIG: Spec = {
    "background": "transparent",
    "font": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    "aria": False,
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "labelOverlap": "greedy",
        "labelSeparation": 6,
        "titleFontSize": 12,
        "gridColor": "var(--line)",
        "domainColor": "var(--line-strong)",
        "tickColor": "var(--line-strong)",
    },
    "axisY": {"domain": False, "ticks": False},
    "axisX": {"grid": False},
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, what it shows in a sentence, its specification, and its numbers as a table.

    `second` is another picture of the same kind, to be read side by side with the first; `captions` name the two.
    """

    title: str
    says: str
    spec: Spec
    head: Sequence[str]
    rows: Sequence[Sequence[str]] = field(default_factory=tuple)
    second: Spec | None = None
    captions: tuple[str, str] = ("", "")


def drawn_height(number: float | None) -> float:
    """How tall a count is drawn; a withheld one, of one to four, stands in the middle of that range."""
    return SMALL / 2 if number is None else number
