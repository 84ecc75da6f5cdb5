"""Which trees are the better ones behind a release, by a rule that was fixed before the first run.

Every pair of table and measure goes to See5, to what it is compared with, or to neither: the mean difference of the
runs must be so large that its 95 % interval leaves out 0. The numbers come from `releases`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from hushwood.experiments.tree_builders.releases import (
    ACCURACY,
    ALONE,
    BUILDERS,
    LINKED,
    RISK,
    SEE5,
    UTILITY,
    read_by,
)
from hushwood.measures.registry import MEASURES

CONFIDENCE = 0.95
OUTCOMES = ("ahead", "behind", "undecided")

# A run's numbers by way to grow and name.
Run = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Score:
    """Pairs in which See5 is ahead, in which it is behind, and in which nobody is."""

    ahead: int
    behind: int
    undecided: int

    @property
    def better(self) -> bool:
        """Whether See5 is ahead more often than behind."""
        return self.ahead > self.behind

    def words(self) -> str:
        """The score as part of a sentence.

        >>> Score(3, 1, 6).words()
        'See5 is ahead in 3 and behind in 1 of 10 pairs of table and measure, 6 are undecided'
        """
        pairs = self.ahead + self.behind + self.undecided
        return (
            f"See5 is ahead in {self.ahead} and behind in {self.behind} of {pairs} pairs of table and measure, "
            f"{self.undecided} are undecided"
        )


def sides() -> Mapping[str, Mapping[str, int]]:
    """The measures of utility and of risk, each with 1 if more is better and -1 if less is."""
    read = {words: _sign(name) for name, words in UTILITY.items()} | {ACCURACY: 1}
    utility = {read_by(words, reader): sign for words, sign in read.items() for reader in BUILDERS}
    risk = {words: _sign(name) for name, words in RISK.items()}
    return {"utility": utility, "risk": {ALONE: -1, **risk, **dict.fromkeys(LINKED.values(), -1)}}


def score(runs: Mapping[str, Sequence[Run]], signs: Mapping[str, int], other: str) -> Score:
    """See5 against another way to grow, over all tables; a measure that a table has no number for does not count."""
    found = [
        sign * leader([run[SEE5][what] - run[other][what] for run in of_table])
        for of_table in runs.values()
        for what, sign in signs.items()
        if all(what in run[way] for run in of_table for way in (SEE5, other))
    ]
    return Score(found.count(1), found.count(-1), found.count(0))


def leader(differences: Sequence[float]) -> int:
    """1 or -1 if the mean of the differences is surely above or below 0, else 0.

    >>> leader([1.0, 1.2, 0.9]), leader([-2.0, -2.0]), leader([1.0, -1.0, 0.5]), leader([0.3])
    (1, -1, 0, 0)
    """
    if len(differences) < 2:
        return 0
    from scipy.stats import t

    runs, mean = len(differences), fmean(differences)
    reach = float(t.ppf((1 + CONFIDENCE) / 2, runs - 1)) * stdev(differences) / sqrt(runs)
    return int(mean > reach) - int(mean < -reach)


def _sign(name: str) -> int:
    return 1 if MEASURES[name]().better == "higher" else -1
