"""Parameters of measures and attacks given as text: "reidentification_entropy.threshold_bits=6"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood import parameters as declared_settings
from hushwood.attacks.registry import ATTACKS
from hushwood.errors import InputError, unknown_name
from hushwood.measures.registry import MEASURES
from hushwood.parameters import Settings

_DECLARED: Mapping[str, Any] = {**MEASURES, **ATTACKS}


def settings_from_texts(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The settings of every measure and attack named.

    >>> settings_from_texts(["generalisation_loss.weights=age:2,town:0.5", "membership.members=0.8"])
    {'generalisation_loss': {'weights': {'age': 2.0, 'town': 0.5}}, 'membership': {'members': 0.8}}
    """
    found = declared_settings.settings_from_texts(texts, _DECLARED, "measure", "l_diversity.c=2")
    _check_attacks(found)
    return found


def check_settings(settings: Settings) -> None:
    """Refuse parameters that a measure or attack does not have, and values that it does not allow."""
    declared_settings.check_settings(settings, _DECLARED, "measure or attack")
    _check_attacks(settings)
    for name, given in settings.items():
        _DECLARED[name](**given)


def _check_attacks(settings: Settings) -> None:
    """Refuse parameters that tell the variants of an attack apart: all variants are tried in any case."""
    for name in settings.keys() & ATTACKS.keys():
        allowed = ATTACKS[name]().settings
        if not allowed:
            raise InputError(f"The attack {name!r} has no parameters to set.")
        for parameter in settings[name]:
            if parameter not in allowed:
                raise unknown_name(f"parameter of {name}", parameter, allowed)
