"""Tables that are hard on segments and techniques, and forests on them: grown ones, and random ones that know
other categories than the table and test at odd places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Array
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.grow import GrowOptions, grow_forest, grow_tree
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.options import SysForOptions
from hushwood.trees.training import TrainingSet

Cell = float | str | None

CITIES = ("Arm", "Mel", "New", "Syd")
JOBS = tuple("abcdefgh")
RISKS = ("high", "low", "middle")


def table_of(columns: Mapping[str, tuple[Attribute, Sequence[float]]]) -> Table:
    """A table from attributes and their values: numbers, or category codes."""
    arrays = {
        name: np.array(values, np.float64 if attribute.kind == "numeric" else np.int32)
        for name, (attribute, values) in columns.items()
    }
    rows = len(next(iter(arrays.values())))
    return Table(Schema(tuple(a for a, _ in columns.values())), arrays, pl.DataFrame(height=rows), rows)


def number(name: str, low: float, high: float, precision: int | None = 0) -> Attribute:
    return Attribute(name, "numeric", low=low, high=high, precision=precision)


def category(name: str, categories: Sequence[str]) -> Attribute:
    return Attribute(name, "categorical", storage="String", categories=tuple(categories))


def target(name: str, categories: Sequence[str]) -> Attribute:
    return Attribute(name, "categorical", role="class", storage="String", categories=tuple(categories))


def mixed_table(seed: int, rows: int) -> Table:
    """Whole numbers, decimals, reals, categories and a class; missing values, a constant, columns without values."""
    chance = np.random.default_rng(seed)
    count = chance.integers(0, 21, rows).astype(float)
    price = np.rint(chance.gamma(2.0, 150.0, rows)) / 100
    ratio = chance.normal(0.0, 3.0, rows)
    city, job = chance.integers(0, len(CITIES), rows), chance.integers(0, len(JOBS), rows)
    score = (count > 8) + (price > 2.5) + (city == 1) + (ratio > 1) + chance.integers(0, 2, rows)
    risk = np.clip(score // 2, 0, 2)
    job = np.where(chance.random(rows) < 0.5, (city + risk) % len(JOBS), job)
    attributes = [
        number("count", 0, 25),
        number("price", float(price.min()), float(price.max()) + 1, 2),
        number("ratio", float(ratio.min()), float(ratio.max()), None),
        number("constant", 7, 7),
        number("void", 0, 0),
        category("city", CITIES),
        category("job", JOBS),
        category("nothing", ()),
        target("risk", RISKS),
    ]
    values: list[Array] = [
        _with_gaps(count, 0.1, np.nan, chance),
        _with_gaps(price, 0.05, np.nan, chance),
        _with_gaps(ratio, 0.05, np.nan, chance),
        np.full(rows, 7.0),
        np.full(rows, np.nan),
        _with_gaps(city, 0.1, -1, chance),
        _with_gaps(job, 0.03, -1, chance),
        np.full(rows, -1),
        _with_gaps(risk, 0.03, -1, chance),
    ]
    return table_of({a.name: (a, v.tolist()) for a, v in zip(attributes, values, strict=True)})


def with_smoker(table: Table) -> Table:
    """The same table with one more column, of two values, that has to do with the class."""
    chance = np.random.default_rng(table.rows)
    smoker = (table.columns["risk"] == 0) ^ (chance.random(table.rows) < 0.25)
    added = category("smoker", ("no", "yes"))
    columns = {a.name: (a, table.columns[a.name].tolist()) for a in table.schema.attributes}
    return table_of({**columns, "smoker": (added, _with_gaps(smoker, 0.05, -1, chance).tolist())})


def _with_gaps(values: Array, share: float, gap: float, chance: np.random.Generator) -> Array:
    return np.where(chance.random(len(values)) < share, gap, values)


def grown_forest(table: Table, min_leaf: int = 5, trees: int = 3, thresholds: str = "data") -> Forest:
    """A SysFor forest on the table, or one tree where it finds no good split."""
    training = TrainingSet.from_table(table)
    options = GrowOptions(min_leaf=min_leaf, thresholds=thresholds)
    grown = grow_forest(training, options, SysForOptions(trees=trees)) or (grow_tree(training, options),)
    return Forest("risk", training.classes, training.attributes, tuple(grown))


def random_model(seed: int, table: Table, trees: int = 3, depth: int = 4) -> dict[str, Any]:
    """A forest.json of random tests: thresholds on and beside the grid, shuffled and unknown categories."""
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    inputs = [a for a in table.schema.inputs if a.name not in {"nothing", "void"}]
    attributes = [_described(a, chance) for a in inputs]
    return {
        "format": "hushwood-forest",
        "version": 1,
        "class": "risk",
        "classes": list(RISKS),
        "attributes": attributes,
        "trees": [{"nodes": _nodes(attributes, table, depth, chance)} for _ in range(trees)],
    }


def one_tree(
    attribute: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]], classes: Sequence[str] = "ab"
) -> Forest:
    """A forest of one tree that tests one attribute, from the nodes of a forest.json."""
    return forest_from_json(
        {
            "format": "hushwood-forest",
            "version": 1,
            "class": "k",
            "classes": list(classes),
            "attributes": [attribute],
            "trees": [{"nodes": nodes}],
        }
    )


def _described(attribute: Attribute, chance: Random) -> dict[str, Any]:
    if attribute.kind == "categorical":
        known = chance.sample(attribute.categories, chance.randint(1, len(attribute.categories)))
        return {"name": attribute.name, "kind": "categorical", "values": [*known, "never there"]}
    form: dict[str, Any] = {"name": attribute.name, "kind": "numeric", "integer": attribute.integer}
    return form if attribute.precision is None else form | {"precision": attribute.precision}


def _nodes(
    attributes: list[dict[str, Any]], table: Table, depth: int, chance: Random
) -> list[dict[str, Any]]:
    nodes: list[dict[str, Any]] = []

    def add(level: int) -> int:
        node: dict[str, Any] = {"id": len(nodes), "counts": [1, 1, 1]}
        nodes.append(node)
        if level == 0 or chance.random() < 0.15:
            return int(node["id"])
        attribute = chance.choice(attributes)
        node["test"] = {"attribute": attribute["name"]}
        if attribute["kind"] == "numeric":
            node["test"]["threshold"] = _threshold(attribute, table, chance)
            node["children"] = {"le": add(level - 1), "gt": add(level - 1)}
        else:
            children = [add(level - 1) for _ in range(chance.randint(1, 3))]
            node["children"] = {value: chance.choice(children) for value in attribute["values"]}
        node["missing_to"] = chance.choice(list(node["children"].values()))
        return int(node["id"])

    add(depth)
    return nodes


def _threshold(attribute: dict[str, Any], table: Table, chance: Random) -> float:
    """A data value, one bit beside it, the midpoint of two, or a number outside the domain."""
    values = [v for v in table.columns[attribute["name"]].tolist() if v == v]
    one, other = chance.choice(values), chance.choice(values)
    beside = float(np.nextafter(one, chance.choice((-np.inf, np.inf))))
    return float(chance.choice((one, beside, (one + other) / 2, (one + other) / 2, min(values) - 3)))


def plain_rows(table: Table) -> list[dict[str, Cell]]:
    """Records as people read them: numbers and category names, None for missing."""
    columns: dict[str, list[Cell]] = {}
    for attribute in table.schema.attributes:
        values = table.columns[attribute.name].tolist()
        if attribute.kind == "numeric":
            columns[attribute.name] = [None if v != v else v for v in values]
        else:
            columns[attribute.name] = [None if v < 0 else attribute.categories[v] for v in values]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
