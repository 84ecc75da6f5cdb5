"""The few forms in which a law can be weighed: what a released value says about the original one.

Every law states the form of each of its columns; `measures.posterior` has one likelihood for each form.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.tables.schema import Schema
from hushwood.techniques.protocol import Columns, Law, Within

if TYPE_CHECKING:
    from hushwood.techniques.laws.groupings import ClusterGroups
    from hushwood.techniques.laws.noise import NoiseLaw
    from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
    from hushwood.techniques.together.cells import Cells, NumberGroup
    from hushwood.techniques.together.group_rows import Given


@dataclass(frozen=True, slots=True)
class NoiseForm:
    """Noise on one number, inside an interval per segment."""

    law: NoiseLaw


@dataclass(frozen=True, slots=True)
class MatrixForm:
    """A category that moves by a transition matrix, of the whole table or `by_segment`.

    `held` are the values that occur in each segment, where a record with another value cannot be; None if any can.
    """

    law: Law
    attribute: str
    width: int
    by_segment: bool
    held: Distributions | None


@dataclass(frozen=True, slots=True)
class RedrawForm:
    """A category that is redrawn from the distribution of its group."""

    law: RedrawLaw
    groups: ClusterGroups


@dataclass(frozen=True, slots=True)
class PermutationForm:
    """Categories that were permuted within segments, which `held` these values."""

    held: Distributions


@dataclass(frozen=True, slots=True)
class BoxForm:
    """Numbers drawn without regard to the old ones: only a segment's box limits who can be there.

    `gaps` [segment, column] marks where missing numbers change places too; None if they stay where they are.
    """

    group: NumberGroup
    within: Within
    gaps: Flags | None = None


@dataclass(frozen=True, slots=True)
class PairForm:
    """A law that must be asked about every pair of an original and a released record.

    `names` are the columns it perturbs, `given` those it also reads, apart from the class, which is `hidden` from the
    intruder. `group` has the boxes of the segments, `cells` what the law was learnt in; laws without them say
    themselves what is impossible. `alike` maps segments to the first with the same law. `holders` counts the records
    that hold a released value, where values change places.
    """

    law: Law
    names: tuple[str, ...]
    given: tuple[str, ...] = ()
    hidden: str | None = None
    group: NumberGroup | None = None
    cells: Cells | None = None
    within: Within = "segment"
    alike: Integers | None = None
    holders: Callable[[Columns, Integers], Integers] | None = None

    @property
    def of_one_column(self) -> bool:
        """Whether a single column is all the law needs."""
        return len(self.names) == 1 and not self.given

    def segments(self, segment: Integers) -> Integers:
        """The segments, with one number for those that the law does not distinguish."""
        if self.within == "table":
            return np.zeros(len(segment), np.int64)
        return segment if self.alike is None else self.alike[segment]


Form = NoiseForm | MatrixForm | RedrawForm | PermutationForm | BoxForm | PairForm


def group_pair_form(
    law: Law, group: NumberGroup, given: Given, cells: Cells, schema: Schema
) -> PairForm | None:
    """The form of a group of numbers; None if the law reads columns that no intruder is assumed to know."""
    target, read = schema.class_attribute, set(given.names)
    hidden = target.name if target is not None and target.name in read else None
    known = tuple(a.name for a in schema.inputs if a.name in read)
    if len(known) + (hidden is not None) < len(read) or not group.names:
        return None
    return PairForm(law, group.names, known, hidden, group, cells, cells.within)
