"""The likelihood of a number that is drawn whatever the old one was: whether a person can be in the segment at all.

That is all it tells, as with a permutation within segments: the new numbers of a segment's records are equally likely
to be anybody's who fits its box and has the same gaps. `pair_likelihoods` reads the laws that look at old numbers.
"""

from __future__ import annotations

import numpy as np

from hushwood.measures.risk.likelihoods import IMPOSSIBLE, Doubles, Integers, Redraw
from hushwood.tables.domains import to_steps
from hushwood.tables.schema import Schema
from hushwood.techniques.group_law import GroupLaw

_THERE, _GONE = 0, 1


def whatever_it_was(law: object, schema: Schema) -> bool:
    """Whether nothing that an intruder knows, beside the segment, plays a part in a record's new numbers."""
    if not isinstance(law, GroupLaw) or not law.independent:
        return False
    target, given = schema.class_attribute, law.perturber.given
    return not {*given.numeric, *given.categorical} - {target.name if target else ""}


def box_likelihood(law: GroupLaw, name: str, wanted: Doubles, given: Doubles, segment: Integers) -> Redraw:
    """From a column of the targets and of the release, and the law's segment of every block.

    Targets whose numbers lie in the same boxes are one kind; the last kind has no number.
    """
    group = law.perturber.group
    j = group.names.index(name)
    if law.perturber.cells.within == "table":
        segment = np.zeros(len(segment), np.int64)
    ends, class_of = np.unique(
        np.stack([group.low[segment, j], group.high[segment, j]]), axis=1, return_inverse=True
    )
    number = to_steps(np.asarray(wanted, float), group.intervals[j].precision)
    # Between two neighbouring limits all numbers lie in the same boxes.
    limits = np.unique([ends[0], np.nextafter(ends[1], np.inf)])
    first, last = np.searchsorted(limits, ends[0], "right"), np.searchsorted(limits, ends[1], "right")
    kinds = np.arange(len(limits) + 1)
    inside = (kinds >= first[:, None]) & (kinds <= last[:, None])
    row = np.concatenate([np.where(inside, 0, -1), np.full((len(first), 1), 2)], axis=1)
    return Redraw(
        released=np.where(np.isnan(given), _GONE, _THERE).astype(np.float32),
        code=np.full(len(number), -1, np.float32),
        kind=np.where(np.isnan(number), len(kinds), np.searchsorted(limits, number, side="right")),
        class_of=class_of.reshape(-1).astype(np.int32),
        row=row.astype(np.int64),
        stay=np.full(row.shape, IMPOSSIBLE, np.float32),
        shift=np.zeros(row.shape, np.float32),
        table=np.array([0.0, IMPOSSIBLE, IMPOSSIBLE, 0.0], np.float32),
    )
