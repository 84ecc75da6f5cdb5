"""How often the same attack is right on a release that cannot tell: the part of its success that is luck.

A naive guesser may do worse than an attack does without knowing anything: the guesses of an attack have a distribution
of their own, and people who are much alike are all guessed right or all wrong together. So the attack is tried again
where what it wants is dealt out anew among the released records; `running` compares.
"""

from __future__ import annotations

import numpy as np

from hushwood.attacks.guesses import Guesses, NumberGuesses
from hushwood.attacks.protocol import Attack, Knowledge
from hushwood.attacks.scoring import Truth, hits
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

REPEATS = 6


def blind_rates(
    attack: Attack, guesses: Guesses, knowledge: Knowledge, released: Table, truth: Truth, streams: Streams
) -> tuple[float, ...]:
    """The rates of such tries; none for attacks whose success by luck is known otherwise."""
    orders = [
        np.argsort(streams.words("blind tries", "order", draw, range(released.rows)))
        for draw in range(REPEATS)
    ]
    if isinstance(guesses, NumberGuesses):
        dealt: list[Guesses] = [
            NumberGuesses({name: values[order] for name, values in guesses.columns.items()})
            for order in orders
        ]
    elif attack.goal == "value" and knowledge.wants is not None:
        secret = released.columns[knowledge.wants]
        dealt = [
            attack.guess(knowledge, released.with_columns({knowledge.wants: secret[order]}), streams)
            for order in orders
        ]
    else:
        return ()
    right = [hits(each, truth) for each in dealt]
    return tuple(float(np.nanmean(one)) for one in right if not np.isnan(one).all())
