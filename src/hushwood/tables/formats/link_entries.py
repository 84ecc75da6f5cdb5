"""The [[link]] entries of a schema file: what must hold between columns, and what need not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.errors import InputError
from hushwood.tables.formats.toml_text import list_text, quoted
from hushwood.tables.links.declared import DeclaredLinks
from hushwood.tables.links.links import Condition, Link
from hushwood.tables.links.plain_links import link_from_plain, link_to_plain
from hushwood.tables.links.sentences import says
from hushwood.tables.schema import Schema

KEEP = "keep"
_EVERY = ("any",)  # of a condition that is turned off, only the columns matter


def links_in(content: Mapping[str, Any], where: str) -> DeclaredLinks:
    """The links that the content of a schema file declares, and those that it turns off with keep = false."""
    entries = content.get("link", [])
    if not isinstance(entries, list):
        raise InputError(f"{where}: links are written as [[link]], with two brackets.")
    kept: list[Link] = []
    loose: list[Link] = []
    for entry in entries:
        keep = entry.get(KEEP, True) if isinstance(entry, dict) else True
        if not isinstance(keep, bool):
            raise InputError(f"{where}, link, {KEEP}: {keep!r} is not allowed. Use true or false.")
        plain = {k: v for k, v in entry.items() if k != KEEP} if isinstance(entry, dict) else entry
        if not keep and isinstance(plain, dict) and plain.get("kind") == "condition":
            plain = {"values": list(_EVERY), "allowed": list(_EVERY)} | plain
        (kept if keep else loose).append(link_from_plain(plain, where))
    return DeclaredLinks(tuple(kept), tuple(loose))


def links_to_toml(schema: Schema) -> list[str]:
    """An entry for every link of a schema."""
    kept = [_entry(link, keep=True) for link in schema.links]
    return kept + [_entry(link, keep=False) for link in schema.unlinked]


def _entry(link: Link, *, keep: bool) -> str:
    lines = ["[[link]]"]
    if not isinstance(link, Condition) or link.values != _EVERY:
        lines = [f"# {quoted(says(link))[1:-1]}", *lines]
    for key, value in link_to_plain(link).items():
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, int):
            text = str(value)
        else:
            text = quoted(value) if isinstance(value, str) else list_text([quoted(v) for v in value])
        lines.append(f"{key} = {text}")
    return "\n".join([*lines, f"{KEEP} = {'true' if keep else 'false'}"]) + "\n"
