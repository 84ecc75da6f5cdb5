"""What is counted over all records of two tables while their batches go by: measures, and links between columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated

from hushwood.arrays import Codes
from hushwood.evaluation.answers import worst_of
from hushwood.evaluation.levels import Level
from hushwood.evaluation.plain_data import OPTIONAL
from hushwood.measures.protocol import Measure, Measurement, Mergeable, NotComputable, Tally
from hushwood.tables.links.counting import LinkCounts, countable
from hushwood.tables.links.links import Link, kind_of, publicly
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


@dataclass(frozen=True, slots=True)
class LinkFacts:
    """A link, the records that break it before and after, and those that do so in a way in which none did before.

    A number is None where nothing could be counted: a column is gone, or its values became ranges or groups. `kept`
    says whether the release claims to keep it; None if nobody said so.
    """

    kind: str
    columns: tuple[str, ...]
    says: str
    broken_before: int | None
    broken_after: int | None
    newly_broken: int | None
    kept: Annotated[bool | None, OPTIONAL] = None


class LinkTally:
    """Links counted while records of both tables, in one coding, go by; `kept` are those that the release claims."""

    def __init__(self, links: Iterable[Link], kept: Collection[Link] | None = None) -> None:
        self.links, self.kept = tuple(links), kept
        self._sides: tuple[LinkCounts, LinkCounts] | None = None

    def add(self, original: Table, released: Table, coarse: Collection[str] = ()) -> None:
        """Count more records; nothing can be counted in `coarse` columns."""
        if self._sides is None:
            there = countable(self.links, original.columns)
            fine = countable(there, (name for name in released.columns if name not in coarse))
            self._sides = LinkCounts(there), LinkCounts(fine)
        before, after = self._sides
        before.add(original)
        after.add(released)

    def facts(self) -> tuple[LinkFacts, ...]:
        """What was counted."""
        if self._sides is None:
            return ()
        before, after = self._sides
        broken, left, new = before.broken(), after.broken(before), after.new(before)
        return tuple(
            LinkFacts(
                kind_of(link),
                link.columns,
                publicly(link),
                broken.get(link),
                left.get(link),
                new.get(link),
                None if self.kept is None else link in self.kept,
            )
            for link in self.links
        )
