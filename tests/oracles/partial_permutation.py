"""A permutation among records that take part by chance, worked out by listing everything that can happen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product


def released_chances(
    values: Sequence[int], record: int, share: float, instead: Mapping[int, float] | None
) -> dict[int, float]:
    """The probability of every released value of one record.

    Every record takes part with probability `share`; those who do are permuted, all orders equally likely. One that
    does not keeps its value, or draws from `instead`.
    """
    found: dict[int, float] = {}
    for takes_part in product((True, False), repeat=len(values)):
        chance = 1.0
        for there in takes_part:
            chance *= share if there else 1 - share
        if not takes_part[record]:
            for value, part in ({values[record]: 1.0} if instead is None else instead).items():
                found[value] = found.get(value, 0.0) + chance * part
            continue
        members = [i for i, there in enumerate(takes_part) if there]
        orders = list(permutations(members))
        for order in orders:
            value = values[order[members.index(record)]]
            found[value] = found.get(value, 0.0) + chance / len(orders)
    return found
