"""The runs of thesis 7.3: training records released by one technique again and again, and what became of them.

The techniques are the thesis' own, other readings of them, and ours. `training_records` divides the tables,
`numbers_by_key` puts the runs together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, cast

import numpy as np

from hushwood.arrays import Floats
from hushwood.measures.columns.column_tallies import numeric_names
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import TreeLearner
from hushwood.measures.protocol import Context, Measurement
from hushwood.measures.risk.unchanged_cells import unchanged_cells
from hushwood.measures.utility.rule_types import RuleTypes
from hushwood.random_streams import Streams
from hushwood.releasing.fitted import PreparedStep
from hushwood.releasing.perturb import PerturbOptions
from hushwood.releasing.planning import plan_for
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import LEAF, Forest, categories_by_child
from hushwood.trees.options import Builder, GrowOptions
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Outcome, Size, Task, public_streams


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release the table; `original` is not a release.

    CAPT is limited to values of the record's own branch ("strict"), or as printed ("literal"). `noise` is the standard
    deviation as a share of the domain, if it is not a third. With `rho`, GADP keeps this share of a number's own
    deviation and ignores the class. With `twice_the_errors`, ALPT changes classes with twice the error rate of the
    original tree instead of as often as RPT does.
    """

    technique: str
    correlated: str | None = None
    capt: str = "strict"
    noise: float | None = None
    rho: float | None = None
    twice_the_errors: bool = False

    def __str__(self) -> str:
        notes = (
            self.correlated,
            "CAPT to the letter" if self.capt == "literal" else None,
            None if self.noise is None else f"noise {100 * self.noise:g} %",
            None if self.rho is None else f"rho {self.rho:g}, class left out",
            "ALPT at twice the errors" if self.twice_the_errors else None,
        )
        said = ", ".join(note for note in notes if note)
        return f"{self.technique} ({said})" if said else self.technique

    def options(self) -> dict[str, Any]:
        """The options of the release."""
        options: dict[str, Any] = {
            "technique": self.technique,
            "correlated": self.correlated,
            "capt": self.capt,
        }
        if self.noise is not None:
            options["noise"] = self.noise
        if self.rho is not None:
            options["settings"] = {"gadp": {"rho": self.rho, "given": ()}}
        return options


ORIGINAL = Way("original")
FRAMEWORK = Way("framework")
EXTENDED = Way("extended-framework", "gadp")
RANDOM = Way("random-framework")
RANDOM_EXTENDED = Way("random-extended-framework")
GADP = Way("gadp")
THESIS = (ORIGINAL, FRAMEWORK, EXTENDED, RANDOM, RANDOM_EXTENDED, GADP)
# Other readings: the literal text, and some that come closer to what is printed, on Adult and on WBC.
LITERAL = Way("framework", capt="literal")
LESS_NOISE = Way("framework", noise=0.135)
NEARER = (Way("random-extended-framework", rho=0.6), Way("gadp", rho=0.6))
MORE_CHANGES = tuple(
    Way(technique, twice_the_errors=True) for technique in ("random-framework", "random-extended-framework")
)
OWN = (
    *(Way("extended-framework", correlated) for correlated in ("cgadp", "egadp", "shuffle", "rotation")),
    Way("forest-extended-framework"),
)


