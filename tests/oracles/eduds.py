"""EDUDS the slow way (FF paper, equations 1 to 3; errata G1 to G3): one record and one attribute after the other.

Forests are forest.json objects, records dicts. An attribute is given as its domain: (low, high, decimals) or, with
None for decimals, a continuous one; a categorical one as the list of its values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from oracles.intersections import Leaves, Record, allows, bounds, influential, leaves_of

Numbers = tuple[float, float, int | None]
Domain = Numbers | Sequence[str]
Model = Mapping[str, Any]


def eduds(before: Model, after: Model, records: Sequence[Record], domains: Mapping[str, Domain]) -> float:
    """Mean similarity of the boxes of every record."""
    return math.fsum(similarity(before, after, record, domains) for record in records) / len(records)


def similarity(before: Model, after: Model, record: Record, domains: Mapping[str, Domain]) -> float:
    """1 - the mean difference over the attributes that either forest tests on the record's way."""
    one, other = leaves_of(before, record), leaves_of(after, record)
    differences, tested = [], False
    for name, domain in domains.items():
        by_one, by_other = influential(before, one, name), influential(after, other, name)
        if not (by_one or by_other):
            continue
        tested = True
        if isinstance(domain, tuple):
            if domain[0] < domain[1]:
                differences.append(
                    moved(box(before, one, name, domain), box(after, other, name, domain), domain)
                )
        elif by_one and by_other:
            differences.append(jaccard(values(before, one, name, domain), values(after, other, name, domain)))
        else:
            differences.append(1.0)
    if not differences:
        return 0.0 if tested else 1.0
    return 1.0 - math.fsum(differences) / len(differences)


def moved(one: tuple[float, float], other: tuple[float, float], domain: Numbers) -> float:
    """Equation 1 with the total domain."""
    return min((abs(one[0] - other[0]) + abs(one[1] - other[1])) / (domain[1] - domain[0]), 1.0)


def box(model: Model, leaves: Leaves, name: str, domain: Numbers) -> tuple[float, float]:
    """Smallest and largest value possible in these leaves, inside the domain."""
    low, high = bounds(model, leaves, name, -math.inf, math.inf)
    if domain[2] is not None:
        low = low if low == -math.inf else after_on_grid(low, domain[2])
        high = high if high == math.inf else last_on_grid(high, domain[2])
    return min(max(low, domain[0]), domain[1]), min(max(high, domain[0]), domain[1])


def last_on_grid(limit: float, decimals: int) -> float:
    return float(Decimal(math.floor(Decimal(repr(limit)).scaleb(decimals))).scaleb(-decimals))


def after_on_grid(limit: float, decimals: int) -> float:
    return float(Decimal(math.floor(Decimal(repr(limit)).scaleb(decimals)) + 1).scaleb(-decimals))


def values(model: Model, leaves: Leaves, name: str, domain: Sequence[str]) -> set[str]:
    return {value for value in domain if allows(model, leaves, name, value)}


def jaccard(one: set[str], other: set[str]) -> float:
    return 1.0 - len(one & other) / len(one | other) if one | other else 0.0
