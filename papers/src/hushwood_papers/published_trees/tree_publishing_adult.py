"""Published trees (TPP paper, figures 5 to 10): does the tree survive, how accurate is it, what is K, and how fast?

One fold is in `fold_runs`; numbers, sentences and charts are in `results`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from hushwood.tables.table import Table
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Measured, Outcome, Size, Task, paragraphs
from hushwood_papers.published_trees.fold_runs import (
    USED,
    Run,
    counts_of,
    fold_of_each,
    runs_of_fold,
    used_table,
    whole_k,
)
from hushwood_papers.published_trees.results import (
    LEAVES,
    Results,
    drawn,
    exponent,
    findings_on,
    numbers_of,
    seconds_by_attributes,
    seconds_by_records,
    time_key,
)

# The small version has the two sizes that the paper names, and the smallest.
_SMALL_LEAVES = (2, 4, 5)
_TIMES = {"records": seconds_by_records, "attributes": seconds_by_attributes}
# Rough duration of a task, in seconds.
_COSTS = {"adult": 4.0, "abalone": 1.5}
_TIMES_COST = 2.0


def tasks(size: Size) -> list[Task]:
    """Every fold of both tables, all records of each, and the times, which are taken alone."""
    leaves = list(_SMALL_LEAVES if size.small else LEAVES)
    planned = []
    for table in USED:
        shared = {"table": table, "leaves": leaves}
        for fold in range(size.folds or 0):
            settings = {**shared, "fold": fold, "folds": size.folds}
            planned.append(Task(f"{table}, fold {fold + 1}", settings, _COSTS[table]))
        planned.append(Task(f"{table}, all records", shared, _COSTS[table]))
    for what in _TIMES:
        settings = {"table": "adult", "times": what, "repeats": size.repeats}
        planned.append(Task(f"times by {what}", settings, _TIMES_COST, alone=True))
    return planned


def run(task: Task, tables: PaperTables) -> Outcome:
    """One fold, K of one table, or the times of one figure."""
    asked = task.settings
    table = used_table(asked["table"], tables)
    if "times" in asked:
        return {"times": asked["times"], "seconds": _TIMES[asked["times"]](table, asked["repeats"])}
    found: dict[str, object] = {"table": asked["table"]}
    if "fold" in asked:
        fold_of = fold_of_each(asked["table"], table.rows, asked["folds"])
        found["runs"] = [asdict(one) for one in fold_runs(table, fold_of, asked["fold"], asked["leaves"])]
    else:
        found["counts"] = counts_of(table)
        found["whole"] = {str(leaves): whole_k(table, leaves) for leaves in asked["leaves"]}
    return found


def fold_runs(table: Table, fold_of: np.ndarray, fold: int, sizes: list[int]) -> list[Run]:
    """All trees of one fold: grown from the records outside it, tried on those in it."""
    training, test = (table.take(np.flatnonzero(part)) for part in (fold_of != fold, fold_of == fold))
    return [one for leaves in sizes for one in runs_of_fold(training, test, leaves, fold)]


def measure(outcomes: Mapping[str, Outcome]) -> Measured:
    """Both tables' numbers, the times and their growth; the claims are about Adult."""
    found = {table: results_on(table, outcomes) for table in USED}
    numbers = {name: values for results in found.values() for name, values in numbers_of(results)}
    for outcome in outcomes.values():
        for what, count in outcome.get("counts", {}).items():
            numbers[f"{outcome['table'].capitalize()}: {what}"] = [count]
        if "times" in outcome:
            what = outcome["times"]
            seconds = {int(size): values for size, values in outcome["seconds"].items()}
            numbers |= {time_key(what, size): values for size, values in seconds.items()}
            growth = exponent(list(seconds), [float(np.median(values)) for values in seconds.values()])
            numbers[f"Adult: exponent of the growth in {what}"] = [growth]
    return Measured(numbers, findings_on(found["adult"]))


def results_on(table: str, outcomes: Mapping[str, Outcome]) -> Results:
    """What the tasks found on one table."""
    own = [outcome for outcome in outcomes.values() if outcome.get("table") == table]
    runs = tuple(Run(**one) for outcome in own for one in outcome.get("runs", ()))
    whole = {
        (kind, int(leaves)): k
        for outcome in own
        for leaves, by_kind in outcome.get("whole", {}).items()
        for kind, k in by_kind.items()
    }
    return Results(table, runs, whole)


ABOUT = paragraphs(
    """
The paper grows trees of two to ten leaves from TPP's releases of Adult (class income, sensitive occupation, ten
folds), from the original records and from the releases of InfoGain Mondrian. It compares their accuracy and K, and
shows the time for more records and attributes. It does the same for a regression tree on a table of cancer patients
that is not public; Abalone replaces it here. Its figures are printed without numbers, so only its words can be
compared.

Original: the tree grown from the original training records, best-first, by information gain (for Abalone by
variance), without pruning, smallest leaf 1. TPP: the tree grown from TPP's release, which only limits the size, as in
the figures. TPP asked: with K = 5, so that the tree may differ or be smaller. Mondrian: the tree grown from a release
with as many parts, numbers as means, categories as sets. Mondrian's parts: no tree, but the cuts themselves, which
that release does not reveal. All are tried on the original records of the test fold, which is never released (errata
T16). Folds are drawn with a public key.

Not stated, and chosen here: which 30,717 records of Adult were used (30,718 are complete in the 5 numerical and 7
categorical attributes that remain without fnlwgt and native-country); how the size of trees was limited; that
InfoGain has as many parts as the tree has leaves (errata T18); whether K is that of all records or of the training
records (both are below). Times are taken on one core, with K = 5 and at most ten leaves."""
)

EXPERIMENT = Experiment(
    name="tree-publishing-adult",
    title="Published trees against InfoGain Mondrian, on Adult",
    source="TPP paper (2019), figures 5 to 10",
    about=ABOUT,
    needs=tuple(USED),
    full=Size(folds=10, repeats=5),
    small=Size(folds=2, repeats=1, small=True),
    tasks=tasks,
    run=run,
    measure=measure,
    draw=drawn,
)
