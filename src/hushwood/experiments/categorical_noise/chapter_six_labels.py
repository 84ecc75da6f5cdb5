"""How alike a noisy tree and the original are, in the words of the thesis' chapter 6: rule types A to C, and labels.

Type A is the same rule, Type B the same but for numeric constants, Type C a very different one. The chapter also speaks
of rules that are cut short, and counts them as none of the three; a tree of one leaf says no rule at all, which is C
here. Chapter 7 has types of its own, which `measures.utility.rule_types` gives (errata D2, D3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.rule_matching import inner_shapes, match_rules, shape_of
from hushwood.trees.forest import Forest
from hushwood.trees.routing import leaf_of_each

TYPES = ("A", "B", "cut short", "C")
UNCLASSIFIED = "unclassified"
LABELS = ("Exactly Same", "Very Similar", "Similar", "Dissimilar", UNCLASSIFIED)


def type_shares(original: Forest, noisy: Forest, records: Mapping[str, NDArray[Any]]) -> dict[str, float]:
    """The share of the noisy records under rules of each type of the noisy tree."""
    tree = noisy.trees[0]
    weight = np.bincount(leaf_of_each(tree, noisy, records), minlength=len(tree))
    inner = inner_shapes(original)
    found = dict.fromkeys(TYPES, 0.0)
    for matched in match_rules(original, noisy):
        kind: str = matched.type if matched.type in ("A", "B") else "C"
        if kind == "C" and matched.rule.conditions and shape_of(matched.rule) in inner:
            kind = "cut short"
        found[kind] += float(weight[matched.leaf])
    total = float(weight.sum())
    return {kind: count / total for kind, count in found.items()}


def label(same: float, different: float) -> str:
    """The label of a tree, from its shares of Type A and Type C (page 110); it leaves gaps.

    >>> label(1, 0), label(0.62, 0), label(0.3, 0.04), label(0.05, 0.2), label(0, 0)
    ('Exactly Same', 'Very Similar', 'Similar', 'Dissimilar', 'unclassified')
    """
    if same >= 1:
        return "Exactly Same"
    if same >= 0.6 and different < 0.05:
        return "Very Similar"
    if same > 0.15 and different < 0.05:
        return "Similar"
    return "Dissimilar" if different > 0.1 and same < 0.1 else UNCLASSIFIED


def label_counts(trees: Sequence[Mapping[str, float]], cut_short_is_c: bool = False) -> list[int]:
    """How many trees have each label, in the order of LABELS."""
    extra = [tree["cut short"] if cut_short_is_c else 0.0 for tree in trees]
    given = [label(tree["A"], tree["C"] + more) for tree, more in zip(trees, extra, strict=True)]
    return [given.count(name) for name in LABELS]
