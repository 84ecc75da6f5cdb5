"""A published tree file (tree.json), read and refused where what it says cannot be true.

`options` writes how the trees were grown, `rebuild` grows them again by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from hushwood.errors import InputError
from hushwood.tables.table import bin_names
from hushwood.tree_publishing.options import CRITERIA, VARIANT, Thresholds
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, read_forest

_NEEDED = ("criteria", "columns", "min_leaf", "max_leaves", "max_depth", "thresholds")


def published_forest(tree: Path | str | Mapping[str, Any] | Forest) -> Forest:
    """A tree file that `publish-tree` wrote; other models are refused."""
    if isinstance(tree, Forest):
        forest, name = tree, "The forest given"
    elif isinstance(tree, Mapping):
        forest, name = forest_from_json(tree, "tree"), "The tree given"
    elif not isinstance(tree, str | Path):
        raise InputError(f"The tree must be a tree.json, its content, or a forest; {tree!r} was given.")
    else:
        path = Path(tree)
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the tree.json in it.")
        forest, name = read_forest(path, "tree"), str(path)
    _check_published(forest, name)
    return forest


def _check_published(forest: Forest, name: str) -> None:
    if forest.grown.get("variant") != VARIANT:
        found = forest.grown.get("variant")
        kind = f"grown by {found!r}" if found else "that does not say how it was grown"
        raise InputError(
            f"{name} is a forest {kind}; only trees of `hushwood publish-tree` can be rebuilt from their table."
        )
    if not forest.trees:
        raise InputError(f"{name} holds no tree; fetch the tree.json again.")
    others = forest.grown.get("other_columns")
    readable = isinstance(others, list) and all(isinstance(other, str) for other in others)
    if not readable or not _bins_fit(forest):
        wrong = "class_bins" if readable else "other_columns"
        raise InputError(
            f"{name} is damaged: {wrong} under 'grown' cannot be read; fetch the tree.json again."
        )


def _bins_fit(forest: Forest) -> bool:
    """Whether the limits of a numeric class that was cut into bins, if there are any, give the classes."""
    bins = forest.grown.get("class_bins", [])
    numbers = isinstance(bins, list) and all(type(limit) in (int, float) for limit in bins)
    return numbers and (not bins or bin_names(tuple(map(float, bins))) == forest.classes)


def how_grown(forest: Forest) -> Mapping[str, Any]:
    """How the trees were grown, refused if the model file does not say it."""
    grown = forest.grown
    lacking = [key for key in _NEEDED if key not in grown]
    if grown.get("variant") != VARIANT or lacking:
        raise InputError(
            f"The tree file does not say how its trees can be rebuilt (grown: variant {VARIANT}"
            f"{', ' + ', '.join(lacking) if lacking else ''}); give a tree.json that publish-tree wrote."
        )
    if not (_plans_fit(grown, forest) and _limits_fit(grown) and _labels_fit(grown)):
        raise InputError(
            "The tree file is damaged: how its trees were grown does not fit them; fetch it again."
        )
    return grown


def _plans_fit(grown: Mapping[str, Any], forest: Forest) -> bool:
    """Whether every tree has a known criterion and known columns."""
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
    """Whether labels, if there are any, are lists of values for each column."""
    labels = grown.get("labels", {})
    return isinstance(labels, dict) and all(
        isinstance(own, dict) and all(isinstance(members, list) for members in own.values())
        for own in labels.values()
    )
