"""A walk through everything that is compiled, on small tables; with NUMBA_BOUNDSCHECK=1 it finds indices that go wild.

It prints the compiled functions that it did not reach.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import polars as pl
from numba.core.registry import CPUDispatcher

import hushwood as hw
from hushwood.random_streams import Streams
from hushwood.releasing.certifying.counts import Differences, EachValue, Marks, Sums
from hushwood.segments.partition import intersections, whole_table
from hushwood.tables.columns.precision import decimals
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.row_keys import row_ids
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Egadp
from hushwood.techniques.laws.promises import Promise
from hushwood.trees.grow import GrowOptions, grow_tree
from hushwood.trees.training import TrainingSet
from hushwood.value_clusters.coolcat import coolcat
from hushwood.value_clusters.core import core
from hushwood.value_clusters.grouping.records import clustered_columns, record_tuples
from oracles.see5_tables import hard_case
from support.few_releases import make_few
from support.mixed_tables import grown_forest, mixed_table, number, table_of, with_smoker
from support.technique_variants import VARIANTS, prepared, released_anew
from support.training_tables import attributes_of, class_codes_of, columns_of

SOURCE = Path(hw.__file__).parent
STREAMS = Streams(bytes(range(32)))
GROWN_ANEW = 5080  # a table on which See5 grows a branch a second time


def tour() -> None:
    """Everything, on a table with missing values and on one without."""
    table = with_smoker(mixed_table(3, 120))
    complete = without_gaps(table)
    for given in (table, complete):
        grow_trees(given)
        add_noise(given)
    turn_numbers_back()
    label_records(table)
    count_many_numbers()
    row_ids(pl.Series("id", ["", "7", "a text of many words"]), STREAMS)
    look_at_decimals()
    release_and_judge(complete)
    for criterion in ("gain_ratio", "gini", "information_gain", "variance"):
        publish_trees(complete, criterion)


def look_at_decimals() -> None:
    """Long columns have a loop of their own."""
    decimals(np.append(np.arange(200_000) / 100, [np.nan, 0.125]))


def without_gaps(table: Table) -> Table:
    """The same table, missing values filled in."""
    filled = {
        name: np.nan_to_num(column) if column.dtype.kind == "f" else np.maximum(column, 0)
        for name, column in table.columns.items()
        if name != "nothing"
    }
    kept = tuple(a for a in table.schema.attributes if a.name != "nothing")
    return replace(table, schema=replace(table.schema, attributes=kept), columns=filled)


def grow_trees(table: Table) -> None:
    """Every variant and way to score."""
    training = TrainingSet.from_table(table)
    for variant, criterion in (
        ("c45", "gain_ratio"),
        ("c45", "gini"),
        ("j48", "gini"),
        ("see5", "gain_ratio"),
        ("credal", "gain_ratio"),
    ):
        for thresholds in ("data", "midpoint"):
            grow_tree(training, GrowOptions(variant, criterion, thresholds=thresholds))
    plain, options = hard_case(GROWN_ANEW, 260)
    training = TrainingSet.from_columns(
        attributes_of(plain), columns_of(plain), class_codes_of(plain), plain.classes
    )
    grow_tree(training, GrowOptions("see5", min_leaf=options.min_leaf, confidence=options.confidence))


def add_noise(table: Table) -> None:
    """Every technique's draw, and the law it states."""
    segments = intersections(table, grown_forest(table, min_leaf=8))
    for technique in VARIANTS.values():
        released = released_anew(technique, table, segments, STREAMS)
        if released.schema == table.schema:
            for step in prepared(technique, table, segments):
                step.perturber.law().log_prob(table.columns, released.columns, segments.ids)


def turn_numbers_back() -> None:
    """Exact draws of normal numbers, of which a few leave their range."""
    chance = np.random.default_rng(1)
    columns = {name: np.clip(chance.normal(size=400), -3, 3).tolist() for name in "abc"}
    table = table_of({name: (number(name, -3, 3, None), values) for name, values in columns.items()})
    released_anew(Egadp(given=()), table, whole_table(table), STREAMS)


def label_records(table: Table) -> None:
    """Clusters that records which were not clustered are put into."""
    columns = clustered_columns(table)
    values = columns.values(table.columns)
    for cluster in (coolcat, core):
        cluster(record_tuples(values, columns.width)).labelled(values)


def count_many_numbers() -> None:
    """What the certificate does to tables that are too long for the tour."""
    words = np.arange(3000) % 1500
    for counted in (EachValue(Promise(values="dealt")), Sums(), Marks(3000), Differences()):
        counted.add(words % 7, words, words - 1)
        counted.wrong(np.zeros(7, bool))


def release_and_judge(table: Table) -> None:
    """All measures and attacks."""
    frame = frame_from_table(table)
    for technique in ("forest-framework", "segment-shuffle"):
        done = hw.release(
            frame, technique=technique, target="risk", evidence="none", seed="12" * 32, reuse_key=True
        )
        hw.audit(frame, done, target="risk", evidence="full", holdout=frame)


def publish_trees(table: Table, criterion: str) -> None:
    """A published tree and its check."""
    target = "price" if criterion == "variance" else "risk"
    done = hw.publish_tree(frame_from_table(table), target=target, criterion=criterion, k=3)
    assert hw.verify_tree(done, done.forest)


def unreached() -> Iterator[str]:
    """Compiled functions that nothing has called yet; those that are copied into their callers do not count."""
    for path in sorted(SOURCE.rglob("kernels/*.py")):
        module = import_module(".".join(["hushwood", *path.relative_to(SOURCE).with_suffix("").parts]))
        for name, found in vars(module).items():
            own = isinstance(found, CPUDispatcher) and found.__module__ == module.__name__
            if own and found.targetoptions.get("inline") != "always" and not found.overloads:
                yield f"{path.stem}.{name}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    make_few()
    tour()
    print(*unreached())  # noqa: T201
