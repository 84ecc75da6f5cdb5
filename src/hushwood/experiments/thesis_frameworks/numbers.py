"""The runs of thesis 7.3 put together: numbers by key, one for every run, to stand beside those printed.

The runs come from `runs`, the keys from `keys`; what the thesis says in words is judged in `claims`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from hushwood.experiments.protocol import Outcome
from hushwood.experiments.thesis_frameworks.keys import (
    PLACES,
    SHORTENED,
    change_key,
    correlation_key,
    count_key,
    mean_key,
    near_key,
    right_key,
    shift_key,
    size_key,
    spread_key,
    type_key,
    unchanged_key,
)
from hushwood.experiments.thesis_frameworks.ways import EXTENDED, FRAMEWORK, Way

Run = Mapping[str, Any]
Numbers = dict[str, list[float]]


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
    """What tells about every way, and of all single means and correlations those whose keys are printed."""
    found: Numbers = {size_key(place): [float(runs.records[place - 1])] for place in (1, 2)}
    details: Numbers = {}
    for way in runs.by_way:
        found |= _accuracies(runs, way, printed) | _of_way(runs.by_way[way], way)
        details |= _in_some_runs(runs.by_way[way], way) | moments(runs, way)
    for told in (FRAMEWORK, EXTENDED):
        if runs.of_way(told):
            found |= _other_reading(runs.of_way(told), told)
    found |= {spread_key(name): [spread] for name, spread in zip(runs.columns, runs.spreads, strict=True)}
    return found | _spread_of_type_a(runs) | {key: details[key] for key in details if key in printed}


def _accuracies(runs: Runs, way: str, printed: Collection[str]) -> Numbers:
    """Counts where counts are printed, or else percentages."""
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
    named = (
        (change_key, "change"),
        (shift_key, "shift"),
        (unchanged_key, "unchanged"),
        (near_key, "near"),
    )
    return found | {key(way): [run[name] for run in of_way] for key, name in named}


def _other_reading(of_way: Sequence[Run], way: Way) -> Numbers:
    """The types by the thesis' own count of shortened rules."""
    return {
        type_key(way, letter, shortened=True): [run["types_if_shortened_is_b"][letter] for run in of_way]
        for letter in "BC"
    }


def _in_some_runs(of_way: Sequence[Run], way: str) -> Numbers:
    """Shares that the thesis prints of the one run in which something occurred."""
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
