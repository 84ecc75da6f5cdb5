"""`forest.json`: the stable, documented file form of a forest, in and out.

Unknown keys are ignored when reading, so that later versions can add some.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hushwood.errors import InputError
from hushwood.json_texts import parsed_json
from hushwood.tables.columns.value_texts import is_temporal
from hushwood.tables.formats.input_files import read_text
from hushwood.tables.schema import Attribute, check_size
from hushwood.trees.forest import LEAF, Forest, Predicted, Tree

FORMAT = "hushwood-forest"
VERSION = 1
_MOST_DECIMALS = 38  # of a decimal number in Arrow
What = Literal["forest", "tree"]  # what the file is called


class _Damage(ValueError):
    """What is wrong inside a file, for people who did not write this program."""


def forest_to_json(forest: Forest) -> dict[str, Any]:
    """The forest as the JSON object that `forest.json` holds."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "class": forest.class_name,
        "classes": list(forest.classes),
        "grown": dict(forest.grown),
        "attributes": [_attribute_to_json(a) for a in forest.attributes],
        "trees": [
            _target_to_json(target, forest)
            | {"nodes": [_node_to_json(tree, node, forest, target.classes) for node in range(len(tree))]}
            for tree, target in zip(forest.trees, forest.predicts, strict=True)
        ],
    }


def _target_to_json(target: Predicted, forest: Forest) -> dict[str, Any]:
    """What a tree predicts, where not all trees predict the same."""
    return {"class": target.name, "classes": list(target.classes)} if forest.targets else {}


def forest_from_json(model: Mapping[str, Any], what: What = "forest") -> Forest:
    """Read the JSON object of a `forest.json`, or of the `tree.json` of a published tree."""
    if not isinstance(model, Mapping):
        raise InputError(f"This is no {what} file: it does not hold a JSON object.")
    if model.get("format") != FORMAT:
        raise InputError(
            f"This is no {what} file: its format is {model.get('format')!r}, expected {FORMAT!r}."
        )
    if model.get("version") != VERSION:
        raise InputError(
            f"The {what} file has version {model.get('version')!r}; this program reads {VERSION}."
        )
    try:
        attributes = tuple(_attribute_from_json(a) for a in model["attributes"])
        classes = tuple(str(c) for c in model["classes"])
        targets = tuple(_target_from_json(t, str(model["class"]), classes) for t in model["trees"])
        trees = tuple(
            _tree_from_json(t["nodes"], attributes, target.classes)
            for t, target in zip(model["trees"], targets, strict=True)
        )
        if not trees:
            raise _Damage("it holds no tree")
        if targets == (Predicted(str(model["class"]), classes),) * len(trees):
            targets = ()
        return Forest(str(model["class"]), classes, attributes, trees, dict(model.get("grown", {})), targets)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as wrong:
        raise InputError(
            f"The {what} file is damaged: {_in_words(wrong)}; fetch it or make it again."
        ) from wrong


def _target_from_json(tree: Mapping[str, Any], name: str, classes: tuple[str, ...]) -> Predicted:
    return Predicted(str(tree.get("class", name)), tuple(str(c) for c in tree.get("classes", classes)))


def _in_words(wrong: Exception) -> str:
    if isinstance(wrong, _Damage):
        return str(wrong)
    if isinstance(wrong, KeyError):
        return f"it lacks {wrong.args[0]!r} in a place where it is needed"
    return "something in it is not of the kind that belongs there"


def write_forest(forest: Forest, path: Path) -> None:
    """Write `forest.json`."""
    path.write_text(json.dumps(forest_to_json(forest), ensure_ascii=False), encoding="utf-8")


def read_forest(path: Path, what: What = "forest") -> Forest:
    """Read a `forest.json`, or the `tree.json` of a published tree, from disk."""
    try:
        return forest_from_json(parsed_json(read_text(path, f"{what} file")), what)
    except RecursionError as wrong:
        raise InputError(
            f"The {what} file {path} is nested too deeply to be one; give a {what}.json."
        ) from wrong
    except InputError:
        raise
    except ValueError as wrong:
        where = (
            f" (line {wrong.lineno}, column {wrong.colno})" if isinstance(wrong, json.JSONDecodeError) else ""
        )
        raise InputError(f"The {what} file {path} is not JSON{where}; give a {what}.json.") from wrong


