"""dictionary.md: what was done to each column and how far to trust it, for whoever receives the table."""

from __future__ import annotations

from collections.abc import Iterator

from hushwood.frameworks.perturb import Perturbed
from hushwood.tables.schema import Attribute, Schema

_IN_ITS_RANGE = (
    "No single value. Which side of the rules' limits a value lies on is exact; "
    "averages drift towards the middle of each range."
)
_EXACT_COUNTS = "No single value. Counts inside a segment, and so in the whole table, are exact."
_AVERAGE_COUNTS = "No single value. Counts are right on average."
_TRUST = {
    "LINFAPT": _IN_ITS_RANGE,
    "LINNAPT": _IN_ITS_RANGE,
    "SWAP": _EXACT_COUNTS,
    "RPT": _EXACT_COUNTS,
    "PPT": _AVERAGE_COUNTS,
    "CAPT": _AVERAGE_COUNTS,
}
_COPIED = "Copied."
_ELSEWHERE = "Elsewhere copied."
_ORIGINAL = "Exactly as in the original."
_NOTHING = "Neither single values nor their link to other columns."


def dictionary(schema: Schema, perturbed: Perturbed) -> str:
    """The page as Markdown."""
    what = (
        f"Released with Hushwood by the technique `{perturbed.plan.recipe}`. A *segment* is a group of records that "
        "follow the same rules; the report says how many there are."
    )
    lines = [
        "# What is in this table",
        "",
        what,
        "",
        "| column | kind | what was done | how far to trust it |",
        "|---|---|---|---|",
        *(f"| {' | '.join(_cell(text) for text in row)} |" for row in _rows(schema, perturbed)),
        "",
    ]
    return "\n".join(lines)


def _rows(schema: Schema, perturbed: Perturbed) -> Iterator[tuple[str, str, str, str]]:
    for attribute in schema.attributes:
        if attribute.role == "identifier":
            yield attribute.name, "identifier", "Left out.", "Not in the table."
            continue
        used = [step.technique for step in perturbed.plan.steps if attribute.name in step.attributes]
        done = [technique.says() for technique in used] or [_COPIED]
        if attribute.name in perturbed.untouched:
            done.append(_ELSEWHERE)
        trust = _TRUST.get(used[0].acronym, _NOTHING) if used else _ORIGINAL
        yield attribute.name, _kind(attribute), " ".join(done), trust


def _kind(attribute: Attribute) -> str:
    return f"{attribute.kind} (class)" if attribute.role == "class" else attribute.kind


def _cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").splitlines())
