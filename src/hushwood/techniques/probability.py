"""Probabilities that a user gives, checked once."""

from __future__ import annotations

from hushwood.errors import InputError


def checked_probability(name: str, value: float) -> float:
    """The value itself, if it lies between 0 and 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{name} must lie between 0 and 1; {value:g} was given.")
    return value
