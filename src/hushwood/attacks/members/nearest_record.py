"""A target is the likelier to be in the table, the nearer the nearest released record is."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Knowledge
from hushwood.attacks.search.released_rows import nearest_known
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


def nearness(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """Minus the distance to the nearest released record, over all known attributes."""
    return -nearest_known(knowledge, released, streams, "range").distance[:, 0].astype(np.float64)
