"""What the steward decided about columns, as a schema file that holds these decisions and no values of the table.

It is written at every change and found again when the table is next opened, with everything else that it holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.tables.formats.toml_text import list_text, quoted
from hushwood.web.paths import numbered

OURS = "# What was decided about columns of "  # how our files begin; others are read, but not replaced
_HEADER = (
    OURS + "{name}; everything else is found in the data.\n"
    "# `hushwood inspect TABLE --save FILE` writes a file with all of it.\n"
)
_NUMBER = re.compile(r"[+-]?\d{1,18}(\.\d{1,12})?([eE][+-]?\d{1,2})?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?")
_KEPT = re.compile(r'^# Kept because: (".*")\n\[\[attribute\]\]\n(name = ".*")$', re.MULTILINE)
CLASS, ORDINARY, DROP = "class", "ordinary", "identifier"


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one column; an empty text leaves it to the data. `reason` is why it is kept.

    `rest` is everything else that a file said of it, as TOML.
    """

    kind: str = ""
    role: str = ""
    low: str = ""
    high: str = ""
    reason: str = ""
    rest: str = ""

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


def schema_text(name: str, decisions: Decisions, links: str = "") -> str:
    """The schema file; empty if nothing was decided."""
    parts = [part for column, decision in decisions.items() if (part := _attribute(column, decision))]
    parts += [links] if links else []
    return "\n".join([nothing_decided(name), *parts]) if parts else ""


def nothing_decided(name: str) -> str:
    """The file of a table about which nothing is decided any more."""
    return _HEADER.format(name=" ".join(name.split()))


def saved_for(root: Path, wanted: str, taken: Collection[str]) -> str:
    """The schema file that was saved for a table: the newest of ours, or another one of the usual name; else none."""
    files = {name: root / name for name in numbered(wanted, 99) if name not in taken}
    there = {name: file for name, file in files.items() if file.is_file() and not file.is_symlink()}
    ours = [name for name, file in there.items() if file.read_bytes().startswith(OURS.encode())]
    newest = max(ours, key=lambda name: there[name].stat().st_mtime_ns, default="")
    return newest or (wanted if wanted in there else "")


def _attribute(column: str, decision: Decision) -> str:
    role = "" if decision.role == ORDINARY and not decision.reason else decision.role
    lines = [f"{key} = {quoted(text)}" for key, text in (("kind", decision.kind), ("role", role)) if text]
    lines += [f"{key} = {text}" for key, text in (("low", decision.low), ("high", decision.high)) if text]
    lines += [decision.rest] if decision.rest else []
    if not lines:
        return ""
    why = [f"# Kept because: {quoted(decision.reason)}"] if decision.reason and decision.role != DROP else []
    return "\n".join([*why, "[[attribute]]", f"name = {quoted(column)}", *lines, ""])


def saved(text: str, known: Mapping[str, Any]) -> tuple[dict[str, Decision], str]:
    """The decisions in a schema file about a table, and its links; one that does not fit is refused with a reason."""
    try:
        content = tomllib.loads(text)
        entries = {entry["name"]: entry for entry in content.get("attribute", [])}
        reasons = [tomllib.loads(f"{name}\nwhy = {why}") for why, name in _KEPT.findall(text)]
        why = {one["name"]: str(one["why"]) for one in reasons}
        links = "\n".join("\n".join(["[[link]]", *_lines(each), ""]) for each in content.get("link", []))
        decisions = {name: _decision(entry, why.get(name, "")) for name, entry in entries.items()}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise InputError("it is not a schema file") from None
    columns = {column["name"] for column in known["columns"]}
    for name, decision in decisions.items():
        if name not in columns:
            raise InputError(f"the table has no column {name!r}")
        if decision.role not in {*known["roles"], ""} or decision.kind not in {*known["kinds"], ""}:
            raise InputError(f"there is no such role or kind as that of {name!r}")
    return decisions, links


def _decision(entry: Mapping[str, Any], reason: str) -> Decision:
    texts = {key: str(entry.get(key, "")) for key in ("kind", "role")}
    limits = {key: _limit(entry[key]) for key in ("low", "high") if key in entry}
    rest = {key: value for key, value in entry.items() if key not in {"name", *texts, *limits}}
    return Decision(**texts, **limits, reason=reason, rest="\n".join(_lines(rest)))


def _limit(value: Any) -> str:
    if not isinstance(value, int | float | date):
        raise ValueError(value)
    return str(value)


def _lines(content: Mapping[str, Any]) -> list[str]:
    if not all(map(str.isidentifier, content)):
        raise ValueError(content)
    return [f"{key} = {_toml(value)}" for key, value in content.items()]


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return list_text([_toml(each) for each in value])
    return quoted(value) if isinstance(value, str) else str(value)


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
