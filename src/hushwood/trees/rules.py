"""The rules that a tree's leaves stand for, as data and as sentences.

The tree itself is in `forest`; how it is drawn is in `drawing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hushwood.tables.columns.value_texts import limit_text, number_text
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import LEAF, Forest, Tree

# More values than this are cut short in a sentence.
VALUES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Condition:
    """What a rule asks of one attribute: low < x <= high for numbers, one of `values` for categories.

    `storage` is the attribute's: the limits of dates and times are shown as such.
    """

    attribute: str
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] | None = None
    storage: str = "Float64"


@dataclass(frozen=True, slots=True)
class Rule:
    """A leaf as a rule: all its conditions, the class it predicts and the training weight per class."""

    conditions: tuple[Condition, ...]
    label: str
    counts: tuple[float, ...]


def rules_of(tree: Tree, forest: Forest) -> tuple[Rule, ...]:
    """One rule per leaf, in preorder; conditions on the same attribute are combined."""
    paths: dict[int, dict[str, Condition]] = {0: {}}
    rules: list[Rule] = []
    for node in range(len(tree)):
        path = paths.pop(node)
        if tree.attribute[node] == LEAF:
            counts = tuple(float(c) for c in tree.counts[node])
            rules.append(Rule(tuple(path.values()), label_of(tree, node, forest), counts))
            continue
        attribute = forest.attributes[tree.attribute[node]]
        for child, condition in branch_conditions(tree, node, attribute):
            old = path.get(attribute.name)
            paths[child] = {**path, attribute.name: condition if old is None else _both(old, condition)}
    return tuple(rules)


def label_of(tree: Tree, node: int, forest: Forest) -> str:
    """The class a node predicts, or the mean in a regression tree."""
    return forest.classes[tree.label[node]] if forest.classes else number_text(float(tree.counts[node, 0]))


def categories_by_child(tree: Tree, node: int, attribute: Attribute) -> dict[int, list[str]]:
    """The categories that lead to each child of a categorical test, children in branch order."""
    groups: dict[int, list[str]] = {}
    for category, child in zip(attribute.categories, tree.branches_of(node).tolist(), strict=True):
        groups.setdefault(child, []).append(category)
    return groups


def values_left(tree: Tree, forest: Forest) -> list[Mapping[int, frozenset[str]]]:
    """For every node, the categories of each attribute tested above it that still lead there."""
    left: list[Mapping[int, frozenset[str]]] = [{} for _ in range(len(tree))]
    for node, tested in enumerate(tree.attribute.tolist()):
        if tested == LEAF:
            continue
        attribute, here = forest.attributes[tested], left[node]
        if attribute.kind == "numeric":
            left_of_children = dict.fromkeys(tree.branches_of(node).tolist(), here)
        else:
            left_of_children = {
                child: {**here, tested: frozenset(values) & here.get(tested, frozenset(values))}
                for child, values in categories_by_child(tree, node, attribute).items()
            }
        for child, values in left_of_children.items():
            left[child] = values
    return left


def describe(rule: Rule) -> str:
    """The rule as one line.

    >>> describe(Rule((Condition("age", 17, 27), Condition("sex", values=("Female",))), "<=50K", (9.0,)))
    '17 < age ≤ 27 and sex = Female → <=50K'
    """
    return f"{describe_conditions(rule.conditions)} → {rule.label}"


def describe_conditions(conditions: Sequence[Condition]) -> str:
    """What a record must fulfil, or "every record"."""
    return " and ".join(map(describe_condition, conditions)) or "every record"


def describe_condition(condition: Condition) -> str:
    """One condition as text; long lists of values are cut short."""
    if condition.values is not None:
        if len(condition.values) == 1:
            return f"{condition.attribute} = {condition.values[0]}"
        return f"{condition.attribute} in {{{short_list(condition.values)}}}"
    low, high = (
        None if limit is None else limit_text(limit, condition.storage)
        for limit in (condition.low, condition.high)
    )
    if high is None:
        return condition.attribute if low is None else f"{condition.attribute} > {low}"
    return f"{condition.attribute} ≤ {high}" if low is None else f"{low} < {condition.attribute} ≤ {high}"


def short_list(values: Sequence[str], shown: int = VALUES_SHOWN) -> str:
    """The values with commas; the end of a long list is only counted.

    >>> short_list(["a", "b", "c", "d"], shown=3)
    'a, b and 2 more'
    """
    if len(values) <= shown:
        return ", ".join(values)
    return f"{', '.join(values[: shown - 1])} and {len(values) - shown + 1} more"


def branch_conditions(tree: Tree, node: int, attribute: Attribute) -> list[tuple[int, Condition]]:
    """The children of a node, each with what leads there."""
    if attribute.kind == "numeric":
        below, above = tree.branches_of(node).tolist()
        threshold, storage = float(tree.threshold[node]), attribute.storage
        return [
            (below, Condition(attribute.name, high=threshold, storage=storage)),
            (above, Condition(attribute.name, low=threshold, storage=storage)),
        ]
    groups = categories_by_child(tree, node, attribute)
    return [(child, Condition(attribute.name, values=tuple(values))) for child, values in groups.items()]


def _both(old: Condition, new: Condition) -> Condition:
    if old.values is not None and new.values is not None:
        allowed = set(new.values)
        return Condition(old.attribute, values=tuple(v for v in old.values if v in allowed))
    lows = [low for low in (old.low, new.low) if low is not None]
    highs = [high for high in (old.high, new.high) if high is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return Condition(old.attribute, low, high, storage=old.storage)
