"""Ours beside theirs: for every printed number and sentence a row, with a verdict and a plain sentence.

Numbers are in `printed_numbers`, ours come from an experiment's `measure`; `page` shows the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median

from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.printed_numbers import Printed, PrintedClaim, PrintedNumber
from hushwood.experiments.reproducing.verdicts import (
    AGREES,
    BY_CONSTRUCTION,
    CANNOT,
    DIFFERS,
    NOT_PRINTED,
    POSSIBLE,
    Verdict,
)
from hushwood.reports.wording import things

UNKNOWN = "the reason is unknown"
NOT_RUN = "not part of this run"
# The source of a sentence that no paper has, only we: there is nothing to explain if it does not hold.
OURS = "ours"
# Share of the runs that is left out at each end; the least number of runs at which that is one run.
_END = 0.025
MANY = 40


@dataclass(frozen=True, slots=True)
class Ours:
    """What our runs gave: mean, median, the ends of their middle 95 % (of all if they are few), and their number."""

    mean: float
    median: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Ours:
        """Of one run or more."""
        ordered, left_out = sorted(values), int(_END * len(values))
        return cls(fmean(values), median(values), ordered[left_out], ordered[-1 - left_out], len(values))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the comparison: where it is printed, what it is about, theirs, ours, and what to think of it."""

    source: str
    what: str
    unit: str
    theirs: float | None
    ours: Ours | None
    verdict: Verdict
    sentence: str


def rows_of(measured: Measured, printed: Printed) -> tuple[Row, ...]:
    """Printed numbers, printed sentences, then what only we measured."""
    numbers = [_number_row(number, measured) for number in printed.numbers]
    claims = [_claim_row(claim, measured) for claim in printed.claims]
    told = {number.key for number in printed.numbers}
    own = [_own_row(key, values) for key, values in measured.numbers.items() if key not in told]
    return (*numbers, *claims, *own)


def _number_row(number: PrintedNumber, measured: Measured) -> Row:
    values = measured.numbers.get(number.key, ())
    ours = Ours.of(values) if values else None
    verdict, sentence = _judged(number, values)
    if number.note:
        sentence = f"{sentence} {number.note}"
    source = _source(number)
    return Row(source, number.what, number.unit, number.value, ours, verdict, sentence)


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
            return BY_CONSTRUCTION, f"Agrees {how}, because it served to find what was not stated."
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
        f"Differs: ours is {_apart(abs(apart), number)} {way}{_reached(number, rounded)}; {_reason(number)}.",
    )


def _placed(value: float, runs: Sequence[float]) -> str:
    lower, equal = sum(run < value for run in runs), sum(run == value for run in runs)
    return f"{lower} gave less, {equal} the same and {len(runs) - lower - equal} more"


def _reached(number: PrintedNumber, runs: Sequence[float]) -> str:
    """How many of several runs went as far as the printed number."""
    if len(runs) == 1:
        return ""
    below = fmean(runs) < number.value
    reached = sum(run >= number.value if below else run <= number.value for run in runs)
    return f", and {reached or 'none'} of {len(runs)} runs went as far"


def _claim_row(claim: PrintedClaim, measured: Measured) -> Row:
    finding = measured.claims.get(claim.key)
    verdict = CANNOT
    if claim.cannot or finding is None:
        sentence = f"Cannot be compared: {claim.cannot or NOT_RUN}."
    elif finding.holds:
        verdict, sentence = AGREES, f"Holds: {finding.numbers}."
    else:
        reason = "" if claim.source == OURS else f"; {_reason(claim)}"
        verdict, sentence = DIFFERS, f"Does not hold: {finding.numbers}{reason}."
    if claim.note:
        sentence = f"{sentence} {claim.note}"
    return Row(_source(claim), claim.says, "", None, None, verdict, sentence)


def _own_row(key: str, values: Sequence[float]) -> Row:
    ours = Ours.of(values)
    return Row("ours alone", key, "", None, ours, NOT_PRINTED, f"Not printed; {things(ours.runs, 'run')}.")


def _source(told: PrintedNumber | PrintedClaim) -> str:
    return f"{told.source}, {told.page}" if told.page else told.source


def _reason(told: PrintedNumber | PrintedClaim) -> str:
    return f"the known reason is errata {told.errata}" if told.errata else UNKNOWN


def shown(value: float, unit: str) -> str:
    """A number with its unit, no more digits than it needs.

    >>> shown(25_585, "records"), shown(1, "records"), shown(84.80, "%")
    ('25,585 records', '1 record', '84.8 %')
    """
    text = f"{value:,.0f}" if abs(value) >= 1_000 else f"{value + 0.0:.4g}"
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}".strip()


def _apart(value: float, number: PrintedNumber) -> str:
    """How far two numbers are apart; percentages are apart by points."""
    return shown(value, "points" if number.unit == "%" else number.unit)