def runs_of(way: Way, repeats: int) -> int:
    """How often a technique is run: the Framework in full, the others a fifth as often, the original once."""
    if way == ORIGINAL:
        return 1
    return repeats if way == FRAMEWORK else max(1, repeats // 5)


@dataclass(frozen=True, slots=True)
class Difference:
    """A topmost test that differs between two trees: depth, the first tree's attribute, share of records below.

    `moved` says that both trees test the same attribute there, with different cuts.
    """

    depth: int
    attribute: str
    moved: bool
    share: float


def first_differences(original: Forest, released: Forest) -> list[Difference]:
    """The topmost differing tests of two single trees, left to right; shares are of the second tree's records."""
    before, after = original.trees[0], released.trees[0]
    total = float(after.counts[0].sum())
    found: list[Difference] = []
    waiting = [(0, 0, 0)]
    while waiting:
        one, other, depth = waiting.pop()
        pairs = list(_paired_children(original, released, one, other))
        if pairs:
            waiting += [(*pair, depth + 1) for pair in reversed(pairs)]
        elif before.attribute[one] != LEAF or after.attribute[other] != LEAF:
            name = _tested(original, one) or _tested(released, other)
            moved = before.attribute[one] == after.attribute[other]
            found.append(Difference(depth, name, bool(moved), float(after.counts[other].sum()) / total))
    return found


def _tested(forest: Forest, node: int) -> str:
    position = int(forest.trees[0].attribute[node])
    return "" if position == LEAF else forest.attributes[position].name


def _paired_children(original: Forest, released: Forest, one: int, other: int) -> Iterator[tuple[int, int]]:
    """Children for the same outcomes, if both nodes have the same test."""
    before, after = original.trees[0], released.trees[0]
    if before.attribute[one] == LEAF or before.attribute[one] != after.attribute[other]:
        return
    attribute = original.attributes[before.attribute[one]]
    if attribute.kind == "numeric":
        if before.threshold[one] == after.threshold[other]:
            yield from zip(before.branches_of(one).tolist(), after.branches_of(other).tolist(), strict=True)
        return
    here, there = (
        {tuple(values): child for child, values in categories_by_child(tree, node, attribute).items()}
        for tree, node in ((before, one), (after, other))
    )
    if here.keys() == there.keys():
        yield from ((here[values], there[values]) for values in here)


BLOCK = 20  # runs of one task
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Setting:
    """A table, its tree builder, how it is divided, and which categorical columns are perturbed."""

    table: str
    builder: GrowOptions
    records: Callable[[PaperTables], tuple[Table, Table]]
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class Parts:
    """The training records with their tree, and the test records."""

    training: Grown
    test: Table


def tasks_of(ways: Sequence[Way], size: Size) -> list[Task]:
    """One task per technique and block of runs."""
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
    settings = task.settings
    way = Way(**settings["way"])
    parts = parts_of(tables, setting)
    numbers = range(settings["first"], settings["last"] + 1)
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
    """The two parts of a table, kept for the next task."""
    training, test = setting.records(tables)
    return Parts(Grown(training, Builder(setting.builder)), test)


def releases(training: Grown, way: Way, setting: Setting, streams: Sequence[Streams]) -> Iterator[Table]:
    """The training records released by one technique, once per noise stream; its laws are learnt once."""
    from hushwood.releasing.engines.memory import run
    from hushwood.releasing.fitted import released_table

    table = training.table
    if way == ORIGINAL:
        yield from (table for _ in streams)
        return
    steps = _prepared(training, way, setting, streams[0])
    for noise in streams:
        released = released_table(
            table, [step.perturber for step in steps], run(table, steps, noise, threads=1)
        )
        yield _changed_more_often(training, released, noise) if way.twice_the_errors else released


def _prepared(training: Grown, way: Way, setting: Setting, streams: Streams) -> tuple[PreparedStep, ...]:
    """The prepared steps of a technique; only the setting's categorical columns are perturbed."""
    from hushwood.releasing.forest_for import forest_for
    from hushwood.releasing.perturb import laid_out

    table, builder = training.table, setting.builder
    options = PerturbOptions(
        **way.options(),
        min_leaf=int(builder.min_leaf),
        variant=builder.variant,
        criterion=builder.criterion,
        confidence=builder.confidence,
        blur=0,
        threads=1,
    )
    plan = plan_for(options, table)
    chosen = (
        replace(step, attributes=tuple(name for name in step.attributes if name in setting.categories))
        if step.technique.perturbs == "categorical"
        else step
        for step in plan.steps
    )
    plan = replace(plan, steps=tuple(step for step in chosen if step.attributes))
    forest = training.tree if plan.trees == 1 else forest_for(table, plan, Builder(builder), streams)[0]
    return laid_out(table, plan, forest, options).prepared


def _changed_more_often(training: Grown, released: Table, noise: Streams) -> Table:
    """The release with its class, one of two, changed with twice the error rate of the original tree."""
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
    grown = Grown(released, original.builder)
    context = Context(streams, original_grown=original, released_grown=grown)
    details = cast("Measurement", RuleTypes().compute(original.table, released, context)).details
    change, shift = largest_moves(original.table, released)
    unchanged, near = _unchanged_numbers(original.table, released)
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
    """How many records the tree classifies correctly."""
    return int((TreeLearner().fit(grown)(records) == class_labels(records)[0]).sum())


def _percent(shares: Mapping[str, float]) -> dict[str, float]:
    return {name: round(100 * share, 4) for name, share in shares.items()}


def largest_moves(original: Table, released: Table) -> tuple[float, float]:
    """The largest change of a correlation between numeric columns, and of a mean in standard deviations."""
    before, after = (numbers_of(table) for table in (original, released))
    change = np.abs(np.corrcoef(before) - np.corrcoef(after))
    shift = np.abs(before.mean(axis=1) - after.mean(axis=1)) / before.std(axis=1, ddof=1)
    return float(change.max()), float(shift.max())


def numbers_of(table: Table) -> Floats:
    """The numeric columns [column, record]."""
    return np.stack([table.columns[name] for name in numeric_names(table)])


def _unchanged_numbers(original: Table, released: Table) -> tuple[float, float]:
    """Shares of numbers that are unchanged, and that are close to the original."""
    found = unchanged_cells(original, released, numeric_names(original))
    near = [column["near"] for column in found.details["columns"]]
    return found.value, float(np.mean([share for share in near if share is not None]))
