"""A tree as lines of text, one for every branch and leaf, for a terminal or a notebook."""

from __future__ import annotations

from hushwood.errors import visible
from hushwood.trees.drawing.drawing import count_text
from hushwood.trees.forest import LEAF, Forest, Tree, branch_conditions, describe_condition, label_of

_STEP = "|   "


def tree_as_text(tree: Tree, forest: Forest) -> str:
    """The tests from the root down, each leaf with its class and its training records per class.

    Records are in the order of the forest's classes, and in fractions where values were missing.
    """
    lines: list[str] = []
    waiting: list[tuple[int, int, str]] = [(0, 0, "")]
    while waiting:
        node, depth, condition = waiting.pop()
        leaf = tree.attribute[node] == LEAF
        counts = ", ".join(count_text(count) for count in tree.counts[node].tolist())
        ending = f": {label_of(tree, node, forest)} ({counts})" if leaf else ""
        if condition or leaf:
            lines.append(visible(f"{_STEP * max(depth - 1, 0)}{condition or 'every record'}{ending}"))
        if not leaf:
            attribute = forest.attributes[tree.attribute[node]]
            below = branch_conditions(tree, node, attribute)
            waiting += [(child, depth + 1, describe_condition(asked)) for child, asked in reversed(below)]
    return "\n".join(lines) + "\n"
