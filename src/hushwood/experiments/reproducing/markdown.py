"""The results of experiments in Markdown, for the docs: how many rows agree, and every one that differs.

The pages with all rows are in `page`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.experiments.reproducing.sections import Compared, compared, total_sentence
from hushwood.experiments.reproducing.verdicts import ABOUT_PRINTED, DIFFERS
from hushwood.reports.wording import things

_HEAD = (
    "| Experiment | What | Agree | By construction | Possible | Differ | Cannot be compared |\n"
    f"|---|---|{'---:|' * len(ABOUT_PRINTED)}\n"
)
# More differences of one experiment than this are left to its page.
_LISTED = 12


def markdown_summary(documents: Sequence[Mapping[str, Any]], folder: str = "") -> str:
    """A table of all experiments, then what differs; pages are linked as `folder`NAME.html."""
    lines = "".join(_line(document, folder) for document in documents)
    lists = "".join(_differences(document, folder) for document in documents)
    return f"{total_sentence(documents)}\n\n{_HEAD}{lines}{lists}"


def _line(document: Mapping[str, Any], folder: str) -> str:
    counts, name = document["counts"], document["experiment"]
    cells = [f"[{name}]({folder}{name}.html)", f"{_safe(document['title'])} ({_safe(document['source'])})"]
    return f"| {' | '.join([*cells, *(str(counts[verdict]) for verdict in ABOUT_PRINTED)])} |\n"


def _differences(document: Mapping[str, Any], folder: str) -> str:
    found = [compared(row) for row in document["rows"] if row["verdict"] == DIFFERS]
    if not found:
        return ""
    name = document["experiment"]
    more = len(found) - _LISTED
    rest = f"- and {things(more, 'more row')}, on [its page]({folder}{name}.html)\n" if more > 0 else ""
    return f"\n### What differs in {name}\n\n{''.join(map(_difference, found[:_LISTED]))}{rest}"


def _difference(line: Compared) -> str:
    both = f": printed {line.theirs}, ours {line.ours}" if line.theirs else ""
    reach = f" ({line.reach} in {line.runs})" if line.theirs and line.reach else ""
    return (
        f"- {_safe(line.source)}. {_safe(line.what).removesuffix('.')}{both}{reach}. {_safe(line.sentence)}\n"
    )


def _safe(text: str) -> str:
    """Text that neither ends a cell nor starts markup."""
    for sign in "\\|<>*_[]`":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
