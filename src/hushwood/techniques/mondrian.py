"""MONDRIAN: the table is cut into parts of k or more records where that says most about the class (docs/techniques.md).

All records of a part are released with the same numbers and labels. Nothing is drawn: the same table gives the same
release under any key. How the parts are found is in `mondrian_parts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from hushwood.parameters import AtLeast, Between
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.taxonomies import Taxonomy, with_codes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.group_values import GroupValuesPerturber
from hushwood.techniques.laws.promises import GENERALISED, RANGES, Promise
from hushwood.techniques.laws.trust import COARSE
from hushwood.techniques.partitions.generalised_groups import (
    GeneralisedColumns,
    Inside,
    check_hierarchies,
    group_labels,
    released_as_text,
)
from hushwood.techniques.partitions.mondrian_parts import Limits, mondrian_parts
from hushwood.techniques.protocol import Target, Technique


@dataclass(frozen=True, slots=True)
class Mondrian(Technique):
    """K-anonymity of the quasi-identifiers, and strong L-diversity of the confidential columns, which stay."""

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
