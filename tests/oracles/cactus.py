"""CACTUS by plain loops and sets: all generating sets, all combinations of projections, every record looked at.

A table is a list of rows of values; a value is (attribute, value); a cluster is a set of values with its support.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

Row = tuple[int, ...]
Value = tuple[int, int]
Values = frozenset[Value]
T = TypeVar("T")


class Cactus:
    """Everything about one table; `alpha` as a fraction, so that counts are compared exactly."""

    def __init__(self, rows: Sequence[Row], alpha: Fraction, strict: bool) -> None:
        self.rows, self.alpha, self.strict = rows, alpha, strict
        self.domains = [sorted({(a, row[a]) for row in rows}) for a in range(len(rows[0]))]

    def strong(self, one: Value, other: Value) -> bool:
        together = sum(row[one[0]] == one[1] and row[other[0]] == other[1] for row in self.rows)
        limit = self.alpha * len(self.rows) / (len(self.domains[one[0]]) * len(self.domains[other[0]]))
        return together > limit if self.strict else together >= limit

    def common(self, values: Iterable[Value], attribute: int) -> Values:
        """The attribute's values that are strongly connected with all of these."""
        return frozenset(b for b in self.domains[attribute] if all(self.strong(a, b) for a in values))

    def sides(self, attribute: int, other: int) -> set[Values]:
        """The attribute's sides of all maximal bicliques with another attribute."""
        found = set()
        domain = self.domains[attribute]
        for size in range(1, len(domain) + 1):
            for generating in combinations(domain, size):
                common = self.common(generating, other)
                if common:
                    found.add(self.common(common, attribute))
        return found

    def projections(self, attribute: int) -> set[Values]:
        sets: set[Values] | None = None
        for other in range(len(self.domains)):
            near = self.sides(attribute, other) if other != attribute else set()
            if near:
                sets = near if sets is None else {s & n for s in sets for n in near if s & n}
        return maximal(sets or set())

    def candidates(self) -> set[frozenset[Values]]:
        parts = [[None, *self.projections(a)] for a in range(len(self.domains))]
        fitting = set()
        for chosen in product(*parts):
            sets = frozenset(s for s in chosen if s is not None)
            if all(self.strong(a, b) for s, t in combinations(sets, 2) for a in s for b in t):
                fitting.add(sets)
        return {c for c in maximal(fitting) if len(c) > 1}

    def support(self, candidate: frozenset[Values]) -> int:
        return sum(
            all((next(iter(s))[0], row[next(iter(s))[0]]) in s for s in candidate) for row in self.rows
        )

    def clusters(self) -> dict[Values, int]:
        found = {}
        for candidate in self.candidates():
            expected = self.alpha * len(self.rows)
            for values in candidate:
                expected *= Fraction(len(values), len(self.domains[next(iter(values))[0]]))
            if self.support(candidate) >= expected:
                found[frozenset().union(*candidate)] = self.support(candidate)
        return found

    def is_maximal(self, cluster: Values) -> bool:
        """Whether no further value of an attribute of the cluster is strongly connected with all the others."""
        for attribute in {a for a, _ in cluster}:
            others = [value for value in cluster if value[0] != attribute]
            if not self.common(others, attribute) <= cluster:
                return False
        return True


def maximal(sets: set[frozenset[T]]) -> set[frozenset[T]]:
    return {s for s in sets if not any(s < other for other in sets)}
