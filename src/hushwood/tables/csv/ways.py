"""The ways in which values stand in a text file: decimal commas, thousands, fixed decimals, the order of a date.

A way is found by reading (`types`, `settling`) and used for writing (`styles`), so that a release looks like its input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

WayKind = Literal["whole", "wide", "decimal", "boolean", "date", "moment", "mixed"]
NUMBERS = frozenset({"whole", "wide", "decimal"})
TIMES = frozenset({"date", "moment"})
# Signs between thousands: those of English, German, French (also as spaces that do not break) and Swiss numbers.
_SPACES_AND_MARKS = (" ", "\u00a0", "\u202f", "'", "\u2019")
_THOUSANDS = {",": (".", *_SPACES_AND_MARKS), ".": (",", *_SPACES_AND_MARKS)}
DECIMALS = tuple(_THOUSANDS)


@dataclass(frozen=True, slots=True)
class Way:
    """How the values of a column are written, and what they are.

    `places` are the decimals that every number shows; numbers that are `pointed` have at least one. `pattern` is that
    of a date or moment, or the word for true. A `zone` is the offset that every moment ends with. What is `mixed` has
    decimal points and decimal commas.
    """

    kind: WayKind
    decimal: str = "."
    thousands: str = ""
    places: int | None = None
    pointed: bool = False
    pattern: str = ""
    zone: str = ""

    @property
    def usual(self) -> bool:
        """Whether every program understands it: decimal points, no thousands, ISO dates."""
        return self.decimal == "." and not self.thousands and self.kind != "mixed" and not self.foreign_order

    @property
    def plain(self) -> bool:
        """Whether values are written as any library writes them."""
        usual = "true" if self.kind == "boolean" and self.pattern else ""
        return self == Way(self.kind, pointed=self.kind == "decimal", pattern=usual)

    @property
    def foreign_order(self) -> bool:
        """Whether it is a date that does not begin with its year and hyphens."""
        return self.kind in TIMES and bool(self.pattern) and not self.pattern.startswith("%Y-%m-%d")

    @property
    def written(self) -> Way:
        """The way that released values are written in: moments are kept, and changed, by the second."""
        if self.kind != "moment" or not self.pattern or "%S" in self.pattern:
            return self
        return replace(self, pattern=self.pattern.replace("%M", "%M:%S"))

    def implies(self, other: Way) -> bool:
        """Whether texts written in this way are always written in the other one, too."""
        if self.kind in NUMBERS and other.kind in NUMBERS:
            return self._number_implies(other)
        if self.kind in NUMBERS and other.kind == "mixed":
            return not self.thousands or self.thousands in ".,"
        if self.kind != other.kind:
            return False
        if self.kind == "boolean":
            return not other.pattern
        if not other.pattern:
            return self.pattern.startswith("%Y-%m-%d") and bool(self.zone) == bool(other.zone)
        pattern = self.pattern or ("%Y-%m-%d" if self.kind == "date" else "")
        padded = "%-" not in pattern
        return padded and pattern == other.pattern.replace("%-", "%") and self.zone == other.zone

    def _number_implies(self, other: Way) -> bool:
        order = ("whole", "wide", "decimal")
        if order.index(self.kind) > order.index(other.kind):
            return False
        unmarked = self.kind != "decimal" and not self.thousands
        same_decimal = self.decimal == other.decimal or unmarked
        same_thousands = not self.thousands or self.thousands == other.thousands
        if not (same_decimal and same_thousands):
            return False
        if other.places is not None:
            return self.places == other.places
        return not other.pointed or self.pointed or bool(self.places)

    def to_json(self) -> dict[str, Any]:
        """Only what is not usual."""
        usual = asdict(Way(self.kind))
        return {"kind": self.kind} | {
            name: value for name, value in asdict(self).items() if value != usual[name]
        }


def way_from_json(content: dict[str, Any]) -> Way:
    """The way that `to_json` wrote."""
    return Way(**content)


def is_way(content: object) -> bool:
    """Whether a JSON object is a way."""
    if not isinstance(content, dict) or content.get("kind") not in get_args(WayKind):
        return False
    texts = {"decimal", "thousands", "pattern", "zone"}
    types = {"kind": str, "places": int, "pointed": bool, **dict.fromkeys(texts, str)}
    return all(name in types and isinstance(value, types[name]) for name, value in content.items())


def number_ways(first: str) -> Iterator[Way]:
    """All ways to write numbers of which this may be the first, the usual ones first, then those without thousands."""
    signs = {sign for sign in first[1:] if not sign.isdecimal()}
    yield Way("whole")
    yield Way("wide")
    yield from _decimal_ways(first, ".", "")
    if signs <= {","}:
        yield from _decimal_ways(first, ",", "")
    for decimal, between in _THOUSANDS.items():
        for thousands in between:
            if signs <= {decimal, thousands}:
                yield Way("whole", decimal, thousands)
                yield from _decimal_ways(first, decimal, thousands)
    if signs <= set(DECIMALS):
        yield Way("mixed")


def _decimal_ways(first: str, decimal: str, thousands: str) -> Iterator[Way]:
    """With as many decimals as the first number, with at least one, or with any."""
    _, sign, decimals = first.partition(decimal)
    if sign and decimals.isdecimal():
        yield Way("decimal", decimal, thousands, places=len(decimals))
        yield Way("decimal", decimal, thousands, pointed=True)
    yield Way("decimal", decimal, thousands)
