"""Forests small enough to read, for tests of rules, drawings and reports."""

from __future__ import annotations

from typing import Any

from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json

_ATTRIBUTES: list[dict[str, Any]] = [
    {"name": "age", "kind": "numeric", "integer": True, "precision": 0, "low": 17, "high": 90},
    {"name": "sex", "kind": "categorical", "values": ["Female", "Male", "Other"]},
]


def income_forest() -> Forest:
    """Two trees: one tests age twice, the other tests sex twice."""
    return forest_from_json(_model([_age_tree(), _sex_tree()]))


def stump(classes: bool = True) -> Forest:
    """A tree that is one leaf; without classes it is a regression tree."""
    leaf = {"id": 0, "counts": [3, 1]} if classes else {"id": 0, "value": 2.5}
    return forest_from_json(_model([[leaf]]) | ({} if classes else {"classes": []}))


def _age_tree() -> list[dict[str, Any]]:
    return [
        _numeric(0, 27, 1, 6, [11, 13]),
        {
            "id": 1,
            "test": {"attribute": "sex"},
            "children": {"Female": 2, "Male": 3, "Other": 3},
            "missing_to": 3,
            "counts": [10, 9],
        },
        {"id": 2, "counts": [5, 0]},
        _numeric(3, 20, 4, 5, [5, 9]),
        {"id": 4, "counts": [4, 0]},
        {"id": 5, "counts": [1, 9]},
        {"id": 6, "counts": [1, 4]},
    ]


def _sex_tree() -> list[dict[str, Any]]:
    first = {"Female": 1, "Male": 2, "Other": 2}
    second = {"Female": 4, "Male": 3, "Other": 4}
    return [
        {"id": 0, "test": {"attribute": "sex"}, "children": first, "missing_to": 2, "counts": [11, 13]},
        {"id": 1, "counts": [9, 1]},
        {"id": 2, "test": {"attribute": "sex"}, "children": second, "missing_to": 3, "counts": [2, 12]},
        {"id": 3, "counts": [2, 12]},
        {"id": 4, "counts": [0, 0], "label": "low"},
    ]


def _numeric(node: int, threshold: float, below: int, above: int, counts: list[int]) -> dict[str, Any]:
    return {
        "id": node,
        "test": {"attribute": "age", "threshold": threshold},
        "children": {"le": below, "gt": above},
        "missing_to": above,
        "counts": counts,
    }


def _model(trees: list[list[dict[str, Any]]]) -> dict[str, Any]:
    return {
        "format": "hushwood-forest",
        "version": 1,
        "class": "income",
        "classes": ["low", "high"],
        "attributes": _ATTRIBUTES,
        "trees": [{"nodes": nodes} for nodes in trees],
    }
