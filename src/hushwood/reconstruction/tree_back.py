"""The tree that a miner wins back from a release, by what is known about its columns.

Added noise goes through reconstructed distributions (`noisy_trees`), disguised answers through their shares
(`disguised_trees`). Otherwise the tree of the released values is the best there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array
from hushwood.reconstruction.disguised_answers import Disguise
from hushwood.reconstruction.disguised_trees import disguised_tree
from hushwood.reconstruction.noisy_trees import Strategy, noisy_tree
from hushwood.reconstruction.recovered import Recovered
from hushwood.segments.boxes import codes_in
from hushwood.tables.columns.class_column import for_class
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest, joined
from hushwood.trees.learnt import learnt_forest
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import class_weights
from hushwood.trees.voting import winners

MOST_ROWS = 250_000  # to grow trees on: more hardly change the rules


@dataclass(frozen=True, slots=True)
class TreeBack:
    """A tree for original records, and how it was found; `plain` if no noise was undone."""

    way: str
    forest: Forest
    plain: bool = False


def tree_back(
    released: Table,
    recovered: Mapping[str, Recovered],
    disguise: Disguise | None,
    builder: Builder,
    strategy: Strategy = "byclass",
    intervals: int = 20,
) -> TreeBack:
    """The tree that the announced noise allows."""
    table = some_rows(released)
    if disguise is not None and all(_is_answer(table, name) for name in _learnt_from(table)):
        forest = disguised_tree(table, disguise, min_leaf=builder.grow.min_leaf)
        return TreeBack("shares of disguised answers (Du and Zhan)", forest)
    inputs = {attribute.name for attribute in table.schema.inputs}
    noisy = {n: found for n, found in recovered.items() if found.noise is not None and n in inputs}
    if not noisy:
        return TreeBack("grown on the released values", plain_tree(table, builder), plain=True)
    stretched = {n: found.values for n, found in noisy.items() if found.values is not None}
    seen = some_rows(released.with_columns(stretched)) if stretched else table
    noises = {name: found.noise for name, found in noisy.items() if found.noise is not None}
    forest = noisy_tree(seen, noises, strategy=strategy, intervals=intervals, options=_by_c45(builder.grow))
    return TreeBack(f"reconstructed distributions (Agrawal and Srikant, {strategy})", forest)


def _by_c45(options: GrowOptions) -> GrowOptions:
    """The same options for a tree on intervals, which credal trees know nothing about."""
    return options if options.variant != "credal" else GrowOptions(min_leaf=options.min_leaf)


def plain_tree(table: Table, builder: Builder) -> Forest:
    """The first tree of a table as it is."""
    return learnt_forest(table, builder.with_trees(1))


def regrown(released: Table, builder: Builder, predicted: Sequence[str]) -> Forest:
    """The forest of a release, grown again from the released table; where rules were kept, it is nearly the same.

    `predicted` are the classes or, without any, the columns that trees predict.
    """
    rows = some_rows(released)
    return joined([learnt_forest(for_class(rows, name), builder) for name in predicted])


def some_rows(table: Table) -> Table:
    """The table, or evenly spread rows of a long one."""
    if table.rows <= MOST_ROWS:
        return table
    return table.take(np.linspace(0, table.rows - 1, MOST_ROWS).astype(np.int64))


def accuracy(forest: Forest, table: Table) -> float:
    """The share of a table's records with a class that the first tree classifies correctly."""
    codes, classes = class_labels(table)
    columns = [_as_grown(table, attribute.name, forest) for attribute in forest.attributes]
    predicted = winners(class_weights(forest.trees[0], columns))
    known = codes >= 0
    names = np.array([*forest.classes, ""])
    right = names[predicted[known]] == np.array([*classes, ""])[codes[known]]
    return float(right.mean()) if known.any() else float("nan")


def _as_grown(table: Table, name: str, forest: Forest) -> Array:
    """A column in the category codes of the forest."""
    grown_on = next(attribute for attribute in forest.attributes if attribute.name == name)
    if grown_on.kind == "numeric":
        return np.asarray(table.columns[name], np.float64)
    return codes_in(grown_on, table.schema[name])[table.columns[name]]


def _learnt_from(table: Table) -> list[str]:
    target = table.schema.class_attribute
    return [a.name for a in table.schema.inputs] + ([target.name] if target else [])


def _is_answer(table: Table, name: str) -> bool:
    """Whether a column has two categories and no gaps, as Du and Zhan's trees need it."""
    attribute = table.schema[name]
    two = attribute.kind == "categorical" and len(attribute.categories) == 2 and not attribute.bins
    return two and not bool((np.asarray(table.columns[name]) < 0).any())
