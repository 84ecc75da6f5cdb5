"""dictionary.md: what was done to each column and how far to trust it, for whoever receives the table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from hushwood.frameworks.perturb import Perturbed
from hushwood.tables.schema import Attribute, Schema
from hushwood.visible_text import visible

_IN_ITS_RANGE = (
    "No single value. Which side of the rules' limits a value lies on is exact; "
    "averages drift towards the middle of each range."
)
_EXACT_COUNTS = "No single value. Counts inside a segment, and so in the whole table, are exact."
_AVERAGE_COUNTS = "No single value. Counts are right on average."
_NOTHING = "Neither single values nor their link to other columns."
_EXACT_MOMENTS = (
    "No single value. Averages, variances and correlations with the other numbers are exact up to rounding, but for "
    "records that are alone in their segment or with their gaps; the report says how many."
)
_SAME_VALUES = (
    "No single value. The column's values are exact; their correlations with other numbers nearly so where few "
    "numbers are missing."
)
_MOMENTS = (
    "No single value. Averages and correlations with other numbers are right where the range has room; skewed "
    "columns drift."
)
_NOISY = "No single value. Averages drift inwards at the ends of the range; correlations with other numbers are weaker."
_ESTIMATED = "No single value. Counts can be estimated from the technique's probabilities; docs/techniques.md says how."
_GENERALISED = (
    "Coarse but true: a label names the values that it stands for, a number is the middle of its group."
)
_TRUST = {
    "LINFAPT": _IN_ITS_RANGE,
    "LINNAPT": _IN_ITS_RANGE,
    "RNAT": _NOTHING,
    "SWAP": _EXACT_COUNTS,
    "RPT": _EXACT_COUNTS,
    "DRSWAP": "No single value. Counts within the control columns, and so in the whole table, are exact.",
    "PPT": _AVERAGE_COUNTS,
    "CAPT": _AVERAGE_COUNTS,
    "IPRAM": _AVERAGE_COUNTS,
    "ALPT": _NOTHING,
    "RC": _NOTHING,
    "PRAM": _ESTIMATED,
    "WARNER": _ESTIMATED,
    "GADP": _MOMENTS,
    "CGADP": "No single value. How often values occur is right on average, and so are rank correlations.",
    "EGADP": _EXACT_MOMENTS,
    "ROTATION": _EXACT_MOMENTS,
    "SHUFFLE": _SAME_VALUES,
    "KIM": _MOMENTS,
    "TENDICK": _MOMENTS,
    "LOGNOISE": _MOMENTS,
    "SADP": _NOISY,
    "KIMWINKLER": _NOISY,
    "RANKSWAP": "No single value. The column's values are exact; each moved by a limited share of all ranks.",
    "MDAV": "Averages of small groups of records: averages are exact, variances a little smaller than they were.",
    "MONDRIAN": _GENERALISED,
    "TDS": _GENERALISED,
    "SUPPRESS": "Exactly as in the original where it is not left out.",
}
# Signs that mean something in Markdown, and those that make a bare address a link.
_MARKUP = re.compile(r"([\\`*\[\]|~]|^[-+=_#]|_$|:(?=//)|(?<=www)\.)")
_ESCAPED = (
    "In a CSV file, texts that a spreadsheet would run as formulas have a single quotation mark before them."
)
_COPIED = "Copied."
_ELSEWHERE = "Elsewhere copied."
_ORIGINAL = "Exactly as in the original."


def dictionary(schema: Schema, perturbed: Perturbed, *, escaped_formulas: bool = False) -> str:
    """The page as Markdown."""
    what = (
        f"Released with Hushwood by the technique `{perturbed.plan.recipe}`. A *segment* is a group of records that "
        "follow the same rules; the report says how many there are."
    )
    if escaped_formulas:
        what += f" {_ESCAPED}"
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
        trust = _TRUST[used[0].acronym] if used else _ORIGINAL
        yield attribute.name, _kind(attribute), " ".join(done), trust


def _kind(attribute: Attribute) -> str:
    return f"{attribute.kind} (class)" if attribute.role == "class" else attribute.kind


def _cell(text: str) -> str:
    """A text as Markdown shows it letter by letter: names make no tag, no link, no emphasis and no other cell.

    >>> _cell("a_b"), _cell("[x](http://y)|<b>")
    ('a_b', '\\\\[x\\\\](http\\\\://y)\\\\|&lt;b&gt;')
    """
    return _MARKUP.sub(r"\\\1", escape(visible(text).strip() or "(blank)", quote=False))
