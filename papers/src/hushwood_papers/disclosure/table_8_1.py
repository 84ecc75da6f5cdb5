"""The columns of Table 8.1 from the outcomes of `disclosure_wbc`: numbers, sentences judged, and charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.charts import Point, lines

MOST = 9
KINDS = {"record": "bits about the record", "class": "bits about the class"}
THESIS = "perturbed tree"
COLUMNS = {
    "original": "original table",
    THESIS: "perturbed table",
    "original tree": "perturbed table, original tree known",
    "all segments": "perturbed table, all segments known",
    "bell curve": "perturbed table, noise taken for a plain bell curve",
}
# The lines of the charts; two more intruders do about as well as the thesis' own.
LINES = {"original": "original", THESIS: "perturbed", "bell curve": "as a bell curve"}
# More than half of the bits without any knowledge is not low.
LOW = 0.5


def key(column: str, known: int, kind: str) -> str:
    """The key of one number.

    >>> key("original", 2, "class")
    'original table, 2 known: bits about the class'
    """
    return f"{COLUMNS[column]}, {known} known: {KINDS[kind]}"


def measured(outcomes: Mapping[str, Outcome]) -> Measured:
    """All columns; the perturbed ones have several runs."""
    original = outcomes["original"]
    runs: list[Mapping[str, Any]] = [run for found in outcomes.values() for run in found.get("runs", ())]
    numbers: dict[str, list[float]] = {}
    for known in range(MOST, -1, -1):
        for kind in KINDS:
            numbers[key("original", known, kind)] = [original[kind][known]]
            for column in runs[0] if runs else ():
                numbers[key(column, known, kind)] = [run[column][kind][known] for run in runs]
    for what in ("pairs", "fives"):
        name = next(name for name in original if name.startswith(f"{what}_that"))
        share = 100 * original[name] / original[what]
        numbers[f"original table: % of {name.replace('_', ' ')}"] = [share]
    return Measured(
        numbers,
        {**_of_the_original(original), **(_of_the_perturbed(runs, original["leaf"]) if runs else {})},
        {len(runs): 1},
    )


def _of_the_original(found: Outcome) -> dict[str, Finding]:
    pairs, telling = found["pairs"], found["pairs_that_tell_the_class"]
    fives, finding = found["fives"], found["fives_that_tell_the_record"]
    return {
        "two attributes tell the class": Finding(
            telling == pairs, _from_one_order(telling, pairs, "pairs of")
        ),
        "five attributes tell the record": Finding(
            finding == fives, _from_one_order(finding, fives, "sets of five")
        ),
    }


def _from_one_order(telling: int, sets: int, what: str) -> str:
    """Why a sentence that the table supports need not be true."""
    return (
        f"it is true in the table's order of attributes, but the sentence is about all orders: {telling} of all {sets} "
        f"{what} attributes do"
    )


def _of_the_perturbed(runs: Sequence[Mapping[str, Any]], leaf: Mapping[str, int]) -> dict[str, Finding]:
    def bits(kind: str, known: int) -> list[float]:
        return [run[THESIS][kind][known] for run in runs]

    record, class_ = bits("record", MOST), bits("class", MOST)
    everywhere = min(min(bits("record", known)) for known in range(MOST + 1))
    possible = bits("record", 0)[0]
    later = [fmean(bits("class", known)) for known in range(3, MOST + 1)]
    prior = fmean(bits("class", 0))
    seen = f"over {len(runs)} noise runs"
    return {
        "never the record": Finding(
            min(record) > 0,
            f"at least {min(record):.2f} bits about it are missing with all nine known, {seen}",
        ),
        "never the class": Finding(
            min(class_) > 1e-3,
            f"{fmean(class_):.3f} bits about the class are missing with all nine known ({min(class_):.3f} to "
            f"{max(class_):.3f}, {seen}); in its leaf of the original tree {leaf['of its class']} of "
            f"{leaf['records']} records have its class",
        ),
        "the entropy stays high": Finding(
            everywhere > possible / 2,
            f"the lowest is {everywhere:.2f} of {possible:.3f} bits, over any known attributes, {seen}",
        ),
        "the class entropy is low from three on": Finding(
            max(later) < LOW * prior,
            f"with three or more known it is at most {max(later):.3f} of {prior:.3f} bits on average, {seen}",
        ),
    }


def drawn(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Bits by the number of known attributes, one chart for the record and one for its class."""
    charts = []
    for kind, words in KINDS.items():
        points: list[Point] = []
        for column, label in LINES.items():
            for known in range(MOST + 1):
                name = key(column, known, kind)
                ours, theirs = measured.numbers.get(name), printed.get(name)
                if ours:
                    points.append(Point(label, known, fmean(ours), min(ours), max(ours)))
                if theirs:
                    points.append(Point(f"{label}, printed", known, theirs[0]))
        charts.append(
            lines(
                f"{words[0].upper()}{words[1:]} that an intruder is missing",
                f"Table 8.1: {words} that are missing, by the number of known attributes. The original table comes "
                "out as printed; the perturbed one hides the record better than printed, and its class worse.",
                points,
                "Attributes known",
                "Bits",
            )
        )
    return charts
