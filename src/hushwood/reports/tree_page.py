"""The report of a published tree as one HTML page that opens offline, made from the publication document alone.

All of it may be shared with the released table. What each section shows is in `tree_sections`; the page of a release
with noise is in `page`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports import tree_sections
from hushwood.reports.page_frame import rendered


def tree_report(document: Mapping[str, Any]) -> str:
    """The tree, who looks alike, what was generalised, and how to check it."""
    return rendered("tree_report.html.j2", tree_sections.everything(document))
