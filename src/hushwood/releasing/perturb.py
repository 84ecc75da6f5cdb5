"""A table perturbed by a plan: forest, segments, prepared techniques, engine.

Nothing here touches files; `jobs` writes what comes out, and `certificate` checks it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.engines.protocol import PreparedStep
from hushwood.releasing.engines.registry import engine_named
from hushwood.releasing.forest_for import builder_of, forest_behind, sampled_rows
from hushwood.releasing.noise_given import ADDED
from hushwood.releasing.noise_warnings import noise_warnings, without_noise
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan, Step
from hushwood.releasing.recipes import columns_for
from hushwood.releasing.released_tables import released_table
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.stages import Stage, silent
from hushwood.tables.generalised.columns import Generalised
from hushwood.tables.table import Table
from hushwood.techniques.blurring.blurred_law import BlurredLaw
from hushwood.techniques.capt import Capt
from hushwood.techniques.laws.coded_numbers import prepared_for_numbers
from hushwood.techniques.laws.group_law import GroupLaw
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.laws.partial_permutation import PartialPermutationLaw
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.protocol import Blurs, Generalises, Perturber, Technique
from hushwood.techniques.suppression import Suppression, suppressed
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder

__all__ = ["PerturbOptions", "Perturbed", "laid_out", "perturb"]

CERTAIN = 1e-9
MANY_APART = 0.02  # of the records
_APART = ("permutation", "exchange", "noise", "kept")  # ways in which numbers are not drawn together
# Parameters that a release makes public, and the shared option of the techniques that they belong to.
_PUBLIC = {
    **dict.fromkeys(("noise", "boundary", "distribution"), ADDED),
    **{name: frozenset({name}) for name in ("capt", "value_clusters", "probability", "k", "teacher", "blur")},
}
# Those that are only named where they were given.
_PUBLIC_IF_GIVEN = {
    **dict.fromkeys(("noise_by_column", "noise_of"), ADDED),
    **{name: frozenset({name}) for name in (*ADDED, "coarsen")},
}


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A perturbed table and how it was made: what measures, reports and the manifest need to know.

    `builder` is what grew the forest. `untouched` counts, for columns that the plan perturbs in some segments only,
    the records it leaves alone. `ways` counts the segments and records whose numbers were drawn together in each way.
    """

    table: Table
    options: PerturbOptions
    plan: Plan
    forest: Forest
    segments: Segments
    steps: tuple[PreparedStep, ...]
    builder: Builder
    warnings: tuple[str, ...] = ()
    untouched: Mapping[str, int] = field(default_factory=dict)
    ways: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    certificate: Mapping[str, Any] | None = None

    @property
    def segment_ids(self) -> Codes:
        """The segment of every record."""
        return self.segments.ids

    @property
    def paired(self) -> bool:
        """Whether every released record stands for the original one in the same row."""
        return self.plan.row_order != "none"

    @property
    def laws_hold(self) -> bool:
        """Whether the steps' laws describe what became of each record; not if it was made up or blanked afterwards."""
        return self.paired and not self.options.blanks_afterwards

    @property
    def method(self) -> dict[str, Any]:
        """What the release says publicly about how it was made: its technique and that technique's parameters."""
        techniques = [step.technique for step in self.plan.steps]
        # Noise for records that are alone in their segment is a last resort and was never announced.
        taken = {name for t in techniques for field, name in t.options.items() if field != "alone"}
        options = self.options
        public = {name: self._public(name) for name, shared in _PUBLIC.items() if shared & taken}
        public |= {
            name: getattr(options, name)
            for name, shared in _PUBLIC_IF_GIVEN.items()
            if shared & taken and getattr(options, name) != getattr(PerturbOptions(), name)
        }
        used = {technique.acronym.lower() for technique in techniques}
        used |= {options.value_clusters} if "value_clusters" in taken else set()
        settings = {name: dict(given) for name, given in options.settings.items() if name in used}
        return {"technique": self.plan.recipe} | public | ({"settings": settings} if settings else {})

    def _public(self, option: str) -> Any:
        """An option as it was given or, if it was not, as the techniques that take it chose it."""
        given = getattr(self.options, option)
        chosen = (
            getattr(step.technique, field)
            for step in self.plan.steps
            for field, name in step.technique.options.items()
            if name == option
        )
        return next(chosen, None) if given is None else given

    @property
    def labels(self) -> dict[str, Mapping[str, Sequence[str]]]:
        """By column, the categories that released labels stand for which do not explain themselves."""
        return {name: key for each in self._generalising for name, key in each.labels.items()}

    def stands_for(self, original: Table) -> dict[str, Generalised]:
        """What released numbers stand for, in the order of the original's records; it need not show in the release."""
        schema = original.schema
        return {
            name: Generalised.of_ends(low, high, schema[name])
            for each in self._generalising
            for name, (low, high) in each.intervals(original.columns).items()
        }

    @property
    def _generalising(self) -> list[Generalises]:
        return [step.perturber for step in self.steps if isinstance(step.perturber, Generalises)]

    def of_rows(self, rows: Integers | None) -> Perturbed:
        """The same for some of the original's rows; None for all."""
        if rows is None:
            return self
        steps = tuple(replace(step, segment_ids=step.segment_ids[rows]) for step in self.steps)
        return replace(self, segments=replace(self.segments, ids=self.segments.ids[rows]), steps=steps)


