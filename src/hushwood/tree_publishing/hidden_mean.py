"""The one number that stands for a whole column which no tree tests: near its mean, but not the mean itself.

Two exact means, of a table with and without a person, give that person's value: n·m - (n - 1)·m'. So the number is
drawn around the mean from a Laplace law that is cut off at the ends of the column's domain.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.intervals import storable

# Another value of one record makes no released number more than e times as likely or unlikely, if the domain is fixed.
EPSILON = 1.0
# Columns without decimals keep this many digits beyond the first digit of the noise: low-order bits would reveal more.
_FINER = 2


def hidden_mean(known: NDArray[np.float64], attribute: Attribute, streams: Streams) -> float:
    """A number around the mean of the known values; NaN if there are none.

    One record moves the mean by at most width / n. A Laplace law of scale b on a fixed interval changes by at most
    e^(2·shift / b): once for the distance, once for what is cut off. So b = 2·width / (EPSILON·n).
    """
    if not len(known):
        return math.nan
    low = float(known.min()) if attribute.low is None else attribute.low
    high = float(known.max()) if attribute.high is None else attribute.high
    # Halves, and shares of the width, because sums and differences of very large numbers overflow.
    half = high / 2 - low / 2
    if not half > 0:
        return low
    share = float(np.clip(np.mean((known / 2 - low / 2) / half), 0.0, 1.0))
    scale = 2.0 / (EPSILON * len(known))
    word = float(streams.uniform("hidden mean", attribute.name, 0, range(1))[0])
    place = _cut_laplace(word, share, scale)
    drawn = low * (1 - place) + high * place
    if attribute.precision is None:
        drawn = _rounded(drawn, math.log10(half) + math.log10(2 * scale))
    return float(storable(np.array([min(max(drawn, low), high)]), attribute)[0])


def _cut_laplace(uniform: float, middle: float, scale: float) -> float:
    """The quantile of a Laplace law around the middle that is cut off at 0 and 1."""
    below, above = -math.expm1(-middle / scale), -math.expm1(-(1 - middle) / scale)
    at = uniform * (below + above)
    if at < below:
        return max(middle + scale * math.log1p(at - below), 0.0)
    return min(middle - scale * math.log1p(below - at), 1.0)


def _rounded(value: float, power: float) -> float:
    """The value with few digits beyond noise of the size 10^power; as it is where rounding up would overflow."""
    try:
        return round(value, _FINER - math.floor(power))
    except OverflowError:
        return value