def _number(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


def _attribute_to_json(attribute: Attribute) -> dict[str, Any]:
    if attribute.kind == "categorical":
        return {"name": attribute.name, "kind": "categorical", "values": list(attribute.categories)}
    form: dict[str, Any] = {"name": attribute.name, "kind": "numeric", "integer": attribute.integer}
    if is_temporal(attribute.storage):
        form["storage"] = attribute.storage
    if attribute.precision is not None:
        form["precision"] = attribute.precision
    if attribute.low is not None and attribute.high is not None:
        form |= {"low": _number(attribute.low), "high": _number(attribute.high)}
    return form


def _attribute_from_json(form: Mapping[str, Any]) -> Attribute:
    if form["kind"] == "categorical":
        return Attribute(str(form["name"]), "categorical", categories=tuple(str(v) for v in form["values"]))
    low, high, storage = form.get("low"), form.get("high"), form.get("storage")
    return Attribute(
        str(form["name"]),
        "numeric",
        storage=storage if isinstance(storage, str) and is_temporal(storage) else "Float64",
        low=None if low is None else float(low),
        high=None if high is None else float(high),
        precision=_precision(form),
    )


def _precision(form: Mapping[str, Any]) -> int | None:
    found = form.get("precision", 0 if form.get("integer") else None)
    if found is None or (type(found) is int and 0 <= found <= _MOST_DECIMALS):
        return found
    raise _Damage(
        f"attribute {form['name']!r} has the precision {found!r}, which is not a number of decimals"
    )


def _node_to_json(tree: Tree, node: int, forest: Forest, classes: Sequence[str]) -> dict[str, Any]:
    form: dict[str, Any] = {"id": node}
    if tree.attribute[node] != LEAF:
        attribute = forest.attributes[tree.attribute[node]]
        branches = tree.branches_of(node).tolist()
        if attribute.kind == "numeric":
            form["test"] = {"attribute": attribute.name, "threshold": _number(tree.threshold[node])}
            form["children"] = dict(zip(("le", "gt"), branches, strict=True))
        else:
            form["test"] = {"attribute": attribute.name}
            form["children"] = dict(zip(attribute.categories, branches, strict=True))
        form["missing_to"] = int(tree.missing_to[node])
    elif node in tree.closed:
        form["closed"] = True
    if classes:
        form["counts"] = [_number(c) for c in tree.counts[node].tolist()]
        form["label"] = classes[tree.label[node]]
    else:
        form["value"] = _number(tree.counts[node, 0])
    return form


def _tree_from_json(
    nodes: Sequence[Mapping[str, Any]], attributes: Sequence[Attribute], classes: Sequence[str]
) -> Tree:
    place = {int(node["id"]): i for i, node in enumerate(nodes)}
    position = {a.name: i for i, a in enumerate(attributes)}
    tested = np.full(len(nodes), LEAF, np.int32)
    threshold = np.full(len(nodes), np.nan)
    missing_to = np.full(len(nodes), LEAF, np.int32)
    branches: list[list[int]] = []
    for i, node in enumerate(nodes):
        branches.append([])
        if "test" not in node:
            continue
        tested[i] = _position(position, node)
        attribute = attributes[tested[i]]
        children = {str(key): _place(place, child, node) for key, child in node["children"].items()}
        if any(child <= i for child in children.values()):
            raise _Damage(f"node {node['id']} comes after one of its children")
        if attribute.kind == "numeric":
            threshold[i] = float(node["test"]["threshold"])
            if not np.isfinite(threshold[i]):
                raise _Damage(f"node {node['id']} has no finite threshold")
            check_size(attribute.name, float(threshold[i]))
            branches[-1] = [children["le"], children["gt"]]
        fallback = node.get("missing_to")
        missing_to[i] = _place(place, fallback, node) if fallback is not None else _heaviest(nodes, children)
        if missing_to[i] not in children.values():
            raise _Damage(f"node {node['id']} sends missing values to a node that is not its child")
        if attribute.kind == "categorical":
            branches[-1] = [children.get(value, int(missing_to[i])) for value in attribute.categories]
    counts = np.array(
        [node["counts"] if classes else [node["value"]] for node in nodes], dtype=np.float64
    ).reshape(len(nodes), -1)
    labels = [_label(node, classes) if classes else 0 for node in nodes]
    start = np.cumsum([0, *(len(b) for b in branches)], dtype=np.int64)
    flat = np.array([child for own in branches for child in own], dtype=np.int32)
    return Tree(
        tested, threshold, start, flat, missing_to, counts, np.array(labels, np.int32), _closed(nodes)
    )


def _closed(nodes: Sequence[Mapping[str, Any]]) -> frozenset[int]:
    for node in nodes:
        if not isinstance(node.get("closed", False), bool):
            raise _Damage(f"node {node['id']} says neither true nor false for closed")
        if node.get("closed") and "test" in node:
            raise _Damage(f"node {node['id']} is closed but has a test")
    return frozenset(i for i, node in enumerate(nodes) if node.get("closed"))


def _position(position: Mapping[str, int], node: Mapping[str, Any]) -> int:
    name = str(node["test"]["attribute"])
    if name not in position:
        raise _Damage(f"node {node['id']} tests {name!r}, which is not among its attributes")
    return position[name]


def _place(place: Mapping[int, int], child: Any, node: Mapping[str, Any]) -> int:
    if int(child) not in place:
        raise _Damage(f"node {node['id']} leads to node {child}, which is not there")
    return place[int(child)]


def _heaviest(nodes: Sequence[Mapping[str, Any]], children: Mapping[str, int]) -> int:
    return max(dict.fromkeys(children.values()), key=lambda child: sum(nodes[child].get("counts", [0])))


def _label(node: Mapping[str, Any], classes: Sequence[str]) -> int:
    if "label" not in node:
        return int(np.argmax(node["counts"]))
    if str(node["label"]) not in classes:
        raise _Damage(f"node {node['id']} has the class {node['label']!r}, which is not among its classes")
    return classes.index(str(node["label"]))
