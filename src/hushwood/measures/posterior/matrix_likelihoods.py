"""The likelihood of a categorical attribute that moved by a transition matrix, in the table or in every segment.

The law is asked about all pairs of values that occur. `redraw_likelihoods` is for laws that depend on more than the
value itself.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, Redraw, codes_among
from hushwood.techniques.laws.forms import MatrixForm
from hushwood.techniques.laws.groupings import coded
from hushwood.techniques.laws.redraw import Distributions
from hushwood.techniques.protocol import Columns

# Most pairs of values, over all segments, that a law is asked about.
MOST_PAIRS = 1 << 22


def matrix_likelihood(form: MatrixForm, records: Columns, given: Array, segment: Integers) -> Redraw | None:
    """From the targets' records, the released values and the law's segment of every block.

    None if there are too many pairs of values.
    """
    name, log_prob = form.attribute, form.law.log_prob
    codes, own, values = codes_among(given, records[name])
    held, kind = np.unique(records[name], return_inverse=True)
    classes, class_of = np.unique(segment if form.by_segment else np.zeros_like(segment), return_inverse=True)
    classes = classes.astype(np.int64)
    shape = len(classes), len(held), len(values)
    if np.prod(shape, dtype=np.float64) > MOST_PAIRS:
        return None
    at, x, y = (part.ravel() for part in np.meshgrid(classes, held, values, indexing="ij"))
    logs = log_prob({name: x}, {name: np.minimum(y, form.width - 2)}, at) / np.log(2)
    table = np.where(y < form.width - 1, np.maximum(logs, IMPOSSIBLE), IMPOSSIBLE)
    first = np.arange(shape[0] * shape[1]).reshape(shape[:2]) * shape[2]
    stay = log_prob({name: x[:: shape[2]]}, {name: x[:: shape[2]]}, at[:: shape[2]])
    return Redraw(
        codes.astype(np.float32),
        own.astype(np.float32),
        kind.astype(np.int64),
        class_of.astype(np.int32),
        np.where(_occurs(form.held, classes, held), first, -1).astype(np.int64),
        np.maximum(stay / np.log(2), IMPOSSIBLE).reshape(shape[:2]).astype(np.float32),
        np.zeros(shape[:2], np.float32),
        table.astype(np.float32),
    )


def _occurs(known: Distributions | None, classes: Integers, held: Array) -> Flags:
    """Whether a record with the value can be in the segment at all [segment, value]."""
    if known is None:
        return np.ones((len(classes), len(held)), bool)
    segment, code = (part.ravel() for part in np.meshgrid(classes, coded(held, known.width), indexing="ij"))
    return np.asarray(known.of(segment, code) > 0).reshape(len(classes), len(held))
