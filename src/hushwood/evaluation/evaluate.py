"""Measures and attacks run on a pair of tables; `put_together` makes an `Evaluation` of what they found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.excess import excess_of
from hushwood.attacks.judging.running import NOBODY, NOTHING_FOUND, refusal, run_attack
from hushwood.attacks.judging.scenarios import scenarios_for
from hushwood.attacks.judging.targets import Trial, TriedRelease
from hushwood.attacks.protocol import Attack, Attacked, NotAttackable, Scenario
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer
from hushwood.evaluation.by_class import taken_apart, worst_of
from hushwood.evaluation.controls import Control
from hushwood.evaluation.group_intervals import group_interval
from hushwood.evaluation.levels import Level
from hushwood.evaluation.references import noise_table
from hushwood.evaluation.whole_table import WholeTable
from hushwood.measures.models.grown import Grown, builder_for
from hushwood.measures.protocol import About as AskedAbout
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable, of_all_records
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed
from hushwood.releasing.targets import predicted_columns
from hushwood.stages import Stage, silent
from hushwood.tables.columns.class_column import schema_for_class
from hushwood.tables.generalised.taxonomies import Taxonomy
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest, joined
from hushwood.trees.options import Builder

PREDICTED = 3  # columns that are looked at where nobody said what is to be predicted
REFERENCE_TARGETS = 500  # enough to show what the untouched table and pure noise would give
# Goals for which people who were never in the table show what can be learnt about anyone.
CONTROLLED = ("value", "predicate", "parts", "member")


@dataclass(frozen=True)
class Findings:
    """All answers and the pair they are about, which may be a sample.

    `records` holds numbers of single records of the pair's original, in its order, under names of their own.
    """

    pair: Pair
    measures: tuple[MeasureAnswer, ...]
    attacks: tuple[AttackAnswer, ...]
    records: Mapping[str, Floats]
    forests: Mapping[str, Forest]
    builder: Builder


def evaluate(
    pair: Pair,
    level: Level,
    streams: Streams,
    *,
    perturbed: Perturbed | None = None,
    controls: Sequence[Control] = (),
    taxonomies: Mapping[str, Taxonomy] | None = None,
    builder: Builder | None = None,
    threads: int = 1,
    stage: Stage = silent,
    counted: WholeTable | None = None,
    people: Pair | None = None,
) -> Findings:
    """Ask every measure of the level and try every attack.

    `controls` are throw-away releases of some of the records, with the others as their hold-outs; attacks that need
    people who were never in the table are tried there if the pair itself has none. `builder` grows the trees that are
    compared: that of the release unless another one is asked for. `counted` is what is known of all records if the pair
    is a sample of a longer table. `people` are the same tables with one record for every person or household: risks are
    theirs, and utility is that of the rows.
    """
    if builder is None:
        builder = perturbed.builder if perturbed else builder_for(pair.original.rows)
    level = level.for_weights(pair.original.weights is not None)
    whole = Scene(pair, streams, perturbed, taxonomies or {}, builder, threads)
    sample = rows = whole.sampled(level)
    whole_rows = whole
    if people is not None:
        perturbed = perturbed.of_units() if perturbed else None
        whole = Scene(people, streams, perturbed, {}, builder, threads)
        sample = whole.sampled(level)
    pair, perturbed = sample.pair, sample.perturbed
    others = (
        () if pair.holdout else [Scene(c.pair, streams, perturbed, {}, builder, threads) for c in controls]
    )
    total = len(level.measures) + len(level.attacks)
    records: dict[str, Floats] = {}
    measures: list[MeasureAnswer] = []
    for place, name in enumerate(level.measures):
        stage(f"measuring {name.replace('_', ' ')}", place, total)
        measure = level.measure(name)
        scenes = (whole, sample) if measure.side == "risk" else (whole_rows, rows)
        answer, found = _measured(measure, name in level.brief, level, *scenes, counted)
        measures.append(answer)
        records |= found if measure.side == "risk" or people is None else {}
    attacks: list[AttackAnswer] = []
    for place, name in enumerate(level.attacks, len(level.measures)):
        stage(f"attacking: {name.replace('_', ' ')}", place, total)
        attack = level.attack(name)
        elsewhere = others[0] if others and attack.goal in CONTROLLED else None
        for tried, found in _attacked(attack, elsewhere or sample, level):
            attacks.append(_with_excess(tried, sample, others, controls, level))
            # The records of the second release are not the pair's.
            records |= {} if elsewhere else found
    stage("arranging the findings", total, total)
    return Findings(pair, tuple(measures), tuple(attacks), records, rows.grown_forests(), builder)


def _measured(
    measure: Measure, brief: bool, level: Level, whole: Scene, sample: Scene, counted: WholeTable | None
) -> tuple[MeasureAnswer, dict[str, Floats]]:
    """The answer of a measure, and numbers of the sample's single records."""
    judged = sample if measure.judged_on == "sample" else whole
    result, seen = judged.result(measure, brief)
    result = _of_all(result, counted, measure.name)
    if not isinstance(result, Measurement):
        return MeasureAnswer(measure, reason=result.reason), {}
    compared = (whole if measure.judged_on == "groups" else sample).for_class(seen)
    references = compared.references(measure) if level.references else (None, None)
    details, about, each = taken_apart(result.details)
    interval = None
    if counted is not None and measure.name not in counted.answers:
        interval = group_interval(measure, judged, result.value)
    answer = MeasureAnswer(
        measure, result.value, *references, details, about=about, by_class=each, interval=interval
    )
    return answer, {title: _of_sample(values, sample.pair) for title, values in result.records.items()}


