"""What the page shows of columns and trees, cut into rows of text.

Findings and charts have their own files; the page that puts all of it together is `page`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.reports.verdicts import made_here
from hushwood.reports.wording import count, measure, percent, things
from hushwood.tables.value_texts import value_text
from hushwood.trees.drawing import draw_svg
from hushwood.trees.forest import Forest, Tree
from hushwood.trees.model_file import forest_from_json
from hushwood.trees.rules import Rule, describe_conditions, rules_of

COMPARED = "Compared."
COARSER = "Compared; some of its values are generalised."
COPIED = "Copied as it is: whoever reads the release sees the true values."
DROPPED = "Dropped: the release does not have this column."
# A tree with more rules than this hides its table until it is asked for.
RULES_OPEN = 12


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """One column: what it is, what was done to it, and what came of it."""

    name: str
    role: str
    what: str
    missing: str
    done: str
    technique: str
    unchanged: str
    care: bool


@dataclass(frozen=True, slots=True)
class _Done:
    """What was done to a column, by which technique, and whether that asks for care."""

    says: str
    technique: str = ""
    care: bool = False


@dataclass(frozen=True, slots=True)
class ExtremeRow:
    """A lowest or highest value that one record held, and whether that record still has it."""

    column: str
    end: str
    value: str
    unchanged: bool


@dataclass(frozen=True, slots=True)
class RuleRow:
    """One rule of a tree with its records."""

    conditions: str
    label: str
    counts: tuple[str, ...]
    share: str


@dataclass(frozen=True, slots=True)
class TreeView:
    """One tree: its picture, its rules, and how many records still follow them."""

    title: str
    svg: str
    rules: tuple[RuleRow, ...]
    kept: str
    unfolded: bool


def column_rows(document: Mapping[str, Any]) -> list[ColumnRow]:
    """The schema and the plan in one table, with the columns that could not be compared."""
    cells = measure(document, "unchanged_cells")
    shares = {c["column"]: c["share"] for c in cells["details"]["columns"]} if cells else {}
    return [_column_row(column, _done(column, document), shares) for column in document["schema"]]


def copied_columns(document: Mapping[str, Any]) -> list[str]:
    """Columns that leave as they came because nothing was to be done to them."""
    return [row.name for row in column_rows(document) if row.done == COPIED]


def still_named(document: Mapping[str, Any]) -> list[str]:
    """Columns that name people and are in the release all the same."""
    names = {column["name"] for column in document["schema"] if column["role"] == "identifier"}
    left_out = document["audit"]["left_out"]
    return [e["column"] for e in left_out if e["column"] in names and "STILL" in e["reason"]]


def not_compared(document: Mapping[str, Any]) -> list[str]:
    """Columns of the original that the release was to hide and that could not be compared: risks may be higher."""
    roles = {column["name"]: column["role"] for column in document["schema"]}
    left_out = [entry["column"] for entry in document["audit"]["left_out"]]
    return [name for name in left_out if roles.get(name, "identifier") not in {"identifier", "ignored"}]


def extreme_rows(document: Mapping[str, Any]) -> list[ExtremeRow]:
    """The extremes that one record held; outsiders are shown none."""
    storage = {column["name"]: column.get("storage", "Float64") for column in document["schema"]}
    found = document["release"]["unique_extremes"] or {}
    return [
        ExtremeRow(v["column"], v["end"], value_text(v["value"], storage[v["column"]]), v["unchanged"])
        for v in found.get("values", ())
    ]


def tree_views(document: Mapping[str, Any]) -> list[TreeView]:
    """The trees whose rules were to be kept; somebody else's release has none."""
    model = document["forests"].get("original")
    if model is None or not made_here(document):
        return []
    forest = forest_from_json(model)
    certificate = document["release"]["certificate"] or {"per_tree": (), "records": 0}
    kept = certificate["per_tree"]
    return [
        _tree_view(tree, forest, place, kept[place] if place < len(kept) else None, certificate["records"])
        for place, tree in enumerate(forest.trees)
    ]


def class_and_values(document: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The name of the class and its values, in the order of the bars in the trees; nothing without trees."""
    forests = document["forests"]
    model = forests.get("original") or forests.get("original_tree")
    return (model["class"], list(model["classes"])) if model else ("", [])


def rule_row(rule: Rule) -> RuleRow:
    """A rule of a decision tree as text."""
    withheld = any(math.isnan(c) for c in rule.counts)
    total = _total(rule)
    share = "" if withheld or not total else percent(max(rule.counts) / total)
    counts = tuple(count(None if math.isnan(c) else c) for c in rule.counts)
    return RuleRow(describe_conditions(rule.conditions), rule.label, counts, share)


def _done(column: Mapping[str, Any], document: Mapping[str, Any]) -> _Done:
    """What was done to a column, as far as it is known."""
    name = column["name"]
    if not made_here(document):
        reasons = {entry["column"]: entry["reason"] for entry in document["audit"]["left_out"]}
        said = COARSER if name in document["audit"]["generalised"] else COMPARED
        if name in reasons:
            said = f"Left out of the comparison. {reasons[name]}".strip()
        return _Done(said, care=name in still_named(document))
    entries = [entry for entry in document["release"]["plan"] if name in entry["columns"]]
    if column["role"] == "identifier" or not entries:
        return _Done(
            DROPPED if column["role"] == "identifier" else COPIED, care=column["role"] != "identifier"
        )
    return _Done(
        " ".join(str(entry["says"]) for entry in entries),
        ", ".join(str(entry["acronym"]) for entry in entries),
        any(not entry["keeps_segment"] for entry in entries),
    )


def _column_row(column: Mapping[str, Any], done: _Done, shares: Mapping[str, float | None]) -> ColumnRow:
    name, role = column["name"], column["role"]
    return ColumnRow(
        name=name,
        role="" if role == "ordinary" else role,
        what=_what(column),
        missing=f"{count(column['missing'])} missing" if column["missing"] != 0 else "",
        done=done.says,
        technique=done.technique,
        unchanged=percent(shares[name]) if name in shares else "",
        care=done.care,
    )


def _what(column: Mapping[str, Any]) -> str:
    if "categories" in column:
        return things(column["categories"], "category", "categories")
    if column.get("low") is None or column.get("high") is None:
        return str(column["kind"])
    storage = column.get("storage", "Float64")
    kind = "dates" if storage.startswith("Date") else _decimals(column["precision"])
    low, high = value_text(column["low"], storage), value_text(column["high"], storage)
    return f"{kind}, about {low} to {high}" if column.get("rounded") else f"{kind}, {low} to {high}"


def _decimals(precision: int | None) -> str:
    if precision is None:
        return "real numbers"
    return f"numbers with {things(precision, 'decimal')}" if precision else "whole numbers"


def _tree_view(tree: Tree, forest: Forest, place: int, kept: int | None, records: int) -> TreeView:
    rules = sorted(rules_of(tree, forest), key=lambda rule: -_total(rule))
    rows = tuple(rule_row(rule) for rule in rules if _total(rule) or not forest.classes)
    title = f"Tree {place + 1}"
    followed = "" if kept is None else f"{kept:,} of {records:,} records follow the same rule as before."
    return TreeView(title, draw_svg(tree, forest, title), rows, followed, len(rows) <= RULES_OPEN)


def _total(rule: Rule) -> float:
    return sum(1.0 if math.isnan(c) else c for c in rule.counts)
