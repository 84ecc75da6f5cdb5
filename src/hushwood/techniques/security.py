"""How much of a number's own deviation a correlated technique may keep, checked once, and how reports say it."""

from __future__ import annotations

from hushwood.errors import InputError
from hushwood.techniques.protocol import Within


def checked_rho(rho: float) -> float:
    """The share itself, if it lies between 0 (drawn anew) and below 1 (untouched)."""
    if not 0 <= rho < 1:
        raise InputError(
            f"rho is the share of a number's own deviation that stays, from 0 to below 1; {rho:g} was given."
        )
    return rho


def said_rho(rho: float) -> str:
    """The end of a sentence; nothing for numbers that are drawn wholly anew."""
    return f"; {rho:.0%} of each value's own deviation stays" if rho else ""


def moments_of(within: Within) -> str:
    """Whose moments are kept."""
    return f"the means and covariances of the {'segment' if within == 'segment' else 'whole table'}"
