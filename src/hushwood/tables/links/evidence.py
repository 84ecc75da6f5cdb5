"""How likely a link would be if the columns had nothing to do with each other: what is likely is an accident."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.links.links import Link
from hushwood.tables.links.sentences import says

ACCIDENT = 1e-6  # the chance that any link is found between columns that have nothing to do with each other
FEWEST = 50  # records from which anything can be learnt


@dataclass(frozen=True, slots=True)
class Found:
    """A link, the number of records that speak for it, and what else there is to say about it."""

    link: Link
    support: int
    aside: str = ""

    @property
    def says(self) -> str:
        """A sentence for people, without its stop."""
        return f"{says(self.link)}: {self.support:,} records{self.aside}"


def convincing(log_chance: float, tried: int) -> bool:
    """Whether something of this chance is no accident among all that were tried."""
    return log_chance + log(max(tried, 1)) < log(ACCIDENT)


def log_chance_of_one_value(groups: Integers, shares: Floats) -> float:
    """That each group of records has one value only, if values with these shares were dealt out at random."""
    sizes, times = np.unique(groups[groups > 0], return_counts=True)
    chances = np.power(shares[None, :], sizes[:, None]).sum(axis=1)
    with np.errstate(divide="ignore"):
        return float((times * np.log(chances)).sum())


def log_chance_of_none(one: Array, other: Array, rows: int) -> Floats:
    """That two values with these counts never meet, if the columns were shuffled."""
    # The hypergeometric chance lies below that with replacement; a value of all records is as good as certain to meet.
    share = np.minimum(np.maximum(one, other) / rows, 1.0 - 1e-15)
    return np.asarray(np.minimum(one, other) * np.log1p(-share))


def share_that_meet(low: Floats, high: Floats, values: Floats) -> float:
    """The share of all pairs of an interval and a value in which the value lies in it."""
    ordered = np.sort(values)
    inside = np.searchsorted(ordered, high, side="right") - np.searchsorted(ordered, low, side="left")
    return float(inside.sum()) / max(len(low) * len(values), 1)
