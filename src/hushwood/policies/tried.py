"""What was found about a setting that was tried on throw-away releases before it was advised."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hushwood.policies.advice import Change, Changes

Outlook = Literal["cleared", "open", "not cleared"]


@dataclass(frozen=True, slots=True)
class Tried:
    """A setting, what the checks found with it on `releases` throw-away releases, and what to expect of a whole one.

    `found` has the estimate and both ends of its interval by check; `broken` are those that a whole release is not
    expected to pass. It is open whether it does where their estimates are within the limits. `keeps` is what is left
    for analysts, from 0, pure noise, to 1, the untouched table; the release that the advice is about keeps `kept`.
    """

    changes: Changes
    found: Mapping[str, tuple[float, float, float]]
    broken: tuple[str, ...]
    releases: int
    keeps: float
    kept: float
    outlook: Outlook

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "change": [change.to_json() for change in self.changes],
            "found": {name: list(ends) for name, ends in self.found.items()},
            "broken": list(self.broken),
            "releases": self.releases,
            "keeps": self.keeps,
            "kept": self.kept,
            "outlook": self.outlook,
        }

    @staticmethod
    def from_json(plain: Mapping[str, Any]) -> Tried:
        """What `to_json` gave."""
        found = {}
        for name, ends in plain["found"].items():
            value, low, high = map(float, ends)
            found[str(name)] = (value, low, high)
        return Tried(
            Changes(map(Change.from_json, plain["change"])),
            found,
            tuple(map(str, plain["broken"])),
            int(plain["releases"]),
            float(plain["keeps"]),
            float(plain["kept"]),
            plain["outlook"],
        )
