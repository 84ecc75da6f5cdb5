"""The values that segments hand out, drawn from those they hold: a Bayesian bootstrap of every column (Rubin 1981).

Every record of a segment gets a random weight, the values are sorted, and as many are taken at even steps along the
weights. So a value's expected count is its count, every count is within one of its weight, and the counts have `noise`
times the variance of sampling (Dirichlet). Columns that go together exactly take the same records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.techniques.sequential.hand_outs import Slots

_WEIGHTS, _START = 200, 201  # draw numbers, beyond those of hand-outs and blur
_LEAST = 1e-12


def drawn_columns(
    columns: Mapping[str, Array],
    names: Iterable[str],
    follows: Mapping[str, str],
    slots: Slots,
    noise: float,
) -> dict[str, Array]:
    """The named columns of all records, drawn within their groups; `follows` names the column that one goes with."""
    groups = _Groups.of(slots)
    sources: dict[str, Integers] = {}
    out = {}
    for name in names:
        leader = follows.get(name, name)
        if leader not in sources:
            sources[leader] = groups.drawn_from(np.asarray(columns[leader]), slots, leader, noise)
        out[name] = np.asarray(columns[name])[sources[leader]]
    return out


def weights(u: Floats, noise: float) -> Floats:
    """Gamma numbers with mean 1 and variance `noise`, by the inverse of their distribution.

    >>> weights(np.array([0.5]), 1.0).round(3).tolist()
    [0.693]
    """
    if noise == 1:
        return -np.log1p(-u)
    from scipy.special import gammaincinv

    return np.maximum(np.asarray(gammaincinv(1 / noise, u)) * noise, _LEAST)


class _Groups:
    """The groups that have records: where each begins in the order of groups, and its first record."""

    def __init__(self, order: Integers, start: Integers) -> None:
        self.order, self.start = order, start
        self.sizes = np.diff(start)
        self.of_place = np.repeat(np.arange(len(self.sizes)), self.sizes)

    @classmethod
    def of(cls, slots: Slots) -> _Groups:
        return cls(slots.by_group(), np.unique(slots.start))

    def drawn_from(self, column: Array, slots: Slots, name: str, noise: float) -> Integers:
        """For every record the one whose value its group hands out in its place."""
        by_value = np.lexsort((column, slots.groups))
        g = weights(slots.uniform(name, _WEIGHTS), noise)[by_value]
        upto = np.append(0.0, np.cumsum(g))
        base = upto[self.start[:-1]]
        step = (upto[self.start[1:]] - base) / self.sizes
        along = self.start[:-1][self.of_place] + (upto[1:] - base[self.of_place]) / step[self.of_place]
        rows = slots.rows
        first = self.order[self.start[:-1]]
        known_by = first + rows.start if isinstance(rows, range) else np.asarray(rows)[first]
        t = slots.streams.uniform(slots.purpose, name, _START, known_by)
        place = np.searchsorted(along, np.arange(len(along)) + t[self.of_place], side="right")
        # The last step may end a rounding error before its group does.
        place = np.clip(place, self.start[:-1][self.of_place], self.start[1:][self.of_place] - 1)
        out = np.empty(len(place), np.int64)
        out[self.order] = by_value[place]
        return out
