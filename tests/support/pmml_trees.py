"""Random trees over nasty names and values, with records for them, to be written as PMML and read by others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.routing import leaf_of_each

Record = Mapping[str, float | str | None]

CLASSES = ["no", "yes & no", '"perhaps"']
PLAIN = ["a", "b", "c", "d", "e"]
NASTY = [
    *(
        "New York",
        "a&b<c>",
        " lead",
        "trail ",
        "two  blanks",
        "é ü",
        "",
        "tab\there",
        "line\nfeed",
        "ret\rurn",
    ),
    *('say "hi"', "it's", "back\\slash", "end\\", 'before\\"quote', "{a, b}"),
]
NUMBERS: list[dict[str, Any]] = [
    {"name": "whole", "kind": "numeric", "integer": True, "precision": 0, "low": 0, "high": 20},
    {"name": "real & free", "kind": "numeric", "integer": False},
    {"name": "born", "kind": "numeric", "integer": True, "precision": 0, "storage": "Date"},
]


@dataclass(frozen=True)
class Sample:
    """A forest of one tree, records as other programs get them, and the leaf that each of them reaches."""

    forest: Forest
    records: Sequence[Record]
    leaves: list[int]

    @property
    def answers(self) -> list[str | float]:
        """What the tree predicts for every record."""
        tree, classes = self.forest.trees[0], self.forest.classes
        return [classes[tree.label[n]] if classes else float(tree.counts[n, 0]) for n in self.leaves]


def random_sample(
    seed: int,
    *,
    regression: bool = False,
    binary: bool = False,
    gaps: bool = True,
    values: Sequence[str] = NASTY,
) -> Sample:
    """A random tree and forty records, with missing values and unknown categories if there may be `gaps`."""
    chance = Random(seed)  # noqa: S311 - test data, not secrets
    attributes = [
        *NUMBERS,
        {"name": "place", "kind": "categorical", "values": list(values)},
        {"name": "job", "kind": "categorical", "values": PLAIN[:3]},
    ]
    nodes: list[dict[str, Any]] = []
    _grow(nodes, attributes, 4, chance, regression, binary)
    forest = forest_from_json(
        {
            "format": "hushwood-forest",
            "version": 1,
            "class": "the class",
            "classes": [] if regression else CLASSES,
            "attributes": attributes,
            "trees": [{"nodes": nodes}],
        }
    )
    records = [{a["name"]: _value(a, chance, gaps) for a in attributes} for _ in range(40)]
    return Sample(forest, records, _leaves(forest, records))


def _grow(
    nodes: list[dict[str, Any]],
    attributes: Sequence[dict[str, Any]],
    level: int,
    chance: Random,
    regression: bool,
    binary: bool,
) -> int:
    node: dict[str, Any] = {"id": len(nodes)}
    nodes.append(node)
    counts = [chance.choice([0, 1, 2.25, 7]) for _ in CLASSES]
    node |= {"value": chance.gauss(0, 9)} if regression else {"counts": counts}
    if level == 0 or chance.random() < 0.1:
        return int(node["id"])

    def below() -> int:
        return _grow(nodes, attributes, level - 1, chance, regression, binary)

    attribute = chance.choice(attributes)
    node["test"] = {"attribute": attribute["name"]}
    if attribute["kind"] == "numeric":
        node["test"]["threshold"] = _number(attribute, chance)
        node["children"] = {"le": below(), "gt": below()}
    else:
        values = chance.sample(attribute["values"], len(attribute["values"]))
        children = [below() for _ in range(2 if binary else chance.randint(1, 3))]
        others = [chance.choice(children) for _ in values]
        node["children"] = dict(zip(values, [*children, *others], strict=False))
    node["missing_to"] = chance.choice(list(node["children"].values()))
    return int(node["id"])


def _number(attribute: Mapping[str, Any], chance: Random) -> float:
    return chance.randint(0, 40) / 2 if attribute["integer"] else chance.gauss(0, 1)


def _value(attribute: Mapping[str, Any], chance: Random, gaps: bool) -> float | str | None:
    if gaps and chance.random() < 0.15:
        return None if attribute["kind"] == "numeric" or chance.random() < 0.5 else "never seen"
    if attribute["kind"] == "categorical":
        return str(chance.choice(attribute["values"]))
    return float(chance.randint(0, 20)) if attribute["integer"] else _number(attribute, chance)


def _leaves(forest: Forest, records: Sequence[Record]) -> list[int]:
    columns: dict[str, Any] = {}
    for attribute in forest.attributes:
        values = [record[attribute.name] for record in records]
        if attribute.kind == "numeric":
            columns[attribute.name] = np.array([np.nan if v is None else v for v in values], np.float64)
        else:
            codes = {value: code for code, value in enumerate(attribute.categories)}
            columns[attribute.name] = np.array(
                [codes.get(str(v), -1) if v is not None else -1 for v in values]
            )
    return [int(leaf) for leaf in leaf_of_each(forest.trees[0], forest, columns)]
