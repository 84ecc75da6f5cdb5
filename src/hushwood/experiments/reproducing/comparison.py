"""Ours beside theirs: for every printed number and sentence a row, with a verdict and a plain sentence.

Numbers are in `printed_numbers`, ours come from an experiment's `measure`; `page` shows the rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from hushwood.experiments.protocol import Measured
from hushwood.experiments.reproducing.printed_numbers import Printed, PrintedClaim, PrintedNumber
from hushwood.reports.wording import things

Verdict = Literal["agrees", "differs", "cannot be compared", "not printed"]
UNKNOWN = "the reason is unknown"
# The source of a sentence that no paper has, only we: there is nothing to explain if it does not hold.
OURS = "ours"


@dataclass(frozen=True, slots=True)
class Ours:
    """What our runs gave: their mean, median, lowest and highest, and how many there were."""

    mean: float
    median: float
    low: float
    high: float
    runs: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Ours:
        """Of one run or more."""
        return cls(fmean(values), median(values), min(values), max(values), len(values))


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


def counts(rows: Sequence[Row]) -> Mapping[Verdict, int]:
    """How many rows have each verdict, in a fixed order."""
    names: tuple[Verdict, ...] = ("agrees", "differs", "cannot be compared", "not printed")
    return {name: sum(row.verdict == name for row in rows) for name in names}


def _number_row(number: PrintedNumber, measured: Measured) -> Row:
    values = measured.numbers.get(number.key, ())
    ours = Ours.of(values) if values else None
    verdict, sentence = _judged(number, values)
    if number.note:
        sentence = f"{sentence} {number.note}"
    source = _source(number)
    return Row(source, number.what, number.unit, number.value, ours, verdict, sentence)


def _judged(number: PrintedNumber, values: Sequence[float]) -> tuple[Verdict, str]:
    if number.cannot:
        return "cannot be compared", f"Cannot be compared: {number.cannot}."
    if not values:
        return "cannot be compared", "Cannot be compared: not part of this run."
    ours = Ours.of(values)
    apart = ours.mean - number.value
    unit = number.unit
    # A slack of one part in a billion, so that 84.8 + 0.5 counts as within 0.5 of 84.8.
    if abs(apart) <= number.tolerance * (1 + 1e-9) + 1e-12:
        how = "exactly" if number.tolerance == 0 else f"within {apart_by(number.tolerance, unit)}"
        return "agrees", f"Agrees {how}."
    if ours.low <= number.value <= ours.high:
        lower = sum(value < number.value for value in values)
        are = "is" if lower == 1 else "are"
        return "agrees", (
            f"Agrees in the sense that the printed value is among our {ours.runs} runs "
            f"({shown(ours.low, unit)} to {shown(ours.high, unit)}; {lower} of them {are} lower)."
        )
    way = "higher" if apart > 0 else "lower"
    return "differs", f"Differs: ours is {apart_by(abs(apart), unit)} {way}; {_reason(number)}."


def _claim_row(claim: PrintedClaim, measured: Measured) -> Row:
    source, finding = _source(claim), measured.claims.get(claim.key)
    verdict: Verdict = "cannot be compared"
    if claim.cannot:
        sentence = f"Cannot be compared: {claim.cannot}."
    elif finding is None:
        sentence = "Cannot be compared: not part of this run."
    elif finding.holds:
        verdict, sentence = "agrees", f"Holds: {finding.numbers}."
    else:
        reason = "" if claim.source == OURS else f"; {_reason(claim)}"
        verdict, sentence = "differs", f"Does not hold: {finding.numbers}{reason}."
    if claim.note:
        sentence = f"{sentence} {claim.note}"
    return Row(source, claim.says, "", None, None, verdict, sentence)


def _own_row(key: str, values: Sequence[float]) -> Row:
    ours = Ours.of(values)
    return Row("ours alone", key, "", None, ours, "not printed", f"Not printed; {things(ours.runs, 'run')}.")


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


def apart_by(value: float, unit: str) -> str:
    """How far two numbers are apart; percentages are apart by points."""
    return shown(value, "points" if unit == "%" else unit)
