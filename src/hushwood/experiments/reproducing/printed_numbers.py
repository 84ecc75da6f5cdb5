"""What the papers print, as data: one file per experiment in `printed/`, every number with its table and page.

Numbers are as printed, nothing is corrected; `comparison` sets ours beside them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One number of a table or figure.

    `key` names ours, which several printed runs may share. Ours agrees if it is within the `tolerance`, after it is
    rounded to as many `digits` after the point as are printed (None: not rounded). If it does not, `errata` names the
    known reason; without one the reason is unknown. What is `fitted` agrees because something was chosen for it.
    `cannot` says why the number is no target at all; `note` adds a fact that a reader should know.
    """

    key: str
    source: str
    page: str
    what: str
    value: float
    tolerance: float
    unit: str = ""
    errata: str = ""
    note: str = ""
    cannot: str = ""
    fitted: bool = False
    digits: int | None = None

    def rounded(self, value: float) -> float:
        """A number of ours with as many digits as are printed."""
        return value if self.digits is None else round(value, self.digits)


@dataclass(frozen=True, slots=True)
class PrintedClaim:
    """One sentence of a paper that our runs can hold or refute."""

    key: str
    source: str
    page: str
    says: str
    errata: str = ""
    note: str = ""
    cannot: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """All that the papers print about one experiment, in their order."""

    paper: str
    numbers: tuple[PrintedNumber, ...] = ()
    claims: tuple[PrintedClaim, ...] = ()

    def by_key(self) -> Mapping[str, Sequence[float]]:
        """The printed numbers that can be compared, as many as there are of each key."""
        found: dict[str, list[float]] = {}
        for number in self.numbers:
            if not number.cannot:
                found.setdefault(number.key, []).append(number.value)
        return found


@cache
def printed(experiment: str) -> Printed:
    """What is printed about the experiment of this name."""
    path = files("hushwood.experiments") / "printed" / f"{experiment}.toml"
    # Numbers with a point stay text at first: 0.50 is printed with two digits, not with one.
    told = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    return Printed(
        told["paper"],
        tuple(_number(**number) for number in told.get("numbers", ())),
        tuple(PrintedClaim(**claim) for claim in told.get("claims", ())),
    )


def _number(value: str | int, tolerance: str | int, **told: Any) -> PrintedNumber:
    digits = len(str(value).partition(".")[2])
    return PrintedNumber(value=float(value), tolerance=float(tolerance), digits=digits, **told)
