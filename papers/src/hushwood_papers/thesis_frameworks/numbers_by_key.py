"""The numbers of thesis 7.3 by key, ours and printed: shares, counts, means, correlations, and how far they moved.

`printed/frameworks-adult.toml` and `printed/frameworks-wbc.toml` use the same keys. Printed runs are in the same order
under every key, so the first number of each is that of the first printed run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from hushwood_papers.protocol import Outcome
from hushwood_papers.thesis_frameworks.releases import EXTENDED, FRAMEWORK, ORIGINAL, Way

PLACES = ("its own records", "the training records", "the test records")
SHORTENED = "a rule that lost its last condition counted as B"


def type_key(way: Way | str, letter: str, shortened: bool = False) -> str:
    """The key of the share of records under rules of one type; `shortened` rules count as Type B, or C by definition.

    >>> type_key("framework", "A"), type_key("framework", "B")
    ('framework: Type A, %', 'framework: Type B by its definition, %')
    """
    reading = f", {SHORTENED}" if shortened else " by its definition" if letter in "BC" else ""
    return f"{way}: Type {letter}{reading}, %"


def mean_key(way: Way | str, column: str) -> str:
    """The key of a mean."""
    return f"{way}: mean of {column}"


def spread_key(column: str) -> str:
    """The key of a standard deviation of the training records."""
    return f"original: standard deviation of {column}"


def correlation_key(way: Way | str, first: str, second: str) -> str:
    """The key of a correlation of two columns, in the order of the table."""
    return f"{way}: correlation of {first} with {second}"


def size_key(place: int) -> str:
    """The key of the number of records that trees are tried on; a release has as many as the training table."""
    return "number of test records" if place == 2 else "number of training records"


def right_key(way: Way | str, place: int) -> str:
    """The key of the percentage of records classified correctly."""
    return f"{way}: right on {PLACES[place]}, %"


def count_key(way: Way | str, place: int) -> str:
    """The key of the number of records classified correctly."""
    return f"{way}: number right on {PLACES[place]}"


def change_key(way: Way | str) -> str:
    """The key of the largest change of a correlation."""
    return f"{way}: largest change of a correlation"


def shift_key(way: Way | str) -> str:
    """The key of the largest shift of a mean."""
    return f"{way}: largest shift of a mean, in standard deviations"


def unchanged_key(way: Way | str) -> str:
    """The key of the share of numbers released unchanged."""
    return f"{way}: numbers unchanged, %"


def near_key(way: Way | str) -> str:
    """The key of the share of numbers released close to the original."""
    return f"{way}: numbers within 0.1 standard deviations, %"


Run = Mapping[str, Any]
Numbers = dict[str, list[float]]


@dataclass(frozen=True, slots=True)
class Runs:
    """All runs on one table by technique, in order, with what they have in common."""

    columns: tuple[str, ...]
    records: tuple[int, int]
    spreads: tuple[float, ...]
    by_way: Mapping[str, Sequence[Run]]

    @classmethod
    def of(cls, outcomes: Mapping[str, Outcome]) -> Runs:
        """From the outcomes of all tasks."""
        by_way: dict[str, list[Run]] = {}
        for outcome in outcomes.values():
            by_way.setdefault(outcome["way"], []).extend(outcome["runs"])
        first = next(iter(outcomes.values()))
        ordered = {way: sorted(runs, key=lambda run: int(run["number"])) for way, runs in by_way.items()}
        training, test = first["records"]
        return cls(tuple(first["columns"]), (training, test), tuple(first["spreads"]), ordered)

    def of_way(self, way: Way) -> Sequence[Run]:
        """The runs of one technique; none if it was not run."""
        return self.by_way.get(str(way), ())

    def shares_right(self, way: Way | str, place: int) -> list[float]:
        """Percentages of records that the trees of a technique classify correctly."""
        total = self.records[1] if place == 2 else self.records[0]
        return [100 * run["right"][place] / total for run in self.by_way.get(str(way), ())]


def numbers_of_runs(runs: Runs, printed: Collection[str]) -> Numbers:
    """The main numbers of every technique, and those single means and correlations whose keys are printed."""
    found: Numbers = {size_key(place): [float(runs.records[place - 1])] for place in (1, 2)}
    details: Numbers = {}
    for way in runs.by_way:
        found |= _accuracies(runs, way, printed) | _of_way(runs.by_way[way], way)
        details |= _in_some_runs(runs.by_way[way], way) | moments(runs, way)
    for counted_way in (FRAMEWORK, EXTENDED):
        if runs.of_way(counted_way):
            found |= _other_reading(runs.of_way(counted_way), counted_way)
    found |= {spread_key(name): [spread] for name, spread in zip(runs.columns, runs.spreads, strict=True)}
    return found | _spread_of_type_a(runs) | {key: details[key] for key in details if key in printed}


def _accuracies(runs: Runs, way: str, printed: Collection[str]) -> Numbers:
    """Counts where counts are printed, otherwise percentages."""
    found: Numbers = {}
    for place in range(len(PLACES)):
        if count_key(way, place) in printed:
            found[count_key(way, place)] = [float(run["right"][place]) for run in runs.by_way[way]]
        else:
            found[right_key(way, place)] = runs.shares_right(way, place)
    return found


def _of_way(of_way: Sequence[Run], way: str) -> Numbers:
    found = {type_key(way, letter): [run["types"][letter] for run in of_way] for letter in "ABCD"}
    found[f"{way}: leaves of the tree"] = [float(run["leaves"]) for run in of_way]
    named = ((change_key, "change"), (shift_key, "shift"), (unchanged_key, "unchanged"), (near_key, "near"))
    return found | {key(way): [run[name] for run in of_way] for key, name in named}


def _other_reading(of_way: Sequence[Run], way: Way) -> Numbers:
    """The types by the thesis' own count of shortened rules."""
    return {
        type_key(way, letter, shortened=True): [run["types_if_shortened_is_b"][letter] for run in of_way]
        for letter in "BC"
    }


