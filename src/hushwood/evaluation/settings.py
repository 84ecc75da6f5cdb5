"""Parameters of measures given as text: "reidentification_entropy.threshold_bits=6"; `levels` hands them on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hushwood import declared_settings
from hushwood.declared_settings import Settings
from hushwood.measures.registry import MEASURES


def settings_from_texts(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The settings of every measure named.

    >>> settings_from_texts(["l_diversity.c=2", "generalisation_loss.weights=age:2,town:0.5"])
    {'l_diversity': {'c': 2.0}, 'generalisation_loss': {'weights': {'age': 2.0, 'town': 0.5}}}
    """
    return declared_settings.settings_from_texts(texts, MEASURES, "measure", "l_diversity.c=2")


def check_settings(settings: Settings) -> None:
    """Refuse parameters that a measure does not have."""
    declared_settings.check_settings(settings, MEASURES, "measure")
