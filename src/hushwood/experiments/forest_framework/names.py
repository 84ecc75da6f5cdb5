"""The tables, techniques and measures of the Forest Framework experiment, and the keys that its numbers go by.

`folds` makes the numbers, `claims` and the charts read them by key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ForestTable:
    """A table as the paper calls it, its smallest leaf (table 3), and how long it takes beside Wine."""

    label: str
    min_leaf: int
    cost: float


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release a table: its recipe and options, and which rules of the original it is given.

    A way that is `only_for_categories` is the same as another one on a table without them.
    """

    recipe: str
    learns: Literal["forest", "tree"] = "tree"
    options: Mapping[str, Any] = field(default_factory=dict)
    only_for_categories: bool = False


TABLES: Mapping[str, ForestTable] = {
    "wine": ForestTable("Wine", 10, 1.0),
    "wbc": ForestTable("WBC", 45, 0.6),
    "crx": ForestTable("Credit", 30, 1.3),
    "cmc": ForestTable("CMC", 60, 1.0),
    "abalone": ForestTable("Abalone", 180, 2.2),
}
# Those of Wine.
FEWEST_RECORDS = 178
LABELS = tuple(table.label for table in TABLES.values())

FF, F, GADP, RT = PRINTED_WAYS = ("FF", "F", "GADP", "RT")
STRICT, CLASS_LEFT_OUT = "F, CAPT strict", "GADP, class left out"
WAYS: Mapping[str, Way] = {
    FF: Way("forest-framework", "forest"),
    F: Way("framework", options={"capt": "literal"}),
    GADP: Way("gadp"),
    RT: Way("rt"),
    STRICT: Way("framework", only_for_categories=True),
    CLASS_LEFT_OUT: Way("gadp", options={"settings": {"gadp": {"given": ()}}}),
}

ACCURACY, EDUDS, EDUSC = "% of unseen records right", "EDUDS", "EDUSC"
EDUSC_BY_RECORDS = "EDUSC, nodes weighted by records"
SERS, SERS_WITH_CLASS, SHORTFALL = "SERS, bits", "SERS with the class, bits", "log2 n - SERS, bits"
NEAREST = "% of records whose nearest released record is their own"
MEASURES = (ACCURACY, EDUDS, EDUSC, EDUSC_BY_RECORDS, SERS, SERS_WITH_CLASS, SHORTFALL, NEAREST)
PERCENT = (ACCURACY, NEAREST)

# Forests that no release was made for, and the training records against themselves.
ORIGINAL, NAIVE, UNTOUCHED = "original", "majority class", "untouched"


def measures_of(way: str) -> tuple[str, ...]:
    """What is told of a technique: everything of those that the paper compares, the main things of other readings."""
    return MEASURES if way in PRINTED_WAYS else (ACCURACY, EDUDS, EDUSC, SERS)


def key(label: str, way: str, measure: str) -> str:
    """What a number goes by.

    >>> key("Wine", FF, SERS)
    'Wine, FF: SERS, bits'
    """
    return f"{label}, {way}: {measure}"
