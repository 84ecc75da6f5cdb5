"""dictionary.md: what was done to each column and how far to trust it, for the recipients of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from hushwood.errors import visible
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.schema import UNIT_ROLES, Schema

# Characters that mean something in Markdown, and those that make a bare address a link.
_MARKUP = re.compile(r"([\\`*\[\]|~]|^[-+=_#]|_$|:(?=//)|(?<=www)\.)")
_ESCAPED = (
    "In a CSV file, texts that a spreadsheet would run as formulas have a single quotation mark before them."
)
_SEGMENTS = (
    "A *segment* is a group of records that follow the same rules; the report says how many there are."
)
_MADE_UP = (
    "All records are made up: they were drawn from a model of the table, and none stands for one person."
)
_DRAWN = (
    "The people were drawn from the table, then the values of every segment; no record stands for one person."
)
_COPIED = "Copied."
_ELSEWHERE = "Elsewhere copied."
_ORIGINAL = "Exactly as in the original."
_NUMBERED = "Replaced by fresh numbers in random order."
_TOGETHER = "Rows with the same number belong together; the numbers mean nothing else."


def dictionary(
    schema: Schema,
    perturbed: Perturbed,
    preparation: Preparation | None = None,
    *,
    escaped_formulas: bool = False,
) -> str:
    """The page as Markdown."""
    what = f"Released with Hushwood by the technique `{perturbed.plan.recipe}`. "
    drawn = perturbed.plan.row_order == "drawn"
    what += f"{_DRAWN} {_SEGMENTS}" if drawn else _SEGMENTS if perturbed.paired else _MADE_UP
    if escaped_formulas:
        what += f" {_ESCAPED}"
    lines = [
        "# What is in this table",
        "",
        what,
        "",
        "| column | kind | what was done | how far to trust it |",
        "|---|---|---|---|",
        *(f"| {' | '.join(_cell(text) for text in row)} |" for row in _rows(schema, perturbed, preparation)),
        "",
        *_key(perturbed),
    ]
    return "\n".join(lines)


def _key(perturbed: Perturbed) -> Iterator[str]:
    """What labels stand for that do not explain themselves."""
    if not perturbed.labels:
        return
    yield from ("## What labels stand for", "", "| column | label | values |", "|---|---|---|")
    for name, labels in perturbed.labels.items():
        for label, values in labels.items():
            yield f"| {_cell(name)} | {_cell(label)} | {_cell(', '.join(values))} |"
    yield ""


def _rows(
    schema: Schema, perturbed: Perturbed, preparation: Preparation | None
) -> Iterator[tuple[str, str, str, str]]:
    for attribute in schema.attributes:
        if attribute.role == "identifier":
            yield attribute.name, "identifier", "Dropped.", "Not in the table."
            continue
        if attribute.role in UNIT_ROLES:
            yield attribute.name, attribute.role, _NUMBERED, _TOGETHER
            continue
        used = [step for step in perturbed.plan.steps if attribute.name in step.attributes]
        done = [step.says_for(attribute) for step in used] or [_COPIED]
        if attribute.name in perturbed.untouched:
            done.append(_ELSEWHERE)
        if preparation is not None:
            done += preparation.says(attribute.name)
        trust = used[0].technique.trust if used else _ORIGINAL
        kind = f"{attribute.kind} (class)" if attribute.role == "class" else attribute.kind
        yield attribute.name, kind, " ".join(done), trust


def _cell(text: str) -> str:
    """A text that Markdown shows literally: names make no tag, no link, no emphasis and no new cell.

    >>> _cell("a_b"), _cell("[x](http://y)|<b>")
    ('a_b', '\\\\[x\\\\](http\\\\://y)\\\\|&lt;b&gt;')
    """
    return _MARKUP.sub(r"\\\1", escape(visible(text).strip() or "(blank)", quote=False))
