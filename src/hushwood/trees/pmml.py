"""One tree as a PMML 4.4 document, the exchange form of models that other programs score with.

`model_file` is the project's own form, which can be read back; PMML only goes out.

How the tree is said in PMML:

- Only the attributes that the tree tests are inputs. A category that the tree does not know counts as missing
  (`invalidValueTreatment`), and a missing value follows `missing_to` (`defaultChild`).
- Node ids are the node numbers of `tree.json`. Every node has its `score`, so that a reader may stop early, and its
  records per class, unless it has none.
- Dates go in as numbers of days since 1970-01-01, moments as seconds since then (in UTC), times of day as seconds
  since midnight and durations as seconds: the numbers that the thresholds stand for. The field's displayName says so.
- Numbers are doubles: a threshold between two whole numbers is not an integer, and readers would cut it off. A field is
  an integer only where all its thresholds are, and all its values fit 32 bits.
- There is no time in the document: the same tree gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.tables.schema import Attribute
from hushwood.trees.forest import LEAF, Forest, Tree, categories_by_child
from hushwood.version import __version__

NAMESPACE = "http://www.dmg.org/PMML-4_4"
VERSION = "4.4"
_INTEGER_LIMIT = 2.0**31
_UNITS = {
    "Date": "days since 1970-01-01",
    "Datetime": "seconds since 1970-01-01, UTC",
    "Time": "seconds since midnight",
    "Duration": "seconds",
}
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def forest_to_pmml(forest: Forest, place: int = 0) -> str:
    """The tree at this place of the forest as the text of a PMML document."""
    tree = forest.trees[place]
    tested = [forest.attributes[a] for a in _tested(tree)]
    _refuse_what_xml_cannot_hold(forest, tested)
    root = Element("PMML", {"xmlns": NAMESPACE, "version": VERSION})
    header = SubElement(root, "Header", {"description": f"A tree that predicts {forest.class_name}"})
    SubElement(header, "Application", {"name": "Hushwood", "version": __version__})
    _add_data_dictionary(root, tree, forest)
    model = SubElement(root, "TreeModel", _model_facts(tree, forest, place))
    schema = SubElement(model, "MiningSchema")
    for attribute in tested:
        SubElement(schema, "MiningField", {"name": attribute.name, "invalidValueTreatment": "asMissing"})
    SubElement(schema, "MiningField", {"name": forest.class_name, "usageType": "target"})
    _add_nodes(model, tree, forest)
    return _text_of(root)


def write_pmml(forest: Forest, path: Path, place: int = 0) -> None:
    """Write the tree at this place of the forest as a PMML file."""
    path.write_text(forest_to_pmml(forest, place), encoding="utf-8", newline="\n")


def _text_of(root: Element) -> str:
    try:
        ElementTree.indent(root)
        body = ElementTree.tostring(root, encoding="unicode")
    except RecursionError as wrong:
        raise InputError(
            "The tree is too deep to be written as PMML, whose nodes lie inside each other; limit its depth."
        ) from wrong
    # Readers turn a bare carriage return in a text into a line feed.
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'.replace("\r", "&#13;")


def _refuse_what_xml_cannot_hold(forest: Forest, tested: Sequence[Attribute]) -> None:
    texts = [forest.class_name, *forest.classes]
    for attribute in tested:
        texts += [attribute.name, *attribute.categories]
    for text in texts:
        if _NOT_IN_XML.search(text):
            raise InputError(
                f"The tree cannot be written as PMML: {text!r} holds a character that XML does not allow; rename it."
            )


def _tested(tree: Tree) -> list[int]:
    return [int(a) for a in np.unique(tree.attribute[tree.attribute != LEAF])]


def _add_data_dictionary(root: Element, tree: Tree, forest: Forest) -> None:
    tested = _tested(tree)
    dictionary = SubElement(root, "DataDictionary", {"numberOfFields": str(len(tested) + 1)})
    for position in tested:
        attribute = forest.attributes[position]
        if attribute.kind == "categorical":
            _add_categories(dictionary, attribute.name, attribute.categories)
        else:
            _add_number(dictionary, attribute, tree.threshold[tree.attribute == position])
    if forest.classes:
        _add_categories(dictionary, forest.class_name, forest.classes)
    else:
        _add_field(dictionary, forest.class_name, "continuous", "double")


def _add_number(dictionary: Element, attribute: Attribute, thresholds: Floats) -> None:
    unit = _UNITS.get(attribute.storage.partition("[")[0])
    if unit:
        shown = f"{attribute.name} ({unit})"
        _add_field(dictionary, attribute.name, "continuous", "double", displayName=shown)
        return
    limits = np.array([*thresholds, attribute.low, attribute.high], np.float64)
    whole = attribute.integer and bool(np.all((limits == np.floor(limits)) & (abs(limits) < _INTEGER_LIMIT)))
    _add_field(dictionary, attribute.name, "continuous", "integer" if whole else "double")


def _add_field(dictionary: Element, name: str, operations: str, data_type: str, **more: str) -> Element:
    return SubElement(
        dictionary, "DataField", {"name": name, "optype": operations, "dataType": data_type, **more}
    )


def _add_categories(dictionary: Element, name: str, categories: Iterable[str]) -> None:
    field = _add_field(dictionary, name, "categorical", "string")
    for category in categories:
        SubElement(field, "Value", {"value": category})


def _model_facts(tree: Tree, forest: Forest, place: int) -> dict[str, str]:
    inner = np.flatnonzero(tree.attribute != LEAF).tolist()
    binary = all(len(_branches(tree, node, forest)) == 2 for node in inner)
    return {
        "modelName": f"tree {place + 1}",
        "functionName": "classification" if forest.classes else "regression",
        "splitCharacteristic": "binarySplit" if binary else "multiSplit",
        "missingValueStrategy": "defaultChild",
    }


def _add_nodes(model: Element, tree: Tree, forest: Forest) -> None:
    waiting = [(model, 0, Element("True"))]
    while waiting:
        parent, node, predicate = waiting.pop()
        element = SubElement(parent, "Node", _node_facts(tree, node, forest))
        element.append(predicate)
        for name, count in _distribution(tree, node, forest):
            SubElement(element, "ScoreDistribution", {"value": name, "recordCount": _number(count)})
        if tree.attribute[node] == LEAF:
            continue
        waiting.extend(
            (element, child, own) for child, own in reversed(_branches(tree, node, forest).items())
        )


def _node_facts(tree: Tree, node: int, forest: Forest) -> dict[str, str]:
    facts = {"id": str(node)}
    if forest.classes:
        facts["score"] = forest.classes[tree.label[node]]
        counts = [count for _, count in _distribution(tree, node, forest)]
        facts |= {"recordCount": _number(sum(counts))} if counts else {}
    else:
        facts["score"] = _number(float(tree.counts[node, 0]))
    return facts if tree.attribute[node] == LEAF else facts | {"defaultChild": str(tree.missing_to[node])}


def _distribution(tree: Tree, node: int, forest: Forest) -> list[tuple[str, float]]:
    """Records by class; none where counts are withheld or zero, from which readers would take shares."""
    counts = tree.counts[node]
    known = bool(forest.classes) and bool(np.isfinite(counts).all()) and counts.sum() > 0
    return list(zip(forest.classes, counts.tolist(), strict=True)) if known else []


def _branches(tree: Tree, node: int, forest: Forest) -> dict[int, Element]:
    """The children of a node, each once, with the predicate that leads there."""
    attribute = forest.attributes[tree.attribute[node]]
    fallback = int(tree.missing_to[node])
    if attribute.kind == "numeric":
        threshold = _number(float(tree.threshold[node]))
        below, above = tree.branches_of(node).tolist()
        return {
            below: _compared(attribute.name, "lessOrEqual", threshold),
            above: _compared(attribute.name, "greaterThan", threshold),
        }
    groups = categories_by_child(tree, node, attribute)
    children = {child: _one_of(attribute.name, values) for child, values in groups.items()}
    # A child that no value leads to can still be the default.
    return {**children, fallback: children.get(fallback, Element("False"))}


def _compared(name: str, operator: str, value: str) -> Element:
    return Element("SimplePredicate", {"field": name, "operator": operator, "value": value})


def _one_of(name: str, values: Sequence[str]) -> Element:
    if len(values) == 1:
        return _compared(name, "equal", values[0])
    # Arrays escape a quotation mark with a backslash and the backslash with nothing; readers differ on what that means.
    if any('"' in value or "\\" in value for value in values):
        either = Element("CompoundPredicate", {"booleanOperator": "or"})
        either.extend(_compared(name, "equal", value) for value in values)
        return either
    predicate = Element("SimpleSetPredicate", {"field": name, "booleanOperator": "isIn"})
    array = SubElement(predicate, "Array", {"type": "string", "n": str(len(values))})
    array.text = " ".join(f'"{value}"' for value in values)
    return predicate


def _number(value: float) -> str:
    """A number that reads back bit for bit; whole ones without a point, as integer fields need."""
    return str(int(value)) if value.is_integer() and abs(value) < 2.0**53 else repr(value)