def perturb(
    table: Table,
    options: PerturbOptions,
    streams: Streams,
    forest: Forest | None = None,
    stage: Stage = silent,
) -> Perturbed:
    """Learn the rules, cut the table into segments, and perturb every column by the plan."""
    run = engine_named(options.engine)
    options = options.with_noise_of(table.schema)
    plan = options.plan(table)
    stage("growing the forest", 0, 1)
    forest, warnings = forest_behind(table, plan, options, streams, forest)
    return_freed_memory()
    sample = sampled_rows(table.rows, options.forest_rows, streams)
    plan, segments, steps = laid_out(table, plan, forest, options.threads, stage, sample)

    def progress(done: int, total: int) -> None:
        stage("changing the values", done, total)

    columns = run(
        table, steps, streams, chunk_rows=options.chunk_rows, threads=options.threads, progress=progress
    )
    return_freed_memory()
    if options.blanks_afterwards:
        plan, columns = _suppressed(table, plan, columns, options.suppress)
    done = Perturbed(
        released_table(table, steps, columns),
        options,
        plan,
        forest,
        segments,
        steps,
        builder_of(forest, plan, options.builder(table.rows)),
        untouched=_untouched(steps, segments) | _never_changed(table, steps),
        ways=_ways(steps),
    )
    return replace(done, warnings=(*warnings, *_warnings(table, done, columns)))


def _warnings(table: Table, done: Perturbed, columns: Mapping[str, Array]) -> Iterator[str]:
    """What the release does not protect, or protects at a price."""
    rows = f"{table.rows:,} records"
    for name, count in done.untouched.items():
        yield (
            f"Column {name!r} is copied as it is in {count:,} of {rows}: {done.plan.recipe} has nothing to do there."
        )
    for name, values in columns.items():
        if np.array_equal(values, table.columns[name], equal_nan=True):
            why = "the rules allow it only one value in every segment"
            if name in without_noise(done.steps):
                why = "its noise is 0"
            elif not done.paired:
                why = "it has only one value"
            yield f"Column {name!r} is released unchanged: {why}."
    yield from noise_warnings(table, done.plan, done.steps)
    copied = () if done.paired else done.plan.copied(table.schema)
    if copied:
        yield (
            f"Copied in the order of the table: {', '.join(copied)}. No released record stands for one person, so "
            "these values have nothing to do with the others of their record; declare such columns as identifiers to "
            "drop them."
        )
    # Where records have no order, one that equals the record in its row does so by chance.
    same = _unchanged_records(table, done.plan, columns) if done.plan.row_order == "kept" else 0
    if same:
        yield (
            f"{same:,} of {rows} are released unchanged in every column: each is alone in its segment, or the others "
            "there do not differ from it. A larger --min-leaf leaves fewer unchanged."
        )
    for name, stuck in _stuck(done.steps).items():
        yield (
            f"In column {name!r}, {stuck:,} numbers that few records share could not be blurred, because the rules or "
            "their neighbours leave no other number; they are released as they are, on some record of the table."
        )
    apart = sum(n for way, (_, n) in done.ways.items() if way in _APART)
    if apart > MANY_APART * table.rows:
        yield (
            f"The numbers of {apart:,} of {rows} could not be drawn together, because too few records of their segment "
            "have the same columns filled: correlations and variances suffer. Fill missing values first, or use a "
            "larger --min-leaf."
        )


def return_freed_memory() -> None:
    """Ask glibc to return free memory; other C libraries do so by themselves or cannot be asked.

    Growing a forest and adding noise free many middle-sized arrays; kept by the allocator they would make a release
    of a large table look, and count, a quarter larger than it is.
    """
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return
    trim(0)


def _suppressed(
    table: Table, plan: Plan, columns: Mapping[str, Array], rules: Sequence[str]
) -> tuple[Plan, dict[str, Array]]:
    """Blank declared cells of a perturbed table, and add that to the plan.

    Where no record stands for an original one, its own released values say what is to be blanked.
    """
    technique = Suppression(tuple(rules))
    every = {name: columns.get(name, table.columns[name]) for name in columns_for(table.schema, "any")}
    decides = every if plan.row_order == "none" else table.columns
    blanked = suppressed(decides, every, table.schema, rules)
    names = tuple(n for n, values in blanked.items() if not np.array_equal(values, every[n], equal_nan=True))
    new = {name: blanked[name] for name in names}
    return replace(plan, steps=(*plan.steps, Step(technique, names))), {**columns, **new}


