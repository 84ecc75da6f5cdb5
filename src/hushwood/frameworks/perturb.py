"""A table perturbed by a plan: forest, segments, prepared techniques, engine.

Nothing here touches files; `jobs` writes what comes out, and `certificate` checks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.declared_settings import Settings
from hushwood.engines.protocol import PreparedStep
from hushwood.engines.registry import engine_named
from hushwood.engines.released import released_table
from hushwood.errors import InputError
from hushwood.frameworks.forest_for import FOREST_ROWS, check_fits, default_min_leaf, forest_for
from hushwood.frameworks.plan import Plan, Step
from hushwood.frameworks.recipes import DEFAULT_RECIPE, RecipeOptions, columns_for, make_plan
from hushwood.freed_memory import give_back_freed_memory
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Array, Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.fallbacks import GroupPerturber
from hushwood.techniques.joint import JointLaw
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.redraw import RedrawLaw
from hushwood.techniques.suppression import Suppression, suppressed
from hushwood.trees.forest import Forest
from hushwood.trees.grow import available_threads
from hushwood.trees.options import GrowOptions

Stage = Callable[[str, int, int], None]
CERTAIN = 1e-9
MANY_APART = 0.02  # of the records


@dataclass(frozen=True, slots=True)
class PerturbOptions:
    """Everything that decides what a release looks like, apart from the table and the key."""

    technique: str = DEFAULT_RECIPE
    noise: float = 1 / 3
    boundary: str = "wrap"
    distribution: str = "normal"
    capt: str = "strict"
    probability: float = 0.1
    value_clusters: str = "detective"
    correlated: str | None = None
    suppress: tuple[str, ...] = ()
    settings: Settings = field(default_factory=dict)
    trees: int | None = None
    min_leaf: int | None = None
    variant: str = "c45"
    criterion: str = "gain_ratio"
    confidence: float = 0.25
    forest_rows: int = FOREST_ROWS
    engine: str = "auto"
    chunk_rows: int | None = None
    threads: int = field(default_factory=available_threads)

    @property
    def blanks_afterwards(self) -> bool:
        """Whether declared cells of the perturbed table are left out, about which the laws say nothing."""
        return bool(self.suppress) and self.technique != "suppress"

    def grow_options(self, records: int) -> GrowOptions:
        """How the trees are grown."""
        min_leaf = default_min_leaf(records) if self.min_leaf is None else self.min_leaf
        return GrowOptions(self.variant, self.criterion, min_leaf, self.confidence)

    def plan(self, table: Table) -> Plan:
        """The steps for a table."""
        if self.trees is not None and self.trees < 1:
            raise InputError(f"--trees must be 1 or more; {self.trees} was given.")
        if self.chunk_rows is not None and self.chunk_rows < 1:
            raise InputError(f"--chunk-rows must be 1 or more; {self.chunk_rows} was given.")
        recipe = RecipeOptions(
            NoiseParameters(self.noise, self.boundary, self.distribution),  # type: ignore[arg-type]
            self._capt(table.rows),
            self.probability,
            self.correlated,
            tuple(self.suppress),
            self.settings,
        )
        return make_plan(self.technique, table.schema, recipe, self.trees)

    def _capt(self, records: int) -> Capt:
        grow = self.grow_options(records)
        mode: Any = self.capt
        return Capt(mode, self.probability, grow=grow, clusters=self.value_clusters)


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A perturbed table, and how it came to be.

    `untouched` counts, for columns that the plan perturbs in some segments only, the records it leaves alone. `ways`
    counts the segments and records whose numbers were drawn together in each way.
    """

    table: Table
    plan: Plan
    forest: Forest
    segments: Segments
    steps: tuple[PreparedStep, ...]
    warnings: tuple[str, ...]
    untouched: Mapping[str, int] = field(default_factory=dict)
    ways: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def silent(name: str, done: int, total: int) -> None:
    """Report no progress."""


def perturb(
    table: Table,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None = None,
    stage: Stage = silent,
) -> Perturbed:
    """Learn the rules, cut the table into segments, and perturb every column by the plan."""
    run = engine_named(options.engine)
    plan = options.plan(table)
    stage("growing the forest", 0, 1)
    forest, warnings = _forest(table, plan, options, streams, forest)
    give_back_freed_memory()
    plan, segments, steps = laid_out(table, plan, forest, options.threads, stage)
    untouched = _untouched(steps, segments) | _never_changed(table, steps)

    def progress(done: int, total: int) -> None:
        stage("adding noise", done, total)

    columns = run(
        table, steps, streams, chunk_rows=options.chunk_rows, threads=options.threads, progress=progress
    )
    give_back_freed_memory()
    if options.blanks_afterwards:
        plan, columns = _suppressed(table, plan, columns, options.suppress)
    warnings += tuple(
        f"Column {name!r} is copied as it is in {count:,} of {table.rows:,} records: "
        f"{plan.recipe} has nothing to do there."
        for name, count in untouched.items()
    )
    warnings += tuple(
        f"Column {name!r} left exactly as it came: the rules leave it only one value in every segment."
        for name, values in columns.items()
        if np.array_equal(values, table.columns[name], equal_nan=True)
    )
    same = _as_they_came(table, plan, columns)
    if same:
        said = (
            f"{same:,} of {table.rows:,} records go out exactly as they came, in every column: they are alone in "
            "their segment, or nobody there differs from them. A larger --min-leaf makes fewer of them."
        )
        warnings += (said,)
    ways = _ways(table, steps, streams)
    apart = sum(records for way, (_, records) in ways.items() if way not in ("own", "rotation", "shuffle"))
    if apart > MANY_APART * table.rows:
        said = (
            f"The numbers of {apart:,} of {table.rows:,} records could not be drawn together, because too few records "
            "of their segment have the same columns filled: correlations and variances suffer. Fill gaps first, or "
            "take a larger --min-leaf."
        )
        warnings += (said,)
    released = released_table(table, steps, columns)
    return Perturbed(released, plan, forest, segments, steps, warnings, untouched, ways)


