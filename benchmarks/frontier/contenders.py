"""Who is compared: every contender by its recipe and options, or by its peer's environment.

To add one: an entry in CONTENDERS. One whose recipe or option does not exist yet, or whose peer is not installed, is
skipped with a reason.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Family = Literal["segment-shuffle", "papers", "synthesis", "masking", "peer", "control"]
FAMILIES: Mapping[Family, str] = {
    "segment-shuffle": "segment-shuffle",
    "papers": "the papers' frameworks",
    "synthesis": "our syntheses",
    "masking": "masking methods",
    "peer": "peers",
    "control": "controls",
}
DIAL = (10, 20, 50, 100, 200)


@dataclass(frozen=True)
class Contender:
    """A way to release a table.

    A recipe of `release` with options; a `peer` script with the variable that names its interpreter; or a control,
    by its name. `partners` says that released row i was made for person i.
    """

    name: str
    family: Family
    technique: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    partners: bool = True
    peer: str = ""
    variable: str = ""

    def missing(self) -> str:
        """Why it cannot run here; empty if it can."""
        if self.peer:
            named = os.environ.get(self.variable)
            return "" if named else f"{self.variable} does not name an interpreter that has it"
        return _unknown(self.technique, self.options) if self.technique else ""

    def described(self) -> dict[str, Any]:
        """What decides its numbers, as JSON."""
        if self.peer:
            return {"peer": self.peer}
        return {"technique": self.technique, "options": dict(self.options)} if self.technique else {}


def _unknown(technique: str, options: Mapping[str, Any]) -> str:
    from hushwood.releasing.options import PerturbOptions
    from hushwood.releasing.recipes import RECIPES

    if technique not in RECIPES:
        return f"there is no recipe {technique!r}"
    lacking = sorted(set(options) - {f.name for f in fields(PerturbOptions)})
    return f"there is no option {lacking[0]!r}" if lacking else ""


def shuffled(k: int, teacher: str = "ensemble") -> Contender:
    """Segment-shuffle at one place of its dial."""
    name = f"segment-shuffle k={k}" + ("" if teacher == "ensemble" else f", teacher {teacher}")
    return Contender(name, "segment-shuffle", "segment-shuffle", {"k": k, "teacher": teacher})


def _of(family: Family, *techniques: str, **how: Any) -> tuple[Contender, ...]:
    return tuple(Contender(technique, family, technique, **how) for technique in techniques)


OURS = "segment-shuffle k=50"
EQUAL_RISK = "cart-synthesis, equal risk"
CONTENDERS: tuple[Contender, ...] = (
    Contender("untouched", "control"),
    Contender("noise", "control"),
    # the people themselves, drawn with replacement: what chance alone takes from every measure of utility
    Contender("bootstrap", "control", partners=False),
    # k as the command chooses it: 50, or less below 500 records
    Contender("segment-shuffle", "segment-shuffle", "segment-shuffle"),
    *(shuffled(k) for k in DIAL),
    *(shuffled(k, "tree") for k in DIAL),
    shuffled(50, "boosting"),
    *_of("synthesis", "cart-synthesis", "forest-synthesis", "copula-synthesis", partners=False),
    # leaves, teacher and blur at which its risk was that of segment-shuffle in the first experiment
    Contender(
        EQUAL_RISK,
        "synthesis",
        "cart-synthesis",
        {"settings": {"cart-synthesis": {"min_leaf": 25}}, "teacher": "ensemble", "blur": 5},
        partners=False,
    ),
    *_of("papers", "forest-framework", "framework", "extended-framework", "forest-extended-framework"),
    *_of("papers", "random-framework"),
    # each works on numbers or on categories alone, and copies the other columns
    *_of("masking", "rankswap", "mdav", "pram", "gadp"),
    *_of("masking", "mondrian", "tds"),
    Contender("arfpy", "peer", partners=False, peer="arf", variable="HUSHWOOD_ARFPY"),
    Contender("python-synthpop", "peer", partners=False, peer="cart", variable="HUSHWOOD_SYNTHPOP"),
)
BY_NAME = {contender.name: contender for contender in CONTENDERS}
