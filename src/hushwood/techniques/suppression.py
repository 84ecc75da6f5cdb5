"""SUPPRESS: declared cells, or whole records, become missing.

The rules are in `suppression_rules`. Nothing is drawn, so those who know a rule know what its blanks mean. `suppressed`
blanks cells of columns that another technique has perturbed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.certain import certain_log_prob
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.promises import Promise
from hushwood.techniques.partitions.suppression_rules import Condition, check_names, conditions, parsed_rules
from hushwood.techniques.protocol import Columns, Law, LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Suppression(Technique):
    """Blank what the rules name; a record with a missing value may take another path through a tree."""

    rules: tuple[str, ...] = ()
    acronym: ClassVar[str] = "SUPPRESS"
    perturbs: ClassVar[Target] = "any"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = "Exactly as in the original wherever it is not blank."
    options: ClassVar[Mapping[str, str]] = {"rules": "suppress"}
    promise: ClassVar[Promise] = Promise("added")

    def __post_init__(self) -> None:
        parsed_rules(self.rules)

    def says(self) -> str:
        return "Blank where a declared condition on the record holds, and otherwise unchanged."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Look up columns and values; a column that no rule blanks is not covered."""
        rules = parsed_rules(self.rules)
        check_names(rules, original.schema)
        laws = {name: SuppressionLaw(name, conditions(rules, original.schema, name)) for name in attributes}
        names = tuple(name for name, law in laws.items() if law.conditions)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return LawPerturber(names, JointLaw(tuple(laws[name] for name in names)), covered)


@dataclass(frozen=True, slots=True)
class SuppressionLaw(Law):
    """A value becomes missing if any of the conditions holds, and stays otherwise; both are certain."""

    attribute: str
    conditions: tuple[Condition, ...]

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """0 for the only value that can be released, -inf for all others."""
        return certain_log_prob(self._blanked(original), released[self.attribute])

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The column with its blanks; the streams are not read."""
        return {self.attribute: self._blanked(original)}

    def _blanked(self, original: Columns) -> Array:
        return _blanked(np.asarray(original[self.attribute]), original, self.conditions)

    def described(self) -> dict[str, Any]:
        """The conditions in the coding of the table."""
        said = [f"{c.column} {c.sign} {c.value:g}" for c in self.conditions]
        return {"form": "missing where a condition holds", "attribute": self.attribute, "conditions": said}


def suppressed(
    original: Columns, released: Columns, schema: Schema, rules: Sequence[str]
) -> dict[str, Array]:
    """The released columns, blanked where the rules hold for the original values of their record."""
    parsed = parsed_rules(rules)
    check_names(parsed, schema)
    return {
        name: _blanked(np.asarray(values), original, conditions(parsed, schema, name))
        for name, values in released.items()
    }


def _blanked(values: Array, original: Columns, where: Sequence[Condition]) -> Array:
    """A copy with a gap in every record for which any condition holds."""
    out = values.copy()
    for condition in where:
        out[condition.holds(original)] = np.nan if values.dtype.kind == "f" else -1
    return out
