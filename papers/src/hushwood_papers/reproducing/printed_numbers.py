"""What the papers print, as data: one file per experiment in `printed/`, one header per printed table.

Numbers are as printed; nothing is corrected. `comparison` compares ours with them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """One number of a table or figure.

    `key` names our number; several printed runs may share it. Ours agrees if it is within the `tolerance` after
    rounding to the printed `digits` after the point (None: not rounded). If it does not, `errata` names the known
    reason; without one, the reason is unknown. A `fitted` number agrees because something was chosen to match it.
    `cannot` says why the number cannot be compared; `note` adds a fact that readers should know.
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

    @property
    def where(self) -> str:
        """The table or figure, and the page if it is known."""
        return f"{self.source}, {self.page}" if self.page else self.source

    def rounded(self, value: float) -> float:
        """A number of ours, rounded to the printed digits."""
        return value if self.digits is None else round(value, self.digits)


@dataclass(frozen=True, slots=True)
class Reading:
    """A possible reason why numbers differ: what our own runs of another reading give.

    It is about numbers whose key begins with `key`. Where `instead` takes its place, our number of that name, times
    `scale`, must be nearer to the printed one, and is said. `<name>` in `because` is our number of that name.
    """

    key: str
    because: str
    instead: str = ""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class PrintedClaim:
    """One sentence of a paper that our runs can confirm or refute; `because` says why it may not hold."""

    key: str
    source: str
    page: str
    says: str
    errata: str = ""
    because: str = ""
    note: str = ""
    cannot: str = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """Everything the papers print about one experiment, in their order."""

    paper: str
    numbers: tuple[PrintedNumber, ...] = ()
    claims: tuple[PrintedClaim, ...] = ()
    readings: tuple[Reading, ...] = ()

    def by_key(self) -> Mapping[str, Sequence[float]]:
        """The printed numbers that can be compared; a key may have several."""
        found: dict[str, list[float]] = {}
        for number in self.numbers:
            if not number.cannot:
                found.setdefault(number.key, []).append(number.value)
        return found


@cache
def printed(experiment: str) -> Printed:
    """What is printed about this experiment."""
    path = files("hushwood_papers") / "printed" / f"{experiment}.toml"
    # Numbers with a point are read as text first: 0.50 is printed with two digits, not one.
    content = tomllib.loads(path.read_text(encoding="utf-8"), parse_float=str)
    return Printed(
        content["paper"],
        tuple(number for table in content.get("tables", ()) for number in _numbers_of(**table)),
        tuple(PrintedClaim(**claim) for claim in content.get("claims", ())),
        tuple(
            Reading(**{**reading, "scale": float(reading.get("scale", 1))})
            for reading in content.get("readings", ())
        ),
    )


def _numbers_of(
    rows: Sequence[Sequence[Any]], key: str = "{}", what: str = "{}", **shared: Any
) -> Iterator[PrintedNumber]:
    """The numbers of one printed table.

    A row is [name, value] or [name in the key, name in the sentence, value]; the names replace {} in the table's `key`
    and `what`. A last cell in braces overrides what the table's numbers share.
    """
    for row in rows:
        own = row[-1] if isinstance(row[-1], dict) else {}
        *names, value = row[:-1] if own else row
        fields = {**shared, **own}
        tolerance = float(fields.pop("tolerance"))
        yield PrintedNumber(
            key=key.replace("{}", names[0]),
            what=what.replace("{}", names[-1]),
            value=float(value),
            tolerance=tolerance,
            digits=len(str(value).partition(".")[2]),
            **fields,
        )
