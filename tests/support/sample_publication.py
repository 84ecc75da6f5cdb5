"""Publication documents made by hand, small enough to check: what publishing a tree says to its report."""

from __future__ import annotations

import copy
from typing import Any

_ATTRIBUTES: list[dict[str, Any]] = [
    {"name": "age", "kind": "numeric", "integer": True, "precision": 0},
    {
        "name": "job",
        "kind": "categorical",
        "values": ["clerk", "farmer", "nurse", "teacher", "{clerk, nurse}", "{farmer, missing}"],
    },
]
# Where each value of the column goes at the one node that tests it, and at the node below that tests it again.
_BY_JOB = {"clerk": 2, "nurse": 2, "{clerk, nurse}": 2, "farmer": 3, "teacher": 3, "{farmer, missing}": 3}
_AGAIN = _BY_JOB | dict.fromkeys(("farmer", "{farmer, missing}", "clerk", "nurse", "{clerk, nurse}"), 4)


def two_trees() -> dict[str, Any]:
    """A decision tree that tests age, then job twice; a second one that tests age; two closed leaves."""
    first = [
        _split(0, [60, 40], "age", {"le": 1, "gt": 6}, 6, 27.5),
        _split(1, [40, 10], "job", _BY_JOB, 3),
        _leaf(2, [20, 0]),
        _split(3, [20, 10], "job", _AGAIN | {"teacher": 5}, 4),
        _leaf(4, [15, 3], closed=True),
        _leaf(5, [5, 7]),
        _leaf(6, [20, 30], closed=True),
    ]
    second = [_split(0, [60, 40], "age", {"le": 1, "gt": 2}, 2, 40.5), _leaf(1, [50, 20]), _leaf(2, [10, 20])]
    return _document(
        [first, second],
        groups=[
            _group({"age": "27", "job": "teacher"}, 12, 2.4, [5, 1]),
            _group({"age": "27", "job": "{farmer, missing}"}, 18, 3.129, [4, 1]),
            _group({"age": "27", "job": "{clerk, nurse}"}, 20, 4.0, [2, 1]),
            _group({"age": "41", "job": "teacher"}, 50, 5.0, [6, 2]),
        ],
        growth={"leaves": [4, 2], "closed": [2, 0], "tried": 21, "barred": 12, "stopped": _STOPPED},
    )


def regression() -> dict[str, Any]:
    """A regression tree with two leaves, one of them closed, and no sensitive attribute."""
    nodes: list[dict[str, Any]] = [
        {
            "id": 0,
            "test": {"attribute": "age", "threshold": 27.5},
            "children": {"le": 1, "gt": 2},
            "missing_to": 2,
            "value": 30512.25,
        },
        {"id": 1, "value": 20123.456789, "closed": True},
        {"id": 2, "value": 40900.5},
    ]
    document = _document(
        [nodes],
        groups=[_group({"age": "27"}, 45, None, [1]), _group({"age": "28"}, 55, None, [2])],
        growth={"leaves": [2], "closed": [1], "tried": 3, "barred": 1, "stopped": _STOPPED},
    )
    document["forest"] |= {"class": "pay", "classes": []}
    document["privacy"] |= {"k": 45, "sensitive": []}
    document["options"] |= {"criteria": ["variance"], "l": 1.0, "mode": "delta"}
    document["accuracy"] |= {
        "measure": "r_squared",
        "on_the_table": 0.61,
        "unseen": {"published": 0.55, "unlimited": 0.7, "naive": -0.01},
    }
    return document | {"class": "pay", "classes": [], "regression": True}


def one_leaf() -> dict[str, Any]:
    """Nothing could be tested: everybody looks the same, and no record was set aside."""
    document = _document(
        [[_leaf(0, [60, 40])]],
        groups=[_group({}, 100, 6.0, [0])],
        growth={"leaves": [1], "closed": [0], "tried": 0, "barred": 0, "stopped": "No test gains anything."},
    )
    document["columns"] = [
        column | ({"what": "suppressed", "after": 1, "parts": []} if column["what"] == "generalised" else {})
        for column in document["columns"]
    ]
    document["accuracy"] |= {
        "unseen": None,
        "unseen_records": 0,
        "unseen_leaves": [],
        "sentence": "The table is too small.",
    }
    document["privacy"] |= {"k": 100, "groups": 1}
    return document


