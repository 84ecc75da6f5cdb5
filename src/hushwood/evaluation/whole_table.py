"""Measures counted over all records of a long table, while its batches go by; all else is measured on a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hushwood.arrays import Codes
from hushwood.evaluation.by_class import worst_of
from hushwood.evaluation.levels import Level
from hushwood.measures.protocol import Measure, Measurement, Mergeable, NotComputable, Tally
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table


@dataclass(frozen=True, slots=True)
class WholeTable:
    """A table of `records`, of which a sample is judged, and what was counted over all of them, by measure."""

    records: int
    released_records: int
    answers: Mapping[str, Measurement | NotComputable] = field(default_factory=dict)


@dataclass(slots=True)
class Tallies:
    """The measures of a level that can be taken in batches; for each class one, where they are about classes."""

    schema: Schema
    measures: Mapping[str, Measure]
    tallies: dict[str, dict[str | None, Tally]]
    records: int = 0
    released_records: int = 0

    @classmethod
    def of(cls, schema: Schema, level: Level, *, paired: bool) -> Tallies:
        """Begin with no records; `paired` says that row i of both tables is the same record."""
        kept = replace(schema, attributes=schema.kept)
        measures = {name: level.measure(name) for name in level.measures}
        tallies: dict[str, dict[str | None, Tally]] = {}
        for name, measure in measures.items():
            if isinstance(measure, Mergeable) and (paired or not measure.of_pairs):
                tallies[name] = {
                    about: measure.tally(kept if about is None else replace(kept, main=about))
                    for about in _asked_about(measure, kept)
                }
        return cls(kept, measures, tallies)

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count a batch; a release with other categories than the original is left to the sample."""
        self.records += original.rows
        self.released_records += released.rows
        if original.schema.kept != self.schema.kept or released.schema.kept != self.schema.kept:
            self.give_up()
        for each in self.tallies.values():
            for about, tally in each.items():
                if about is None:
                    tally.add(original, released, segment_ids)
                else:
                    tally.add(_for_class(original, about), _for_class(released, about), segment_ids)

    def give_up(self) -> None:
        """Leave all measures to the sample; records are still counted."""
        self.tallies = {}

    def finish(self) -> WholeTable:
        """What was counted; a measure that had too much to count is not in it."""
        answers: dict[str, Measurement | NotComputable] = {}
        for name, each in self.tallies.items():
            found = {about: answer for about, tally in each.items() if (answer := tally.finish()) is not None}
            if not found or len(found) < len(each):
                continue
            if None in found:
                answers[name] = found[None]
            else:
                named = {about: answer for about, answer in found.items() if about is not None}
                answers[name] = worst_of(self.measures[name], named, declared=True)[0]
        return WholeTable(self.records, self.released_records, answers)


def _asked_about(measure: Measure, schema: Schema) -> tuple[str | None, ...]:
    return (None,) if measure.about == "table" else tuple(a.name for a in schema.classes)


def _for_class(table: Table, name: str) -> Table:
    return replace(table, schema=replace(table.schema, main=name))
