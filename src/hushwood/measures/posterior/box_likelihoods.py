"""The likelihood of a number that was drawn without regard to the old one: can the person be in the segment at all?

It says nothing more, as with a permutation within segments: the new numbers of a segment's records are equally likely
for all who fit its box and have the same pattern of missing values. Laws that use old numbers: `pair_likelihoods`.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, Redraw
from hushwood.tables.domains import to_steps
from hushwood.techniques.laws.forms import BoxForm

_THERE, _GONE = 0, 1
_SAME, _OTHER, _EITHER = 0, 2, 4  # places of the table


def box_likelihood(form: BoxForm, name: str, wanted: Floats, given: Floats, segment: Integers) -> Redraw:
    """From a column of the targets and of the release, and the law's segment of every block.

    Targets whose numbers lie in the same boxes are one kind; the last kind has no number.
    """
    group = form.group
    j = group.names.index(name)
    if form.within == "table":
        segment = np.zeros(len(segment), np.int64)
    moving = np.full(len(segment), -1) if form.gaps is None else form.gaps[segment, j].astype(np.int64)
    ends, class_of = np.unique(
        np.stack([group.low[segment, j], group.high[segment, j], moving]), axis=1, return_inverse=True
    )
    number = to_steps(np.asarray(wanted, float), group.intervals[j].precision)
    # Between two neighbouring limits all numbers lie in the same boxes.
    limits = np.unique([ends[0], np.nextafter(ends[1], np.inf)])
    first, last = np.searchsorted(limits, ends[0], "right"), np.searchsorted(limits, ends[1], "right")
    kinds = np.arange(len(limits) + 1)
    inside = (kinds >= first[:, None]) & (kinds <= last[:, None])
    # Where gaps stay, a number stands for a number and a gap for a gap; where they move, each may stand for each, and
    # a person without a number can only be where there is a gap.
    number_row, gap_row = (
        np.where(ends[2] < 0, _SAME, _EITHER),
        np.select([ends[2] < 0, ends[2] > 0], [_OTHER, _EITHER], -1),
    )
    row = np.concatenate([np.where(inside, number_row[:, None], -1), gap_row[:, None]], axis=1)
    return Redraw(
        released=np.where(np.isnan(given), _GONE, _THERE).astype(np.float32),
        code=np.full(len(number), -1, np.float32),
        kind=np.where(np.isnan(number), len(kinds), np.searchsorted(limits, number, side="right")),
        class_of=class_of.reshape(-1).astype(np.int32),
        row=row.astype(np.int64),
        stay=np.full(row.shape, IMPOSSIBLE, np.float32),
        shift=np.zeros(row.shape, np.float32),
        table=np.array([0.0, IMPOSSIBLE, IMPOSSIBLE, 0.0, 0.0, 0.0], np.float32),
    )
