"""How the series of a chart are told apart, by colour, shape and dash, and how values with intervals are written.

The charts themselves are in `charts`. The colours are the page's, in an order that people who mix up
red and green can tell apart; shape and dash say it a second time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from hushwood.experiments.reproducing.comparison import shown
from hushwood.reports.spec_parts import word_field

_COLOURS = tuple(f"var(--class-{number})" for number in (2, 1, 0, 3, 4, 7, 5))
_SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3], [10, 4], [3, 1])
# What others are measured against is grey: so the others have the same colours in charts with and without it.
_AGAINST = ("printed", "original")


class Spread(Protocol):
    """A value with the lowest and highest run, if there are several."""

    @property
    def value(self) -> float:
        """The mean, or the only run."""

    @property
    def low(self) -> float | None:
        """The lowest run."""

    @property
    def high(self) -> float | None:
        """The highest run."""


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Every name once, in the order in which they come."""
    return tuple(dict.fromkeys(names))


def coloured(names: Sequence[str], legend: dict[str, Any], grey: str) -> dict[str, Any]:
    """The colour of a series; what is printed, or the original, is grey."""
    against = next((name for name in _AGAINST if name in names), None)
    others = iter(_COLOURS * (1 + len(names) // len(_COLOURS)))
    range_ = [grey if name == against else next(others) for name in names]
    return word_field("series", legend=legend, scale=scale_of(names, range_))


def own_shape(names: Sequence[str], legend: dict[str, Any]) -> dict[str, Any]:
    """The shape of the points of a series."""
    return word_field("series", legend=legend, scale=scale_of(names, _SHAPES))


def dashed(names: Sequence[str], legend: dict[str, Any]) -> dict[str, Any]:
    """How the line of a series is dashed."""
    return word_field("series", legend=legend, scale=scale_of(names, _DASHES))


def scale_of(names: Sequence[str], looks: Sequence[Any]) -> dict[str, Any]:
    """A scale that gives every name its look, beginning anew where there are more names."""
    return {"domain": list(names), "range": [looks[place % len(looks)] for place in range(len(names))]}


def measured(item: Spread, unit: str = "") -> dict[str, Any]:
    """A value with its interval, if it has one, as a row of a chart."""
    row: dict[str, Any] = {"value": item.value, "shown": shown(item.value, unit)}
    if item.low is None or item.high is None:
        return row
    reach = f" ({shown(item.low, unit)} to {shown(item.high, unit)})"
    return row | {"low": item.low, "high": item.high, "shown": row["shown"] + reach}


def with_interval(says: str, items: Sequence[Spread], line: str = "The thin line") -> str:
    """What the chart says; what its intervals are, if it has any."""
    if not _any_interval(items):
        return says
    return f"{says} {line} reaches from the lowest to the highest run."


def value_heads(title: str, items: Sequence[Spread]) -> tuple[str, ...]:
    """The heads of the columns that tell values."""
    return (title, "Lowest", "Highest") if _any_interval(items) else (title,)


def value_cells(item: Spread, unit: str, items: Sequence[Spread]) -> tuple[str, ...]:
    """A value in words, and its lowest and highest run if any of the chart's values has them."""
    told = (item.value, item.low, item.high) if _any_interval(items) else (item.value,)
    return tuple("–" if value is None else shown(value, unit) for value in told)


def _any_interval(items: Sequence[Spread]) -> bool:
    return any(item.low is not None and item.low != item.high for item in items)
