"""Categories in the order of a number, with normal noise on their place, in plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from oracles.normal_chances import below


def matrix(orders: Sequence[Sequence[float | None]], noise: float, spacing: str) -> list[list[float]]:
    """The mean of the matrices of all orders."""
    size = len(orders[0])
    found = [[0.0] * size for _ in range(size)]
    for order in orders:
        for v in range(size):
            for w in range(size):
                found[v][w] += _chance(order, v, w, noise, spacing) / len(orders)
    return found


def _chance(order: Sequence[float | None], v: int, w: int, noise: float, spacing: str) -> float:
    mine, other = order[v], order[w]
    if mine is None or other is None:
        return float(v == w)
    numbers = sorted({number for number in order if number is not None})
    places = [float(i) for i in range(len(numbers))] if spacing == "rank" else numbers
    sharing = sum(number == other for number in order)
    if len(numbers) == 1:
        return 1 / sharing
    spread = noise * (len(numbers) if spacing == "rank" else numbers[-1] - numbers[0])
    at, to = places[numbers.index(mine)], numbers.index(other)
    low = (places[to - 1] + places[to]) / 2 if to > 0 else -inf
    high = (places[to] + places[to + 1]) / 2 if to < len(places) - 1 else inf
    return (below((high - at) / spread) - below((low - at) / spread)) / sharing
