"""A release that is judged, as one object: audits and releases fill it in, measures and attacks are asked about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from hushwood.arrays import Integers
from hushwood.evaluation.answers import worst_of
from hushwood.evaluation.controls import Control
from hushwood.evaluation.evaluation import About
from hushwood.evaluation.levels import Level
from hushwood.evaluation.whole_table import LinkFacts, WholeTable
from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import About as AskedAbout
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import predicted_columns
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.columns.class_column import schema_for_class
from hushwood.tables.domains import evenly_drawn
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.table import Table, missing_values
from hushwood.trees.forest import Forest, joined
from hushwood.trees.options import Builder

PREDICTED = 3  # columns that are looked at where nobody said what is to be predicted
GROUPS = 10
FEWEST = 100  # records of a group
STUDENT = 2.262  # between ± this lie 95 % of Student's t with nine degrees of freedom


@dataclass(frozen=True)
class Case:
    """A release that is judged: both tables, and all that is known about them.

    `perturbed` says how it was made, with its segments and laws. `people` are the same tables with one record for every
    person or household. `controls` are throw-away releases of some of the records, with the others as their hold-outs;
    attacks that need people who were never in the table are tried there if the pair itself has none. `counted` is what
    is known of all records if the pair is a sample of a longer table, `links` those between columns that were counted,
    if not by the certificate. `builder` grows the trees that are compared: that
    of the release unless another one is asked for. `source` is the original as it was read, with the columns that are
    not compared; `notes` are what its owner is told. `tree` is that of a throw-away release.
    """

    pair: Pair
    streams: Streams
    perturbed: Perturbed | None = None
    people: Pair | None = None
    controls: tuple[Control, ...] = ()
    counted: WholeTable | None = None
    links: tuple[LinkFacts, ...] | None = None
    taxonomies: Mapping[str, Taxonomy] = field(default_factory=dict)
    builder: Builder | None = None
    threads: int = 1
    about: About = About()  # noqa: RUF009 - frozen
    notes: tuple[str, ...] = ()
    source: Table | None = None
    tree: Forest | None = None

    @property
    def published_tree(self) -> Forest | None:
        """The forest that recipients get with the release, if it is known."""
        return self.tree or (self.perturbed.forest if self.perturbed else None)

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
        return [
            replace(self.with_pair(control.pair, self.perturbed, {}), tree=control.forest)
            for control in self.controls
        ]

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


def group_interval(measure: Measure, case: Case, value: float) -> tuple[float, float] | None:
    """An approximate 95 % interval of a number about a sample; None if the measure or the sample is not fit for it.

    The sample falls into ten keyed groups of records, partners together. The measure is taken of each; the spread of
    the ten numbers tells the error of the number of the whole sample (Wolter 2007, chapter 2). That costs about as much
    as measuring once more. Distances of distributions are larger in small samples, so the interval also reaches as far
    as the groups' mean says that the sample's number is shifted.
    """
    pair = case.pair
    if not measure.by_groups or min(pair.original.rows, pair.released.rows) < GROUPS * FEWEST:
        return None
    numbers = []
    for rows, after in _groups(pair, case.streams):
        result, _ = case.part(rows, after).result(measure, brief=True)
        if not isinstance(result, Measurement):
            return None
        numbers.append(result.value)
    reach = STUDENT * float(np.std(numbers, ddof=1)) / np.sqrt(GROUPS)
    # What is left in the whole sample of a shift that falls with the square root of the records.
    shift = (float(np.mean(numbers)) - value) / (np.sqrt(GROUPS) - 1)
    ends = value - reach - max(shift, 0.0), value + reach - min(shift, 0.0)
    low, high = (
        fallback if end is None else end
        for end, fallback in zip(measure.bounds, (-np.inf, np.inf), strict=True)
    )
    return float(max(ends[0], low)), float(min(ends[1], high))


def _groups(pair: Pair, streams: Streams) -> list[tuple[Integers, Integers | None]]:
    """Rows of the original in ten groups; and of the release, where they are not paired."""
    rows = _tenths(pair.original.rows, streams, "original")
    if pair.partner is not None:
        return [(some, None) for some in rows]
    return list(zip(rows, _tenths(pair.released.rows, streams, "released"), strict=True))


def _tenths(rows: int, streams: Streams, name: str) -> list[Integers]:
    order = streams.order("interval", name, range(rows))
    return [np.sort(part) for part in np.array_split(order, GROUPS)]


def noise_table(original: Table, streams: Streams) -> Table:
    """A table of the same form with values drawn evenly from each column's domain, so that it contains no person.

    A column without any value stays empty.
    """
    schema = original.schema
    drawn = {
        name: evenly_drawn(schema[name], len(values), streams, "pure noise")
        for name, values in original.columns.items()
        if not missing_values(values).all()
    }
    return original.with_columns(drawn)


def _value(result: Measurement | NotComputable) -> float | None:
    return result.value if isinstance(result, Measurement) else None
