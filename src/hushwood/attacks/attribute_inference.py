"""Attribute inference: an attribute that the intruder does not know of somebody, told from those known (algorithms 7).

`secret_models` learns the one from the others in the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from hushwood.attacks.guesses import ValueGuesses
from hushwood.attacks.linkage import any_row, nearest_known
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.table import Array, Table

By = Literal["nearest", "model"]


@dataclass(frozen=True, slots=True)
class AttributeInference:
    """The secret of the nearest released row, or what a tree that was learnt from the release predicts."""

    by: By = "nearest"

    name: ClassVar[str] = "attribute_inference"
    question: ClassVar[str] = "Can what somebody keeps secret be told from what is known about them?"
    goal: ClassVar[Goal] = "value"

    def variants(self) -> tuple[AttributeInference, ...]:
        """Both ways."""
        return AttributeInference("nearest"), AttributeInference("model")

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> ValueGuesses:
        """The secret value of every target."""
        if self.by == "model":
            from hushwood.attacks.secret_models import learnt_secret

            return ValueGuesses(learnt_secret(knowledge, released))
        rows = nearest_known(knowledge, released, streams, "range").rows[:, 0]
        return ValueGuesses(_secret(knowledge, released)[rows])

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> ValueGuesses:
        """For everybody the release's most frequent value or median; or the secret of a random released row."""
        from hushwood.attacks.secret_models import most_likely

        secret = _secret(knowledge, released)
        if self.by == "nearest":
            return ValueGuesses(secret[any_row(knowledge.count, released, streams).rows])
        likely = most_likely(released.schema, str(knowledge.wants), secret)
        return ValueGuesses(np.full(knowledge.count, likely, secret.dtype))


def _secret(knowledge: Knowledge, released: Table) -> Array:
    return released.columns[str(knowledge.wants)]
