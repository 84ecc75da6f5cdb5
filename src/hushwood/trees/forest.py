"""Trees and forests as plain data: arrays of nodes, and the rules that the leaves stand for, as data and as sentences.

`grow` makes them, `routing` sends records through them, `model_file` writes them, `drawing` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hushwood.arrays import Codes, Floats, Integers, check_indices
from hushwood.errors import InternalFault
from hushwood.tables.columns.value_texts import limit_text, number_text
from hushwood.tables.schema import Attribute

LEAF = -1
# More values than this are cut short in a sentence.
VALUES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree in preorder: node 0 is the root, every child has a larger number than its parent.

    `attribute` is the position of the tested attribute in the forest's attributes, or LEAF. The branches of node i
    are `branches[branch_start[i]:branch_start[i + 1]]`: for a numeric test the children for "<= threshold" and
    "> threshold", for a categorical one the child of every category (categories may share a child).
    `counts` are training weights per class (or one column of means in a regression tree), `label` the class
    predicted, `missing_to` the child that a record without a value follows, LEAF in leaves. `closed` are the leaves
    that a tree publisher must not expand, because the released groups would have been too small or too uniform: a
    better test may exist there, and a rebuilt tree need not have it.
    """

    attribute: Codes
    threshold: Floats
    branch_start: Integers
    branches: Codes
    missing_to: Codes
    counts: Floats
    label: Codes
    closed: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        """Make sure that every path ends in a leaf: compiled loops follow it without checks."""
        nodes, sizes, inner = len(self), np.diff(self.branch_start), self.attribute != LEAF
        parent = np.repeat(np.arange(nodes), sizes)
        if (
            not nodes == len(sizes) == len(self.threshold) == len(self.missing_to) == len(self.counts)
            or len(parent) != len(self.branches)
            or np.any(sizes < np.where(np.isnan(self.threshold), 1, 2), where=inner)
            or np.any(self.branches <= parent)
            or np.any(self.missing_to <= np.arange(nodes), where=inner)
        ):
            raise InternalFault("A tree's nodes do not lead from its root to leaves; please report this.")
        check_indices("Children of nodes", np.append(self.branches, self.missing_to), nodes, least=LEAF)

    def __len__(self) -> int:
        return len(self.attribute)

    @property
    def leaves(self) -> Integers:
        """Numbers of the leaves, ascending."""
        return np.flatnonzero(self.attribute == LEAF)

    def branches_of(self, node: int) -> Codes:
        """Children of a node, one per branch; children may repeat."""
        return self.branches[self.branch_start[node] : self.branch_start[node + 1]]

    def edges(self) -> Iterator[tuple[int, int]]:
        """All (parent, child) pairs, each once, parents ascending."""
        for node in np.flatnonzero(self.attribute != LEAF):
            for child in dict.fromkeys(self.branches_of(int(node)).tolist()):
                yield int(node), child


def same_tests(one: Tree, other: Tree) -> bool:
    """Whether two trees over the same attributes ask the same questions."""
    return (
        np.array_equal(one.attribute, other.attribute)
        and np.array_equal(one.threshold, other.threshold, equal_nan=True)
        and np.array_equal(one.branches, other.branches)
    )