def _suppressed(
    table: Table, plan: Plan, columns: Mapping[str, Array], rules: Sequence[str]
) -> tuple[Plan, dict[str, Array]]:
    """Leave out declared cells of a perturbed table, and say so in the plan."""
    technique = Suppression(tuple(rules))
    every = {name: columns.get(name, table.columns[name]) for name in columns_for(table.schema, "any")}
    blanked = suppressed(table.columns, every, table.schema, rules)
    names = tuple(n for n, values in blanked.items() if not np.array_equal(values, every[n], equal_nan=True))
    left_out = {name: blanked[name] for name in names}
    return replace(plan, steps=(*plan.steps, Step(technique, names))), {**columns, **left_out}


def _never_changed(table: Table, steps: Sequence[PreparedStep]) -> dict[str, int]:
    """Records whose value CAPT's law is certain to keep, by column (errata C7)."""
    found: dict[str, int] = {}
    for step in steps:
        law = step.perturber.law()
        for part in law.laws if isinstance(law, JointLaw) else ():
            if (
                isinstance(part, RedrawLaw)
                and part.purpose == Capt.acronym
                and _varies(table, part.attribute)
            ):
                certain = part.log_prob(table.columns, table.columns, step.segment_ids) > -CERTAIN
                found[part.attribute] = int(certain.sum())
    return {name: count for name, count in found.items() if count}


def _varies(table: Table, name: str) -> bool:
    values = table.columns[name]
    return bool((values != values[:1]).any())


def _as_they_came(table: Table, plan: Plan, columns: Mapping[str, Array]) -> int:
    """Records that no column changes, if the plan is to change all columns."""
    if plan.copied(table.schema):
        return 0
    same = np.ones(table.rows, bool)
    for name, values in columns.items():
        before = table.columns[name]
        same &= (values == before) | ((values != values) & (before != before))
    return int(same.sum())


def _ways(table: Table, steps: Sequence[PreparedStep], streams: Streams) -> Mapping[str, tuple[int, int]]:
    """How the numbers of groups were drawn; only group perturbers can tell."""
    for step in steps:
        if isinstance(step.perturber, GroupPerturber):
            return step.perturber.ways(table.columns, step.segment_ids, range(table.rows), streams)
    return {}


def laid_out(
    table: Table, plan: Plan, forest: Forest, threads: int, stage: Stage = silent
) -> tuple[Plan, Segments, tuple[PreparedStep, ...]]:
    """The plan for this forest, its segments, and the techniques made ready: all but the key.

    The same table, plan and forest give the same laws again, so an audit can read them long after the release.
    """
    stage("finding the segments", 0, 1)
    plan = plan.with_trees(len(forest.trees))
    segments = whole_table(table) if plan.over == "table" else intersections(table, forest, threads)
    stage("learning the noise", 0, 1)
    plan, steps = _prepared(table, plan, segments)
    return plan, segments, steps


def _forest(
    table: Table, plan: Plan, options: PerturbOptions, streams: Streams, given: Forest | None
) -> tuple[Forest, tuple[str, ...]]:
    if given is None:
        return forest_for(
            table,
            plan,
            options.grow_options(table.rows),
            streams,
            forest_rows=options.forest_rows,
            exactly=options.trees is not None,
            threads=options.threads,
        )
    if options.trees is not None and options.trees != len(given.trees):
        raise InputError(
            f"The forest given has {len(given.trees)} trees, but {options.trees} were asked for; leave out --trees."
        )
    check_fits(given, table.schema)
    return given, ()


def _prepared(table: Table, plan: Plan, segments: Segments) -> tuple[Plan, tuple[PreparedStep, ...]]:
    """The perturbers, and the plan without the columns in which a technique finds nothing to do."""
    ready: list[PreparedStep] = []
    steps: list[Step] = []
    for step in plan.steps:
        groups = [step.attributes] if step.technique.jointly else [(name,) for name in step.attributes]
        made = [
            PreparedStep(step.technique.prepare(table, names, segments), segments.ids) for names in groups
        ]
        busy = [prepared for prepared in made if any(reach.any() for _, reach in _reach(prepared, segments))]
        ready += busy
        names = tuple(name for prepared in busy for name in prepared.perturber.attributes)
        steps += [replace(step, attributes=names)] if names else []
    if not ready:
        raise InputError(
            f"The technique {plan.recipe!r} finds nothing to change in this table; choose another one."
        )
    return replace(plan, steps=tuple(steps)), tuple(ready)


def _reach(prepared: PreparedStep, segments: Segments) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """The columns of a perturber, and in which segments it works on them."""
    for name in prepared.perturber.attributes:
        covered = prepared.perturber.covers(name)
        yield name, np.ones(segments.count, bool) if covered is None else covered


def _untouched(steps: Sequence[PreparedStep], segments: Segments) -> dict[str, int]:
    covered: dict[str, NDArray[np.bool_]] = {}
    for prepared in steps:
        for name, reach in _reach(prepared, segments):
            covered[name] = covered.get(name, np.zeros(segments.count, bool)) | reach
    counts = {name: int(segments.sizes[~reach].sum()) for name, reach in covered.items()}
    return {name: count for name, count in counts.items() if count}
