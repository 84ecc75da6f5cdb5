"""Attribute inference: an unknown attribute of a person, guessed from the known ones (docs/attacks.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hushwood.arrays import Array
from hushwood.attacks.protocol import Attack, Knowledge, ValueGuesses
from hushwood.attacks.search.released_rows import any_row, nearest_known
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

By = Literal["nearest", "model"]


@dataclass(frozen=True, slots=True)
class AttributeInference(Attack):
    """The secret of the nearest released row, or the prediction of a tree learnt from the release."""

    by: By = "nearest"

    name = "attribute_inference"
    title = "Attribute inference"
    question = "Can a person's secret attribute be inferred from what is known about the person?"
    goal = "value"
    family = "attribute inference"
    headline = 2
    quick = True

    def variants(self) -> tuple[AttributeInference, ...]:
        """Both ways."""
        return AttributeInference("nearest"), AttributeInference("model")

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> ValueGuesses:
        """The secret value of every target."""
        if self.by == "model":
            from hushwood.attacks.search.secret_models import learnt_secret

            return ValueGuesses(learnt_secret(knowledge, released))
        rows = nearest_known(knowledge, released, streams, "range").rows[:, 0]
        return ValueGuesses(_secret(knowledge, released)[rows])

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> ValueGuesses:
        """For every target the release's most frequent value or median; or the secret of a random released row."""
        from hushwood.attacks.search.secret_models import most_likely

        secret = _secret(knowledge, released)
        if self.by == "nearest":
            return ValueGuesses(secret[any_row(knowledge.count, released, streams).rows])
        likely = most_likely(released.schema, str(knowledge.wants), secret)
        return ValueGuesses(np.full(knowledge.count, likely, secret.dtype))


def _secret(knowledge: Knowledge, released: Table) -> Array:
    return released.columns[str(knowledge.wants)]
