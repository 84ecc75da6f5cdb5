"""The tables of a published tree: its groups, what became of every column, and how it was grown.

The numbers that come first are in `tree_findings`, the trees themselves in `published_trees`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.reports.published_trees import CRITERIA, readable_forest, rule_numbers
from hushwood.reports.tree_findings import diversity_text
from hushwood.reports.tree_proof import in_one_order
from hushwood.reports.wording import count, things

# More groups than these hide until they are asked for; a column with more parts does as well.
GROUPS_OPEN = 12
PARTS_OPEN = 12
_ROLES = {"ordinary": "", "class": "class"}
_NOT_SHOWN = {
    "unchanged": "Released as it is",
    "suppressed": "Suppressed: one value for everybody",
    "copied": "Copied without any change",
    "dropped": "Left out of the release",
}


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One group of records that look alike: what they show, how many they are, and how mixed they are."""

    number: int
    values: tuple[tuple[str, str], ...]
    rules: str
    records: str
    diversity: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GeneralisedColumn:
    """A column some of whose values became one, with what each released value stands for."""

    name: str
    role: str
    says: str
    parts: tuple[tuple[str, str, str], ...]
    unfolded: bool


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One setting with its value and what it means."""

    name: str
    value: str
    meaning: str


def group_rows(document: Mapping[str, Any]) -> list[GroupRow]:
    """All groups that the document lists, smallest first."""
    numbers = rule_numbers(readable_forest(document))
    sensitive = [found["name"] for found in document["privacy"]["sensitive"]]
    return [
        GroupRow(
            place + 1,
            tuple((name, str(value)) for name, value in group["values"].items()),
            _rules(group["leaves"], numbers),
            count(group["records"]),
            tuple(diversity_text(group["l"][name]) for name in sensitive),
        )
        for place, group in enumerate(document["groups"])
    ]


def generalised_columns(document: Mapping[str, Any]) -> list[GeneralisedColumn]:
    """Columns that keep some of their detail."""
    return [_generalised(column) for column in document["columns"] if column["what"] == "generalised"]


def other_columns(document: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What became of all others, one line for each kind."""
    kinds = {
        what: [_named(column) for column in document["columns"] if column["what"] == what]
        for what in _NOT_SHOWN
    }
    return [(_NOT_SHOWN[what], ", ".join(named)) for what, named in kinds.items() if named]


def copied_columns(document: Mapping[str, Any]) -> list[str]:
    """Columns other than the class that leave as they came."""
    return [column["name"] for column in document["columns"] if column["what"] == "copied"]


def option_rows(document: Mapping[str, Any]) -> list[OptionRow]:
    """What was asked for, in words."""
    asked = document["options"]
    criteria = ", ".join(CRITERIA.get(name, name) for name in asked["criteria"])
    return [
        OptionRow("K", f"{asked['k']:,}", "Fewest records that must look alike."),
        OptionRow("L", diversity_text(asked["l"]), _mixture(document)),
        OptionRow(
            "Tests chosen by",
            criteria,
            "One score for all columns and all cuts; the first best one is taken."
            f"{_ONE_ORDER if in_one_order(document) else ''}",
        ),
        OptionRow(
            "Class in groups", "yes" if asked["class_in_groups"] else "no", _CLASS[asked["class_in_groups"]]
        ),
        OptionRow("Fewest records in a leaf", f"{asked['min_leaf']:,}", "Smaller leaves are never made."),
        OptionRow("Most leaves", _limit(asked["max_leaves"]), "In each tree."),
        OptionRow("Most tests in a row", _limit(asked["max_depth"]), "From the root of a tree to a leaf."),
        OptionRow("Mode", asked["mode"], _MODES[asked["mode"]]),
        OptionRow("Thresholds", asked["thresholds"], _THRESHOLDS[asked["thresholds"]]),
        OptionRow("At a broken promise", *_AFTER[asked["stop_at_first_failure"]]),
    ]


_ONE_ORDER = " Categories are cut in one order, which all nodes share."
_CLASS = {
    True: "Groups are formed with the class: it is taken to be known to an intruder.",
    False: "Groups are formed without the class: it is not taken to be known to an intruder.",
}
_MODES = {
    "anchored": "Numbers next to a threshold are released as they are; all others become some other true value.",
    "delta": "Numbers next to a threshold move away from it by the same amount on both sides.",
}
_THRESHOLDS = {
    "midpoint": "Halfway between the two nearest values of the table.",
    "data": "The largest value of the table below the midpoint, as C4.5 has it.",
}
_AFTER = {
    True: ("stop", "The first expansion that would break K or L ends growth."),
    False: ("undo and go on", "The leaf is closed, and growth goes on elsewhere."),
}


def _rules(leaves: Sequence[int], numbers: Sequence[Mapping[int, int]]) -> str:
    """The rules of a group, one a tree; where trees test other columns as well, a group can follow several."""
    if len(leaves) != len(numbers):
        return "several"
    return " / ".join(str(own.get(leaf, "–")) for own, leaf in zip(numbers, leaves, strict=True))


def _mixture(document: Mapping[str, Any]) -> str:
    names = [found["name"] for found in document["privacy"]["sensitive"]]
    if not names:
        return "No column was called sensitive, so there is nothing to keep mixed."
    return (
        f"No value of {' or '.join(names)} may have more than one part in L of a group; 1 asks for nothing."
    )


def _limit(value: int | None) -> str:
    return "no limit" if value is None else f"{value:,}"


def _named(column: Mapping[str, Any]) -> str:
    if column["what"] == "suppressed" and column["parts"]:
        return f"{column['name']} (now {column['parts'][0]['released']})"
    return f"{column['name']} (the class)" if column["role"] == "class" else str(column["name"])


def _generalised(column: Mapping[str, Any]) -> GeneralisedColumn:
    parts = tuple((p["stands_for"], _released(p["released"]), count(p["records"])) for p in column["parts"])
    return GeneralisedColumn(
        column["name"],
        _ROLES.get(column["role"], column["role"]),
        f"{things(column['before'], 'value')} became {count(column['after'])}.{_cut(column)}",
        parts,
        len(parts) <= PARTS_OPEN,
    )


def _cut(column: Mapping[str, Any]) -> str:
    listed = len(column["parts"])
    return f" The first {count(listed)} are listed." if listed < column["after"] else ""


def _released(value: Any) -> str:
    return "(empty)" if value in (None, "") else str(value)
