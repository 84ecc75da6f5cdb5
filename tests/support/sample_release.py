"""A small credit table, a hand-made forest and a release of it, for the tests of evaluation and reports.

Records are routed and changed here by the slowest obvious means, so that nothing under test makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Flags, Floats, Integers
from hushwood.evaluation.case import Case
from hushwood.evaluation.evaluate import evaluate, evaluation_of
from hushwood.evaluation.evaluation import About, Evaluation
from hushwood.evaluation.levels import FULL, Level
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturbed import Learnt, Perturbed
from hushwood.releasing.plan import Plan
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.pairs.pairing import pair_up, paired_tables
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from support.table_pairs import STREAMS

JOBS = ("clerk", "farmer", "lighthouse keeper", "manager", "nurse", "teacher")
HOMES = ("flat", "house", "none")
RARE = "lighthouse keeper"
NOTE = f"Most values of column 'job' do not occur in the original (for example {RARE!r})."

PLAN: list[dict[str, Any]] = [
    {
        "columns": ["age", "income", "savings"],
        "technique": "linfapt",
        "acronym": "LINFAPT",
        "says": "Normal noise, wrapped around inside what the record's rules allow.",
        "keeps_segment": True,
    },
    {
        "columns": ["job", "home", "risk"],
        "technique": "permutation",
        "acronym": "RPT",
        "says": "Exchanged among the records of the segment.",
        "keeps_segment": True,
    },
]


@dataclass(frozen=True, slots=True)
class StatedPlan(Plan):
    """A plan that is described and has no techniques."""

    said: Sequence[Mapping[str, Any]] = ()

    def described(self, schema: Schema) -> list[dict[str, Any]]:
        return [dict(entry) for entry in self.said]


def stated_release(
    released: Table,
    segment_ids: Integers,
    forest: Forest,
    plan: Sequence[Mapping[str, Any]],
    certificate: Mapping[str, Any],
) -> Perturbed:
    """How a release was made, as far as it is stated here."""
    ids = segment_ids.astype(np.int32)
    segments = Segments(ids, int(ids.max()) + 1, {}, {}, {})
    stated = StatedPlan("forest-framework", "leaves", (), len(forest.trees), said=plan)
    learnt = Learnt(released.rows, released.rows)
    return Perturbed(
        released, PerturbOptions(), stated, forest, segments, (), learnt, certificate=certificate
    )


def credit_table(rows: int = 1000, seed: int = 7) -> Table:
    """Made-up applicants; one job is rare, one income stands alone, some savings are missing."""
    draw = np.random.default_rng(seed)
    age = draw.integers(18, 76, rows).astype(np.float64)
    income = np.round(draw.lognormal(10.3, 0.45, rows), 0)
    income[0] = 250_000.0
    savings = np.round(draw.gamma(2.0, 2.4, rows), 2)
    savings[draw.random(rows) < 0.06] = np.nan
    job = draw.choice([0, 1, 3, 4, 5], rows, p=[0.3, 0.1, 0.15, 0.2, 0.25]).astype(np.int32)
    job[[3, 40, 90]] = JOBS.index(RARE)
    home = draw.choice(3, rows, p=[0.55, 0.35, 0.1]).astype(np.int32)
    odds = -2.2 + 1.6 * (age < 27) + 1.3 * (income < 24_000) + 0.9 * (home == 2) - 0.7 * (job == 3)
    risk = (draw.random(rows) < 1 / (1 + np.exp(-odds))).astype(np.int32)
    columns = {"age": age, "income": income, "savings": savings, "job": job, "home": home, "risk": risk}
    carried = pl.DataFrame({"customer": [f"C{i:05d}" for i in range(rows)], "branch": ["north"] * rows})
    return Table(_schema(income.min(), savings), columns, carried, rows)


def credit_forest(table: Table) -> Forest:
    """Three trees over the credit table, with the counts of its records."""
    bare = forest_from_json(_model())
    model = _model()
    for tree, nodes in zip(range(3), model["trees"], strict=True):
        reached = paths(table, bare, tree)
        for place, node in enumerate(nodes["nodes"]):
            inside = reached[:, place]
            node["counts"] = np.bincount(table.columns["risk"][inside], minlength=2).tolist()
            node["label"] = model["classes"][int(np.argmax(node["counts"]))]
    return forest_from_json(model)


def paths(table: Table, forest: Forest, tree: int) -> Flags:
    """Which records pass through which node of a tree."""
    nodes = forest.trees[tree]
    inside = np.zeros((table.rows, len(nodes)), np.bool_)
    inside[:, 0] = True
    for node in np.flatnonzero(nodes.attribute >= 0):
        attribute = forest.attributes[nodes.attribute[node]]
        values, branches = table.columns[attribute.name], nodes.branches_of(int(node))
        if attribute.kind == "numeric":
            child = np.where(values <= nodes.threshold[node], branches[0], branches[1])
            child = np.where(np.isnan(values), nodes.missing_to[node], child)
        else:
            child = np.where(values < 0, nodes.missing_to[node], branches[values])
        here = np.flatnonzero(inside[:, node])
        inside[here, child[here]] = True
    return inside


def segments_of(table: Table, forest: Forest) -> Integers:
    """The intersection of leaves that each record sits in."""
    leaves = [paths(table, forest, i)[:, tree.leaves].argmax(axis=1) for i, tree in enumerate(forest.trees)]
    return np.asarray(np.unique(np.column_stack(leaves), axis=0, return_inverse=True)[1], np.int64).ravel()


def credit_release(table: Table, segment_ids: Integers, seed: int = 8) -> Table:
    """Categories permuted within segments, numbers moved within what their segment holds: rules are kept."""
    draw = np.random.default_rng(seed)
    columns = {name: values.copy() for name, values in table.columns.items()}
    for name, values in columns.items():
        for segment in np.unique(segment_ids):
            rows = np.flatnonzero((segment_ids == segment) & (values == values))
            if values.dtype.kind == "f" and len(rows):
                low, high = values[rows].min(), values[rows].max()
                moved = values[rows] + draw.normal(0, (high - low) / 3, len(rows))
                places = table.schema[name].precision or 0
                values[rows] = np.round(low + (moved - low) % max(high - low, 1e-9), places)
            else:
                values[rows] = values[draw.permutation(rows)]
    return table.with_columns(columns)


@cache
def credit_evaluation(rows: int = 1000, level: Level = FULL, holdout: int = 0) -> Evaluation:
    """The evaluation of the sample release; `holdout` people who were never in it may serve as a control."""
    table = credit_table(rows)
    forest = credit_forest(table)
    segment_ids = segments_of(table, forest)
    others = credit_table(holdout, seed=11) if holdout else None
    pair = replace(paired_tables(table, credit_release(table, segment_ids), others), notes=(NOTE,))
    certificate = {"claimed": True, "records": rows, "kept": rows, "per_tree": [rows] * 3}
    made = stated_release(pair.released, segment_ids, forest, PLAN, certificate)
    case = Case(
        pair,
        STREAMS,
        made,
        about=About("credit.csv", hushwood="0.1.0", technique="forest-framework"),
        notes=(f"Column job: the value {RARE} has only 3 records.",),
        source=table,
    )
    return evaluation_of(case, level, evaluate(case, level))


@cache
def foreign_evaluation(rows: int = 400, level: Level = FULL) -> Evaluation:
    """The evaluation of a foreign release: ages as ranges, a job starred out, rows dropped and reordered."""
    table = credit_table(rows)
    frame = frame_from_table(table).drop("branch").sort("income").head(rows - 20)
    decade = pl.col("age") // 10 * 10
    coarse = pl.concat_str(decade.cast(pl.String), pl.lit("-"), (decade + 9).cast(pl.String))
    frame = frame.with_columns(
        coarse.alias("age"), pl.when(pl.col("job") == RARE).then(pl.lit("*")).otherwise("job").alias("job")
    )
    pair = pair_up(table, frame, STREAMS)
    case = Case(pair, STREAMS, about=About("credit.csv", "from-arx.csv", "0.1.0"), source=table)
    return evaluation_of(case, level, evaluate(case, level))


def _schema(lowest_income: float, savings: Floats) -> Schema:
    top = float(np.nanmax(savings))
    return Schema(
        (
            Attribute("customer", "categorical", "identifier", "String"),
            Attribute("age", "numeric", storage="Int64", low=18, high=75, precision=0),
            Attribute("income", "numeric", storage="Int64", low=lowest_income, high=250_000, precision=0),
            Attribute("savings", "numeric", low=float(np.nanmin(savings)), high=top, precision=2),
            Attribute("job", "categorical", storage="String", categories=JOBS),
            Attribute("home", "categorical", "quasi-identifier", "String", categories=HOMES),
            Attribute("branch", "categorical", "ignored", "String"),
            Attribute("risk", "categorical", "class", "String", categories=("good", "bad")),
        )
    )


def _numeric(node: int, attribute: str, threshold: float, below: int, above: int) -> dict[str, Any]:
    test = {"attribute": attribute, "threshold": threshold}
    return {"id": node, "test": test, "children": {"le": below, "gt": above}, "missing_to": above}


def _model() -> dict[str, Any]:
    homes = {"flat": 5, "house": 5, "none": 6}
    jobs = {"clerk": 1, "nurse": 1, "teacher": 1, "manager": 2, "farmer": 5, RARE: 5}
    trees: list[list[dict[str, Any]]] = [
        [
            _numeric(0, "age", 26, 1, 4),
            _numeric(1, "income", 24_000, 2, 3),
            {"id": 2},
            {"id": 3},
            {"id": 4, "test": {"attribute": "home"}, "children": homes, "missing_to": 5},
            {"id": 5},
            _numeric(6, "income", 31_000, 7, 8),
            {"id": 7},
            {"id": 8},
        ],
        [
            {"id": 0, "test": {"attribute": "job"}, "children": jobs, "missing_to": 1},
            {"id": 1},
            _numeric(2, "savings", 3.5, 3, 4),
            {"id": 3},
            {"id": 4},
            {"id": 5},
        ],
        [
            _numeric(0, "income", 24_000, 1, 4),
            _numeric(1, "age", 40, 2, 3),
            {"id": 2},
            {"id": 3},
            {"id": 4},
        ],
    ]
    for nodes in trees:
        for node in nodes:
            node["counts"] = [0, 0]
    return {
        "format": "hushwood-forest",
        "version": 1,
        "class": "risk",
        "classes": ["good", "bad"],
        "grown": {"variant": "c45", "min_leaf": 45},
        "attributes": [
            {"name": "age", "kind": "numeric", "integer": True, "precision": 0, "low": 18, "high": 75},
            {"name": "income", "kind": "numeric", "integer": True, "precision": 0},
            {"name": "savings", "kind": "numeric", "integer": False, "precision": 2},
            {"name": "job", "kind": "categorical", "values": list(JOBS)},
            {"name": "home", "kind": "categorical", "values": list(HOMES)},
        ],
        "trees": [{"nodes": nodes} for nodes in trees],
    }
