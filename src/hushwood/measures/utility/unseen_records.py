"""Which records models learn from and which they are tried on: people whom the models have not met.

They are the hold-out if there is one, else a keyed 30 % of the original's rows whose partners are left out of the
training. Without either, the original's own records must do, and they may have been seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context
from hushwood.tables.table import Table

UNSEEN_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Trial:
    """Training tables from both sides, and the records to try the models on."""

    original: Grown
    released: Grown
    unseen: Table
    kind: Literal["holdout", "split", "perhaps seen"]


def trial_for(original: Table, released: Table, context: Context) -> Trial:
    """The best trial that the context allows."""
    before, after = context.original_grown, context.released_grown
    if context.holdout is not None:
        return Trial(before, after, context.holdout, "holdout")
    if context.partner is None:
        return Trial(before, after, original, "perhaps seen")
    unseen = round(UNSEEN_SHARE * original.rows)
    tried = context.streams.sample("prediction_accuracy", "split", original.rows, unseen)
    learnt = np.setdiff1d(np.arange(original.rows), tried, assume_unique=True)
    partners = context.partner[learnt]
    return Trial(
        _grown_on(original.take(learnt), before),
        _grown_on(released.take(partners[partners >= 0]), after),
        original.take(tried),
        "split",
    )


def _grown_on(table: Table, like: Grown) -> Grown:
    return Grown(table, like.options, like.sysfor, like.threads)
