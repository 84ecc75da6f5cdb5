"""Does a released table give back the published trees? Each is grown again from the table alone and compared.

The search is that of `growth`; a leaf that TPP closed need not be split. The written table is also counted again before
it is shown: its minimum group size K and its diversity L. That works on the file alone and with its own counting, so
that a fault in the publisher's code cannot hide itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.errors import InputError, InternalFault
from hushwood.tables.columns.value_texts import number_text
from hushwood.tables.recoding.texts import MISSING
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import BinarySplit, PublishedGrowth, needs_fixed_order, threshold_of
from hushwood.tree_publishing.kernels import splits as kernels
from hushwood.tree_publishing.reading import how_grown, published_forest, read_released
from hushwood.tree_publishing.records import Records
from hushwood.trees.forest import LEAF, Forest, Tree, short_list
from hushwood.trees.grow import available_threads

if TYPE_CHECKING:
    import polars as pl

    from hushwood.tree_publishing.options import PublishOptions


_RELATIVE = 1e-9  # a mean of responses depends on the order they are added up in
_NOTHING = "nothing was published. Please report this."
_SLACK = 1e-9  # 1/l of a group need not be a whole number of records


@dataclass(frozen=True, slots=True)
class TreeVerdict:
    """Whether the released table gives the published tree; true if it does, else with the first difference."""

    difference: str | None
    inner_nodes: int
    leaves: int
    closed: int

    def __bool__(self) -> bool:
        return self.difference is None

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if self.difference is not None:
            return f"The released table does not give the published tree. {self.difference}"
        if not self.inner_nodes:
            return "The same: the published tree is one leaf, and there is no split to repeat."
        tests = "inner node's test is the one" if self.inner_nodes == 1 else "inner nodes' tests are those"
        leaves = "1 leaf" if self.leaves == 1 else f"{self.leaves:,} leaves"
        closed = f", {self.closed:,} closed" if self.closed else ""
        return (
            f"The same: the {self.inner_nodes:,} {tests} that the same search finds in the released table "
            f"({leaves}{closed})."
        )


def verdict(forest: Forest, released: Table) -> TreeVerdict:
    """The verdict on a released table that was read as the tree file describes it."""
    leaves = sum(len(tree.leaves) for tree in forest.trees)
    inner = sum(int((tree.attribute != LEAF).sum()) for tree in forest.trees)
    closed = sum(len(tree.closed) for tree in forest.trees)
    records = forest.grown.get("rows", released.rows)
    if records != released.rows:
        difference: str | None = (
            f"The tree file counts {records} records, the released table has {released.rows}."
        )
    else:
        difference = first_difference(forest, released)
    return TreeVerdict(difference, inner, leaves, closed)


def first_difference(forest: Forest, released: Table, threads: int | None = None) -> str | None:
    """The first node at which a tree grown from the released table differs from the published one, in words.

    The table's categories are the first of the forest's. None if every inner node's best split is the published test.
    """
    grown = how_grown(forest)
    names = [a.name for a in forest.attributes]
    threads = available_threads() if threads is None else threads
    records = Records.of(released, names, threads)
    for place, tree in enumerate(forest.trees):
        columns = [names.index(name) for name in grown["columns"][place]]
        growth = PublishedGrowth(
            records,
            grown["criteria"][place],
            columns,
            min_leaf=grown["min_leaf"],
            max_depth=grown["max_depth"],
            fixed_order=needs_fixed_order(grown["criteria"], len(forest.classes), grown["min_leaf"]),
            threads=threads,
        )
        difference = (
            _Comparison(forest, tree, growth, released).first_difference()
            or _other_way(forest, tree)
            or _other_label(forest, tree)
        )
        if difference is not None:
            which = f"Tree {place + 1}: " if len(forest.trees) > 1 else ""
            return f"{which}{difference}"
    return None


def _other_way(forest: Forest, tree: Tree) -> str | None:
    """A node that sends a value another way than its label; no released record could show that."""
    labels = forest.grown.get("labels", {})
    for node in np.flatnonzero(tree.attribute != LEAF).tolist():
        attribute = forest.attributes[tree.attribute[node]]
        child_of = dict(zip(attribute.categories, tree.branches_of(node).tolist(), strict=False))
        for label, members in labels.get(attribute.name, {}).items():
            # Missing values may be among the members, and so may a category with that name.
            for value in members:
                if value != MISSING and child_of.get(value) != child_of.get(label):
                    return f"Node {node} sends {value!r} another way than {label!r}, which includes it."
    return None


def _other_label(forest: Forest, tree: Tree) -> str | None:
    """A node that does not predict its most frequent class; the first of equally frequent ones counts."""
    usual = tree.counts.argmax(axis=1)
    for node in np.flatnonzero(usual != tree.label)[:1].tolist() if forest.classes else ():
        said, found = forest.classes[tree.label[node]], forest.classes[usual[node]]
        return f"Node {node} is published with the class {said!r}, but most records there are {found!r}."
    return None


class _Comparison:
    """A published tree and the one that grows again; `published` is the published node of every grown one."""

    def __init__(self, forest: Forest, tree: Tree, growth: PublishedGrowth, released: Table) -> None:
        self.forest, self.tree, self.growth, self.released = forest, tree, growth, released
        self.published = [0]

    def first_difference(self) -> str | None:
        growth, tree, limit = self.growth, self.tree, self.forest.grown["max_leaves"]
        difference = self._other_counts(0)
        while difference is None and (leaf := growth.next_leaf()) is not None:
            own, best = self.published[leaf], growth.nodes[leaf].best
            if own in tree.closed or best is None:
                growth.nodes[leaf].closed = True
                continue
            if growth.leaf_count == limit:
                break
            if tree.attribute[own] == LEAF or not self._same(own, best, leaf):
                return self._words(leaf, self._split(leaf, best))
            difference = self._expanded(leaf, own, best)
        if difference is not None:
            return difference
        rest = [n for n in growth.leaves() if tree.attribute[self.published[n]] != LEAF]
        return self._words(rest[0], None) if rest else None

    def _expanded(self, leaf: int, own: int, best: BinarySplit) -> str | None:
        """Go one step on in both trees."""
        self.growth.split_node(leaf)
        children = self._children(own)
        if best.sides is None:
            self.published += [int(children[0]), int(children[1])]
        else:
            present = self._present(leaf, best.attribute)
            self.published += [
                int(children[present[best.sides[present] == side][0]])
                for side in (kernels.LEFT, kernels.RIGHT)
            ]
        return self._other_counts(len(self.published) - 2) or self._other_counts(len(self.published) - 1)

    def _same(self, own: int, best: BinarySplit, leaf: int) -> bool:
        """Whether the best split is the published test, to the last bit of its threshold."""
        if self.tree.attribute[own] != best.attribute:
            return False
        if best.sides is None:
            return bool(self.tree.threshold[own] == self._threshold(best))
        present = self._present(leaf, best.attribute)
        children, sides = self._children(own)[present], best.sides[present]
        left, right = (np.unique(children[sides == side]) for side in (kernels.LEFT, kernels.RIGHT))
        return len(left) == len(right) == 1 and left[0] != right[0]

    def _children(self, own: int) -> Any:
        """The child of every branch; of categories those that the table knows, and last where missing values go."""
        attribute, branches = self.forest.attributes[self.tree.attribute[own]], self.tree.branches_of(own)
        if attribute.kind == "numeric":
            return branches
        known = len(self.released.schema[attribute.name].categories)
        return np.append(branches[:known], self.tree.missing_to[own])

    def _present(self, leaf: int, attribute: int) -> Any:
        """The categories of an attribute that the node's records have; missing is the last."""
        node = self.growth.nodes[leaf]
        return np.unique(self.growth.records.codes[attribute][self.growth.rows(node)])

    def _threshold(self, split: BinarySplit) -> float:
        return threshold_of(split, self.growth.records, self.forest.grown["thresholds"])

    def _other_counts(self, number: int) -> str | None:
        """A difference between the published and the actual records of a node."""
        node, own = self.growth.nodes[number], self.published[number]
        if self.forest.classes:
            found, said = self.growth.total(node), self.tree.counts[own]
            if np.array_equal(found, said):
                return None
            return (
                f"Node {own} is published with {_counts(said)} records per class, the released table has "
                f"{_counts(found)} there."
            )
        responses = self.released.columns[self.forest.class_name]
        mean = float(responses[np.sort(self.growth.rows(node))].mean())
        said = float(self.tree.counts[own, 0])
        if np.isclose(mean, said, rtol=_RELATIVE, atol=_RELATIVE * float(np.ptp(responses))):
            return None
        return f"Node {own} is published with the mean {said:.10g}, the released table has {mean:.10g} there."

    def _words(self, leaf: int, found: str | None) -> str:
        own = self.published[leaf]
        published = "a leaf" if self.tree.attribute[own] == LEAF else f"the test {self._test(leaf)}"
        if found is not None:
            instead = f"the best split of the released table is {found}"
        elif self.growth.nodes[leaf].best is None:
            instead = "the released table has no split worth making there"
        else:
            instead = f"a tree of {self.forest.grown['max_leaves']} leaves is full before"
        return f"Node {own} is published as {published}, but {instead}."

    def _test(self, leaf: int) -> str:
        own = self.published[leaf]
        place = int(self.tree.attribute[own])
        if self.forest.attributes[place].kind == "numeric":
            return f"{self.forest.attributes[place].name} ≤ {float(self.tree.threshold[own])!r}"
        present = self._present(leaf, place)
        # In preorder the left child comes right behind its parent.
        return self._set(place, present[self._children(own)[present] == own + 1])

    def _split(self, leaf: int, best: BinarySplit) -> str:
        gain = f" (gain {number_text(best.gain)})" if self.forest.classes else ""
        if best.sides is None:
            return f"{self.forest.attributes[best.attribute].name} ≤ {self._threshold(best)!r}{gain}"
        present = self._present(leaf, best.attribute)
        return f"{self._set(best.attribute, present[best.sides[present] == kernels.LEFT])}{gain}"

    def _set(self, place: int, codes: Any) -> str:
        attribute = self.forest.attributes[place]
        known = (*attribute.categories, MISSING)
        names = [known[code] for code in codes.tolist()]
        return f"{attribute.name} " + (f"= {names[0]}" if len(names) == 1 else f"in {{{short_list(names)}}}")