def many_groups(number: int = 500) -> dict[str, Any]:
    """As many groups as a document lists, and seven that it does not."""
    document = two_trees()
    document["groups"] = [
        _group({"age": str(20 + i), "job": "teacher"}, 5 + i * i // 7, 2.0 + i / 100, [5, 1])
        for i in range(number)
    ]
    document["privacy"]["groups"] = number + 7
    return document | {"groups_left_out": 7}


_STOPPED = "Growth ended because every leaf that could be expanded was tried."


def _split(
    node: int,
    counts: list[int],
    attribute: str,
    children: dict[str, int],
    missing_to: int,
    threshold: float | None = None,
) -> dict[str, Any]:
    test: dict[str, Any] = {"attribute": attribute} | ({} if threshold is None else {"threshold": threshold})
    return {"id": node, "test": test, "children": dict(children), "missing_to": missing_to, "counts": counts}


def _leaf(node: int, counts: list[int], closed: bool = False) -> dict[str, Any]:
    return {"id": node, "counts": counts} | ({"closed": True} if closed else {})


def _group(
    values: dict[str, str], records: int, diversity: float | None, leaves: list[int]
) -> dict[str, Any]:
    mixed = {} if diversity is None else {"illness": diversity}
    return {"values": values, "records": records, "l": mixed, "leaves": leaves}


def _document(
    trees: list[list[dict[str, Any]]], groups: list[dict[str, Any]], growth: dict[str, Any]
) -> dict[str, Any]:
    return {
        "format": "hushwood-tree-publication",
        "version": 1,
        "hushwood": "0.5.0",
        "table": "released.csv",
        "records": 100,
        "class": "income",
        "classes": ["low", "high"],
        "regression": False,
        "options": _options(len(trees)),
        "forest": {
            "format": "hushwood-forest",
            "version": 1,
            "class": "income",
            "classes": ["low", "high"],
            "grown": {
                "variant": "tpp",
                "columns": [["age", "job"], ["age"]][: len(trees)],
                "labels": {
                    "job": {"{clerk, nurse}": ["clerk", "nurse"], "{farmer, missing}": ["farmer", "missing"]}
                },
            },
            "attributes": copy.deepcopy(_ATTRIBUTES),
            "trees": [{"nodes": nodes} for nodes in trees],
        },
        "privacy": {
            "k": 12,
            "k_with_class": 3,
            "original_k": 1,
            "groups": len(groups),
            "quasi_identifiers": ["age", "job", "town"],
            "sensitive": [{"name": "illness", "l": 2.4, "whole_table": 6.0}],
        },
        "groups": groups,
        "groups_left_out": 0,
        "columns": _columns(),
        "growth": growth,
        "verified": {"same": True, "sentence": "The released file was read back and the tree grown again."},
        "accuracy": {
            "measure": "accuracy",
            "on_the_table": 0.83,
            "unseen": {"published": 0.8, "unlimited": 0.85, "naive": 0.6},
            "unseen_records": 100,
            "unseen_leaves": [5, 7, 6, 6, 7],
            "unlimited_leaves": [5, 7, 6, 6, 7],
            "sentence": "Trees were grown on four parts and asked about the fifth.",
        },
        "warnings": [],
    }


def _options(trees: int) -> dict[str, Any]:
    return {
        "k": 5,
        "l": 2.0,
        "mode": "anchored",
        "criteria": ["information_gain", "gini"][:trees],
        "min_leaf": 1,
        "max_leaves": None,
        "max_depth": None,
        "thresholds": "midpoint",
        "stop_at_first_failure": False,
        "class_in_groups": False,
    }


def _columns() -> list[dict[str, Any]]:
    ages = [("up to 27.5", "27", 50), ("above 27.5", "41", 50)]
    jobs = [("clerk, nurse", "{clerk, nurse}", 20), ("farmer, missing", "{farmer, missing}", 18)]
    return [
        {"name": "name", "role": "identifier", "what": "dropped", "before": None, "after": 0, "parts": []},
        _column("age", "quasi-identifier", "generalised", 60, ages),
        _column("job", "quasi-identifier", "generalised", 5, [*jobs, ("teacher", "teacher", 62)]),
        _column("town", "quasi-identifier", "suppressed", 9, [("all values", "ALL", 100)]),
        _column("illness", "sensitive", "suppressed", 7, [("all values", "ALL", 100)]),
        {"name": "income", "role": "class", "what": "unchanged", "before": 2, "after": 2, "parts": []},
    ]


def _column(
    name: str, role: str, what: str, before: int, parts: list[tuple[str, str, int]]
) -> dict[str, Any]:
    entries = [dict(zip(("stands_for", "released", "records"), part, strict=True)) for part in parts]
    return {
        "name": name,
        "role": role,
        "what": what,
        "before": before,
        "after": len(parts),
        "parts": entries,
    }
