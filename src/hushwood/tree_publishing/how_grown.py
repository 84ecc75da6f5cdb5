"""How published trees were grown, read from a model file and refused where it cannot be true.

`options` writes it, `rebuild` grows the trees again by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from hushwood.errors import InputError
from hushwood.tree_publishing.options import CRITERIA, Thresholds
from hushwood.trees.forest import Forest


def how_grown(forest: Forest) -> Mapping[str, Any]:
    """How the trees were grown, refused if the model file does not say it."""
    grown = forest.grown
    needed = ("criteria", "columns", "min_leaf", "max_leaves", "max_depth", "thresholds")
    lacking = [key for key in needed if key not in grown]
    if grown.get("variant") != "tpp" or lacking:
        raise InputError(
            "The tree file does not say how its trees can be rebuilt (grown: variant tpp"
            f"{', ' + ', '.join(lacking) if lacking else ''}); give a tree.json that publish-tree wrote."
        )
    if not (_plans_fit(grown, forest) and _limits_fit(grown) and _labels_fit(grown)):
        raise InputError(
            "The tree file is damaged: how its trees were grown does not fit them; fetch it again."
        )
    return grown


def _plans_fit(grown: Mapping[str, Any], forest: Forest) -> bool:
    """Whether there are a known criterion and known columns for every tree."""
    criteria, columns = grown["criteria"], grown["columns"]
    if not isinstance(criteria, list) or not isinstance(columns, list):
        return False
    if not len(criteria) == len(columns) == len(forest.trees):
        return False
    able = [name for name in CRITERIA if (name == "variance") != bool(forest.classes)]
    names = [a.name for a in forest.attributes]
    return all(criterion in able for criterion in criteria) and all(
        isinstance(own, list) and all(name in names for name in own) for own in columns
    )


def _limits_fit(grown: Mapping[str, Any]) -> bool:
    """Whether the limits are numbers that a tree can have."""
    most = [(grown["max_leaves"], 1), (grown["max_depth"], 0)]
    limits = [(grown["min_leaf"], 1), *((limit, least) for limit, least in most if limit is not None)]
    whole = all(type(limit) is int and limit >= least for limit, least in limits)
    return whole and grown["thresholds"] in get_args(Thresholds)


def _labels_fit(grown: Mapping[str, Any]) -> bool:
    """Whether labels, where there are any, are told as lists of values for each column."""
    labels = grown.get("labels", {})
    return isinstance(labels, dict) and all(
        isinstance(own, dict) and all(isinstance(members, list) for members in own.values())
        for own in labels.values()
    )