def _counts(counts: Any) -> str:
    return " · ".join(f"{count:,.0f}" for count in counts)


def rebuilt(released: Path, model: Mapping[str, Any]) -> TreeVerdict:
    """The verdict of anyone who receives the two files; raises unless they give the tree."""
    try:
        forest = published_forest(model)
        found = verdict(forest, read_released(forest, released))
    except InputError as fault:
        raise InternalFault(f"The written files cannot be read back: {fault} So {_NOTHING}") from fault
    if not found:
        raise InternalFault(f"The released table does not give the tree: {found.difference} So {_NOTHING}")
    return found


def recounted(
    original: Table, released: pl.DataFrame, by: Sequence[str], options: PublishOptions
) -> tuple[int, dict[str, float]]:
    """K and L of the released table, grouped by these columns; raises if they are below what was asked for."""
    k, diversity = counted(original, released, by)
    if k < options.k:
        raise InternalFault(f"The smallest group has {k} records, fewer than K = {options.k}; {_NOTHING}")
    for name, found in diversity.items():
        if found < options.l - _SLACK:
            raise InternalFault(
                f"{name!r} has L = {found:.3g} in some group, less than {options.l:g}; {_NOTHING}"
            )
    return k, diversity


def counted(original: Table, released: pl.DataFrame, by: Sequence[str]) -> tuple[int, dict[str, float]]:
    """The smallest group of records that agree in these columns, and the smallest strong L of each sensitive
    attribute, counted on its original values."""
    import polars as pl

    keys = [f"key {place}" for place in range(len(by))] or ["all"]
    known = pl.DataFrame({key: released[name] for key, name in zip(keys, by, strict=False)})
    if not by:
        known = pl.DataFrame({"all": np.zeros(released.height, np.int8)})
    sizes = known.group_by(keys).len("records")
    diverse: dict[str, float] = {}
    for name in original.schema.in_role("confidential"):
        values = known.with_columns(pl.Series("value", original.columns[name]))
        counted = values.group_by(*keys, "value").len("same").group_by(keys)
        shares = counted.agg((pl.col("same").sum() / pl.col("same").max()).alias("l"))
        diverse[name] = float(shares["l"].to_numpy().min())
    return int(sizes["records"].to_numpy().min()), diverse
