"""What the thesis counts among its five runs: how likely such a count is, when our runs have told how often it is so.

The chance is that of `few_trees`: an outcome of five is unlikely if few others are as unlikely as it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hushwood.experiments.categorical_noise.few_trees import chance_of_such
from hushwood.experiments.protocol import Finding
from hushwood.experiments.thesis_frameworks.keys import SHORTENED
from hushwood.experiments.thesis_frameworks.numbers import Run, Runs
from hushwood.experiments.thesis_frameworks.ways import (
    EXTENDED,
    FRAMEWORK,
    GADP,
    ORIGINAL,
    RANDOM,
    RANDOM_EXTENDED,
    Way,
)
from hushwood.reports.wording import things

FIVE = 5
# A count that is less likely than this is called unlikely.
UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Counted:
    """So many of the five runs of a way are as described."""

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
    """A finding for every count of the thesis whose way was run."""
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
        f"{_so_many(found, things(total, 'run'))} so; the chance that {_so_many(counted.runs, str(FIVE))}, or that it "
        f"is a number as unlikely, is {chance:.2g} (unlikely: below {UNLIKELY:g})",
    )


def _so_many(found: int, total: str) -> str:
    return f"{found} of {total} {'is' if found == 1 else 'are'}"


def _most(of_way: Sequence[Run]) -> Finding:
    found = sum(run["types"]["A"] + run["types"]["B"] + run["types"]["D"] == 0 for run in of_way)
    return Finding(
        2 * found > len(of_way), f"{found} of {things(len(of_way), 'run')} have rules of Type C alone"
    )
