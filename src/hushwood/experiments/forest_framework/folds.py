"""One fold of one table: every technique releases the training records, and each release is measured.

The rules of the original are learnt once a fold; names and options are in `names`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.memory import run as run_in_memory
from hushwood.engines.released import released_table
from hushwood.experiments.forest_framework import names
from hushwood.experiments.protocol import public_streams
from hushwood.frameworks.perturb import PerturbOptions, laid_out
from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context, Measure, Measurement
from hushwood.measures.risk.sers import Sers
from hushwood.measures.utility.eduds import Eduds
from hushwood.measures.utility.edusc import Edusc
from hushwood.measures.utility.learners import ForestLearner, Learner, MajorityLearner
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels
from hushwood.trees.options import GrowOptions
from hushwood.trees.sysfor import SysForOptions

VARIANT, CONFIDENCE = "c45", 0.25
# All but the smallest leaf, which is the table's: section 7 of the paper.
SYSFOR = SysForOptions(trees=3, goodness=0.5, separation=0.3, minimum_gain_ratio=0.01)
# A column is called not normal if so unlikely a sample of a normal law (D'Agostino and Pearson's test).
NOT_NORMAL = 0.001


@dataclass(frozen=True)
class Fold:
    """Training records and what is learnt from them, and the test records that nobody releases."""

    name: str
    number: int
    grown: Grown
    test: Table

    @classmethod
    def of(cls, name: str, number: int, table: Table, folds: int) -> Fold:
        """One of so many parts, drawn with public chance, is the test table."""
        part = parts(name, table.rows, folds)
        training, test = (table.take(np.flatnonzero(rows)) for rows in (part != number, part == number))
        return cls(name, number, _grown(training, name), test)

    def accuracy(self, learner: Learner, grown: Grown) -> float:
        """Percentage of the test records whose class is predicted."""
        return 100.0 * float((learner.fit(grown)(self.test) == class_labels(self.test)[0]).mean())


def parts(name: str, rows: int, folds: int) -> NDArray[np.int64]:
    """In which of so many parts every record of a table is; sizes differ by one at most."""
    part = np.empty(rows, np.int64)
    order = public_streams("forest-framework", name, "folds").order("folds", "", range(rows))
    part[order] = np.arange(rows) % folds
    return part


def measured_fold(fold: Fold, repeats: int) -> dict[str, Any]:
    """What the original gives, and for every way and measure one number a release."""
    ways: dict[str, dict[str, list[float]]] = {}
    for way_name, way in _ways_for(fold.grown.table):
        found = [_measured(fold, *release) for release in _releases(fold, way_name, way, repeats)]
        ways[way_name] = {measure: [one[measure] for one in found] for measure in names.measures_of(way_name)}
    return {
        "table": {
            **described(fold.grown.table, fold.test.rows),
            "min leaf": names.TABLES[fold.name].min_leaf,
        },
        names.ORIGINAL: fold.accuracy(ForestLearner(), fold.grown),
        names.NAIVE: fold.accuracy(MajorityLearner(), fold.grown),
        names.UNTOUCHED: _untouched(fold),
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
    """What SERS says of the training records against themselves, which hide nobody."""
    table, streams = fold.grown.table, public_streams("forest-framework", fold.name, fold.number)
    context = Context(streams, fold.grown, fold.grown, partner=np.arange(table.rows))
    return _security(_answer(Sers(), table, table, context))


def _grown(table: Table, name: str) -> Grown:
    builder = GrowOptions(VARIANT, min_leaf=names.TABLES[name].min_leaf, confidence=CONFIDENCE)
    return Grown(table, builder, SYSFOR)


def _ways_for(table: Table) -> Iterator[tuple[str, names.Way]]:
    categories = any(attribute.kind == "categorical" for attribute in table.schema.inputs)
    for name, way in names.WAYS.items():
        if categories or not way.only_for_categories:
            yield name, way


def _releases(fold: Fold, name: str, way: names.Way, repeats: int) -> Iterator[tuple[Table, Streams]]:
    """The training records, released so many times; only the noise differs."""
    training = fold.grown.table
    options = PerturbOptions(
        technique=way.recipe,
        min_leaf=names.TABLES[fold.name].min_leaf,
        variant=VARIANT,
        confidence=CONFIDENCE,
        threads=1,
        **way.options,
    )
    forest = fold.grown.forest if way.learns == "forest" else fold.grown.tree
    _, _, steps = laid_out(training, options.plan(training), forest, threads=1)
    for repeat in range(repeats):
        streams = public_streams("forest-framework", fold.name, fold.number, name, repeat)
        yield released_table(training, steps, run_in_memory(training, steps, streams)), streams


def _measured(fold: Fold, released: Table, streams: Streams) -> dict[str, float]:
    """All measures of one release; its own forest is grown here."""
    original, after = fold.grown.table, _grown(released, fold.name)
    context = Context(streams, fold.grown, after, partner=np.arange(original.rows))

    splits = _answer(Edusc(), original, released, context).details["normalised"]
    security = _answer(Sers(), original, released, context)
    return {
        names.ACCURACY: fold.accuracy(ForestLearner(), after),
        names.EDUDS: _answer(Eduds(), original, released, replace(context, value_only=True)).value,
        names.EDUSC: splits["paper"],
        names.EDUSC_BY_RECORDS: splits["affected"],
        names.SERS_WITH_CLASS: security.details["with_class"],
        **_security(security),
    }


def _security(found: Measurement) -> dict[str, float]:
    return {
        names.SERS: found.value,
        names.SHORTFALL: found.details["shortfall"],
        names.NEAREST: 100.0 * found.details["partner"]["nearest"],
    }


def _answer(measure: Measure, original: Table, released: Table, context: Context) -> Measurement:
    found = measure.compute(original, released, context)
    if not isinstance(found, Measurement):
        raise ValueError(f"{measure.name} says nothing: {found.reason}")
    return found
