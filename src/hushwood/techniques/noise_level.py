"""How large noise is beside the spread of the numbers it is added to: checked once, and how reports say it."""

from __future__ import annotations

import math

from hushwood.errors import InputError
from hushwood.techniques.protocol import Within


def checked_noise(noise: float, what: str, most: float = math.inf) -> float:
    """The level itself, if it is above 0 and not above the most that makes sense."""
    if not (0 < noise <= most and math.isfinite(noise)):
        upto = "" if math.isinf(most) else f" and at most {most:g}"
        raise InputError(f"Noise is {what}, above 0{upto}; {noise:g} was given.")
    return noise


def said_where(within: Within) -> str:
    """Whose spread the noise is measured by."""
    return "its segment" if within == "segment" else "the whole table"


def said_bounds(bounded: bool) -> str:
    """The end of a sentence: whether numbers stay where they may be."""
    return "inside the allowed range" if bounded else "also beyond the column's range"
