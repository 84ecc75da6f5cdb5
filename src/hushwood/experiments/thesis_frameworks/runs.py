"""The experiments of thesis 7.3: training records released in one way again and again, and what became of them.

Training and test records are in `adult_records` and `wbc_records`, ways in `ways`; `numbers` puts the runs together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Outcome, Size, Task, public_streams
from hushwood.experiments.thesis_frameworks.first_differences import first_differences
from hushwood.experiments.thesis_frameworks.ways import ORIGINAL, Way, runs_of
from hushwood.frameworks.perturb import PerturbOptions
from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context, Measurement
from hushwood.measures.risk.unchanged_cells import unchanged_cells
from hushwood.measures.utility.learners import TreeLearner
from hushwood.measures.utility.numeric_columns import numeric_names
from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.trees.options import GrowOptions

BLOCK = 20  # runs of one task
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """A table, how its trees are grown, how it is parted, and which categorical columns are perturbed."""

    table: str
    builder: GrowOptions
    records: Callable[[PaperTables], tuple[Table, Table]]
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """The training records with the tree on them, and the test records."""

    training: Grown
    test: Table


def tasks_of(ways: Sequence[Way], size: Size) -> list[Task]:
    """One task for every way and block of runs."""
    tasks = []
    for way in ways:
        runs = runs_of(way, size.repeats or 1)
        for first in range(1, runs + 1, BLOCK):
            last = min(first + BLOCK - 1, runs)
            settings = {"way": asdict(way), "first": first, "last": last}
            tasks.append(Task(f"{way}, runs {first} to {last}", settings, cost=last - first + 3))
    return tasks


def run_task(experiment: str, setting: Setting, task: Task, tables: PaperTables) -> Outcome:
    """Release the training records once for every run of a task, and measure every release."""
    told = task.settings
    way = Way(**told["way"])
    parts = parts_of(tables, setting)
    numbers = range(told["first"], told["last"] + 1)
    streams = [public_streams(experiment, setting.table, way, number) for number in numbers]
    columns = numeric_names(parts.training.table)
    return {
        "way": str(way),
        "columns": columns,
        "records": [parts.training.table.rows, parts.test.rows],
        "spreads": [float(parts.training.table.columns[name].std(ddof=1)) for name in columns],
        "runs": [
            {"number": number, **measured_release(parts, released, own)}
            for number, own, released in zip(
                numbers, streams, releases(parts.training, way, setting, streams), strict=True
            )
        ],
    }


@lru_cache(maxsize=1)
def parts_of(tables: PaperTables, setting: Setting) -> Parts:
    """The two parts of a table."""
    training, test = setting.records(tables)
    return Parts(Grown(training, setting.builder), test)


def releases(training: Grown, way: Way, setting: Setting, streams: Sequence[Streams]) -> Iterator[Table]:
    """The training records released in one way, once with every noise; what the noise is, is learnt once."""
    from hushwood.engines.memory import run
    from hushwood.engines.released import released_table

    table = training.table
    if way == ORIGINAL:
        yield from (table for _ in streams)
        return
    steps = _prepared(training, way, setting, streams[0])
    for noise in streams:
        released = released_table(table, steps, run(table, steps, noise, threads=1))
        yield _changed_more_often(training, released, noise) if way.twice_the_errors else released


def _prepared(training: Grown, way: Way, setting: Setting, streams: Streams) -> tuple[PreparedStep, ...]:
    """The techniques of a way made ready; of the categorical columns only those of the setting are perturbed."""
    from hushwood.frameworks.forest_for import forest_for
    from hushwood.frameworks.perturb import laid_out

    table, builder = training.table, setting.builder
    options = PerturbOptions(
        **way.options(),
        min_leaf=int(builder.min_leaf),
        variant=builder.variant,
        criterion=builder.criterion,
        confidence=builder.confidence,
        threads=1,
    )
    plan = options.plan(table)
    chosen = (
        replace(step, attributes=tuple(name for name in step.attributes if name in setting.categories))
        if step.technique.perturbs == "categorical"
        else step
        for step in plan.steps
    )
    plan = replace(plan, steps=tuple(step for step in chosen if step.attributes))
    forest = training.tree if plan.trees == 1 else forest_for(table, plan, builder, streams)[0]
    return laid_out(table, plan, forest, 1)[2]


def _changed_more_often(training: Grown, released: Table, noise: Streams) -> Table:
    """The release with its class, one of two, changed anew: with twice the error rate of the original tree."""
    table = training.table
    name = cast("Attribute", table.schema.class_attribute).name
    codes = np.asarray(table.columns[name])
    probability = 2 * (1 - right_of(training, table) / table.rows)
    changed = noise.uniform("class changes", name, 0, range(table.rows)) < probability
    low, high = codes.min(), codes.max()
    return released.with_columns({name: np.where(changed, low + high - codes, codes)})


def measured_release(parts: Parts, released: Table, streams: Streams) -> Mapping[str, Any]:
    """What became of rules, accuracies, means and correlations in one release, as JSON values."""
    original = parts.training
    grown = Grown(released, original.options)
    context = Context(streams, original_grown=original, released_grown=grown)
    details = cast("Measurement", RuleTypes().compute(original.table, released, context)).details
    change, shift = largest_moves(original.table, released)
    unchanged, near = _numbers_that_tell(original.table, released)
    numbers = numbers_of(released)
    correlations = np.asarray(np.corrcoef(numbers))[np.triu_indices(len(numbers), 1)]
    return {
        "right": [right_of(grown, records) for records in (released, original.table, parts.test)],
        "original_tree_right": right_of(original, released),
        "types": _percent(details["shares"]),
        "types_if_shortened_is_b": _percent(details["shares_if_shortened_is_b"]),
        "label": details["verdict"],
        "leaves": details["released_tree"]["leaves"],
        "means": numbers.mean(axis=1).round(_DIGITS).tolist(),
        "correlations": correlations.round(_DIGITS).tolist(),
        "change": round(change, _DIGITS),
        "shift": round(shift, _DIGITS),
        "unchanged": round(100 * unchanged, 4),
        "near": round(100 * near, 4),
        "differences": [asdict(found) for found in first_differences(original.tree, grown.tree)],
    }


def right_of(grown: Grown, records: Table) -> int:
    """How many records the tree classifies rightly."""
    return int((TreeLearner().fit(grown)(records) == class_labels(records)[0]).sum())


def _percent(shares: Mapping[str, float]) -> dict[str, float]:
    return {name: round(100 * share, 4) for name, share in shares.items()}


def largest_moves(original: Table, released: Table) -> tuple[float, float]:
    """The largest change of a correlation between numeric columns, and of a mean in standard deviations."""
    before, after = (numbers_of(table) for table in (original, released))
    change = np.abs(np.corrcoef(before) - np.corrcoef(after))
    shift = np.abs(before.mean(axis=1) - after.mean(axis=1)) / before.std(axis=1, ddof=1)
    return float(change.max()), float(shift.max())


def numbers_of(table: Table) -> NDArray[np.float64]:
    """The numeric columns [column, record]."""
    return np.stack([table.columns[name] for name in numeric_names(table)])


def _numbers_that_tell(original: Table, released: Table) -> tuple[float, float]:
    """Shares of the numbers that are unchanged, and that are near."""
    found = unchanged_cells(original, released, numeric_names(original))
    near = [column["near"] for column in found.details["columns"]]
    return found.value, float(np.mean([share for share in near if share is not None]))
