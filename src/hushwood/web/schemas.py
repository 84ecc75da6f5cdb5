"""What the steward decided about columns, as a schema file that holds these decisions and no values of the table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hushwood.errors import InputError
from hushwood.tables.formats.toml_text import quoted

_HEADER = (
    "# What was decided about columns of {name}; everything else is found in the data.\n"
    "# `hushwood inspect TABLE --save FILE` writes a file with all of it.\n"
)
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,12})?([eE][+-]?\d{1,2})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?")
CLASS, ORDINARY, DROP = "class", "ordinary", "identifier"


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one column; an empty text leaves it to the data. `reason` is why it is kept."""

    kind: str = ""
    role: str = ""
    low: str = ""
    high: str = ""
    reason: str = ""

    def checked(self) -> Decision:
        """The same with limits that a schema file can hold."""
        for limit in (self.low, self.high):
            if limit and not (_NUMBER.fullmatch(limit) or _DATE.fullmatch(limit)):
                raise InputError(f"{limit!r} is neither a number nor a date such as 2024-12-31.")
        return replace(self, reason=" ".join(self.reason.split()))


Decisions = Mapping[str, Decision]


def proposed(described: Mapping[str, Any]) -> dict[str, Decision]:
    """Decisions to begin with: columns that look as if they identify people are dropped."""
    return {column["name"]: Decision(role=DROP) for column in described["columns"] if column["drop"]}


def schema_text(name: str, decisions: Decisions) -> str:
    """The schema file; empty if nothing was decided. The class is no part of it: every command names it."""
    parts = [part for column, decision in decisions.items() if (part := _attribute(column, decision))]
    return "\n".join([_HEADER.format(name=" ".join(name.split())), *parts]) if parts else ""


def _attribute(column: str, decision: Decision) -> str:
    role = "" if decision.role in (CLASS, ORDINARY) else decision.role
    lines = [f"{key} = {quoted(text)}" for key, text in (("kind", decision.kind), ("role", role)) if text]
    lines += [f"{key} = {text}" for key, text in (("low", decision.low), ("high", decision.high)) if text]
    return "\n".join(["[[attribute]]", f"name = {quoted(column)}", *lines, ""]) if lines else ""


def classes_in(decisions: Decisions) -> list[str]:
    """The columns that were declared to be a class."""
    return [column for column, decision in decisions.items() if decision.role == CLASS]


def kept_in(decisions: Decisions, described: Mapping[str, Any]) -> dict[str, str]:
    """The reasons for columns that look as if they identify people and are released all the same."""
    doubted = {column["name"] for column in described["columns"] if column["drop"]}
    return {
        column: decision.reason
        for column, decision in decisions.items()
        if column in doubted and decision.reason and decision.role != DROP
    }
