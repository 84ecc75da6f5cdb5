"""What thesis 7.3 says in words about the rules of its releases, judged by our runs; all findings together.

The sentences are in `printed/frameworks-adult.toml` and `printed/frameworks-wbc.toml`; the keys are made here, in
`few_runs`, `correlation_claims` and `accuracy_claims`. A sentence about a way that was not run gets no finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hushwood.experiments.protocol import Finding, Measured, Outcome
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.thesis_frameworks.accuracy_claims import about_accuracies
from hushwood.experiments.thesis_frameworks.correlation_claims import about_correlations
from hushwood.experiments.thesis_frameworks.few_runs import counts_among_five
from hushwood.experiments.thesis_frameworks.keys import count_key, type_key
from hushwood.experiments.thesis_frameworks.matrices import Values, distance, renamed
from hushwood.experiments.thesis_frameworks.numbers import Run, Runs, moments, numbers_of_runs
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    LESS_NOISE,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)
from hushwood.reports.wording import things


@dataclass(frozen=True, slots=True)
class Limits:
    """Points by which trees may be less right on their own records, as printed; and by which ours may miss it."""

    own: Mapping[Way, float]
    of_print: float


def measured_runs(experiment: str, limits: Limits, outcomes: Mapping[str, Outcome]) -> Measured:
    """All that the tasks of an experiment found: numbers by key, and what they say of the thesis' sentences."""
    runs, told = Runs.of(outcomes), printed(experiment)
    theirs = told.by_key()
    numbers = numbers_of_runs(runs, {number.key for number in told.numbers})
    return Measured(
        numbers | _met_again(runs, theirs) | _distances(runs, theirs), findings(runs, limits, theirs)
    )


def _met_again(runs: Runs, theirs: Values) -> dict[str, list[float]]:
    """How many runs of the Framework are a printed one: in Type A and on both original tables, and on their own."""
    keys = (type_key(FRAMEWORK, "A"), count_key(FRAMEWORK, 1), count_key(FRAMEWORK, 2))
    of_way = runs.of_way(FRAMEWORK)
    if not of_way:
        return {}
    ours = [(round(run["types"]["A"], 2), *run["right"][1:]) for run in of_way]
    own = [run["right"][0] for run in of_way]
    found = {
        f"framework: runs that have Type A and the numbers right on training and test records of printed run "
        f"{number}, %": [100 * ours.count(told) / len(ours)]
        for number, told in enumerate(zip(*(theirs.get(key, ()) for key in keys), strict=False), 1)
    }
    return found | {
        f"framework: runs right on exactly {number:,.0f} of their own records, as printed, %": [
            100 * own.count(int(number)) / len(own)
        ]
        for number in theirs.get(count_key(FRAMEWORK, 0), ())
    }


def _distances(runs: Runs, theirs: Values) -> dict[str, list[float]]:
    """How far the Framework's means and correlations are from the printed ones, under the text's noise and less."""
    if not runs.of_way(LESS_NOISE):
        return {}
    return {
        f"{way}: mean distance from the printed {kind}s": [
            distance(renamed(moments(runs, str(way)), way, kind), renamed(theirs, FRAMEWORK, kind))
        ]
        for way in (FRAMEWORK, LESS_NOISE)
        for kind in ("mean", "correlation")
    }


def findings(runs: Runs, limits: Limits, theirs: Values) -> dict[str, Finding]:
    """A finding for every sentence that these runs can judge."""
    found: dict[str, Finding] = {}
    for way in (FRAMEWORK, EXTENDED, RANDOM, RANDOM_EXTENDED, GADP):
        if runs.of_way(way):
            found |= {f"{way}: {key}": finding for key, finding in _about(runs, way)}
    found |= dict(counts_among_five(runs)) | dict(about_correlations(runs))
    return found | dict(about_accuracies(runs, limits.own, limits.of_print, theirs))


def _about(runs: Runs, way: Way) -> Iterator[tuple[str, Finding]]:
    """What can be said about the trees and numbers of one way."""
    of_way = runs.of_way(way)
    for letters in ("D", "AB", "AD"):
        yield f"no Type {' or '.join(letters)}", _without(of_way, letters)
    for letters in ("D", "CD"):
        yield f"only Type {' or '.join(letters)}", _only(of_way, letters)
    yield "Type A above 90 %", _mostly_a(of_way)
    yield "like the original tree", _alike(of_way)
    if runs.of_way(ORIGINAL):
        yield "the original tree is as right as before", _as_before(runs, of_way)


def _without(of_way: Sequence[Run], letters: str) -> Finding:
    shares = [sum(run["types"][letter] for letter in letters) for run in of_way]
    return Finding(
        max(shares) == 0,
        f"the share of such records is {max(shares):.4g} % at most, and 0 % in {_of_runs(shares, 0)}",
    )


def _only(of_way: Sequence[Run], letters: str) -> Finding:
    shares = [sum(run["types"][letter] for letter in letters) for run in of_way]
    holds = all(share > 100 - 1e-3 for share in shares)
    return Finding(holds, f"such rules cover {min(shares):.4g} to {max(shares):.4g} % of the records")


def _mostly_a(of_way: Sequence[Run]) -> Finding:
    shares = [run["types"]["A"] for run in of_way]
    above = sum(share > 90 for share in shares)
    return Finding(
        above == len(shares),
        f"Type A is above 90 % in {above} of {things(len(shares), 'run')}, {min(shares):.4g} % in the lowest",
    )


def _alike(of_way: Sequence[Run]) -> Finding:
    """Most trees bear one of the thesis' words for similar trees; where it leaves gaps, none (errata D3)."""
    labels = Counter(run["label"] for run in of_way)
    alike = sum(labels[label] for label in ("Exactly Same", "Very Similar", "Similar"))
    told = ", ".join(f"{label} {number}" for label, number in labels.most_common())
    return Finding(
        2 * alike > len(of_way), f"by its own labels the trees of {things(len(of_way), 'run')} are: {told}"
    )


def _as_before(runs: Runs, of_way: Sequence[Run]) -> Finding:
    before = int(runs.of_way(ORIGINAL)[0]["right"][0])
    after = [int(run["original_tree_right"]) for run in of_way]
    return Finding(
        set(after) == {before},
        f"it is right on {before:,} original records and on {min(after):,} to {max(after):,} released ones",
    )


def _of_runs(values: Sequence[float], wanted: float) -> str:
    return f"{sum(value == wanted for value in values)} of {things(len(values), 'run')}"
