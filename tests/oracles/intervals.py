"""Wilson's interval from its definition: all rates from which the observed one is at most z deviations away."""

from __future__ import annotations

from math import sqrt


def wilson_by_search(successes: int, attempts: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """Both ends, found by halving."""
    observed = successes / attempts

    def inside(rate: float) -> bool:
        return abs(observed - rate) <= z * sqrt(rate * (1 - rate) / attempts)

    ends = []
    for outer in (0.0, 1.0):
        inner = observed
        for _ in range(200):
            middle = (outer + inner) / 2
            outer, inner = (outer, middle) if inside(middle) else (middle, inner)
        ends.append(inner)
    return ends[0], ends[1]
