"""Our numbers compared with the printed ones: a row per printed number and sentence, with verdict and explanation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from hushwood.reports.wording import Tone, count, things
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.printed_numbers import Printed, PrintedClaim, PrintedNumber, Reading

Verdict = Literal["agrees", "by construction", "possible", "differs", "cannot be compared", "not printed"]
AGREES: Verdict = "agrees"
BY_CONSTRUCTION: Verdict = "by construction"
POSSIBLE: Verdict = "possible"
DIFFERS: Verdict = "differs"
CANNOT: Verdict = "cannot be compared"
NOT_PRINTED: Verdict = "not printed"

# Verdicts about something printed, best first.
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
    AGREES: "the mean of our runs, rounded like the printed number, is close enough to it; or the sentence holds",
    BY_CONSTRUCTION: "it agrees, but only because records or settings were chosen so that it does",
    POSSIBLE: "our mean is further away, but the printed number is within the middle 95 % of our runs",
    DIFFERS: "neither; the reason is an entry of the list of errata (docs/errata.md), a possible one that other runs "
    "of ours show, or unknown",
    CANNOT: "a misprint, or the paper does not say enough",
}
_MANY: Mapping[str, str] = {AGREES: "agree", DIFFERS: "differ"}


def counted(verdicts: Iterable[str]) -> dict[str, int]:
    """How often each verdict occurs, in fixed order."""
    found = list(verdicts)
    return {name: found.count(name) for name in (*ABOUT_PRINTED, NOT_PRINTED)}


def in_words(counts: Mapping[str, int]) -> str:
    """The verdicts about something printed and how many rows have them; verdicts without rows are omitted.

    >>> in_words({"agrees": 2, "differs": 1, "cannot be compared": 0})
    '2 agree, 1 differs'
    """
    parts = [
        f"{count(number)} {name if number == 1 else _MANY.get(name, name)}"
        for name in ABOUT_PRINTED
        if (number := counts.get(name, 0))
    ]
    return ", ".join(parts) or "nothing to compare"


def about_printed(counts: Mapping[str, int]) -> int:
    """How many rows are about something printed."""
    return sum(counts.get(name, 0) for name in ABOUT_PRINTED)


UNKNOWN = "the reason is unknown"
NOT_RUN = "not part of this run"
# The source of our own expectations: nothing needs explaining if one does not hold.
OURS = "ours"
# The share of runs cut off at each end, and the fewest runs of which that is one run.
_END = 0.025
MANY = 40


@dataclass(frozen=True, slots=True)
class Ours:
    """Our runs: mean, median, the ends of their middle 95 % (of all runs if they are few), and their number."""

    mean: float
    median: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Ours:
        """Of one run or more."""
        ordered, cut = sorted(values), int(_END * len(values))
        return cls(fmean(values), median(values), ordered[cut], ordered[-1 - cut], len(values))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison: where it is printed, what it is, the printed number, ours, and the verdict."""

    source: str
    what: str
    unit: str
    theirs: float | None
    ours: Ours | None
    verdict: Verdict
    sentence: str


def rows_of(measured: Measured, printed: Printed) -> tuple[Row, ...]:
    """Printed numbers, printed sentences, then numbers that only we measured."""
    numbers = [_number_row(number, measured, printed.readings) for number in printed.numbers]
    claims = [_claim_row(claim, measured) for claim in printed.claims]
    printed_keys = {number.key for number in printed.numbers}
    own = [_own_row(key, values) for key, values in measured.numbers.items() if key not in printed_keys]
    return (*numbers, *claims, *own)


def _number_row(number: PrintedNumber, measured: Measured, readings: Sequence[Reading]) -> Row:
    values = measured.numbers.get(number.key, ())
    ours = Ours.of(values) if values else None
    verdict, sentence = _judged(number, values)
    if verdict == DIFFERS:
        sentence = f"{sentence}; {_reason(number, _likely(number, measured, readings))}."
    if number.note:
        sentence = f"{sentence} {number.note}"
    return Row(number.where, number.what, number.unit, number.value, ours, verdict, sentence)


