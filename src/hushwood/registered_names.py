"""The names of all measures, attacks and techniques, as the Python functions take them."""

from __future__ import annotations

from hushwood.releasing.recipes import RECIPES


def measures() -> tuple[str, ...]:
    """The names of all measures, as `only=` takes them."""
    from hushwood.measures.registry import MEASURES

    return tuple(MEASURES)


def attacks() -> tuple[str, ...]:
    """The names of all attacks, as `only=` takes them."""
    from hushwood.attacks.registry import ATTACKS

    return tuple(ATTACKS)


def techniques() -> tuple[str, ...]:
    """The names that `technique=` takes."""
    return tuple(RECIPES)
