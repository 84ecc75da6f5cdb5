"""A plain interpreter of PMML tree models, from the standard's words: three-valued predicates and default children.

It knows what a document of one TreeModel with missingValueStrategy="defaultChild" may hold, and refuses all else.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, fromstring

Value = float | str | None
Record = Mapping[str, Value]

NAMESPACE = "{http://www.dmg.org/PMML-4_4}"
PREDICATES = ("SimplePredicate", "SimpleSetPredicate", "CompoundPredicate", "True", "False")


def document(text: str) -> Element:
    """The root of a document."""
    return fromstring(text)  # noqa: S314 - the tests' own text


def reached(root: Element, record: Record) -> Element:
    """The node that a record ends in; its id and score are attributes."""
    model = child(root, "TreeModel")
    assert model.get("missingValueStrategy") == "defaultChild"
    known = as_prepared(root, model, record)
    node = child(model, "Node")
    assert holds(predicate_of(node), known) is True
    while True:
        below = children(node, "Node")
        if not below:
            return node
        answers = [holds(predicate_of(one), known) for one in below]
        if None in answers:
            (node,) = [one for one in below if one.get("id") == node.get("defaultChild")]
        else:
            assert answers.count(True) == 1, "exactly one branch must fit a known value"
            node = below[answers.index(True)]


def as_prepared(root: Element, model: Element, record: Record) -> dict[str, Value]:
    """The inputs after the mining schema: a value that the dictionary does not list is missing."""
    listed = {
        field.attrib["name"]: [value.attrib["value"] for value in children(field, "Value")]
        for field in children(child(root, "DataDictionary"), "DataField")
    }
    known: dict[str, Value] = {}
    for field in children(child(model, "MiningSchema"), "MiningField"):
        name = field.attrib["name"]
        if field.get("usageType", "active") != "active":
            continue
        known[name] = value = record[name]
        if isinstance(value, str) and value not in listed[name]:
            assert field.get("invalidValueTreatment") == "asMissing"
            known[name] = None
    return known


def predicate_of(node: Element) -> Element:
    (found,) = [part for part in node if part.tag.removeprefix(NAMESPACE) in PREDICATES]
    return found


def holds(predicate: Element, known: Record) -> bool | None:
    """Whether a predicate is true; None where a missing value leaves it open."""
    kind = predicate.tag.removeprefix(NAMESPACE)
    if kind in ("True", "False"):
        return kind == "True"
    if kind == "CompoundPredicate":
        assert predicate.get("booleanOperator") == "or"
        answers = [holds(part, known) for part in predicate]
        return True if True in answers else None if None in answers else False
    value = known[predicate.attrib["field"]]
    if value is None:
        return None
    if kind == "SimpleSetPredicate":
        assert predicate.get("booleanOperator") == "isIn"
        return value in strings(child(predicate, "Array"))
    return compared(value, predicate.attrib["operator"], predicate.attrib["value"])


def compared(value: float | str, operator: str, limit: str) -> bool:
    if operator == "equal":
        return value == limit
    assert not isinstance(value, str)
    if operator == "lessOrEqual":
        return value <= float(limit)
    assert operator == "greaterThan", operator
    return value > float(limit)


def strings(array: Element) -> list[str]:
    r"""The texts of a string array: between blanks or quotation marks; \" is a quotation mark inside them."""
    assert array.get("type") == "string"
    found: list[str] = []
    text, at = array.text or "", 0
    while at < len(text):
        if text[at] != '"':
            assert text[at] == " ", "all texts are quoted"
            at += 1
            continue
        end = at + 1
        while text[end] != '"' or text[end - 1] == "\\":
            end += 1
        found.append(text[at + 1 : end].replace('\\"', '"'))
        at = end + 1
    assert len(found) == int(array.attrib["n"])
    return found


def child(parent: Element, tag: str) -> Element:
    (found,) = children(parent, tag)
    return found


def children(parent: Element, tag: str) -> list[Element]:
    return parent.findall(f"{NAMESPACE}{tag}")
