"""Forests written down as nested tuples, and the context of a measure that is to compare them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hushwood.measures.models.grown import Grown
from hushwood.measures.protocol import Context
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from support.table_pairs import context_for

# A leaf is its class, in brackets if no training record reached it. A numeric test is (attribute, threshold, below,
# above), a categorical one (attribute, {"value" or "value,value": child}).
Nested = str | tuple[str, float, Any, Any] | tuple[str, Mapping[str, Any]]


def forest_of(trees: Sequence[Nested], attributes: Sequence[Attribute], classes: Sequence[str]) -> Forest:
    return replace(
        forest_from_json(
            {
                "format": "hushwood-forest",
                "version": 1,
                "class": "class",
                "classes": list(classes),
                "attributes": [_described(a) for a in attributes],
                "trees": [{"nodes": _nodes(tree, classes)} for tree in trees],
            }
        ),
        attributes=tuple(attributes),
    )


def context_with(original: Table, released: Table, before: Forest, after: Forest, **more: Any) -> Context:
    """A context whose trees and forests are the given ones; nothing is grown."""
    context = context_for(original, released, **more)
    return replace(
        context,
        original_grown=given(context.original_grown, before),
        released_grown=given(context.released_grown, after),
    )


def given(grown: Grown, forest: Forest) -> Grown:
    copy = replace(grown)
    copy.__dict__.update(forest=forest, tree=replace(forest, trees=forest.trees[:1]))
    return copy


def _described(attribute: Attribute) -> dict[str, Any]:
    if attribute.kind == "numeric":
        return {"name": attribute.name, "kind": "numeric"}
    return {"name": attribute.name, "kind": "categorical", "values": list(attribute.categories)}


def _nodes(tree: Nested, classes: Sequence[str]) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []

    def add(part: Nested) -> int:
        node: dict[str, Any] = {"id": len(nodes), "counts": [1] * len(classes)}
        nodes.append(node)
        if isinstance(part, str):
            label = part.strip("()")
            node |= {"label": label, "counts": [int(c == part) for c in classes]}
        elif len(part) == 4:
            node["test"] = {"attribute": part[0], "threshold": part[1]}
            node["children"] = {"le": add(part[2]), "gt": add(part[3])}
        else:
            node["test"] = {"attribute": part[0]}
            branches = [(values, add(child)) for values, child in part[1].items()]
            node["children"] = {v: child for values, child in branches for v in values.split(",")}
        return int(node["id"])

    add(tree)
    return nodes
