"""The law of one record that is drawn with a group of numbers, whichever way its cell takes (`fallbacks`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Schema
from hushwood.techniques.blurring.blur import Blur
from hushwood.techniques.laws.forms import BoxForm, Form, group_pair_form
from hushwood.techniques.protocol import Columns, Law
from hushwood.techniques.together.cells import Cells, NumberGroup

if TYPE_CHECKING:
    from hushwood.techniques.together.group_perturber import GroupPerturber

LAW_RECORDS = 1 << 16  # handled at once, because a law may need a matrix for every record


@dataclass(frozen=True, slots=True)
class GroupLaw(Law):
    """The law of one record of a group.

    Where the method cannot work, or rotates numbers in ways that no formula describes, nothing is claimed but the box:
    all places in it count the same. This also holds for the records that exchange numbers with such cells, and where
    the method hands out numbers that are then blurred.
    """

    perturber: GroupPerturber

    @property
    def dependent(self) -> bool:
        return self.perturber.whole_column

    @property
    def independent(self) -> bool:
        """Whether nothing but its segment ties a record's new numbers to its old ones, in all segments."""
        perturber = self.perturber
        return perturber.method.independent and bool(perturber.handled().all())

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.perturber.attributes

    @property
    def blur(self) -> Blur | None:
        """What becomes of numbers that are handed out."""
        return self.perturber.blur

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """The method's law of a record, or the box."""
        found = [np.zeros(0)]
        for begin in range(0, len(segment_ids), LAW_RECORDS):
            here = slice(begin, begin + LAW_RECORDS)
            old, new = ({n: np.asarray(v)[here] for n, v in x.items()} for x in (original, released))
            found.append(self._log_prob(old, new, segment_ids[here]))
        return np.concatenate(found)

    def _log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        group, cells = self.perturber.group, self.perturber.cells
        if not self.attributes:
            return np.zeros(len(segment_ids))
        cell = cells.of(segment_ids, group.numbers(original))
        stated = self.perturber.method.stated.log_prob(original, released, segment_ids)
        anywhere = _in_the_box(group, cells, cell, group.numbers(released))
        share = np.where(self._claimed(), self.perturber.exchanged_share(), 1.0)[cell]
        with np.errstate(divide="ignore"):
            return np.asarray(np.logaddexp(np.log1p(-share) + stated, np.log(share) + anywhere))

    def _claimed(self) -> Flags:
        cells, method = self.perturber.cells, self.perturber.method
        blurred = self.blur is not None and method.copies
        return (method.claims(cells) & (not blurred)) | ~cells.known.any(axis=1)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The perturber's own draws: they need all records."""
        return self.perturber.perturb(original, segment_ids, row_ids, streams)

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """The box if draws depend on nothing but the segment and the class; else pairs, if records are independent."""
        by = self.perturber
        form: Form | None = None
        target = schema.class_attribute
        if self.independent and set(by.given.names) <= {target.name if target else ""}:
            form = BoxForm(by.group, by.cells.within)
        elif not self.dependent:
            form = group_pair_form(self, by.group, by.given, by.cells, schema)
        return {} if form is None else dict.fromkeys(self.attributes, form)

    def described(self) -> dict[str, Any]:
        """The method's law, and the segments in which only the box is claimed."""
        cells = self.perturber.cells
        others = np.unique(cells.segment[~self._claimed()])
        return {
            **self.perturber.method.stated.described(),
            "dependent": self.dependent,
            "only_the_box": others.tolist(),
        } | ({} if self.blur is None else {"blur": self.blur.width})


def _in_the_box(group: NumberGroup, cells: Cells, cell: Integers, numbers: Floats) -> Floats:
    """Log density of the even law in every record's box; -inf outside."""
    segment, known = cells.segment[cell], cells.known[cell]
    low, high = group.low[segment], group.high[segment]
    width = high - low + group.decimal
    fits = ((numbers >= low) & (numbers <= high)) == known
    with np.errstate(invalid="ignore"):
        each = np.where(known & (width > 0), -np.log(np.where(width > 0, width, 1.0)), 0.0)
    return np.where(fits.all(axis=1), each.sum(axis=1), -np.inf)
