"""What thesis 7.3 says in words about its releases, judged by our runs of them.

The sentences are in `printed/frameworks-adult.toml` and `printed/frameworks-wbc.toml`; the keys are made here. A
sentence about a way that was not run gets no finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from hushwood.experiments.protocol import Finding, Measured, Outcome
from hushwood.experiments.reproducing.printed_numbers import printed
from hushwood.experiments.thesis_frameworks.matrices import Values, distance, renamed
from hushwood.experiments.thesis_frameworks.numbers import (
    PLACES,
    Run,
    Runs,
    count_key,
    moments,
    numbers_of_runs,
    type_key,
)
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

_ORDERS = (
    (FRAMEWORK, EXTENDED, (0, 1, 2)),
    (FRAMEWORK, RANDOM, (0, 1, 2)),
    (EXTENDED, RANDOM, (0, 1, 2)),
    (EXTENDED, RANDOM_EXTENDED, (0, 1, 2)),
    (EXTENDED, GADP, (1, 2)),
)
_BETTER = (
    (EXTENDED, (FRAMEWORK,)),
    (RANDOM_EXTENDED, (FRAMEWORK, EXTENDED, RANDOM)),
)


def measured_runs(experiment: str, limits: Mapping[Way, float], outcomes: Mapping[str, Outcome]) -> Measured:
    """All that the tasks of an experiment found: numbers by key, and what they say of the thesis' sentences."""
    runs, theirs = Runs.of(outcomes), printed(experiment)
    told = {number.key for number in theirs.numbers}
    numbers = (
        numbers_of_runs(runs, told) | _met_again(runs, theirs.by_key()) | _distances(runs, theirs.by_key())
    )
    return Measured(numbers, findings(runs, limits))


def _met_again(runs: Runs, theirs: Values) -> dict[str, list[float]]:
    """How many runs of the Framework are a printed one in Type A and in the records right on both original parts."""
    keys = (type_key(FRAMEWORK, "A"), count_key(FRAMEWORK, 1), count_key(FRAMEWORK, 2))
    ours = [(round(run["types"]["A"], 2), *run["right"][1:]) for run in runs.of_way(FRAMEWORK)]
    printed_runs = zip(*(theirs.get(key, ()) for key in keys), strict=False)
    return {
        f"framework: runs that are printed run {number} in Type A and in records right, %": [
            100 * ours.count(told) / len(ours)
        ]
        for number, told in enumerate(printed_runs, 1)
        if ours
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


def findings(runs: Runs, limits: Mapping[Way, float]) -> dict[str, Finding]:
    """A finding for every sentence that these runs can judge; `limits` are the printed ones in points."""
    found: dict[str, Finding] = {}
    for way in (FRAMEWORK, EXTENDED, RANDOM, RANDOM_EXTENDED, GADP):
        if runs.of_way(way):
            found |= {f"{way}: {key}": finding for key, finding in _about(runs, way)}
    for way, limit in limits.items():
        if runs.of_way(way):
            found[f"{way}: near the original tree on its own records"] = _near(runs, way, limit)
    for first, second, places in _ORDERS:
        if runs.of_way(first) and runs.of_way(second):
            found[f"{first} is more often right than {second}"] = _more_right(runs, first, second, places)
    for way, others in _BETTER:
        if all(map(runs.of_way, (way, *others))):
            names = ", ".join(map(str, others))
            found[f"{way}: correlations kept better than by {names}"] = _kept_better(runs, way, others)
    return found


def _about(runs: Runs, way: Way) -> Iterator[tuple[str, Finding]]:
    """What can be said about the trees and numbers of one way."""
    of_way = runs.of_way(way)
    for letters in ("D", "AB", "AD"):
        yield f"no Type {' or '.join(letters)}", _without(of_way, letters)
    for letters in ("D", "CD"):
        yield f"only Type {' or '.join(letters)}", _only(of_way, letters)
    yield "Type A above 90 %", _mostly_a(of_way)
    yield "like the original tree", _alike(of_way)
    yield "correlations are lost", _lost(of_way)
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


def _lost(of_way: Sequence[Run]) -> Finding:
    changes = [run["change"] for run in of_way]
    return Finding(
        min(changes) > 0.1, f"the largest change of a correlation is {min(changes):.3f} to {max(changes):.3f}"
    )


def _as_before(runs: Runs, of_way: Sequence[Run]) -> Finding:
    before = int(runs.of_way(ORIGINAL)[0]["right"][0])
    after = [int(run["original_tree_right"]) for run in of_way]
    return Finding(
        set(after) == {before},
        f"it is right on {before:,} original records and on {min(after):,} to {max(after):,} released ones",
    )


def _near(runs: Runs, way: Way, limit: float) -> Finding:
    """The tree on a release is as right on it as the original tree is on the original."""
    before = runs.shares_right(ORIGINAL, 0)[0]
    apart = [abs(share - before) for share in runs.shares_right(way, 0)]
    within = sum(points < limit for points in apart)
    return Finding(
        within == len(apart),
        f"the difference is {min(apart):.3f} to {max(apart):.3f} points, below {limit:g} in "
        f"{within} of {things(len(apart), 'run')}",
    )


def _more_right(runs: Runs, first: Way, second: Way, places: Sequence[int]) -> Finding:
    """The mean run of one way is above that of another, on all the records named."""
    told, holds = [], True
    for place in places:
        ours, others = (fmean(runs.shares_right(way, place)) for way in (first, second))
        holds &= ours > others
        told.append(f"{ours:.1f} against {others:.1f} % on {PLACES[place]}")
    return Finding(holds, "; ".join(told))


def _kept_better(runs: Runs, way: Way, others: Sequence[Way]) -> Finding:
    """No run of the way changes any correlation as much as the mildest run of the others."""
    ours = [run["change"] for run in runs.of_way(way)]
    theirs = {other: [run["change"] for run in runs.of_way(other)] for other in others}
    told = ", ".join(f"{other} {min(changes):.3f} to {max(changes):.3f}" for other, changes in theirs.items())
    return Finding(
        max(ours) < min(min(changes) for changes in theirs.values()),
        f"the largest change of a correlation is {min(ours):.3f} to {max(ours):.3f}; {told}",
    )


def _of_runs(values: Sequence[float], wanted: float) -> str:
    return f"{sum(value == wanted for value in values)} of {things(len(values), 'run')}"