def _judged(number: PrintedNumber, values: Sequence[float]) -> tuple[Verdict, str]:
    if number.cannot or not values:
        return CANNOT, f"Cannot be compared: {number.cannot or NOT_RUN}."
    apart = number.rounded(fmean(values)) - number.value
    # A slack of one part in a billion, so that 84.8 + 0.5 counts as within 0.5 of 84.8.
    if abs(apart) <= number.tolerance * (1 + 1e-9) + 1e-9:
        how = (
            "to the printed digits" if not number.tolerance else f"within {_apart(number.tolerance, number)}"
        )
        if number.fitted:
            return (
                BY_CONSTRUCTION,
                f"Agrees {how}, because it was used to find what the paper does not state.",
            )
        return AGREES, f"Agrees {how}."
    rounded = [number.rounded(value) for value in values]
    ours = Ours.of(rounded)
    if ours.low <= number.value <= ours.high:
        among = (
            f"in the middle 95 % of our {ours.runs} runs"
            if ours.runs >= MANY
            else f"among our {ours.runs} runs"
        )
        return (
            POSSIBLE,
            f"Possible: the printed number is {among}, of which {_placed(number.value, rounded)}.",
        )
    way = "higher" if apart > 0 else "lower"
    return (
        DIFFERS,
        f"Differs: ours is {_apart(abs(apart), number)} {way}{_reached(number, rounded)}",
    )


def _likely(number: PrintedNumber, measured: Measured, readings: Sequence[Reading]) -> str:
    """What another reading gives, if that is nearer; empty if no reading says anything."""
    for reading in readings:
        if not number.key.startswith(reading.key):
            continue
        because = _filled_in(reading.because, measured)
        if not reading.instead:
            return because
        values = measured.numbers.get(reading.instead + number.key.removeprefix(reading.key))
        if values:
            other = fmean(values) * reading.scale
            if abs(other - number.value) < abs(fmean(measured.numbers[number.key]) - number.value):
                return f"{because}, which gives {shown(other, number.unit)}"
    return ""


def _filled_in(because: str, measured: Measured) -> str:
    """The text with our numbers in the place of their names; empty if one of them was not part of this run."""
    names = re.findall("<([^>]+)>", because)
    if not all(measured.numbers.get(name) for name in names):
        return ""
    return re.sub("<([^>]+)>", lambda found: f"{fmean(measured.numbers[found[1]]):.3g}", because)


def _placed(value: float, runs: Sequence[float]) -> str:
    lower, equal = sum(run < value for run in runs), sum(run == value for run in runs)
    return f"{lower} gave less, {equal} the same and {len(runs) - lower - equal} more"


def _reached(number: PrintedNumber, runs: Sequence[float]) -> str:
    """How many of several runs reached the printed number."""
    if len(runs) == 1:
        return ""
    below = fmean(runs) < number.value
    reached = sum(run >= number.value if below else run <= number.value for run in runs)
    return f", and {reached or 'none'} of {len(runs)} runs reached it"


def _claim_row(claim: PrintedClaim, measured: Measured) -> Row:
    finding = measured.claims.get(claim.key)
    verdict = CANNOT
    if claim.cannot or finding is None:
        sentence = f"Cannot be compared: {claim.cannot or NOT_RUN}."
    elif finding.holds:
        verdict, sentence = AGREES, f"Holds: {finding.numbers}."
    else:
        reason = "" if claim.source == OURS else f"; {_reason(claim, _filled_in(claim.because, measured))}"
        verdict, sentence = DIFFERS, f"Does not hold: {finding.numbers}{reason}."
    if claim.note:
        sentence = f"{sentence} {claim.note}"
    where = f"{claim.source}, {claim.page}" if claim.page else claim.source
    return Row(where, claim.says, "", None, None, verdict, sentence)


def _own_row(key: str, values: Sequence[float]) -> Row:
    ours = Ours.of(values)
    return Row("ours alone", key, "", None, ours, NOT_PRINTED, f"Not printed; {things(ours.runs, 'run')}.")


def _reason(item: PrintedNumber | PrintedClaim, likely: str) -> str:
    if item.errata:
        return f"the known reason is errata {item.errata}"
    return f"a possible reason is {likely}" if likely else UNKNOWN


def shown(value: float, unit: str) -> str:
    """A number with its unit, in no more digits than needed.

    >>> shown(25_585, "records"), shown(1, "records"), shown(84.80, "%")
    ('25,585 records', '1 record', '84.8 %')
    """
    text = f"{value:,.0f}" if abs(value) >= 1_000 else f"{value + 0.0:.4g}"
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}".strip()


def _apart(value: float, number: PrintedNumber) -> str:
    """A difference with its unit; percentages differ by points."""
    return shown(value, "points" if number.unit == "%" else number.unit)
