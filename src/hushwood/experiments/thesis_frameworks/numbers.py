"""The runs of thesis 7.3 put together: numbers by key, one for every run, to stand beside those printed.

The runs come from `runs`; what the thesis says in words is judged in `claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hushwood.experiments.protocol import Outcome
from hushwood.experiments.thesis_frameworks.ways import FRAMEWORK, ORIGINAL, Way

Run = Mapping[str, Any]
Numbers = dict[str, list[float]]

PLACES = ("its own records", "the training records", "the test records")
SHORTENED = "a rule that lost its last condition counted as B"


@dataclass(frozen=True, slots=True)
class Runs:
    """All runs on one table by way, in the order of their numbers, with what is the same in all of them."""

    columns: tuple[str, ...]
    records: tuple[int, int]
    spreads: tuple[float, ...]
    by_way: Mapping[str, Sequence[Run]]

    @classmethod
    def of(cls, outcomes: Mapping[str, Outcome]) -> Runs:
        """Out of the outcomes of all tasks."""
        by_way: dict[str, list[Run]] = {}
        for outcome in outcomes.values():
            by_way.setdefault(outcome["way"], []).extend(outcome["runs"])
        first = next(iter(outcomes.values()))
        ordered = {way: sorted(runs, key=lambda run: int(run["number"])) for way, runs in by_way.items()}
        training, test = first["records"]
        return cls(tuple(first["columns"]), (training, test), tuple(first["spreads"]), ordered)

    def of_way(self, way: Way) -> Sequence[Run]:
        """The runs of one way; none if it is not part of this."""
        return self.by_way.get(str(way), ())

    def shares_right(self, way: Way | str, place: int) -> list[float]:
        """Percentages of records that the trees of a way classify rightly."""
        total = self.records[1] if place == 2 else self.records[0]
        return [100 * run["right"][place] / total for run in self.by_way.get(str(way), ())]


def numbers_of_runs(runs: Runs, printed: Collection[str]) -> Numbers:
    """What tells about every way, and of all single means, correlations and counts those whose keys are printed."""
    found: Numbers = {}
    details: Numbers = {}
    for way in runs.by_way:
        found |= _of_way(runs, way)
        details |= (
            _counts(runs.by_way[way], way) | _shares_of_runs(runs.by_way[way], way) | moments(runs, way)
        )
    if runs.of_way(ORIGINAL):
        _, training, test = runs.of_way(ORIGINAL)[0]["right"]
        found["original: number right on training and test records together"] = [float(training + test)]
    found |= {spread_key(name): [spread] for name, spread in zip(runs.columns, runs.spreads, strict=True)}
    return found | _spread_of_type_a(runs) | {key: details[key] for key in details if key in printed}


def type_key(way: Way | str, letter: str, shortened: bool = False) -> str:
    """The key of the share of records under rules of one type."""
    return f"{way}: Type {letter}, {SHORTENED + ', ' if shortened else ''}%"


def mean_key(way: Way | str, column: str) -> str:
    """The key of a mean."""
    return f"{way}: mean of {column}"


def spread_key(column: str) -> str:
    """The key of a standard deviation of the training records."""
    return f"original: standard deviation of {column}"


def correlation_key(way: Way | str, first: str, second: str) -> str:
    """The key of a correlation of two columns, in the order of the table."""
    return f"{way}: correlation of {first} with {second}"


def right_key(way: Way | str, place: int) -> str:
    """The key of the percentage of records that are classified rightly."""
    return f"{way}: right on {PLACES[place]}, %"


def count_key(way: Way | str, place: int) -> str:
    """The key of the number of records that are classified rightly."""
    return f"{way}: number right on {PLACES[place]}"


def change_key(way: Way | str) -> str:
    """The key of the largest change of a correlation."""
    return f"{way}: largest change of a correlation"


def shift_key(way: Way | str) -> str:
    """The key of the largest shift of a mean."""
    return f"{way}: largest shift of a mean, in standard deviations"


def unchanged_key(way: Way | str) -> str:
    """The key of the share of numbers that left as they came."""
    return f"{way}: numbers unchanged, %"


def near_key(way: Way | str) -> str:
    """The key of the share of numbers that are close to what they were."""
    return f"{way}: numbers within 0.1 standard deviations, %"


def _of_way(runs: Runs, way: str) -> Numbers:
    of_way = runs.by_way[way]
    found = {right_key(way, place): runs.shares_right(way, place) for place in range(len(PLACES))}
    found |= {type_key(way, letter): [run["types"][letter] for run in of_way] for letter in "ABCD"}
    found[f"{way}: leaves of the tree"] = [float(run["leaves"]) for run in of_way]
    named = (
        (change_key, "change"),
        (shift_key, "shift"),
        (unchanged_key, "unchanged"),
        (near_key, "near"),
    )
    return found | {key(way): [run[name] for run in of_way] for key, name in named}


def _counts(of_way: Sequence[Run], way: str) -> Numbers:
    """Numbers of records, and the types by the thesis' own count of shortened rules."""
    found = {
        count_key(way, place): [float(run["right"][place]) for run in of_way] for place in range(len(PLACES))
    }
    known = [run["types_if_shortened_is_b"] for run in of_way]
    found |= {type_key(way, letter, shortened=True): [types[letter] for types in known] for letter in "BC"}
    found[f"{way}: Types A and B together, {SHORTENED}, %"] = [types["A"] + types["B"] for types in known]
    return found


def _shares_of_runs(of_way: Sequence[Run], way: str) -> Numbers:
    """How many runs of 100 are as the thesis counts them among its five."""
    counted: Mapping[str, Callable[[Run], bool]] = {
        f"with Types A and B only, {SHORTENED}": lambda run: (
            run["types_if_shortened_is_b"]["C"] + run["types_if_shortened_is_b"]["D"] == 0
        ),
        "without Type D": lambda run: run["types"]["D"] == 0,
        "with Type D above 10 %": lambda run: run["types"]["D"] > 10,
        "with Type D above 80 %": lambda run: run["types"]["D"] > 80,
        "with a single leaf": lambda run: run["leaves"] == 1,
        "with three leaves or fewer": lambda run: run["leaves"] <= 3,
    }
    return {
        f"{way}: runs {what}, %": [100 * sum(map(holds, of_way)) / len(of_way)]
        for what, holds in counted.items()
    }


def moments(runs: Runs, way: str) -> Numbers:
    """Every mean and correlation of one way."""
    of_way = runs.by_way.get(way, ())
    found = {mean_key(way, name): [run["means"][i] for run in of_way] for i, name in enumerate(runs.columns)}
    pairs = combinations(runs.columns, 2)
    found |= {
        correlation_key(way, *pair): [run["correlations"][i] for run in of_way]
        for i, pair in enumerate(pairs)
    }
    return {key: values for key, values in found.items() if values}


def _spread_of_type_a(runs: Runs) -> Numbers:
    """Why Type A is so different from run to run: the topmost tests that moved take all rules below with them."""
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
