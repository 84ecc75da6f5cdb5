"""Measures and attacks run on a pair of tables; what they found becomes one document.

The tables come paired from `tables.pairing`; `document` arranges the answers, `references` gives each something to
be compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.protocol import Attack, Attacked, NotAttackable, Scenario
from hushwood.attacks.registry import ATTACKS
from hushwood.attacks.running import run_attack
from hushwood.attacks.scenarios import scenarios_for
from hushwood.evaluation.levels import GROUPS, ON_ALL_RECORDS, Level
from hushwood.evaluation.made import Made
from hushwood.evaluation.references import noise_table
from hushwood.measures.grown import Grown, builder_for
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.random_streams import Streams
from hushwood.tables.pairing import Pair
from hushwood.tables.table import Table
from hushwood.tables.taxonomies import Taxonomy

Stage = Callable[[str, int, int], None]
REFERENCE_TARGETS = 500  # enough to show what the untouched table and pure noise would give
# Goals for which people who were never in the table show what is learnt about anybody.
CONTROLLED = ("value", "predicate", "parts", "member")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a measure said, and what it says of the untouched table and of pure noise."""

    measure: Measure
    result: Measurement | NotComputable
    untouched: float | None = None
    noise: float | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """How an attack went, and how it goes on the untouched table and on pure noise.

    `aside` says that it was tried on the throw-away release, whose records are not the pair's.
    """

    attack: Attack
    result: Attacked | NotAttackable
    untouched: float | None = None
    noise: float | None = None
    aside: bool = False


@dataclass(frozen=True)
class Findings:
    """All answers and attempts, and the pair they are about."""

    pair: Pair
    context: Context
    answers: tuple[Answer, ...]
    attempts: tuple[Attempt, ...]


def silent(name: str, done: int, total: int) -> None:
    """Report no progress."""


def evaluate(
    pair: Pair,
    level: Level,
    streams: Streams,
    *,
    made: Made | None = None,
    control: Pair | None = None,
    taxonomies: Mapping[str, Taxonomy] | None = None,
    threads: int = 1,
    stage: Stage = silent,
) -> Findings:
    """Ask every measure of the level and try every attack.

    `control` is a second release, of some of the records, with the others as its hold-out; attacks that need people
    who were never in the table are tried there if the pair itself has none.
    """
    whole = _Scene.of(pair, streams, made, taxonomies or {}, threads)
    pair = pair.sampled(level.most_records, streams)
    made = made.taken(pair.drawn) if made else None
    sample = whole if pair is whole.pair else _Scene.of(pair, streams, made, taxonomies or {}, threads)
    total = len(level.measures) + len(level.attacks)
    answers: list[Answer] = []
    attempts: list[Attempt] = []
    for place, name in enumerate(level.measures):
        stage(f"measuring {name.replace('_', ' ')}", place, total)
        scene, beside = whole if name in ON_ALL_RECORDS else sample, whole if name in GROUPS else sample
        measure = level.measure(name)
        result = scene.answer(measure, name in level.brief)
        compared = beside.references(measure) if level.references and isinstance(result, Measurement) else ()
        answers.append(Answer(measure, result, *compared))
    for place, name in enumerate(level.attacks, len(level.measures)):
        stage(f"attacking: {name.replace('_', ' ')}", place, total)
        attack = ATTACKS[name]()
        aside = control is not None and attack.goal in CONTROLLED and pair.holdout is None
        attacked = control if aside and control else pair
        tried = _attempts(attack, attacked, level, streams, made, threads)
        attempts += [replace(one, aside=aside) for one in tried]
    stage("arranging the findings", total, total)
    return Findings(pair, sample.context, tuple(answers), tuple(attempts))


def _context(
    pair: Pair,
    streams: Streams,
    made: Made | None,
    taxonomies: Mapping[str, Taxonomy],
    threads: int,
) -> Context:
    builder = made.builder if made and made.builder else builder_for(pair.original.rows)
    return Context(
        streams,
        Grown(pair.original, builder, threads=threads),
        Grown(pair.released, builder, threads=threads),
        partner=pair.partner,
        segment_ids=made.segment_ids if made else None,
        steps=made.steps if made and made.laws_hold else (),
        holdout=pair.holdout,
        generalised=pair.generalised,
        taxonomies=taxonomies,
        threads=threads,
    )