def _in_some_runs(of_way: Sequence[Run], way: str) -> Numbers:
    """Shares that the thesis prints for the one run in which something occurred."""
    both = [run["types_if_shortened_is_b"]["A"] + run["types_if_shortened_is_b"]["B"] for run in of_way]
    others = [run["types_if_shortened_is_b"]["C"] + run["types_if_shortened_is_b"]["D"] > 0 for run in of_way]
    similar = [run["types"]["B"] for run in of_way]
    found = {
        f"{way}: Types A and B together in runs with other rules too, {SHORTENED}, %": _where(both, others),
        f"{way}: Type B by its definition in runs that have any, %": _where(
            similar, [share > 0 for share in similar]
        ),
    }
    return {key: values for key, values in found.items() if values}


def moments(runs: Runs, way: str) -> Numbers:
    """Every mean and correlation of one technique."""
    of_way = runs.by_way.get(way, ())
    found = {mean_key(way, name): [run["means"][i] for run in of_way] for i, name in enumerate(runs.columns)}
    pairs = combinations(runs.columns, 2)
    found |= {
        correlation_key(way, *pair): [run["correlations"][i] for run in of_way]
        for i, pair in enumerate(pairs)
    }
    return {key: values for key, values in found.items() if values}


def _spread_of_type_a(runs: Runs) -> Numbers:
    """Why Type A varies so much between runs: a moved test changes all rules below it."""
    of_way = runs.of_way(FRAMEWORK)
    if not of_way:
        return {}
    at_root = [any(d["depth"] == 0 for d in run["differences"]) for run in of_way]
    near_root = [any(d["depth"] <= 1 for d in run["differences"]) for run in of_way]
    shares = [run["types"]["A"] for run in of_way]
    found = {
        "framework: runs in which the root's test differs, %": [100 * sum(at_root) / len(of_way)],
        "framework: runs in which the root's test or one right below differs, %": [
            100 * sum(near_root) / len(of_way)
        ],
        "framework: Type A where the root's test differs, %": _where(shares, at_root),
        "framework: Type A where the root's test or one right below differs, %": _where(shares, near_root),
        "framework: Type A where both levels stay, %": _where(shares, [not near for near in near_root]),
        "framework: records below the topmost differing tests, %": [
            round(100 * sum(d["share"] for d in run["differences"]), 4) for run in of_way
        ],
    }
    return {key: values for key, values in found.items() if values}


def _where(values: Sequence[float], marks: Sequence[bool]) -> list[float]:
    return [value for value, marked in zip(values, marks, strict=True) if marked]


Values = Mapping[str, Sequence[float]]
_SPREAD = spread_key("")


def columns_of(ours: Values) -> list[str]:
    """The numeric columns, in table order."""
    return [key.removeprefix(_SPREAD) for key in ours if key.startswith(_SPREAD)]


def printed_runs(printed: Values, way: Way, columns: Sequence[str]) -> int:
    """How many means and matrices of a technique are printed."""
    return len(printed.get(mean_key(way, columns[0]), ()))


def matrix_of(values: Values, way: Way, columns: Sequence[str], run: int | None = None) -> list[list[float]]:
    """The correlations of one run, or their means over all runs."""
    place = {name: i for i, name in enumerate(columns)}
    matrix = [[1.0] * len(columns) for _ in columns]
    for first, second in combinations(columns, 2):
        found = values[correlation_key(way, first, second)]
        value = fmean(found) if run is None else found[run]
        matrix[place[first]][place[second]] = matrix[place[second]][place[first]] = value
    return matrix


def printed_changes(printed: Values, way: Way, columns: Sequence[str]) -> list[float]:
    """The largest change of a correlation in every printed run."""
    pairs = list(combinations(columns, 2))
    return [
        max(
            abs(printed[correlation_key(way, *pair)][run] - printed[correlation_key(ORIGINAL, *pair)][0])
            for pair in pairs
        )
        for run in range(printed_runs(printed, way, columns))
    ]


def printed_shifts(printed: Values, ours: Values, way: Way, columns: Sequence[str]) -> list[float]:
    """The largest shift of a mean in every printed run, in our standard deviations, as the thesis prints none."""
    return [
        max(
            abs(printed[mean_key(way, name)][run] - printed[mean_key(ORIGINAL, name)][0])
            / ours[spread_key(name)][0]
            for name in columns
        )
        for run in range(printed_runs(printed, way, columns))
    ]


def distance(first: Values, second: Values) -> float:
    """The mean absolute difference between the means of runs, over the keys that both have."""
    return fmean(abs(fmean(first[key]) - fmean(second[key])) for key in first if key in second)


def renamed(values: Values, way: Way, kind: str) -> Values:
    """The means or correlations of one technique, by keys without its name."""
    start = f"{way}: {kind} of "
    return {key.removeprefix(start): found for key, found in values.items() if key.startswith(start)}


def percent_right(values: Values, ours: Values, way: Way | str, place: int) -> list[float]:
    """Percentages correct, of our or printed runs: the thesis prints counts. Table sizes are in ours."""
    known = values.get(right_key(way, place))
    if known is not None:
        return list(known)
    return [100 * count / ours[size_key(place)][0] for count in values.get(count_key(way, place), ())]