def _of_all(
    sampled: Measurement | NotComputable, counted: WholeTable | None, name: str
) -> Measurement | NotComputable:
    """The answer over all records, where they were counted, with those details that only the sample has."""
    exact = None if counted is None else counted.answers.get(name)
    if isinstance(exact, Measurement) and isinstance(sampled, Measurement):
        return of_all_records(sampled, exact)
    return sampled if exact is None else exact


def _of_sample(values: Floats, pair: Pair) -> Floats:
    """The numbers of the pair's records; some measures judge all records where the others judge a sample."""
    return values if pair.drawn is None or len(values) == pair.original.rows else values[pair.drawn]


@dataclass(frozen=True)
class Scene:
    """A pair with all that is known about it, and the untouched table and pure noise in the place of the release."""

    pair: Pair
    streams: Streams
    perturbed: Perturbed | None
    taxonomies: Mapping[str, Taxonomy]
    builder: Builder
    threads: int

    @cached_property
    def context(self) -> Context:
        """What measures are given with the two tables."""
        pair, perturbed = self.pair, self.perturbed
        return Context(
            self.streams,
            Grown(pair.original, self.builder, self.threads),
            Grown(pair.released, self.builder, self.threads),
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

    def sampled(self, level: Level) -> Scene:
        """The same, or a sample of at most as many records as the level looks at."""
        pair = self.pair.sampled(level.most_records, self.streams)
        if pair is self.pair:
            return self
        perturbed = self.perturbed.of_rows(pair.drawn) if self.perturbed else None
        return replace(self, pair=pair, perturbed=perturbed)

    def part(self, rows: Integers, released: Integers | None) -> Scene:
        """The same for some of the records."""
        perturbed = self.perturbed.of_rows(rows) if self.perturbed else None
        return replace(self, pair=self.pair.of_rows(rows, released), perturbed=perturbed)

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

    def for_class(self, name: str | None) -> Scene:
        """The same with another class; the scene of every class is made once."""
        target = self.pair.original.schema.class_attribute
        if name is None or (target is not None and target.name == name):
            return self
        if name not in self._scenes:
            schema = schema_for_class(self.pair.original, name)
            self._scenes[name] = replace(self, pair=self.pair.with_schema(schema))
        return self._scenes[name]

    @cached_property
    def _scenes(self) -> dict[str, Scene]:
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
        for scene in (self, *self._scenes.values()):
            for name, models in (
                ("original", scene.context.original_grown),
                ("released", scene.context.released_grown),
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


def _attacked(attack: Attack, scene: Scene, level: Level) -> Iterator[tuple[AttackAnswer, dict[str, Floats]]]:
    """The attack in every scenario, with numbers of single records; a reason not to try it is given once."""
    reasons: set[str] = set()
    pair = scene.pair
    for scenario in scenarios_for(attack, pair.original.schema):
        trial = _trial(attack, scenario, scene, level.targets)
        result = run_attack(trial) if level.rates else refusal(trial)
        if result is None:
            yield AttackAnswer(attack, scenario), {}
            continue
        if isinstance(result, NotAttackable):
            if result.reason not in reasons:
                found_none = attack.goal == "predicate" and result.reason == NOTHING_FOUND
                yield AttackAnswer(attack, scenario if found_none else None, reason=result.reason), {}
            reasons.add(result.reason)
            continue
        references: list[float | None] = [None, None]
        if level.references:
            rows, targets = np.arange(pair.original.rows), min(level.targets, REFERENCE_TARGETS)
            same = replace(trial, partner=rows, targets=targets, luck=False, naive_once=True, made_up=False)
            tried = [run_attack(replace(same, released=table)) for table in (pair.original, scene.noise)]
            references = [one.success if isinstance(one, Attacked) else None for one in tried]
        found = {f"{attack.name}: {name} ({scenario.name})": v for name, v in result.records.items()}
        yield _attack_answer(attack, result, *references), found


def _with_excess(
    answer: AttackAnswer, scene: Scene, others: Sequence[Scene], controls: Sequence[Control], level: Level
) -> AttackAnswer:
    """The answer with what being in the table adds; where no release has a property to find, that is the answer."""
    excess = _excess(answer, scene, others, controls, level)
    if excess is not None and not excess.attempts:
        return AttackAnswer(answer.attack, reason=NOBODY)
    return replace(answer, excess=excess)


def _excess(
    answer: AttackAnswer, scene: Scene, others: Sequence[Scene], controls: Sequence[Control], level: Level
) -> Excess | None:
    """What being in the table adds to an attack: on all throw-away releases, or with the pair's own hold-out."""
    scenario, pair = answer.scenario, scene.pair
    if scenario is None or answer.attack.goal == "numbers":
        return None
    own = np.arange(pair.original.rows)
    people = pair.original.rows + (pair.holdout.rows if pair.holdout else 0)
    tried = []
    if pair.holdout is not None or answer.attack.goal == "row":
        outside = np.arange(len(own), people)
        tried.append(TriedRelease(_trial(answer.attack, scenario, scene, level.excess_targets), own, outside))
    # Records are found or not in the release itself; only a short table needs more of them.
    if answer.attack.goal != "row" or pair.original.rows < level.excess_targets:
        people = max([people, *(1 + int(max(c.inside.max(), c.outside.max())) for c in controls)])
        tried += [
            TriedRelease(_trial(answer.attack, scenario, other, level.excess_targets), c.inside, c.outside)
            for other, c in zip(others, controls, strict=False)
        ]
    return excess_of(tried, people)


def _trial(attack: Attack, scenario: Scenario, scene: Scene, targets: int) -> Trial:
    pair = scene.pair
    return Trial(
        attack,
        scenario,
        pair.original,
        pair.released,
        partner=pair.partner,
        streams=scene.streams,
        holdout=pair.holdout,
        targets=targets,
        method=scene.perturbed.method if scene.perturbed else {},
        threads=scene.threads,
        made_up=pair.made_up,
    )


def _attack_answer(
    attack: Attack, result: Attacked, untouched: float | None, noise: float | None
) -> AttackAnswer:
    return AttackAnswer(
        attack,
        result.scenario,
        result.attempts,
        result.success,
        result.naive,
        result.control,
        result.interval,
        untouched,
        noise,
        result.verdict,
        result.details,
    )
