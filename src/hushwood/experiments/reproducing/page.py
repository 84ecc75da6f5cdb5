"""The results of experiments as HTML pages that open offline: one for each experiment, and one that leads to them.

Made from results documents alone. What a page shows is in `sections`; the frame, style and charts are
those of the other reports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.experiments.reproducing import sections as parts
from hushwood.experiments.reproducing.verdicts import NOT_PRINTED
from hushwood.reports.page_frame import rendered


def page(document: Mapping[str, Any]) -> str:
    """One experiment: ours beside theirs, with charts, verdicts, and how to run it again."""
    return rendered("reproduction.html.j2", parts.everything(document))


def index_page(documents: Sequence[Mapping[str, Any]]) -> str:
    """All experiments in a line each, with links to their pages, NAME.html in the same folder."""
    made = list(dict.fromkeys(document["hushwood"] for document in documents))
    view = {
        "about": {"hushwood": ", ".join(made)},
        "public": True,
        "sections": [],
        "experiments": [_line(document) for document in documents],
        "total": parts.total_sentence(documents),
    }
    return rendered("reproduction_index.html.j2", view)


def _line(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": document["experiment"],
        "title": document["title"],
        "source": document["source"],
        "counts": parts.shares_of(document),
        "ours": parts.is_ours(document),
        "own": document["counts"][NOT_PRINTED],
    }
