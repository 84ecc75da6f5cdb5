"""How likely two ranks change places in a rank swap, compiled by numba; the law in `rank_swapping` asks here.

The free ranks in the window are a Markov chain. Up to EXACT_WINDOW ranks its states are gone through one by one, and
the chances are exact. A wider window is taken as if every free rank in it were taken independently: rank t, free when
it enters the window, is still free at rank i with probability exp(log_free[i] - log_free[t - window]).
"""

from __future__ import annotations

from math import cosh, exp, inf, log

import numpy as np

from hushwood.kernels.compiling import compiled

EXACT_WINDOW = 8
# With an odd number of ranks one is left over, near the end: if m free ranks are expected ahead, none is there with
# probability 1 / cosh(1.3 m). The form is that of a Poisson number known to be even, the factor is fitted.
_LEFT_OVER = 1.3
_MOST_TAKEN = 1 - 1e-12  # a rank is never quite certain to be taken, or the logarithm would be infinite


@compiled
def value_chances(size, window, from_first, from_end, to_first, to_end):
    """The probability that any rank of [from_first, from_end) gets the value of a rank of [to_first, to_end).

    Questions come sorted by the size of their segment, so that every size is worked out once.
    """
    out = np.empty(len(size))
    exact, log_free, log_weight, stays = _nothing()
    for q in range(len(size)):
        n, w = size[q], window[q]
        if q == 0 or n != size[q - 1]:
            if w <= EXACT_WINDOW:
                exact, stays = _exact(n, w)
            else:
                log_free, log_weight, stays = _independent(n, w)
        a, b, c, d = from_first[q], from_end[q], to_first[q], to_end[q]
        total = stays[max(a, c) : min(b, d)].sum()
        if w <= EXACT_WINDOW:
            total += _exact_taken(exact, w, a, b, c, d) + _exact_taken(exact, w, c, d, a, b)
        else:
            total += _taken(log_free, log_weight, w, a, b, c, d) + _taken(log_free, log_weight, w, c, d, a, b)
        out[q] = total / (b - a)
    return out


@compiled
def _nothing():
    return np.zeros((1, 1)), np.zeros(1), np.zeros(1), np.zeros(1)


@compiled
def _exact(size, window):
    """Chances that rank i takes one of the ranks i + 1 to i + d, [i, d], and that it stays: all states in turn."""
    upto, stays = np.zeros((size, window + 1)), np.zeros(size)
    states = 1 << (window + 1)  # bit d: rank i + d is free
    chance, after = np.zeros(states), np.zeros(states)
    chance[(1 << min(window + 1, size)) - 1] = 1.0
    for i in range(size):
        enters = 1 << window if i + 1 + window < size else 0
        after[:] = 0.0
        for state in range(states):
            if chance[state] == 0:
                continue
            free = 0
            for d in range(1, window + 1):
                free += (state >> d) & 1
            if not state & 1 or free == 0:
                after[state >> 1 | enters] += chance[state]
                stays[i] += chance[state] * (state & 1)
                continue
            each = chance[state] / free
            for d in range(1, window + 1):
                if (state >> d) & 1:
                    upto[i, d] += each
                    after[(state ^ (1 << d)) >> 1 | enters] += each
        chance, after = after, chance
        for d in range(1, window + 1):
            upto[i, d] += upto[i, d - 1]
    return upto, stays


@compiled
def _exact_taken(upto, window, a, b, c, d):
    """Expected number of ranks of [a, b) that take one of [c, d)."""
    total = 0.0
    for i in range(max(a, c - window), min(b, d - 1)):
        total += upto[i, min(d - 1 - i, window)] - upto[i, max(c - 1 - i, 0)]
    return total


@compiled
def _independent(size, window):
    """Logarithms of free[i] and of the sums of 1 / free[t - window] over t < i, and the chances to stay."""
    log_free, log_weight, stays = np.zeros(size + 1), np.full(size + 1, -inf), np.zeros(size)
    ahead = min(window, size) - 1.0  # free ranks expected in the window
    for i in range(size):
        entered = max(i - window, 0)
        log_weight[i + 1] = _log_sum(log_weight[i], -log_free[entered])
        free = exp(log_free[i] - log_free[entered])
        takes = free
        if i + window < size:
            ahead += 1.0
        elif size % 2 == 1:
            takes *= 1 - 1 / cosh(min(_LEFT_OVER * ahead, 700.0))
        share = min(takes / ahead, _MOST_TAKEN) if ahead > 0 and i + 1 < size else 0.0
        stays[i] = max(free - share * ahead, 0.0)
        log_free[i + 1] = log_free[i] + log(1 - share)
        if i + 1 < size:
            ahead = max(ahead * (1 - share) - exp(log_free[i + 1] - log_free[max(i + 1 - window, 0)]), 0.0)
    return log_free, log_weight, stays


@compiled
def _log_sum(x, y):
    top = max(x, y)
    return top if top == -inf else top + log(exp(x - top) + exp(y - top))


@compiled
def _taken(log_free, log_weight, window, a, b, c, d):
    """Expected number of ranks of [a, b) that take one of [c, d), each free rank on its own."""
    total = 0.0
    for i in range(max(a, c - window), min(b, d - 1)):
        first, end = max(c, i + 1), min(d, i + window + 1)
        share = 1 - exp(log_free[i + 1] - log_free[i])
        total += share * (exp(log_free[i] + log_weight[end]) - exp(log_free[i] + log_weight[first]))
    return total
