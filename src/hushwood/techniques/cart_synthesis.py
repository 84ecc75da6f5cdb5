"""CART-SYNTHESIS: columns drawn one after the other, each from a leaf of a tree that knows those before it.

Reiter, *Using CART to generate partially synthetic public use microdata* (2005), as the R package synthpop does it:
the first column is a bootstrap sample, every next value is that of a donor drawn from the leaf a record falls into.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.proposal_trees import ProposalTree, column_order
from hushwood.techniques.sequential.shuffled_columns import Proposals, grown_proposals
from hushwood.techniques.synthesis.synthesis import (
    SynthesisSource,
    TaughtSynthesis,
    blurred_values,
    with_class,
)

_VALUE, _GAP = 0, 1


@dataclass(frozen=True, slots=True)
class CartSynthesis(TaughtSynthesis):
    """Trees whose leaves have at least `min_leaf` records, a teacher for the class, and a blur for rare numbers."""

    acronym: ClassVar[str] = "CART-SYNTHESIS"

    def says(self) -> str:
        return (
            "Made up: the value of a random record among at least "
            f"{self.min_leaf} that a tree takes for alike by the columns drawn before{self.said_blur()}."
        )

    def records(self, source: SynthesisSource) -> dict[str, Array]:
        """Draw the columns in the order of their ties to the class, then the class."""
        drawn: dict[str, CodedColumn] = {}
        for one in source.remembered("trees", lambda: self._grown(source)):
            drawn[one.column.name] = one.column.with_codes(_codes(one, source, drawn))
        released = source.complete(drawn)
        new = blurred_values(source, released, self.blur)
        return with_class(source, released, new, self.teacher, self.min_leaf)

    def _grown(self, source: SynthesisSource) -> list[Proposals]:
        """Trees for all columns, in their order."""
        led, threads = source.led, source.slots.threads
        if not led:
            return []
        order = column_order(led, source.label, source.with_class, self.min_leaf, threads)
        return grown_proposals(order, source.rows, self.min_leaf, threads)


def _codes(one: Proposals, source: SynthesisSource, drawn: Mapping[str, CodedColumn]) -> Codes:
    """The codes of one column: of any record if it is the first, else of donors; numbers after their gaps."""
    column, name = one.column, one.column.name
    if one.tree is None and one.gaps is None:
        return column.codes[source.drawn(name, _VALUE, len(column.codes))]
    codes = _donated(one.tree, source, drawn, name, _VALUE)
    if one.gaps is None:
        return codes
    missing = _donated(one.gaps, source, drawn, name, _GAP) == 1
    return np.where(missing, 0, codes).astype(np.int32)


def _donated(
    tree: ProposalTree | None, source: SynthesisSource, drawn: Mapping[str, CodedColumn], name: str, draw: int
) -> Codes:
    slots = source.slots
    if tree is None:  # the records to learn on have no number at all
        return np.zeros(slots.count, np.int32)
    leaves = tree.leaves(drawn, slots.count, slots.threads)
    return tree.draw(leaves, slots.uniform(name, draw))
