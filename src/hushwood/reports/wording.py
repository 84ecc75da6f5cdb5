"""Numbers and verdicts in words, the same on the page and in the terminal.

Which numbers are told, and what they mean, is in `findings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hushwood.evaluation.release_facts import SMALL

Tone = Literal["good", "plain", "care"]
FEW = f"fewer than {SMALL}"
_SPACE = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the certificate says, in one headline and one sentence on how it was checked."""

    tone: Tone
    headline: str
    check: str


def count(number: float | None) -> str:
    """A number of things; None was withheld because it is small.

    >>> count(1234), count(0), count(None)
    ('1,234', 'none', 'fewer than 5')
    """
    if number is None:
        return FEW
    return f"{number:,.0f}" if number else "none"


def things(number: float | None, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> things(1, "record"), things(0, "record"), things(2, "category", "categories")
    ('1 record', 'no records', '2 categories')
    """
    plural = many or f"{one}s"
    if number == 0:
        return f"no {plural}"
    return f"{count(number)} {one if number == 1 else plural}"


def percent(share: float | None) -> str:
    """A share with one decimal, none if it is whole; a tiny one is not called zero.

    >>> percent(0.125), percent(1.0), percent(0.0002)
    ('12.5\\xa0%', '100\\xa0%', 'under 0.1\\xa0%')
    """
    if share is None:
        return "a few"
    if 0 < share < 0.001:
        return f"under 0.1{_SPACE}%"
    if 0.999 < share < 1:
        return f"over 99.9{_SPACE}%"
    return f"{100 * share:.1f}".removesuffix(".0") + f"{_SPACE}%"


def part_of(number: float | None, total: int) -> str:
    """A number of records with its share of all.

    >>> part_of(0, 10), part_of(None, 10), part_of(5, 20)
    ('none', 'fewer than 5', '5 (25\\xa0%)')
    """
    if number is None or number == 0 or total == 0:
        return count(number)
    return f"{count(number)} ({percent(number / total)})"


def verdict(document: Mapping[str, Any]) -> Verdict:
    """The certificate in words."""
    certificate = document["release"]["certificate"]
    records, kept, trees = certificate["records"], certificate["kept"], len(certificate["per_tree"])
    check = (
        "The released file was read back from disk, and every record was sent through every tree again "
        "by code that had no part in changing it."
    )
    if not trees:
        return Verdict(
            "plain", "This release was made without a forest, so it promises nothing about rules.", ""
        )
    where = "the tree" if trees == 1 else f"all {trees} trees"
    if kept == records and certificate["claimed"]:
        return Verdict("good", f"All {records:,} records still follow the same rules in {where}.", check)
    share = f"{kept:,} of {records:,} records ({percent(kept / records)})"
    headline = f"{share} still follow the same rules in {where}."
    if certificate["claimed"]:
        return Verdict("care", f"The promise is broken: only {headline}", check)
    return Verdict("plain", f"{headline} No promise was made.", check)


def measure(document: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """A measure by its name, if it was computed."""
    found = (m for m in document["measures"] if m["name"] == name and "not_computable" not in m)
    return next(found, None)
