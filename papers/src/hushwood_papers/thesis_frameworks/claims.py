"""What thesis 7.3 says about the rules of its releases, judged by our runs, and all findings together.

The sentences are in `printed/frameworks-adult.toml` and `printed/frameworks-wbc.toml`. A sentence about a technique
that was not run gets no finding. Where the thesis counts among its five runs, we ask how likely such a count is, given
how often it happens in our runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hushwood.reports.wording import things
from hushwood_papers.chances import chance_of_such
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.thesis_frameworks.moved_numbers import about_accuracies, about_correlations
from hushwood_papers.thesis_frameworks.numbers_by_key import (
    SHORTENED,
    Run,
    Runs,
    Values,
    count_key,
    distance,
    moments,
    numbers_of_runs,
    renamed,
    type_key,
)
from hushwood_papers.thesis_frameworks.releases import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    LESS_NOISE,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)

FIVE = 5
# A less likely count is called unlikely.
UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Counted:
    """A number of the five runs of a technique that are as described."""

    way: Way
    runs: int
    described: str
    holds: Callable[[Run], bool]

    @property
    def key(self) -> str:
        """The key of the sentence."""
        return f"{self.way}: {self.runs} of {FIVE} runs {self.described}"


def _only_a_and_b(run: Run) -> bool:
    types = run["types_if_shortened_is_b"]
    return bool(types["C"] + types["D"] == 0)


COUNTED = (
    Counted(FRAMEWORK, 4, f"with Types A and B only, {SHORTENED}", _only_a_and_b),
    Counted(FRAMEWORK, 4, "without Type D", lambda run: run["types"]["D"] == 0),
    Counted(EXTENDED, 1, "with Type B", lambda run: run["types"]["B"] > 0),
    Counted(RANDOM, 2, "with Type D above 80 %", lambda run: run["types"]["D"] > 80),
    Counted(RANDOM, 1, "with a single leaf", lambda run: run["leaves"] == 1),
    Counted(RANDOM, 2, "with three leaves or fewer", lambda run: run["leaves"] <= 3),
    Counted(RANDOM_EXTENDED, 3, "with Type D above 10 %", lambda run: run["types"]["D"] > 10),
    Counted(GADP, 4, "with Type D on at least 10 %", lambda run: run["types"]["D"] >= 10),
)


def counts_among_five(runs: Runs) -> Iterator[tuple[str, Finding]]:
    """A finding for every count of the thesis whose technique was run."""
    for counted in (*COUNTED, *_near_the_original(runs)):
        of_way = runs.of_way(counted.way)
        if of_way:
            yield counted.key, _judged(counted, sum(map(counted.holds, of_way)), len(of_way))
    if runs.of_way(EXTENDED):
        yield f"{EXTENDED}: most trees have Type C alone", _most(runs.of_way(EXTENDED))


def _near_the_original(runs: Runs) -> Iterator[Counted]:
    """Trees whose accuracy on their own records is within 0.2 points of the original tree's on its own."""
    if not runs.of_way(ORIGINAL):
        return
    before, allowed = runs.of_way(ORIGINAL)[0]["right"][0], 0.002 * runs.records[0]
    yield Counted(
        FRAMEWORK,
        4,
        "within 0.2 points of the original tree on its own records",
        lambda run: abs(run["right"][0] - before) < allowed,
    )


def _judged(counted: Counted, found: int, total: int) -> Finding:
    chance = chance_of_such([counted.runs, FIVE - counted.runs], [[found, total - found]])
    return Finding(
        chance >= UNLIKELY,
        f"true of {found} of {things(total, 'run')}; the chance of {counted.runs} of {FIVE}, or of a count at most as "
        f"likely, is {chance:.2g} (unlikely: below {UNLIKELY:g})",
    )


def _most(of_way: Sequence[Run]) -> Finding:
    found = sum(run["types"]["A"] + run["types"]["B"] + run["types"]["D"] == 0 for run in of_way)
    return Finding(
        2 * found > len(of_way), f"{found} of {things(len(of_way), 'run')} have rules of Type C alone"
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """Points by which trees may be worse on their own records, as printed; and tolerance for ours."""

    own: Mapping[Way, float]
    of_print: float


def measured_runs(experiment: str, limits: Limits, outcomes: Mapping[str, Outcome]) -> Measured:
    """All that the tasks of an experiment found: numbers by key, and findings on the thesis' sentences."""
    runs, all_printed = Runs.of(outcomes), printed(experiment)
    theirs = all_printed.by_key()
    numbers = numbers_of_runs(runs, {number.key for number in all_printed.numbers})
    return Measured(
        numbers | _met_again(runs, theirs) | _distances(runs, theirs),
        findings(runs, limits, theirs),
        {len(of_way): 1 for of_way in runs.by_way.values()},
    )


def _met_again(runs: Runs, theirs: Values) -> dict[str, list[float]]:
    """How many runs of the Framework equal a printed one: in Type A and both original tables, and on their own."""
    keys = (type_key(FRAMEWORK, "A"), count_key(FRAMEWORK, 1), count_key(FRAMEWORK, 2))
    of_way = runs.of_way(FRAMEWORK)
    if not of_way:
        return {}
    ours = [(round(run["types"]["A"], 2), *run["right"][1:]) for run in of_way]
    own = [run["right"][0] for run in of_way]
    found = {
        f"framework: runs that have Type A and the numbers right on training and test records of printed run "
        f"{number}, %": [100 * ours.count(printed_run) / len(ours)]
        for number, printed_run in enumerate(zip(*(theirs.get(key, ()) for key in keys), strict=False), 1)
    }
    return found | {
        f"framework: runs right on exactly {number:,.0f} of their own records, as printed, %": [
            100 * own.count(int(number)) / len(own)
        ]
        for number in theirs.get(count_key(FRAMEWORK, 0), ())
    }


def _distances(runs: Runs, theirs: Values) -> dict[str, list[float]]:
    """How far the Framework's means and correlations are from the printed ones, with the text's noise and less."""
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
    """Findings about the trees and numbers of one technique."""
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
        f"the share of such records is at most {max(shares):.4g} %, and 0 % in {_of_runs(shares, 0)}",
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
    """Most trees have one of the thesis' labels for similar trees; its gaps leave some without a label (errata D3)."""
    labels = Counter(run["label"] for run in of_way)
    alike = sum(labels[label] for label in ("Exactly Same", "Very Similar", "Similar"))
    listed = ", ".join(f"{label} {number}" for label, number in labels.most_common())
    return Finding(
        2 * alike > len(of_way), f"by its own labels the trees of {things(len(of_way), 'run')} are: {listed}"
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
