"""Pairs of values of a target that few people have are looked up in the release."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.members.count_odds import count_odds
from hushwood.attacks.protocol import Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.pairs.value_counts import column_pairs, pair_codes, value_codes
from hushwood.tables.table import Table

MOST_PAIRS = 60  # of columns, by keyed choice


def pairs_found(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The odds of every pair of values of a target, in columns of any kind, added up."""
    codes = [
        value_codes([values, released.columns[name], knowledge.reference[name]])
        for name, values in knowledge.columns.items()
    ]
    odds = np.zeros(knowledge.count)
    for one, other in column_pairs(len(codes), MOST_PAIRS, streams, "membership"):
        odds += count_odds(*pair_codes(codes[one], codes[other]))
    return odds
