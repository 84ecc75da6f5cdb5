"""TDS: values are distinguished step by step, for all records alike, as long as groups have k records (algorithms 9).

A global recoding: a value is released in the same way wherever it occurs, unlike MONDRIAN's. Nothing is drawn. Which
values are distinguished is decided in `specialisation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.parameters import AtLeast
from hushwood.segments.segments import Segments
from hushwood.tables.generalised.taxonomies import automatic_taxonomy
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.group_values import GroupValuesLaw, GroupValuesPerturber
from hushwood.techniques.laws.promises import GENERALISED, Promise
from hushwood.techniques.laws.trust import COARSE
from hushwood.techniques.partitions.generalised_groups import coded_labels, group_numbers
from hushwood.techniques.partitions.mondrian_parts import dense, response
from hushwood.techniques.partitions.specialisation import Score, Specialised, specialised
from hushwood.techniques.partitions.value_trees import Categories, Numbers
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Tds(Technique):
    """K-anonymity of the quasi-identifiers by one recoding of every column; categories by automatic taxonomies."""

    k: Annotated[int, AtLeast(2)] = 5
    score: Score = "igpl"
    max_steps: Annotated[int | None, AtLeast(0)] = None
    acronym: ClassVar[str] = "TDS"
    perturbs: ClassVar[Target] = "any"
    trust: ClassVar[str] = COARSE
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = GENERALISED

    def says(self) -> str:
        return (
            "Generalised in the same way in all records, to the mean of an interval or to a group of categories, so "
            f"that {self.k} or more records share their values."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupValuesPerturber:
        """Find the recoding, and what every group is released as."""
        names = tuple(n for n in attributes if n in original.schema.quasi_identifiers)
        self._check(original)
        label, classes, _, _ = response(original)
        coded = [dense(original.columns[name]) for name in names]
        trees = [
            _tree(original.schema[name], values, _counts(ranks, label, len(values), classes))
            for name, (ranks, values) in zip(names, coded, strict=True)
        ]
        found = specialised([ranks for ranks, _ in coded], trees, self.k, self.score, self.max_steps)
        return _perturber(original, names, [ranks for ranks, _ in coded], found)

    def _check(self, original: Table) -> None:
        target = original.schema.class_attribute
        if target is not None and target.kind == "numeric":
            raise InputError(
                f"TDS needs classes, and {target.name!r} is a number; cut it into groups with --class-bins, or use "
                "mondrian."
            )
        if self.k > original.rows:
            raise InputError(
                f"Groups of k = {self.k:,} records cannot be made of {original.rows:,}; choose a smaller k."
            )


def _counts(ranks: Array, label: Array, width: int, classes: int) -> Integers:
    """Records by rank and class."""
    both = np.bincount(ranks.astype(np.int64) * classes + label, minlength=width * classes)
    return both.reshape(width, classes).astype(np.int64)


def _tree(attribute: Attribute, values: Array, counts: Integers) -> Numbers | Categories:
    if attribute.kind == "numeric":
        return Numbers(counts)
    of_category = np.zeros((len(attribute.categories), counts.shape[1]), np.int64)
    of_category[values[values >= 0]] = counts[values >= 0]
    names = [None if code < 0 else attribute.categories[code] for code in values.tolist()]
    return Categories.of(counts, names, automatic_taxonomy(attribute, of_category))


def _perturber(
    original: Table, names: tuple[str, ...], ranks: Sequence[Array], found: Specialised
) -> GroupValuesPerturber:
    """The recoded values of every group, and the categories that only the release has."""
    first = np.unique(found.groups, return_index=True)[1]
    values: dict[str, Array] = {}
    categories: dict[str, tuple[str, ...]] = {}
    for i, name in enumerate(names):
        attribute, node = original.schema[name], found.node_of_rank[i][ranks[i]]
        if attribute.kind == "numeric":
            means = group_numbers(original.columns[name], node, len(found.nodes[i]), attribute, "mean")
            values[name] = means[node[first]]
            continue
        codes, known = coded_labels([each.label for each in found.nodes[i]], attribute)
        values[name] = codes[node[first]]
        if known != attribute.categories:
            categories[name] = known
    columns = {name: original.columns[name] for name in names}
    everywhere = np.zeros(original.rows, np.int64)
    members = found.groups.astype(np.int32)
    return GroupValuesPerturber(
        GroupValuesLaw(names, "table", columns, everywhere, members, values, "generalised"), categories
    )
