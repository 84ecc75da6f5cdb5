"""Numbers that may be shown to outsiders: nothing that counts one to four records, and nothing exact.

`redaction` and its neighbours build the publishable document from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.evaluation.release_facts import SMALL


def safe_count(count: float | None) -> int | None:
    """A count that outsiders may see: None for one to four, else the nearest multiple of five.

    >>> [safe_count(n) for n in (0, 3, 5, 123)]
    [0, None, 5, 125]
    """
    if count is None or 0 < count < SMALL:
        return None
    return int((count + SMALL // 2) // SMALL * SMALL)


def chosen(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The named parts, as far as they are there."""
    return {key: given[key] for key in keys if key in given}


def counted(given: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The named counts, made safe."""
    return {key: safe_count(given[key]) for key in keys}


def at_most_few(count: float) -> int | None:
    """A count that outsiders may see, none being withheld like few."""
    return None if count < SMALL else safe_count(count)


def safe_share(share: float | None, records: int) -> float | None:
    """A share of so many records, rounded to fives of them and two digits; None for one to four of them.

    >>> safe_share(0.003, 1000), safe_share(0.5012, 1000), safe_share(0.9999, 1000)
    (None, 0.5, 1.0)
    """
    if share is None or not records:
        return share
    count = safe_count(round(share * records, 6))  # a share of whole records comes back with rounding errors
    return None if count is None else two_digits(min(count / records, 1.0))


def two_digits(value: float | None) -> float | None:
    """A number with two digits that tell; more than a hundredth of a percent point is never shown.

    >>> two_digits(0.12345), two_digits(1234.0), two_digits(None)
    (0.12, 1200.0, None)
    """
    return None if value is None else round(float(f"{value:.2g}"), 4)
