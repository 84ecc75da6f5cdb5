"""A release that is judged, as one object: audits and releases fill it in, measures and attacks are asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from hushwood.arrays import Integers
from hushwood.evaluation.by_class import worst_of
from hushwood.evaluation.controls import Control
from hushwood.evaluation.evaluation import About
from hushwood.evaluation.levels import Level
from hushwood.evaluation.references import noise_table
from hushwood.evaluation.whole_table import WholeTable
from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import About as AskedAbout
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed
from hushwood.releasing.targets import predicted_columns
from hushwood.tables.class_views import schema_for_class
from hushwood.tables.generalised.taxonomies import Taxonomy
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, joined
from hushwood.trees.options import Builder

PREDICTED = 3  # columns that are looked at where nobody said what is to be predicted


@dataclass(frozen=True)
class Case:
    """A release that is judged: both tables, and all that is known about them.

    `perturbed` says how it was made, with its segments and laws. `people` are the same tables with one record for every
    person or household. `controls` are throw-away releases of some of the records, with the others as their hold-outs;
    attacks that need people who were never in the table are tried there if the pair itself has none. `counted` is what
    is known of all records if the pair is a sample of a longer table. `builder` grows the trees that are compared: that
    of the release unless another one is asked for. `source` is the original as it was read, with the columns that are
    not compared; `notes` are what its owner is told.
    """

    pair: Pair
    streams: Streams
    perturbed: Perturbed | None = None
    people: Pair | None = None
    controls: tuple[Control, ...] = ()
    counted: WholeTable | None = None
    taxonomies: Mapping[str, Taxonomy] = field(default_factory=dict)
    builder: Builder | None = None
    threads: int = 1
    about: About = About()  # noqa: RUF009 - frozen
    notes: tuple[str, ...] = ()
    source: Table | None = None

    @property
    def original(self) -> Table:
        """The original with all its columns."""
        return self.source or self.pair.original

    @property
    def grower(self) -> Builder:
        """What grows the trees that are compared."""
        return self.builder or (
            self.perturbed.builder if self.perturbed else builder_for(self.pair.original.rows)
        )

    @cached_property
    def context(self) -> Context:
        """What measures are given with the two tables."""
        pair, perturbed = self.pair, self.perturbed
        return Context(
            self.streams,
            Grown(pair.original, self.grower, self.threads),
            Grown(pair.released, self.grower, self.threads),
            partner=pair.partner,
            segment_ids=perturbed.segment_ids if perturbed and perturbed.paired else None,
            steps=perturbed.steps if perturbed and perturbed.laws_hold else (),
            holdout=pair.holdout,
            generalised=pair.generalised,
            stands_for=pair.stands_for,
            taxonomies=self.taxonomies,
            threads=self.threads,
            made_up=pair.made_up,
        )

    def of_units(self) -> Case:
        """The same with one record for every person or household; as it is where every record is one."""
        if self.people is None:
            return self
        perturbed = self.perturbed.of_units() if self.perturbed else None
        return self.with_pair(self.people, perturbed, {})

    def of_controls(self) -> list[Case]:
        """The throw-away releases in its place, as far as it has no hold-out of its own."""
        if self.pair.holdout:
            return []
        return [self.with_pair(control.pair, self.perturbed, {}) for control in self.controls]

    def sampled(self, level: Level) -> Case:
        """The same, or a sample of at most as many records as the level looks at."""
        pair = self.pair.sampled(level.most_records, self.streams)
        if pair is self.pair:
            return self
        return self.with_pair(pair, self.perturbed.of_rows(pair.drawn) if self.perturbed else None)

    def part(self, rows: Integers, released: Integers | None) -> Case:
        """The same for some of the records."""
        perturbed = self.perturbed.of_rows(rows) if self.perturbed else None
        return self.with_pair(self.pair.of_rows(rows, released), perturbed)

    def with_pair(
        self, pair: Pair, perturbed: Perturbed | None, taxonomies: Mapping[str, Taxonomy] | None = None
    ) -> Case:
        """Other tables in the place of these, with trees that are grown as here."""
        taxonomies = self.taxonomies if taxonomies is None else taxonomies
        return replace(self, pair=pair, perturbed=perturbed, taxonomies=taxonomies, builder=self.grower)

    @cached_property
    def noise(self) -> Table:
        """Pure noise in the form of the original."""
        return noise_table(self.pair.original, self.streams)

    def result(self, measure: Measure, brief: bool) -> tuple[Measurement | NotComputable, str | None]:
        """What a measure says of the release; its number alone if that is enough.

        A measure that is about a class or its rules is asked about each, and the worst answer counts; the class that it
        is about comes with it.
        """
        names = self._asked_about(measure.about)
        if names is None:
            return self._computed(measure, brief), None
        if not names:
            return NotComputable("The table has no class, and this is about one."), None
        found = {name: self.for_class(name)._computed(measure, brief) for name in names}
        return worst_of(measure, found, declared=bool(self.pair.original.schema.classes))

    def _computed(self, measure: Measure, brief: bool) -> Measurement | NotComputable:
        context = replace(self.context, value_only=brief)
        return measure.compute(self.pair.original, self.pair.released, context)

    def _asked_about(self, about: AskedAbout) -> tuple[str, ...] | None:
        """The classes that a measure is asked about one by one; None if it is about the table."""
        classes = tuple(a.name for a in self.pair.original.schema.classes)
        return None if about == "table" else self.predicted if about == "rules" else classes

    @cached_property
    def predicted(self) -> tuple[str, ...]:
        """What trees predict: the classes; or the columns that the release's own trees, or the best, predict."""
        schema = self.pair.original.schema
        own = self.perturbed.forest.predicts if self.perturbed and not schema.classes else ()
        held = tuple(dict.fromkeys(target.name for target in own if target.name in schema.names))
        return held or predicted_columns(self.pair.original, PREDICTED, self.streams, self.threads)

    def for_class(self, name: str | None) -> Case:
        """The same with another class; that of every class is made once."""
        target = self.pair.original.schema.class_attribute
        if name is None or (target is not None and target.name == name):
            return self
        if name not in self._by_class:
            schema = schema_for_class(self.pair.original, name)
            self._by_class[name] = replace(self, pair=self.pair.with_schema(schema))
        return self._by_class[name]

    @cached_property
    def _by_class(self) -> dict[str, Case]:
        return {}

    def references(self, measure: Measure) -> tuple[float | None, float | None]:
        """What a measure says of the untouched table and of pure noise."""
        original, untouched = self.pair.original, measure.best
        if untouched is None:
            same = replace(self._nothing_known, released_grown=self.context.original_grown)
            untouched = _value(measure.compute(original, original, same))
        other = replace(self._nothing_known, released_grown=self._noise_grown)
        return untouched, _value(measure.compute(original, self.noise, other))

    def grown_forests(self) -> dict[str, Forest]:
        """The forests and trees that measures asked for."""
        grown: dict[str, list[Forest]] = {}
        for case in (self, *self._by_class.values()):
            for name, models in (
                ("original", case.context.original_grown),
                ("released", case.context.released_grown),
            ):
                for kind, suffix in (("forest", ""), ("tree", "_tree")):
                    if kind in models.__dict__:  # a cached property that was asked for
                        grown.setdefault(name + suffix, []).append(models.__dict__[kind])
        return {name: joined(forests) for name, forests in grown.items()}

    @cached_property
    def _nothing_known(self) -> Context:
        """The context of a release with as many rows, without any knowledge of how it was made."""
        return replace(
            self.context,
            partner=np.arange(self.pair.original.rows),
            segment_ids=None,
            steps=(),
            generalised={},
            stands_for={},
            value_only=True,
            made_up=False,
        )

    @cached_property
    def _noise_grown(self) -> Grown:
        return replace(self.context.original_grown, table=self.noise)


def _value(result: Measurement | NotComputable) -> float | None:
    return result.value if isinstance(result, Measurement) else None
