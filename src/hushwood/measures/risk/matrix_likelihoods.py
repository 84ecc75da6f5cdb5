"""The likelihood of a categorical attribute that moved by a transition matrix, in the table or in every segment.

The law is asked for all pairs of values that occur. `redraw_likelihoods` serves laws of too many values for that, and
those in which more than the own value decides.
"""

from __future__ import annotations

import numpy as np

from hushwood.measures.risk.likelihoods import IMPOSSIBLE, Integers, Redraw, codes_among
from hushwood.tables.table import Array
from hushwood.techniques.protocol import Columns
from hushwood.techniques.redraw import RedrawLaw, by_segment, coded, whole_table
from hushwood.techniques.transition import OwnValue
from hushwood.techniques.two_stage import TwoStageLaw

# Pairs of values over all segments that are asked for at most.
MOST_PAIRS = 1 << 22


def is_matrix(law: RedrawLaw) -> bool:
    """Whether this is a law of matrices in segments, or of one that was given."""
    return isinstance(law.group_of, OwnValue) or law.group_of is by_segment


def matrix_likelihood(
    law: RedrawLaw | TwoStageLaw, records: Columns, given: Array, segment: Integers
) -> Redraw | None:
    """From the law, the targets' records, the released values and the law's segment of every block.

    None if there are too many pairs of values.
    """
    codes, own, values = codes_among(given, records[law.attribute])
    held, kind = np.unique(records[law.attribute], return_inverse=True)
    classes, class_of = _classes(law, segment)
    shape = len(classes), len(held), len(values)
    if np.prod(shape, dtype=np.float64) > MOST_PAIRS:
        return None
    at, x, y = (part.ravel() for part in np.meshgrid(classes, held, values, indexing="ij"))
    logs = law.log_prob({law.attribute: x}, {law.attribute: np.minimum(y, _width(law) - 2)}, at) / np.log(2)
    table = np.where(y < _width(law) - 1, np.maximum(logs, IMPOSSIBLE), IMPOSSIBLE)
    first = np.arange(shape[0] * shape[1]).reshape(shape[:2]) * shape[2]
    stay = law.log_prob({law.attribute: x[:: shape[2]]}, {law.attribute: x[:: shape[2]]}, at[:: shape[2]])
    return Redraw(
        codes.astype(np.float32),
        own.astype(np.float32),
        kind.astype(np.int64),
        class_of,
        np.where(_occurs(law, classes, held), first, -1).astype(np.int64),
        np.maximum(stay / np.log(2), IMPOSSIBLE).reshape(shape[:2]).astype(np.float32),
        np.zeros(shape[:2], np.float32),
        table.astype(np.float32),
    )


def _width(law: RedrawLaw | TwoStageLaw) -> int:
    return law.shares.width if isinstance(law, TwoStageLaw) else law.distributions.width


def _classes(
    law: RedrawLaw | TwoStageLaw, segment: Integers
) -> tuple[Integers, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    """The segments that the law tells apart, and the class of every block."""
    group_of = law.group_of
    one = group_of is whole_table or (isinstance(group_of, OwnValue) and group_of.within == "table")
    classes, class_of = np.unique(np.zeros_like(segment) if one else segment, return_inverse=True)
    return classes.astype(np.int64), class_of.astype(np.int32)


def _occurs(law: RedrawLaw | TwoStageLaw, classes: Integers, held: Array) -> Array:
    """Whether a record with the value can be in the segment at all: laws inside segments know what occurs there."""
    if law.group_of is not by_segment:
        return np.ones((len(classes), len(held)), bool)
    known = law.shares if isinstance(law, TwoStageLaw) else law.distributions
    segment, code = (part.ravel() for part in np.meshgrid(classes, coded(held, known.width), indexing="ij"))
    return np.asarray(known.of(segment, code) > 0).reshape(len(classes), len(held))
