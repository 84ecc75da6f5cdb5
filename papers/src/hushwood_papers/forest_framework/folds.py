"""One fold of the Forest Framework experiment: every technique releases the training records, and all are measured.

Tables, techniques, measures and the keys of numbers are here too. The rules of the original are learnt once per fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from hushwood.arrays import Integers
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import ForestLearner, Learner, MajorityLearner
from hushwood.measures.protocol import Context, Measure, Measurement
from hushwood.measures.risk.sers import Sers
from hushwood.measures.utility.eduds import Eduds
from hushwood.measures.utility.edusc import Edusc
from hushwood.random_streams import Streams
from hushwood.releasing.engines.memory import run as run_in_memory
from hushwood.releasing.fitted import released_table
from hushwood.releasing.perturb import PerturbOptions, laid_out
from hushwood.releasing.planning import plan_for
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder, GrowOptions, SysForOptions
from hushwood_papers.protocol import public_streams


@dataclass(frozen=True, slots=True)
class ForestTable:
    """A table's name in the paper, its smallest leaf (table 3), and how long it takes relative to Wine."""

    label: str
    min_leaf: int
    cost: float


@dataclass(frozen=True, slots=True)
class Way:
    """A way to release a table: recipe, options, and the rules of the original that it uses.

    One that is `only_for_categories` equals another one on a table without categories.
    """

    recipe: str
    learns: Literal["forest", "tree"] = "tree"
    options: Mapping[str, Any] = field(default_factory=dict)
    only_for_categories: bool = False


TABLES: Mapping[str, ForestTable] = {
    "wine": ForestTable("Wine", 10, 1.0),
    "wbc": ForestTable("WBC", 45, 0.6),
    "crx": ForestTable("Credit", 30, 1.3),
    "cmc": ForestTable("CMC", 60, 1.0),
    "abalone": ForestTable("Abalone", 180, 2.2),
}
# Those of Wine.
FEWEST_RECORDS = 178
LABELS = tuple(table.label for table in TABLES.values())

FF, F, GADP, RT = PRINTED_WAYS = ("FF", "F", "GADP", "RT")
STRICT, CLASS_LEFT_OUT = "F, CAPT strict", "GADP, class left out"
WAYS: Mapping[str, Way] = {
    FF: Way("forest-framework", "forest"),
    F: Way("framework", options={"capt": "literal"}),
    GADP: Way("gadp"),
    RT: Way("rt"),
    STRICT: Way("framework", only_for_categories=True),
    CLASS_LEFT_OUT: Way("gadp", options={"settings": {"gadp": {"given": ()}}}),
}

ACCURACY, EDUDS, EDUSC = "% of unseen records right", "EDUDS", "EDUSC"
EDUSC_BY_RECORDS = "EDUSC, nodes weighted by records"
EDUDS_ONE_TREE = "EDUDS of one tree per table"
ROOTS = "% of the forest's trees whose first attribute begins a released tree too"
SERS, SERS_WITH_CLASS, SHORTFALL = "SERS, bits", "SERS with the class, bits", "log2 n - SERS, bits"
NEAREST = "% of records whose nearest released record is their own"
MEASURES = (
    ACCURACY,
    EDUDS,
    EDUDS_ONE_TREE,
    ROOTS,
    EDUSC,
    EDUSC_BY_RECORDS,
    SERS,
    SERS_WITH_CLASS,
    SHORTFALL,
    NEAREST,
)
PERCENT = (ACCURACY, ROOTS, NEAREST)

# Baselines: the forest of the original, the majority class, and the training records compared with themselves.
ORIGINAL, NAIVE, UNTOUCHED = "original", "majority class", "untouched"


def measures_of(way: str) -> tuple[str, ...]:
    """What is measured: everything for the paper's techniques, the main measures for other readings."""
    return MEASURES if way in PRINTED_WAYS else (ACCURACY, EDUDS, EDUDS_ONE_TREE, EDUSC, SERS)


def key(label: str, way: str, measure: str) -> str:
    """The key of a number.

    >>> key("Wine", FF, SERS)
    'Wine, FF: SERS, bits'
    """
    return f"{label}, {way}: {measure}"


VARIANT, CONFIDENCE = "c45", 0.25
# Section 7 of the paper; the smallest leaf depends on the table.
SYSFOR = SysForOptions(trees=3, goodness=0.5, separation=0.3, minimum_gain_ratio=0.01)
# A column is not normal if D'Agostino and Pearson's test gives less than this.
NOT_NORMAL = 0.001


@dataclass(frozen=True)
class Fold:
    """Training records and what is learnt from them, and the test records, which are never released."""

    name: str
    number: int
    grown: Grown
    test: Table

    @classmethod
    def of(cls, name: str, number: int, table: Table, folds: int) -> Fold:
        """One of the random parts is the test table."""
        part = parts(name, table.rows, folds)
        training, test = (table.take(np.flatnonzero(rows)) for rows in (part != number, part == number))
        return cls(name, number, _grown(training, name), test)

    def accuracy(self, learner: Learner, grown: Grown) -> float:
        """Percentage of the test records whose class is predicted correctly."""
        return 100.0 * float((learner.fit(grown)(self.test) == class_labels(self.test)[0]).mean())


