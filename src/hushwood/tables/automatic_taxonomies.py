"""Taxonomies made from the data, for attributes to which nobody gave one: values that go with the same classes are
grouped first.

Numeric attributes need none: their groups are intervals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.category_labels import braced
from hushwood.tables.schema import Attribute
from hushwood.tables.taxonomies import ROOT, Taxonomy

_FEW = 4  # fewer values than this have nothing between them and the root
_MANY = 2_000  # nor have more than this: the distances of all pairs would fill the memory


def automatic_taxonomy(attribute: Attribute, counts: NDArray[Any]) -> Taxonomy:
    """A taxonomy over the categories, from `counts[category, class]`.

    Categories are put in the order of an average-linkage clustering of their class shares; neighbours in it form
    groups of two, four, eight and so on, called "{a, b}". Categories that no record has go with the whole table.
    """
    names = attribute.categories
    if not _FEW <= len(names) <= _MANY or not np.size(counts):
        return Taxonomy(attribute.name, {name: (name, ROOT) for name in names})
    rank = np.argsort(_similarity_order(np.asarray(counts, np.float64)))
    between = (len(names) - 1).bit_length()
    labels = [_group_names(names, rank >> level) for level in range(1, between)]
    return Taxonomy(
        attribute.name,
        {name: (name, *(label[i] for label in labels), ROOT) for i, name in enumerate(names)},
    )


def _similarity_order(counts: NDArray[np.float64]) -> NDArray[np.int64]:
    """The categories in an order that puts those with like class shares side by side."""
    from scipy.cluster.hierarchy import leaves_list, linkage

    totals = counts.sum(axis=1, keepdims=True)
    whole = counts.sum(axis=0) / max(counts.sum(), 1.0)
    shares = np.where(totals > 0, counts / np.maximum(totals, 1.0), whole)
    return np.asarray(leaves_list(linkage(shares, "average")), np.int64)


def _group_names(names: tuple[str, ...], groups: NDArray[np.int64]) -> list[str]:
    members: dict[int, list[str]] = {}
    for name, group in zip(names, groups.tolist(), strict=True):
        members.setdefault(group, []).append(name)
    label = {g: found[0] if len(found) == 1 else braced(found) for g, found in members.items()}
    return [label[group] for group in groups.tolist()]
