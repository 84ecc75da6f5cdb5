"""Parameters of the clusterings of records, checked once; what they mean is said where they are fields."""

from __future__ import annotations

from hushwood.errors import InputError

MOST_TUPLES = 2000  # every pair of them is compared; on Adult they are three quarters of all records


def check_share(what: str, value: float) -> None:
    """Refuse what does not lie between 0 and 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{what} must lie between 0 and 1; {value:g} was given.")


def check_count(what: str, value: float, least: int = 1) -> None:
    """Refuse what is no whole number or too small."""
    if not (value >= least and value % 1 == 0):
        raise InputError(f"{what} must be a whole number, {least} or more; {value:g} was given.")