def _never_changed(table: Table, steps: Sequence[PreparedStep]) -> dict[str, int]:
    """Records whose value CAPT's law is certain to keep, by column (errata C7)."""
    found: dict[str, int] = {}

    def varies(name: str) -> bool:
        return bool((table.columns[name] != table.columns[name][:1]).any())

    for step in steps:
        law = step.perturber.law()
        for part in law.laws if isinstance(law, JointLaw) else ():
            if not isinstance(part, RedrawLaw | PartialPermutationLaw) or part.purpose != Capt.acronym:
                continue
            if varies(part.attribute):
                certain = part.log_prob(table.columns, table.columns, step.segment_ids) > -CERTAIN
                found[part.attribute] = int(certain.sum())
    return {name: count for name, count in found.items() if count}


def _unchanged_records(table: Table, plan: Plan, columns: Mapping[str, Array]) -> int:
    """Records that are the same in every column, if the plan is to change all columns."""
    if plan.copied(table.schema):
        return 0
    same = np.ones(table.rows, bool)
    for name, values in columns.items():
        before = table.columns[name]
        same &= (values == before) | ((values != values) & (before != before))
    return int(same.sum())


def _ways(steps: Sequence[PreparedStep]) -> Mapping[str, tuple[int, int]]:
    """How numbers were drawn together; only group perturbers know."""
    for step in steps:
        if isinstance(step.perturber, GroupPerturber):
            return step.perturber.ways()
    return {}


def _stuck(steps: Sequence[PreparedStep]) -> dict[str, int]:
    """By column, the rare numbers that had no room to be blurred."""
    found: dict[str, int] = {}
    for step in steps:
        if isinstance(step.perturber, Blurs):
            found |= {name: count for name, count in step.perturber.stuck.items() if count}
        law = step.perturber.law()
        for part in law.laws if isinstance(law, JointLaw) else (law,):
            if isinstance(part, BlurredLaw | GroupLaw) and part.blur is not None:
                found |= {name: count for name, count in part.blur.stuck.items() if count}
    return found


def laid_out(
    table: Table,
    plan: Plan,
    forest: Forest,
    threads: int,
    stage: Stage = silent,
    sample: Integers | None = None,
) -> tuple[Plan, Segments, tuple[PreparedStep, ...]]:
    """The plan for this forest, its segments, and the prepared techniques: everything but the key.

    The same table, plan, forest and sample always give the same laws, so an audit can read them long after the
    release. Of a long table the sample is what trees are grown on.
    """
    stage("finding the segments", 0, 1)
    plan = plan.with_trees(len(forest.trees))
    if not table.schema.classes:
        predicted = dict.fromkeys(target.name for target in forest.predicts)
        plan = plan.predicting([name for name in predicted if name in table.columns])
    segments = whole_table(table) if plan.over == "table" else intersections(table, forest, threads)
    segments = replace(segments, sample=sample)
    stage("preparing the technique", 0, 1)
    plan, steps = _prepared(table, plan, segments)
    return plan, segments, steps


def _prepared(table: Table, plan: Plan, segments: Segments) -> tuple[Plan, tuple[PreparedStep, ...]]:
    """The perturbers, and the plan without the columns in which a technique finds nothing to do."""
    ready: list[PreparedStep] = []
    steps: list[Step] = []
    for step in plan.steps:
        groups = [step.attributes] if step.technique.jointly else [(name,) for name in step.attributes]
        made = [
            PreparedStep(_made_ready(step.technique, table, names, segments), segments.ids)
            for names in groups
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


def _made_ready(technique: Technique, table: Table, names: tuple[str, ...], segments: Segments) -> Perturber:
    """The technique for these columns; one for classes takes the numbers of a response for classes."""
    if technique.perturbs == "class" and table.schema[names[0]].kind == "numeric":
        return prepared_for_numbers(technique, table, names[0], segments)
    return technique.prepare(table, names, segments)


def _reach(prepared: PreparedStep, segments: Segments) -> Iterator[tuple[str, Flags]]:
    """The columns of a perturber, and in which segments it works on them."""
    for name in prepared.perturber.attributes:
        covered = prepared.perturber.covers(name)
        yield name, np.ones(segments.count, bool) if covered is None else covered


def _untouched(steps: Sequence[PreparedStep], segments: Segments) -> dict[str, int]:
    covered: dict[str, Flags] = {}
    for prepared in steps:
        for name, reach in _reach(prepared, segments):
            covered[name] = covered.get(name, np.zeros(segments.count, bool)) | reach
    counts = {name: int(segments.sizes[~reach].sum()) for name, reach in covered.items()}
    return {name: count for name, count in counts.items() if count}
