"""The tables, ways to release and measures of `alone_and_linked`, and the keys that its numbers go by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hushwood.experiments.forest_framework.names import TABLES as FOREST_TABLES

NAME = "alone-and-linked"
# Leaves as the Forest Framework paper has them (its table 3), as C4.5 and See5 have them by default, or the release's.
Leaves = Literal["release", "paper", "smallest"]
SMALLEST = 2
ADULT, ADULT_RECORDS = "adult", 5_000


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release a table: its recipe, how small leaves may be, and whether its noise stays in segments."""

    recipe: str | None
    leaves: Leaves = "release"
    in_segments: bool = True


UNTOUCHED = "untouched"
FF, F, GADP, RT = "forest-framework", "framework", "gadp", "rt"
EXTENDED, FOREST_EXTENDED = "extended-framework", "forest-extended-framework"
RANDOM_EXTENDED = "random-extended-framework"
PAPER_FF, PAPER_F = f"{FF}, the paper's leaves", f"{F}, the paper's leaves"
SMALL_FF, SMALL_F = f"{FF}, leaves of {SMALLEST}", f"{F}, leaves of {SMALLEST}"
WAYS: Mapping[str, Way] = {
    UNTOUCHED: Way(None, in_segments=False),
    F: Way(F),
    FF: Way(FF),
    EXTENDED: Way(EXTENDED),
    FOREST_EXTENDED: Way(FOREST_EXTENDED),
    GADP: Way(GADP, in_segments=False),
    RANDOM_EXTENDED: Way(RANDOM_EXTENDED, in_segments=False),
    # The same as random-framework (errata G14), which is not run a second time.
    RT: Way(RT, in_segments=False),
    PAPER_F: Way(F, "paper"),
    PAPER_FF: Way(FF, "paper"),
    SMALL_F: Way(F, "smallest"),
    SMALL_FF: Way(FF, "smallest"),
}
LABELS: Mapping[str, str] = {name: table.label for name, table in FOREST_TABLES.items()} | {ADULT: "Adult"}
PAPER_LEAVES: Mapping[str, int] = {name: table.min_leaf for name, table in FOREST_TABLES.items()}
# How long a release of each table takes beside one of Wine.
COSTS: Mapping[str, float] = {"wine": 1, "wbc": 1.5, "crx": 2, "cmc": 2.5, "abalone": 6, ADULT: 10}

ALONE, FEW = "% of records alone in their segment", "% of records in segments of fewer than 5"
SAME_RECORDS, SAME_CELLS = "% of records unchanged", "% of cells unchanged"
SAME_CATEGORIES = "% of categories unchanged"
LINKED = "% of records linked"
NEAREST, ASSIGNED, WEIGHED = (
    "% linked, nearest record",
    "% linked, one to one",
    "% linked, weighed agreements",
)
BY_RECORD, BY_TREE = "% of classes told by the nearest record", "% of classes told by the release's tree"
SERS, RI = ENTROPIES = ("SERS", "H_RI")
ACCURACY, EDUDS = "% right on unseen records", "EDUDS"
LINKAGES = {"linkage": NEAREST, "assignment_linkage": ASSIGNED, "probabilistic_linkage": WEIGHED}


def key(table: str, way: str, what: str) -> str:
    """What a number goes by.

    >>> key("wine", FF, SERS)
    'Wine, forest-framework: SERS, bits'
    """
    return f"{LABELS[table]}, {way}: {what}{', bits' if what in ENTROPIES else ''}"


def records_key(table: str) -> str:
    """What the number of released records goes by, of which a blind guesser links one.

    >>> records_key("crx")
    'Credit: records released'
    """
    return f"{LABELS[table]}: records released"
