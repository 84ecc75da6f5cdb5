"""What the forest of a release predicts: the classes or, in a table without any, the columns that others predict best.

Rules that predict columns from each other say how columns go together; keeping them keeps that.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.distances.principal_score import NAME, THIRDS, principal_scores, thirds
from hushwood.random_streams import Streams
from hushwood.tables.columns.class_column import MOST_NAMED_CLASSES, for_class
from hushwood.tables.table import Table, class_codes, label_names, missing_values
from hushwood.trees.grow import learnt_forest
from hushwood.trees.options import Builder, GrowOptions, default_min_leaf
from hushwood.trees.routing import predictions
from hushwood.trees.training import MOST_BRANCHES

TRIED_ROWS = 20_000  # half of them to learn from, half to predict
TRIED_COLUMNS = 50
JOINED = ", "


@dataclass(frozen=True, slots=True)
class Label:
    """Classes that no column holds: one code for every record (-1: unknown), and what the codes stand for."""

    name: str
    codes: Codes
    classes: tuple[str, ...]


def predicted_columns(table: Table, count: int, streams: Streams, threads: int = 1) -> tuple[str, ...]:
    """The classes of a table; without any, the `count` columns that a tree on the others predicts best."""
    classes = tuple(a.name for a in table.schema.classes)
    return classes or most_predictable(table, streams, threads)[:count]


def most_predictable(table: Table, streams: Streams, threads: int = 1) -> tuple[str, ...]:
    """The columns that vary, those first whose unseen values a tree on the other columns predicts best.

    Judged by the share of the majority's errors that a tree avoids or, for numbers, by R². Of a wide table the first 50
    columns are tried.
    """
    names = [
        a.name
        for a in table.schema.tested
        if len(a.categories) <= MOST_BRANCHES and _varies(np.asarray(table.columns[a.name]))
    ]
    tried = names[:TRIED_COLUMNS]
    if len(tried) < 2:
        return tuple(tried or (a.name for a in table.schema.tested[:1]))
    rows = streams.sample("predictable columns", "", table.rows, min(table.rows, TRIED_ROWS))
    learnt = np.zeros(len(rows), bool)
    learnt[streams.sample("predictable columns", "learnt", len(rows), len(rows) // 2)] = True
    halves = table.take(rows[learnt]), table.take(rows[~learnt])

    def score(name: str) -> float:
        return _predicted(*halves, name)

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        scores = list(pool.map(score, tried))
    # Scores that differ by less than a thousandth are equal: a record more or less must not decide.
    order = np.argsort(-np.round(np.array(scores), 3), kind="stable")
    return tuple(tried[i] for i in order.tolist())


def _varies(column: Array) -> bool:
    known = column[~missing_values(column)]
    return bool(len(known)) and bool((known != known[0]).any())


def _predicted(learnt: Table, unseen: Table, name: str) -> float:
    """How well a tree on one half of the records predicts a column in the other: 1 is perfect, 0 no better than one
    answer for all."""
    true, own = (np.asarray(table.columns[name]) for table in (unseen, learnt))
    true, own = true[~missing_values(true)], own[~missing_values(own)]
    if not len(true) or not len(own):
        return 0.0
    builder = Builder(GrowOptions(min_leaf=default_min_leaf(learnt.rows))).with_trees(1)
    forest = learnt_forest(for_class(learnt, name), builder)
    found = predictions(forest, unseen)[~missing_values(np.asarray(unseen.columns[name]))]
    if forest.classes:
        wrong, all_wrong = np.mean(found != true), np.mean(true != np.bincount(own).argmax())
    else:
        wrong, all_wrong = np.mean((found - true) ** 2), np.mean((true - own.mean()) ** 2)
    return float(1.0 - wrong / all_wrong) if all_wrong > 0 else 0.0


def one_label(table: Table) -> Label | None:
    """What one tree is to predict where one tree must do for all: several classes together, or the principal score.

    None if the table has one class, which needs no other. Of classes with too many combinations the first must do.
    """
    classes = table.schema.classes
    if len(classes) == 1:
        return None
    if not classes:
        return Label(NAME, thirds(principal_scores(table)), THIRDS)
    codes, names = np.zeros(table.rows, np.int64), [""]
    for attribute in classes:
        own = class_codes(attribute, np.asarray(table.columns[attribute.name]))
        values = label_names(attribute)
        codes = np.where((codes < 0) | (own < 0), -1, codes * len(values) + own)
        names = [f"{a}{JOINED if a else ''}{value}" for a in names for value in values]
        if len(names) > MOST_NAMED_CLASSES:
            return None
    return Label(" and ".join(a.name for a in classes), codes.astype(np.int32), tuple(names))
