"""The trees of a forest.json as arrays, and the leaves that records reach in them before and after.

Reads plain JSON and shares nothing with `trees`, so that a fault there cannot hide itself here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Codes, Flags, Floats, check_indices
from hushwood.releasing.kernels.following import LEAF, follow


class Nodes(NamedTuple):
    """One tree: what each node tests, and where each answer leads, in the order that the loop expects."""

    column_of: NDArray[np.uint32]
    numeric: Flags
    threshold: Floats
    start: NDArray[np.uint64]
    children: NDArray[np.uint32]


class Routes:
    """All trees, and how the columns that they test are compared.

    `attributes` describe columns as a forest.json does. Their values are extended by all texts that a tree knows.
    """

    def __init__(self, forest: Mapping[str, Any], attributes: Mapping[str, Mapping[str, Any]]) -> None:
        trees = [tree["nodes"] for tree in forest["trees"]]
        nodes = [node for tree in trees for node in tree if "test" in node]
        names = dict.fromkeys(node["test"]["attribute"] for node in nodes)
        texts = {name: dict.fromkeys(attributes[name].get("values", ())) for name in names}
        for node in nodes:
            texts[node["test"]["attribute"]].update(dict.fromkeys(node["children"]))
        self.tested = {name: {**attributes[name], "values": tuple(texts[name])} for name in names}
        self.ids = [np.array([node["id"] for node in tree], np.int64) for tree in trees]
        self.trees = [_arrays(tree, self.tested) for tree in trees]

    @property
    def sizes(self) -> list[int]:
        """How many nodes every tree has."""
        return [len(ids) for ids in self.ids]

    def leaves(
        self, before: Mapping[str, Array], after: Mapping[str, Array], rows: int
    ) -> tuple[list[Codes], list[Codes]]:
        """The place among its tree's nodes of the leaf of every record, before and after, in each tree."""
        first, second = self._matrix(before, rows), self._matrix(after, rows)
        left, reached = ([np.empty(rows, np.int32) for _ in self.trees] for _ in range(2))
        for nodes, ours, theirs in zip(self.trees, left, reached, strict=True):
            follow(first, second, *nodes, ours, theirs)
        return left, reached

    def _matrix(self, columns: Mapping[str, Array], rows: int) -> Floats:
        """The tested columns below each other: numbers, and codes from 0, missing, on."""
        matrix = np.empty((len(self.tested), rows))
        for row, (name, attribute) in zip(matrix, self.tested.items(), strict=True):
            values = columns[name]
            if attribute["kind"] == "numeric":
                row[:] = values
            else:
                check_indices(f"Codes of column {name!r}", values, len(attribute["values"]) + 1, least=-1)
                np.add(values, 1, out=row)
        return matrix


def _arrays(nodes: Sequence[Mapping[str, Any]], tested: Mapping[str, Mapping[str, Any]]) -> Nodes:
    """One tree of a forest.json."""
    place = {node["id"]: i for i, node in enumerate(nodes)}
    column = {name: i for i, name in enumerate(tested)}
    column_of, numeric = np.full(len(nodes), LEAF), np.zeros(len(nodes), bool)
    threshold, start = np.zeros(len(nodes)), np.zeros(len(nodes), np.uint64)
    children: list[int] = []
    for i, node in enumerate(nodes):
        if "test" not in node:
            continue
        attribute = tested[node["test"]["attribute"]]
        ways, fallback = node["children"], node["missing_to"]
        column_of[i], start[i] = column[attribute["name"]], len(children)
        if attribute["kind"] == "numeric":
            numeric[i], threshold[i] = True, node["test"]["threshold"]
            answers = [ways["le"], ways["gt"], fallback]
        else:
            answers = [fallback, *(ways.get(text, fallback) for text in attribute["values"]), fallback]
        children += [place[answer] for answer in answers]
    return Nodes(column_of, numeric, threshold, start, np.array(children, np.uint32))
