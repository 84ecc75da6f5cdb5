"""A classifier learns to tell released records from people of the reference, and judges the targets."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Knowledge
from hushwood.distances.two_samples import boosted_scores, ranked_columns
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

MOST_RELEASED = 50_000  # released records to learn from, by keyed choice


def likeness(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """How much a target looks like a released record rather than like a person of the reference (log-odds)."""
    rows = streams.sample("membership", "classifier", released.rows, MOST_RELEASED)
    names = tuple(knowledge.columns)
    learnt = [{name: released.columns[name][rows] for name in names}, knowledge.reference]
    count = len(rows) + len(knowledge.reference[names[0]])
    is_released = np.arange(count + knowledge.count) < len(rows)
    parts = [{name: part[name] for name in names} for part in (*learnt, knowledge.columns)]
    columns = ranked_columns(parts, released.schema, is_released)
    targets = np.arange(count, count + knowledge.count)
    return boosted_scores(columns, is_released, np.arange(count), targets, balanced=True)