class Predicted(NamedTuple):
    """What a tree predicts: the column, and its classes; a number has none."""

    name: str
    classes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees over the same attributes, and how they were grown.

    All trees predict the same class, which has no `classes` if it is a number; unless `targets` says for every tree
    what it predicts, and `class_name` and `classes` are those of the first.
    """

    class_name: str
    classes: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    trees: tuple[Tree, ...]
    grown: Mapping[str, Any] = field(default_factory=dict)
    targets: tuple[Predicted, ...] = ()

    def __repr__(self) -> str:
        names = ", ".join(repr(name) for name in dict.fromkeys(target.name for target in self.predicts))
        leaves = sum(len(tree.leaves) for tree in self.trees)
        count = "1 tree" if len(self.trees) == 1 else f"{len(self.trees)} trees"
        return f"<Forest: {count} for {names}, {leaves:,} leaves>"

    if TYPE_CHECKING:  # given to it in `hushwood.notebooks`

        def plot(self, tree: int = 0) -> Any:
            """An Altair chart of one tree."""

    @property
    def predicts(self) -> tuple[Predicted, ...]:
        """What each tree predicts."""
        return self.targets or (Predicted(self.class_name, self.classes),) * len(self.trees)

    @property
    def parts(self) -> tuple[Forest, ...]:
        """A forest for every column that trees predict, in the order of the trees."""
        if not self.targets:
            return (self,)
        return tuple(
            Forest(
                target.name,
                target.classes,
                self.attributes,
                tuple(tree for tree, own in zip(self.trees, self.targets, strict=True) if own == target),
                self.grown,
            )
            for target in dict.fromkeys(self.targets)
        )


def joined(forests: Sequence[Forest]) -> Forest:
    """One forest of the trees of several, which may predict different columns and test different ones."""
    if len(forests) == 1:
        return forests[0]
    attributes = {a.name: a for forest in forests for a in forest.attributes}
    place = {name: i for i, name in enumerate(attributes)}
    trees: list[Tree] = []
    for forest in forests:
        # The last place is that of LEAF, which is -1.
        new = np.array([*(place[a.name] for a in forest.attributes), LEAF], np.int32)
        trees += [replace(tree, attribute=new[tree.attribute]) for tree in forest.trees]
    first = forests[0]
    targets = tuple(target for forest in forests for target in forest.predicts)
    return Forest(
        first.class_name, first.classes, tuple(attributes.values()), tuple(trees), first.grown, targets
    )


@dataclass(frozen=True, slots=True)
class RuleCondition:
    """What a rule asks of one attribute: low < x <= high for numbers, one of `values` for categories.

    `storage` is the attribute's: the limits of dates and times are shown as such.
    """

    attribute: str
    low: float | None = None
    high: float | None = None
    values: tuple[str, ...] | None = None
    storage: str = "Float64"


@dataclass(frozen=True, slots=True)
class LeafRule:
    """A leaf as a rule: all its conditions, the class it predicts and the training weight per class."""

    conditions: tuple[RuleCondition, ...]
    label: str
    counts: tuple[float, ...]


def rules_of(tree: Tree, forest: Forest) -> tuple[LeafRule, ...]:
    """One rule per leaf, in preorder; conditions on the same attribute are combined."""
    paths: dict[int, dict[str, RuleCondition]] = {0: {}}
    rules: list[LeafRule] = []
    for node in range(len(tree)):
        path = paths.pop(node)
        if tree.attribute[node] == LEAF:
            counts = tuple(float(c) for c in tree.counts[node])
            rules.append(LeafRule(tuple(path.values()), label_of(tree, node, forest), counts))
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


def describe(rule: LeafRule) -> str:
    """The rule as one line.

    >>> describe(LeafRule((RuleCondition("age", 17, 27), RuleCondition("sex", values=("Female",))), "<=50K", (9.0,)))
    '17 < age ≤ 27 and sex = Female → <=50K'
    """
    return f"{describe_conditions(rule.conditions)} → {rule.label}"


def describe_conditions(conditions: Sequence[RuleCondition]) -> str:
    """What a record must fulfil, or "every record"."""
    return " and ".join(map(describe_condition, conditions)) or "every record"


def describe_condition(condition: RuleCondition) -> str:
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


def branch_conditions(tree: Tree, node: int, attribute: Attribute) -> list[tuple[int, RuleCondition]]:
    """The children of a node, each with what leads there."""
    if attribute.kind == "numeric":
        below, above = tree.branches_of(node).tolist()
        threshold, storage = float(tree.threshold[node]), attribute.storage
        return [
            (below, RuleCondition(attribute.name, high=threshold, storage=storage)),
            (above, RuleCondition(attribute.name, low=threshold, storage=storage)),
        ]
    groups = categories_by_child(tree, node, attribute)
    return [(child, RuleCondition(attribute.name, values=tuple(values))) for child, values in groups.items()]


def _both(old: RuleCondition, new: RuleCondition) -> RuleCondition:
    if old.values is not None and new.values is not None:
        allowed = set(new.values)
        return RuleCondition(old.attribute, values=tuple(v for v in old.values if v in allowed))
    lows = [low for low in (old.low, new.low) if low is not None]
    highs = [high for high in (old.high, new.high) if high is not None]
    low, high = max(lows, default=None), min(highs, default=None)
    return RuleCondition(old.attribute, low, high, storage=old.storage)
