"""What a row of the comparison can come to, in one place: the words, how good they are, and how they are counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from hushwood.reports.wording import Tone, count

Verdict = Literal["agrees", "by construction", "possible", "differs", "cannot be compared", "not printed"]
AGREES: Verdict = "agrees"
BY_CONSTRUCTION: Verdict = "by construction"
POSSIBLE: Verdict = "possible"
DIFFERS: Verdict = "differs"
CANNOT: Verdict = "cannot be compared"
NOT_PRINTED: Verdict = "not printed"

# Those that are about something printed, best first.
ABOUT_PRINTED: tuple[str, ...] = (AGREES, BY_CONSTRUCTION, POSSIBLE, DIFFERS, CANNOT)
TONES: Mapping[str, Tone] = {
    AGREES: "good",
    BY_CONSTRUCTION: "plain",
    POSSIBLE: "plain",
    DIFFERS: "care",
    CANNOT: "plain",
    NOT_PRINTED: "plain",
}
MEANINGS: Mapping[str, str] = {
    AGREES: "the mean of our runs, rounded as the printed number is, is near enough to it; or the sentence holds",
    BY_CONSTRUCTION: "it agrees, but records or settings were searched so that it does",
    POSSIBLE: "our mean is further away, but the printed number is in the middle 95 % of our runs: one may give it",
    DIFFERS: "neither; the reason is a number of the list of errata (docs/errata.md) or unknown",
    CANNOT: "a misprint, or something that the paper does not tell enough about",
}
_MANY: Mapping[str, str] = {AGREES: "agree", DIFFERS: "differ"}


def counted(verdicts: Iterable[str]) -> dict[str, int]:
    """How often each verdict occurs, in a fixed order."""
    found = list(verdicts)
    return {name: found.count(name) for name in (*ABOUT_PRINTED, NOT_PRINTED)}


def in_words(counts: Mapping[str, int]) -> str:
    """Numbers of verdicts about something printed, in words; verdicts that nobody got are left out.

    >>> in_words({"agrees": 2, "differs": 1, "cannot be compared": 0})
    '2 agree, 1 differs'
    """
    told = [
        f"{count(number)} {name if number == 1 else _MANY.get(name, name)}"
        for name in ABOUT_PRINTED
        if (number := counts.get(name, 0))
    ]
    return ", ".join(told) or "nothing to compare"


def about_printed(counts: Mapping[str, int]) -> int:
    """How many rows are about something printed."""
    return sum(counts.get(name, 0) for name in ABOUT_PRINTED)
