"""MONDRIAN and TDS: records are released in groups of k or more that say most about the class (docs/techniques.md).

Nothing is drawn: the same table gives the same release under any key. How the groups come about is in `partitions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.parameters import AtLeast, Between
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.cells import coded_labels
from hushwood.tables.recoding.taxonomies import Taxonomy, automatic_taxonomy, with_codes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.group_values import GroupValuesPerturber
from hushwood.techniques.laws.promises import COARSE, GENERALISED, RANGES, Promise
from hushwood.techniques.partitions.generalised_groups import (
    GeneralisedColumns,
    Inside,
    check_hierarchies,
    group_labels,
    released_as_text,
)
from hushwood.techniques.partitions.mondrian_parts import Limits, class_response, dense, mondrian_parts
from hushwood.techniques.partitions.specialisation import (
    Categories,
    NumberTree,
    Score,
    Specialised,
    specialised,
)
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Mondrian(Technique):
    """MONDRIAN: parts of k or more records are cut where that says most about the class, and released alike.

    K-anonymity of the quasi-identifiers, and strong L-diversity of the confidential columns, which stay.
    """

    k: Annotated[int, AtLeast(2)] = 5
    l: Annotated[float, Between(1)] = 1.0
    max_parts: Annotated[int | None, AtLeast(1)] = None
    min_gain: Annotated[float, Between(0)] = 0.0
    release: Inside = "mean"
    hierarchies: Mapping[str, Taxonomy] = field(default_factory=dict)
    acronym: ClassVar[str] = "MONDRIAN"
    options: ClassVar[Mapping[str, str]] = {"hierarchies": "hierarchies"}
    perturbs: ClassVar[Target] = "any"
    trust: ClassVar[str] = COARSE
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = GENERALISED

    def promise_for(self, attribute: Attribute) -> Promise:
        """Ranges are texts."""
        return RANGES if released_as_text(attribute, self.release) else self.promise

    def says(self) -> str:
        return (
            f"Generalised: groups of {self.k} or more records that are alike for the class share one value, the "
            f"{self.release} of their numbers or the set of their categories."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupValuesPerturber:
        """Find the parts, and the values each is released with."""
        names = tuple(n for n in attributes if n in original.schema.quasi_identifiers)
        sensitive = original.schema.in_role("confidential")
        limits = Limits(self.k, self.l, self.max_parts, self.min_gain)
        check_hierarchies(self.hierarchies, names, original.schema)
        hierarchies = with_codes(self.hierarchies, names, original.schema)
        parts = mondrian_parts(original, names, limits, sensitive, hierarchies)
        made = GeneralisedColumns(original, self.release)
        for name in names:
            attribute, column = original.schema[name], original.columns[name]
            if attribute.kind == "numeric":
                made.add_numbers(name, parts.ids, parts.count)
            else:
                how = hierarchies.get(name)
                made.add_labels(name, group_labels(column, parts.ids, parts.count, attribute, how))
        return made.perturber(parts.ids)


@dataclass(frozen=True, slots=True)
class Tds(Technique):
    """TDS: values are distinguished step by step, for all records alike, as long as groups have k records.

    K-anonymity of the quasi-identifiers by one recoding of every column: a value is released in the same way wherever
    it occurs, unlike MONDRIAN's. Categories by given or made hierarchies.
    """

    k: Annotated[int, AtLeast(2)] = 5
    score: Score = "igpl"
    max_steps: Annotated[int | None, AtLeast(0)] = None
    release: Inside = "mean"
    hierarchies: Mapping[str, Taxonomy] = field(default_factory=dict)
    acronym: ClassVar[str] = "TDS"
    options: ClassVar[Mapping[str, str]] = {"hierarchies": "hierarchies"}
    perturbs: ClassVar[Target] = "any"
    trust: ClassVar[str] = COARSE
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = GENERALISED

    def promise_for(self, attribute: Attribute) -> Promise:
        """Ranges are texts."""
        return RANGES if released_as_text(attribute, self.release) else self.promise

    def says(self) -> str:
        number = "an interval" if self.release == "range" else f"the {self.release} of an interval"
        return (
            f"Generalised in the same way in all records, to {number} or to a group of categories, so "
            f"that {self.k} or more records share their values."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupValuesPerturber:
        """Find the recoding, and what every group is released as."""
        names = tuple(n for n in attributes if n in original.schema.quasi_identifiers)
        self._check(original)
        check_hierarchies(self.hierarchies, names, original.schema)
        hierarchies = with_codes(self.hierarchies, names, original.schema)
        label, classes = class_response(original)
        coded = [dense(original.columns[name]) for name in names]
        trees = [
            _tree(
                original.schema[name],
                values,
                _counts(ranks, label, len(values), classes),
                hierarchies.get(name),
            )
            for name, (ranks, values) in zip(names, coded, strict=True)
        ]
        found = specialised([ranks for ranks, _ in coded], trees, self.k, self.score, self.max_steps)
        return _perturber(original, names, coded, found, self.release)

    def _check(self, original: Table) -> None:
        if self.k > original.rows:
            raise InputError(
                f"Groups of k = {self.k:,} records cannot be made of {original.rows:,}; choose a smaller k."
            )


def _counts(ranks: Array, label: Array, width: int, classes: int) -> Integers:
    """Records by rank and class."""
    both = np.bincount(ranks.astype(np.int64) * classes + label, minlength=width * classes)
    return both.reshape(width, classes).astype(np.int64)


def _tree(
    attribute: Attribute, values: Array, counts: Integers, given: Taxonomy | None
) -> NumberTree | Categories:
    if attribute.kind == "numeric":
        return NumberTree(counts)
    of_category = np.zeros((len(attribute.categories), counts.shape[1]), np.int64)
    of_category[values[values >= 0]] = counts[values >= 0]
    names = [None if code < 0 else attribute.categories[code] for code in values.tolist()]
    return Categories.of(counts, names, given or automatic_taxonomy(attribute, of_category))


def _perturber(
    original: Table,
    names: tuple[str, ...],
    coded: Sequence[tuple[Array, Array]],
    found: Specialised,
    inside: Inside,
) -> GroupValuesPerturber:
    """The recoded values of every group, and the categories that only the release has."""
    first = np.unique(found.groups, return_index=True)[1]
    made = GeneralisedColumns(original, inside)
    for i, name in enumerate(names):
        ranks, values = coded[i]
        attribute, node = original.schema[name], found.node_of_rank[i][ranks]
        if attribute.kind == "numeric":
            made.add_numbers(name, node, len(found.nodes[i]), node[first])
            continue
        nodes = found.nodes[i]
        labels = [each.label for each in nodes]
        sets = {each.label: values[each.ranks] for each in nodes if each.label is not None}
        meant = {
            label: [attribute.categories[code] for code in held[held >= 0]] for label, held in sets.items()
        }
        labelled = coded_labels(labels, meant, attribute)
        made.add_labels(name, labelled._replace(codes=labelled.codes[node[first]]))
    return made.perturber(found.groups.astype(np.int32))
