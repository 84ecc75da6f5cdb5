"""SUBATTRIBUTES: numbers that describe categories put them in order, and noise is added along the order.

Giggins and Brankovic (2003; thesis 6.2) break a category such as a city into sub-attributes with a natural order:
population, longitude, latitude, pollution. Here a record draws one of them, noise is added to the place of its category
in that order, and the category nearest to the sum is released (errata C14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError, unknown_name
from hushwood.parameters import Between, check_parameters
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.ordered_noise import Spacing, category_means, ordered_matrix
from hushwood.techniques.laws.promises import ESTIMATED_COUNTS, Promise
from hushwood.techniques.laws.redraw import RedrawLaw, check_entries, matrix_law
from hushwood.techniques.protocol import Target, Technique, Within

Numbers = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class SubAttributes(Technique):
    """Noise with a standard deviation of `noise` times the number of places, or of the range, of a sub-attribute.

    `numbers` are those of the categories: {"city": {"latitude": {"Sydney": -33.9, "Perth": -32.0}}}. A column without
    any has the means, over the records of each category, of the `columns` of numbers that are named, or of all; and if
    the table has none, the number of records.
    """

    numbers: Numbers | None = None
    columns: tuple[str, ...] = ()
    noise: Annotated[float, Between(0, 100, open_low=True, meaning="a share of the places")] = 1 / 3
    spacing: Spacing = "rank"
    within: Within = "table"
    acronym: ClassVar[str] = "SUBATTRIBUTES"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = ESTIMATED_COUNTS

    def __post_init__(self) -> None:
        check_parameters(self)
        for column, orders in (self.numbers or {}).items():
            for name, by_category in orders.items():
                for category, number in by_category.items():
                    if not np.isfinite(number):
                        raise InputError(
                            f"The {name} of {category!r} in column {column!r} is {number}; a sub-attribute is a finite "
                            "number."
                        )

    @property
    def promise(self) -> Promise:
        """Missing values stay missing; inside segments only values that occur there are drawn."""
        return Promise("same", "held" if self.keeps_segment else "inside", self.within)

    def says(self) -> str:
        which = " that occurs in its segment" if self.keeps_segment else ""
        return (
            f"Moved to a value{which} that is near in the order of a number that describes the values, with a spread "
            f"of {self.noise:.0%} of the {'places' if self.spacing == 'rank' else 'range'}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Put the categories of every column in order."""
        for name in self.numbers or {}:
            original.schema[name]

        def law(name: str) -> RedrawLaw:
            numbers = self.orders(original, name)
            check_entries(name, numbers.shape[1] ** 2, "leave it to another technique")
            matrix = ordered_matrix(numbers, self.noise, self.spacing)
            return matrix_law(original, name, matrix, segments, self.within, self.acronym)

        return by_column(attributes, law)

    def orders(self, original: Table, name: str) -> Floats:
        """The sub-attributes [sub-attribute, category] of a column; NaN for a category that has none."""
        categories = original.schema[name].categories
        given = (self.numbers or {}).get(name)
        if given:
            return np.array([_given(name, one, categories) for one in given.values()])
        codes = original.columns[name]
        described = [
            category_means(codes, len(categories), original.columns[column])
            for column in self._columns(original)
            if not np.isnan(original.columns[column]).all()
        ]
        counts = np.bincount(codes[codes >= 0], minlength=len(categories)).astype(np.float64)
        return np.array(described or [np.where(counts > 0, counts, np.nan)])

    def _columns(self, original: Table) -> Sequence[str]:
        """The columns of numbers that describe categories."""
        numeric = [a.name for a in original.schema.inputs if a.kind == "numeric"]
        for name in self.columns:
            if name not in numeric:
                raise unknown_name("column of numbers", name, numeric)
        return self.columns or numeric


def _given(name: str, numbers: Mapping[str, float], categories: Sequence[str]) -> list[float]:
    """The numbers in the order of the categories."""
    for category in numbers:
        if category not in categories:
            raise unknown_name(f"value of {name}", category, categories)
    return [float(numbers.get(category, np.nan)) for category in categories]
