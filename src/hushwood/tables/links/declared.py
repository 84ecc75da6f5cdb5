"""Links that people declare as [[link]] of a schema file: whether they fit the columns, and what they turn off."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.tables.formats.toml_text import list_text, quoted
from hushwood.tables.links.links import (
    Combinations,
    Condition,
    Determines,
    Link,
    Order,
    Quotient,
    Sum,
    kind_of,
    link_from_plain,
    link_to_plain,
    says,
)
from hushwood.tables.schema import Attribute, Schema


@dataclass(frozen=True, slots=True)
class DeclaredLinks:
    """Links to keep, and links that need not hold although the table may suggest them."""

    kept: tuple[Link, ...] = ()
    loose: tuple[Link, ...] = ()


def check_links(declared: DeclaredLinks, schema: Schema, where: str) -> None:
    """Refuse links that do not fit the columns."""
    for link in (*declared.kept, *declared.loose):
        for name in link.columns:
            if name not in schema.names:
                raise InputError(
                    f"{where}, link of kind {kind_of(link)!r}: {unknown_name('column', name, schema.names)}"
                )
    for link in declared.kept:
        wrong = misfit(link, schema)
        if wrong:
            raise InputError(f"{where}, link of kind {kind_of(link)!r}: {wrong}")


def misfit(link: Link, schema: Schema) -> str:
    """Why a link cannot be about these columns, in a sentence; nothing if it can."""
    by_name = {name: schema[name] for name in link.columns if not schema[name].carried}
    if isinstance(link, Order | Sum | Quotient):
        wrong = next((a for a in by_name.values() if a.kind != "numeric"), None)
        return (
            ""
            if wrong is None
            else f"column {wrong.name!r} is categorical. Name columns of numbers or dates."
        )
    if isinstance(link, Combinations):
        wrong = next((a for a in by_name.values() if a.kind != "categorical"), None)
        return "" if wrong is None else f"column {wrong.name!r} is numeric. Name categorical columns."
    if isinstance(link, Condition):
        when, column = by_name.get(link.when), by_name.get(link.column)
        if when is not None and when.kind != "categorical":
            return f"column {when.name!r} is numeric. A condition is about a categorical column."
        if column is not None and column.kind == "numeric" and link.allowed != (None,):
            return f"column {column.name!r} is numeric, so it can only have to be missing. Use allowed = []."
        return _unknown(when, link.values) or _unknown(column, link.allowed)
    return ""


def _unknown(attribute: Attribute | None, names: Iterable[str | None]) -> str:
    if attribute is None or attribute.kind == "numeric":
        return ""
    strange = next((n for n in names if n is not None and n not in attribute.categories), None)
    if strange is None:
        return ""
    return f"{unknown_name(f'category of {attribute.name!r}', strange, attribute.categories)}"


def without_loose(found: Iterable[Link], loose: Iterable[Link]) -> tuple[Link, ...]:
    """The links without those that need not hold; of a condition, only its columns matter."""
    chosen = list(found)
    for off in loose:
        chosen = [left for link in chosen if (left := _without(link, off)) is not None]
    return tuple(chosen)


def _without(link: Link, off: Link) -> Link | None:
    if isinstance(link, Determines) and isinstance(off, Determines) and link.given == off.given:
        left = tuple(name for name in link.follows if name not in off.follows)
        return replace(link, follows=left) if left else None
    if isinstance(link, Condition) and isinstance(off, Condition):
        return None if link.columns == off.columns else link
    if isinstance(link, Quotient) and isinstance(off, Quotient):
        return None if link.columns == off.columns else link
    return None if link == off else link


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
