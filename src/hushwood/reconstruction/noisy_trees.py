"""Trees from released values with known noise, through their reconstructed distributions (Agrawal and Srikant, 2000).

Released values are assigned to intervals, to each in proportion to its reconstructed probability, and the tree is grown
on the intervals. Global reconstructs a column once, ByClass once for every class, Local (`local_trees`) for every class
at every node.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.distributions import Method, assigned_limits_by_group, interval_edges
from hushwood.reconstruction.known_noise import Noise
from hushwood.reconstruction.local_trees import grow_locally
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest
from hushwood.trees.grow import grow_tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import TrainingSet

Strategy = Literal["byclass", "global", "local"]
STRATEGIES = ("byclass", "global", "local")
_NOT_LOCALLY = {"see5": "See5", "credal": "credal"}  # variants that score splits in their own way


def noisy_tree(
    released: Table,
    noises: Mapping[str, Noise],
    *,
    strategy: Strategy = "byclass",
    intervals: int = 20,
    method: Method = "bayes",
    options: GrowOptions | None = None,
) -> Forest:
    """A forest of one tree, learnt from a released table whose columns in `noises` carry that noise.

    Its thresholds are limits of intervals of original values, so it applies to original records.

    >>> import polars as pl
    >>> from hushwood.reconstruction import AddedNoise
    >>> from hushwood.tables.reading import read_table
    >>> seen = {"dose": [1.4, 0.6, 1.1, 3.2, 2.7, 3.1] * 9, "cured": ["no", "no", "no", "yes", "yes", "yes"] * 9}
    >>> released = read_table(pl.DataFrame(seen), target="cured")
    >>> forest = noisy_tree(released, {"dose": AddedNoise(0.4, domain=(0, 4))}, intervals=4)
    >>> forest.trees[0].threshold[0].item()
    2.0
    """
    if strategy not in STRATEGIES:
        raise unknown_name("strategy", str(strategy), STRATEGIES)
    options = replace(options or GrowOptions(), thresholds="data")
    if strategy == "local" and options.variant in _NOT_LOCALLY:
        raise InputError(
            f"The strategy 'local' cannot grow {_NOT_LOCALLY[options.variant]} trees. Use the variant 'c45' or 'j48'."
        )
    edges = {name: _limits(released, name, noise, intervals) for name, noise in noises.items()}
    if strategy == "local":
        tree, training = grow_locally(released, noises, edges, method, options)
    else:
        training = TrainingSet.from_table(_on_intervals(released, noises, edges, method, strategy))
        tree = grow_tree(training, options)
    target = released.schema.class_attribute
    grown = {**options.described(), "rows": training.records, "strategy": strategy, "intervals": intervals}
    return Forest(target.name if target else "", training.classes, training.attributes, (tree,), grown)


def _limits(released: Table, name: str, noise: Noise, intervals: int) -> Floats:
    attribute = released.schema[name]
    if attribute not in released.schema.inputs or attribute.kind != "numeric":
        raise InputError(
            f"Column {name!r} is not a numeric input of the tree, so it cannot have known noise."
        )
    values = released.columns[name]
    known = values[np.isfinite(values)]
    if len(known) == 0:
        raise InputError(f"Column {name!r} has no values. Remove it from the noises.")
    return interval_edges(known, noise, intervals)


def _on_intervals(
    released: Table,
    noises: Mapping[str, Noise],
    edges: Mapping[str, Floats],
    method: Method,
    strategy: Strategy,
) -> Table:
    """The table with its noisy columns assigned to intervals."""
    codes, _ = class_labels(released)
    groups = codes if strategy == "byclass" else np.zeros_like(codes)
    return released.with_columns(
        {
            name: assigned_limits_by_group(released.columns[name], groups, noise, edges[name], method)
            for name, noise in noises.items()
        }
    )
