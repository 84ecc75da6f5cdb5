"""Single values of a target that few people share are looked up in the release."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.members.count_odds import count_odds
from hushwood.attacks.protocol import Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.pairs.value_counts import value_codes
from hushwood.tables.table import Table


def values_found(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The odds of every value of a target, added up as if columns were independent."""
    odds = np.zeros(knowledge.count)
    for name, values in knowledge.columns.items():
        odds += count_odds(*value_codes([values, released.columns[name], knowledge.reference[name]]))
    return odds
