"""What a tree has in common with the tree of the original records: attributes, size, errors and rules.

These are the columns of the thesis' tables 9.1 and 9.2, and what its chapter 4 counts. Releases come from
`noisy_classes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hushwood.measures.grown import Grown
from hushwood.measures.utility.learners import Predict, TreeLearner
from hushwood.measures.utility.rule_matching import attributes_tested, match_rules
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.routing import leaf_of_each


@dataclass(frozen=True, slots=True)
class NoisyTree:
    """One tree beside the original one.

    `attributes` are tested in it. `kept` says of every rule of the original tree, in the order of its leaves, whether
    the same or a similar one is here. `new_share` of the released records are under rules that the original does not
    have. `leading_kept` is about the original's rule of most records. `depth` is the most tests above a leaf.
    """

    root: str
    root_cut: float
    attributes: tuple[str, ...]
    leaves: int
    depth: int
    errors: int
    kept: tuple[bool, ...]
    leading_kept: bool
    new_share: float

    def as_json(self) -> Mapping[str, Any]:
        """Plain values, for an outcome."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def noisy_tree(original: Grown, released: Grown) -> NoisyTree:
    """Set a tree beside the original's; the original's own tree may stand on both sides."""
    forest, tree = released.tree, released.tree.trees[0]
    kept = rules_kept(original.tree, forest)
    own = _records_by_leaf(original)[original.tree.trees[0].leaves]
    return NoisyTree(
        root=_name(forest, int(tree.attribute[0])),
        root_cut=round(float(np.nan_to_num(tree.threshold[0])), 4),
        attributes=tuple(sorted(attributes_tested(forest))),
        leaves=len(tree.leaves),
        depth=_depth(tree),
        errors=errors(TreeLearner().fit(released), released.table),
        kept=kept,
        leading_kept=kept[int(own.argmax())],
        new_share=_new_share(original.tree, forest, _records_by_leaf(released)),
    )


def rules_kept(original: Forest, released: Forest) -> tuple[bool, ...]:
    """Whether the released tree has each of the original's rules, but for the constants or a further split of it.

    The thesis' types of rules (A and B), asked the other way round: of the original's rules beside the released tree.
    """
    return tuple(found.type in ("A", "B") for found in match_rules(released, original))


def errors(predict: Predict, records: Table) -> int:
    """How many records get another class than they have."""
    return int((predict(records) != class_labels(records)[0]).sum())


def shared(original: Sequence[str], tree: Sequence[str]) -> tuple[int, int, int]:
    """Attributes in both trees, only in this one, only in the original: columns C, D and E of table 9.1.

    >>> shared(["LSTAT", "NOX", "RM"], ["LSTAT", "RM", "TAX"])
    (2, 1, 1)
    """
    before, after = set(original), set(tree)
    return len(before & after), len(after - before), len(before - after)


def _new_share(original: Forest, released: Forest, records: Any) -> float:
    """The share of the released records whose rule is of Type C or D."""
    new = sum(int(records[m.leaf]) for m in match_rules(original, released) if m.type in ("C", "D"))
    return round(new / int(records.sum()), 6)


def _depth(tree: Tree) -> int:
    depth = [0] * len(tree)
    for node, child in tree.edges():
        depth[child] = depth[node] + 1
    return max(depth)


def _records_by_leaf(grown: Grown) -> Any:
    forest = grown.tree
    tree = forest.trees[0]
    return np.bincount(leaf_of_each(tree, forest, grown.table.columns), minlength=len(tree))


def _name(forest: Forest, attribute: int) -> str:
    return forest.attributes[attribute].name if attribute >= 0 else ""