@dataclass(frozen=True)
class _Scene:
    """A pair and its context, and the untouched table and pure noise in the place of the release."""

    pair: Pair
    context: Context

    @classmethod
    def of(
        cls,
        pair: Pair,
        streams: Streams,
        made: Made | None,
        taxonomies: Mapping[str, Taxonomy],
        threads: int,
    ) -> _Scene:
        """A pair with all that is known about it."""
        return cls(pair, _context(pair, streams, made, taxonomies, threads))

    def answer(self, measure: Measure, brief: bool) -> Measurement | NotComputable:
        """What a measure says of the release; its number alone if that is enough."""
        context = replace(self.context, value_only=brief)
        return measure.compute(self.pair.original, self.pair.released, context)

    def references(self, measure: Measure) -> tuple[float | None, float | None]:
        """What a measure says of the untouched table and of pure noise."""
        original, untouched = self.pair.original, measure.best
        if untouched is None:
            same = replace(self._plain, released_grown=self.context.original_grown)
            untouched = _value(measure.compute(original, original, same))
        other = replace(self._plain, released_grown=self._noise)
        return untouched, _value(measure.compute(original, self._noise.table, other))

    @cached_property
    def _plain(self) -> Context:
        """The context of a release with as many rows about which nothing is known but the table."""
        return replace(
            self.context,
            partner=np.arange(self.pair.original.rows),
            segment_ids=None,
            steps=(),
            generalised={},
            value_only=True,
        )

    @cached_property
    def _noise(self) -> Grown:
        return replace(
            self.context.original_grown, table=noise_table(self.pair.original, self.context.streams)
        )


def _value(result: Measurement | NotComputable) -> float | None:
    return result.value if isinstance(result, Measurement) else None


def _attempts(
    attack: Attack, pair: Pair, level: Level, streams: Streams, made: Made | None, threads: int
) -> Iterator[Attempt]:
    """The attack in every scenario; a reason why it cannot be tried is told once."""
    told: set[str] = set()
    method = made.method if made else {}
    for scenario in scenarios_for(attack, pair.original.schema):
        trial = _Trial(attack, scenario, pair, streams, method, threads)
        result = trial.on(pair.released, pair.partner, level.targets)
        if isinstance(result, NotAttackable):
            if result.reason not in told:
                yield Attempt(attack, result)
            told.add(result.reason)
        elif level.references:
            yield Attempt(attack, result, *trial.references(level))
        else:
            yield Attempt(attack, result)


@dataclass(frozen=True, slots=True)
class _Trial:
    """An attack in one scenario, to be tried on a release and on what it is compared with."""

    attack: Attack
    scenario: Scenario
    pair: Pair
    streams: Streams
    method: Mapping[str, Any]
    threads: int

    def references(self, level: Level) -> tuple[float | None, float | None]:
        """Success on the untouched table and on pure noise, with fewer targets."""
        rows = np.arange(self.pair.original.rows)
        noise = noise_table(self.pair.original, self.streams)
        targets = min(level.targets, REFERENCE_TARGETS)
        tried = [self.on(table, rows, targets, luck=False) for table in (self.pair.original, noise)]
        untouched, by_chance = (one.success if isinstance(one, Attacked) else None for one in tried)
        return untouched, by_chance

    def on(
        self, released: Table, partner: NDArray[np.int64] | None, targets: int, luck: bool = True
    ) -> Attacked | NotAttackable:
        """Try it on a table in the place of the release."""
        return run_attack(
            self.attack,
            self.scenario,
            self.pair.original,
            released,
            partner=partner,
            streams=self.streams,
            holdout=self.pair.holdout,
            targets=targets,
            method=self.method,
            threads=self.threads,
            luck=luck,
        )
