"""A table perturbed by a plan: forest, segments, prepared techniques, engine.

Nothing here touches files; `jobs` writes what comes out, and `certificate` checks it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hushwood.engines.protocol import PreparedStep
from hushwood.engines.registry import engine_named
from hushwood.errors import InputError
from hushwood.frameworks.forest_for import FOREST_ROWS, check_fits, default_min_leaf, forest_for
from hushwood.frameworks.plan import Plan
from hushwood.frameworks.recipes import DEFAULT_RECIPE, RecipeOptions, make_plan
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections, leaves, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt
from hushwood.techniques.noise import NoiseParameters
from hushwood.trees.forest import Forest
from hushwood.trees.grow import available_threads
from hushwood.trees.options import GrowOptions

Stage = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class PerturbOptions:
    """Everything that decides what a release looks like, apart from the table and the key."""

    technique: str = DEFAULT_RECIPE
    noise: float = 1 / 3
    boundary: str = "wrap"
    distribution: str = "normal"
    capt: str = "strict"
    probability: float = 0.1
    trees: int | None = None
    min_leaf: int | None = None
    variant: str = "c45"
    criterion: str = "gain_ratio"
    confidence: float = 0.25
    forest_rows: int = FOREST_ROWS
    engine: str = "auto"
    chunk_rows: int | None = None
    threads: int = field(default_factory=available_threads)

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
            Capt(mode=self.capt, probability=self.probability, grow=self.grow_options(table.rows)),  # type: ignore[arg-type]
            self.probability,
        )
        return make_plan(self.technique, table.schema, recipe, self.trees)


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A perturbed table, and how it came to be."""

    table: Table
    plan: Plan
    forest: Forest
    segments: Segments
    steps: tuple[PreparedStep, ...]
    warnings: tuple[str, ...]


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
    plan, grow = options.plan(table), options.grow_options(table.rows)
    warnings: tuple[str, ...] = ()
    stage("growing the forest", 0, 1)
    if forest is None:
        forest, warnings = forest_for(
            table,
            plan,
            grow,
            streams,
            forest_rows=options.forest_rows,
            exactly=options.trees is not None,
            threads=options.threads,
        )
    else:
        check_fits(forest, table.schema)
    stage("finding the segments", 0, 1)
    segments = _segments(table, plan, forest)
    stage("learning the noise", 0, 1)
    steps = tuple(
        PreparedStep(step.technique.prepare(table, [name], segments), segments.ids)
        for step in plan.steps
        for name in step.attributes
    )
    steps = tuple(step for step in steps if step.perturber.attributes)

    def progress(done: int, total: int) -> None:
        stage("adding noise", done, total)

    columns = run(
        table, steps, streams, chunk_rows=options.chunk_rows, threads=options.threads, progress=progress
    )
    return Perturbed(table.with_columns(columns), plan, forest, segments, steps, warnings)


def _segments(table: Table, plan: Plan, forest: Forest) -> Segments:
    if plan.over == "table":
        return whole_table(table)
    return leaves(table, forest) if plan.over == "leaves" else intersections(table, forest)