def parts(name: str, rows: int, folds: int) -> Integers:
    """The part of every record of a table; sizes differ by at most one."""
    part = np.empty(rows, np.int64)
    order = public_streams("forest-framework", name, "folds").order("folds", "", range(rows))
    part[order] = np.arange(rows) % folds
    return part


def measured_fold(fold: Fold, repeats: int) -> dict[str, Any]:
    """The baselines, and one number per release for every technique and measure."""
    ways: dict[str, dict[str, list[float]]] = {}
    for way_name, way in _ways_for(fold.grown.table):
        found = [_measured(fold, *release) for release in _releases(fold, way_name, way, repeats)]
        ways[way_name] = {measure: [one[measure] for one in found] for measure in measures_of(way_name)}
    return {
        "table": {**described(fold.grown.table, fold.test.rows), "min leaf": TABLES[fold.name].min_leaf},
        ORIGINAL: fold.accuracy(ForestLearner(), fold.grown),
        NAIVE: fold.accuracy(MajorityLearner(), fold.grown),
        UNTOUCHED: _untouched(fold),
        "ways": ways,
    }


def described(training: Table, test_records: int) -> dict[str, int]:
    """The counts of the paper's table 3, and how many numeric columns do not look normal."""
    from scipy.stats import normaltest

    inputs, target = training.schema.inputs, training.schema.class_attribute
    numeric = [attribute.name for attribute in inputs if attribute.kind == "numeric"]
    return {
        "records": training.rows + test_records,
        "numeric": len(numeric),
        "categorical": len(inputs) - len(numeric) + 1,
        "classes": len(target.categories) if target else 0,
        "not normal": sum(int(normaltest(training.columns[name]).pvalue < NOT_NORMAL) for name in numeric),
    }


def _untouched(fold: Fold) -> dict[str, float]:
    """SERS of the training records compared with themselves, which hide nobody."""
    table, streams = fold.grown.table, public_streams("forest-framework", fold.name, fold.number)
    context = Context(streams, fold.grown, fold.grown, partner=np.arange(table.rows))
    return _security(_answer(Sers(), table, table, context))


def _grown(table: Table, name: str) -> Grown:
    builder = GrowOptions(VARIANT, min_leaf=TABLES[name].min_leaf, confidence=CONFIDENCE)
    return Grown(table, Builder(builder, SYSFOR))


def _ways_for(table: Table) -> Iterator[tuple[str, Way]]:
    categories = any(attribute.kind == "categorical" for attribute in table.schema.inputs)
    for name, way in WAYS.items():
        if categories or not way.only_for_categories:
            yield name, way


def _releases(fold: Fold, name: str, way: Way, repeats: int) -> Iterator[tuple[Table, Streams]]:
    """The training records released repeatedly; only the noise differs."""
    training = fold.grown.table
    options = PerturbOptions(
        technique=way.recipe,
        min_leaf=TABLES[fold.name].min_leaf,
        variant=VARIANT,
        confidence=CONFIDENCE,
        blur=0,
        threads=1,
        **way.options,
    )
    forest = fold.grown.forest if way.learns == "forest" else fold.grown.tree
    steps = laid_out(training, plan_for(options, training), forest, options).prepared
    for repeat in range(repeats):
        streams = public_streams("forest-framework", fold.name, fold.number, name, repeat)
        yield (
            released_table(
                training, [step.perturber for step in steps], run_in_memory(training, steps, streams)
            ),
            streams,
        )


def _measured(fold: Fold, released: Table, streams: Streams) -> dict[str, float]:
    """All measures of one release; its own forest is grown here."""
    original, after = fold.grown.table, _grown(released, fold.name)
    context = Context(streams, fold.grown, after, partner=np.arange(original.rows))

    ranges = _answer(Eduds(), original, released, context)
    splits = _answer(Edusc(), original, released, context).details["normalised"]
    security = _answer(Sers(), original, released, context)
    return {
        ACCURACY: fold.accuracy(ForestLearner(), after),
        EDUDS: ranges.value,
        EDUDS_ONE_TREE: ranges.details["one_tree"],
        ROOTS: 100.0 * roots_kept(fold.grown.forest, after.forest),
        EDUSC: splits["paper"],
        EDUSC_BY_RECORDS: splits["affected"],
        SERS_WITH_CLASS: security.details["with_class"],
        **_security(security),
    }


def roots_kept(before: Forest, after: Forest) -> float:
    """The share of a forest's trees whose first attribute is that of some tree of the other forest."""
    first, again = (
        [forest.attributes[tree.attribute[0]].name if len(tree) > 1 else "" for tree in forest.trees]
        for forest in (before, after)
    )
    return sum(name in again for name in first) / len(first)


def _security(found: Measurement) -> dict[str, float]:
    return {
        SERS: found.value,
        SHORTFALL: found.details["shortfall"],
        NEAREST: 100.0 * found.details["partner"]["nearest"],
    }


def _answer(measure: Measure, original: Table, released: Table, context: Context) -> Measurement:
    found = measure.compute(original, released, context)
    if not isinstance(found, Measurement):
        raise ValueError(f"{measure.name} cannot be computed: {found.reason}")
    return found
