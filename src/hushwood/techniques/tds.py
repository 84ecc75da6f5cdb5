"""TDS: values are told apart step by step, for all records alike, while groups of k records are left (algorithms 9).

A global recoding: a value is released in the same way wherever it stands, unlike MONDRIAN's. Nothing is drawn. Which
values are told apart is decided in `specialisation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.segments.segments import Segments
from hushwood.tables.automatic_taxonomies import automatic_taxonomy
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.generalised_groups import coded_labels, group_numbers
from hushwood.techniques.group_values import GroupValuesLaw, GroupValuesPerturber
from hushwood.techniques.mondrian_parts import dense, response
from hushwood.techniques.promises import GENERALISED, Promise
from hushwood.techniques.protocol import Target
from hushwood.techniques.specialisation import Score, Specialised, specialised
from hushwood.techniques.transition import checked_choice
from hushwood.techniques.value_trees import Categories, Numbers


@dataclass(frozen=True, slots=True)
class Tds:
    """K-anonymity of the quasi-identifiers by one recoding of every column; categories by automatic taxonomies."""

    k: int = 5
    score: Score = "igpl"
    max_steps: int | None = None
    acronym: ClassVar[str] = "TDS"
    perturbs: ClassVar[Target] = "any"
    jointly: ClassVar[bool] = True
    keeps_segment: ClassVar[bool] = False
    promise: ClassVar[Promise] = GENERALISED

    def __post_init__(self) -> None:
        if self.k < 2:
            raise InputError(f"Groups must have k = 2 or more records; {self.k} was given.")
        checked_choice(self.acronym, "score", self.score, get_args(Score))
        if self.max_steps is not None and self.max_steps < 0:
            raise InputError(f"max_steps must be 0 or more; {self.max_steps} was given.")

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Generalised, the same way in all records: to the mean of an interval or to a group of categories, "
            f"so that {self.k} or more records have the same values."
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
                f"TDS needs classes, and {target.name!r} is a number; cut it into groups with --class-bins, or take "
                "mondrian."
            )
        if self.k > original.rows:
            raise InputError(
                f"Groups of k = {self.k:,} records cannot be made of {original.rows:,}; choose a smaller k."
            )


def _counts(ranks: NDArray[Any], label: NDArray[Any], width: int, classes: int) -> NDArray[np.int64]:
    """Records by rank and class."""
    both = np.bincount(ranks.astype(np.int64) * classes + label, minlength=width * classes)
    return both.reshape(width, classes).astype(np.int64)


def _tree(attribute: Attribute, values: NDArray[Any], counts: NDArray[np.int64]) -> Numbers | Categories:
    if attribute.kind == "numeric":
        return Numbers(counts)
    of_category = np.zeros((len(attribute.categories), counts.shape[1]), np.int64)
    of_category[values[values >= 0]] = counts[values >= 0]
    names = [None if code < 0 else attribute.categories[code] for code in values.tolist()]
    return Categories.of(counts, names, automatic_taxonomy(attribute, of_category))


def _perturber(
    original: Table, names: tuple[str, ...], ranks: Sequence[NDArray[Any]], found: Specialised
) -> GroupValuesPerturber:
    """The recoded values of every group, and the categories that only the release has."""
    first = np.unique(found.groups, return_index=True)[1]
    values: dict[str, NDArray[Any]] = {}
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
