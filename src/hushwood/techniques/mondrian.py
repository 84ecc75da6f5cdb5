"""MONDRIAN: the table is cut into parts of k or more records by what tells most about the class (algorithms 8).

All records of a part are released with the same numbers and labels. Nothing is drawn: the same table gives the same
release under any key. How the parts are found is in `mondrian_parts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.generalised_groups import Inside, group_labels, group_numbers
from hushwood.techniques.group_values import GroupValuesLaw, GroupValuesPerturber
from hushwood.techniques.mondrian_parts import Limits, mondrian_parts
from hushwood.techniques.promises import GENERALISED, Promise
from hushwood.techniques.protocol import Target
from hushwood.techniques.transition import checked_choice


@dataclass(frozen=True, slots=True)
class Mondrian:
    """K-anonymity of the quasi-identifiers, and strong L-diversity of the confidential columns, which stay."""

    k: int = 5
    l: float = 1.0
    max_parts: int | None = None
    min_gain: float = 0.0
    release: Inside = "mean"
    acronym: ClassVar[str] = "MONDRIAN"
    perturbs: ClassVar[Target] = "any"
    jointly: ClassVar[bool] = True
    keeps_segment: ClassVar[bool] = False
    promise: ClassVar[Promise] = GENERALISED

    def __post_init__(self) -> None:
        if self.k < 2:
            raise InputError(f"Parts must have k = 2 or more records; {self.k} was given.")
        checked_choice(self.acronym, "release", self.release, get_args(Inside))
        self.limits()

    def limits(self) -> Limits:
        """What every part must fulfil."""
        return Limits(self.k, self.l, self.max_parts, self.min_gain)

    def says(self) -> str:
        """One sentence for reports."""
        return (
            f"Generalised: {self.k} or more records that are alike for the class have the same value, the "
            f"{self.release} of their numbers or the set of their categories."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupValuesPerturber:
        """Find the parts, and what each of them is released as."""
        names = tuple(n for n in attributes if n in original.schema.quasi_identifiers)
        sensitive = original.schema.in_role("confidential")
        parts = mondrian_parts(original, names, self.limits(), sensitive)
        values: dict[str, NDArray[Any]] = {}
        categories: dict[str, tuple[str, ...]] = {}
        for name in names:
            attribute, column = original.schema[name], original.columns[name]
            if attribute.kind == "numeric":
                values[name] = group_numbers(column, parts.ids, parts.count, attribute, self.release)
                continue
            values[name], known = group_labels(column, parts.ids, parts.count, attribute)
            if known != attribute.categories:
                categories[name] = known
        columns = {name: original.columns[name] for name in names}
        everywhere = np.zeros(original.rows, np.int64)
        law = GroupValuesLaw(names, "table", columns, everywhere, parts.ids, values, "generalised")
        return GroupValuesPerturber(law, categories)
