"""The loops behind keyed permutations and keyed noise, from uniform random words.

Rows are sorted by group and, inside a group, by their words. Words are uniform, so a word says about where its row
belongs in its group. Rows are put there first and then moved by the few places that are missing, which takes a tenth of
the time of a sort that knows nothing about the words.

Normal deviates come from words by the inverse of the normal distribution function: Wichura's algorithm AS 241 (PPND16,
relative error about 1e-16), fused with the step from a 64-bit word to a number in (0, 1), because this is what keyed
noise spends its time on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Words
from hushwood.kernels.compiling import compiled, compiled_with

_FEW = 24  # rows of a group that are sorted without being put in place first
LARGEST_BELOW_ONE = 1.0 - 2.0**-53


@compiled
def keyed_orders(words, groups, start, by_group, by_word):
    """Fill `by_group` with the rows sorted by group, and `by_word` with the same sorted inside groups; ties by row.

    Group g takes the places from start[g] to start[g + 1].
    """
    cursor = start.copy()
    for row in range(len(groups)):
        group = groups[row]
        by_group[cursor[group]] = row
        cursor[group] += 1
    place = np.zeros(1, np.int64)
    for group in range(len(start) - 1):
        first, last = start[group], start[group + 1]
        size = last - first
        if size > _FEW:
            if size + 1 > len(place):
                place = np.zeros(2 * size + 1, np.int64)
            place[: size + 1] = 0
            for at in range(first, last):
                place[_expected(words[by_group[at]], size) + 1] += 1
            for bucket in range(size):
                place[bucket + 1] += place[bucket]
            for at in range(first, last):
                row = by_group[at]
                bucket = _expected(words[row], size)
                by_word[first + place[bucket]] = row
                place[bucket] += 1
        else:
            by_word[first:last] = by_group[first:last]
        for at in range(first + 1, last):
            row = by_word[at]
            word = words[row]
            back = at
            while back > first and words[by_word[back - 1]] > word:
                by_word[back] = by_word[back - 1]
                back -= 1
            by_word[back] = row


@compiled
def _expected(word, size):
    """About where a word lies among that many: its first half, times their number."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@compiled_with(inline="always")
def _tail(p: float) -> float:
    r = math.sqrt(-math.log(p))
    if r <= 5.0:
        r -= 1.6
        top = ((((((7.7454501427834140764e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r
            + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.76949722146069140550) * r
            + 4.63033784615654529590) * r + 1.42343711074968357734  # fmt: skip
        bottom = ((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r
            + 1.51986665636164571966e-2) * r + 1.48103976427480074590e-1) * r + 6.89767334985100004550e-1) * r
            + 1.67638483018380384940) * r + 2.05319162663775882187) * r + 1.0  # fmt: skip
    else:
        r -= 5.0
        top = ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r
            + 2.65321895265761230930e-2) * r + 2.96560571828504891230e-1) * r + 1.78482653991729133580) * r
            + 5.46378491116411436990) * r + 6.65790464350110377720  # fmt: skip
        bottom = ((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r
            + 1.84631831751005468180e-5) * r + 7.86869131145613259100e-4) * r + 1.48753612908506148525e-2) * r
            + 1.36929880922735805310e-1) * r + 5.99832206555887937690e-1) * r + 1.0  # fmt: skip
    return top / bottom


@compiled_with(inline="always")
def quantile(u: float) -> float:
    """The number below which a standard normal one lies with probability u."""
    q = u - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = ((((((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r + 6.7265770927008700853e4) * r
            + 4.5921953931549871457e4) * r + 1.3731693765509461125e4) * r + 1.9715909503065514427e3) * r
            + 1.3314166789178437745e2) * r + 3.3871328727963666080  # fmt: skip
        bottom = ((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r
            + 2.1213794301586595867e4) * r + 5.3941960214247511077e3) * r + 6.8718700749205790830e2) * r
            + 4.2313330701600911252e1) * r + 1.0  # fmt: skip
        return q * top / bottom
    if q < 0.0:
        return -_tail(u)
    return _tail(1.0 - u)


@compiled
def normals_from_words(words: Words, out: Floats) -> Any:
    """Fill `out` with the standard normal deviate of every word."""
    for i in range(len(words)):
        u = (np.float64(np.int64(words[i] >> np.uint64(11))) + 0.5) * 1.1102230246251565e-16
        out[i] = quantile(min(u, LARGEST_BELOW_ONE))
