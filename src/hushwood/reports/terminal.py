"""The short summary that a command prints when it is done; the whole story is in `page`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports.findings import Finding, class_finding, standing_out
from hushwood.reports.views import copied_columns
from hushwood.reports.wording import verdict

_NAMES = {
    "alone": "Alone in their segment",
    "small_segments": "In segments of fewer than 5",
    "rare_categories": "Kept a rare category",
    "unique_extremes": "Kept a unique extreme",
    "unchanged_cells": "Cells unchanged",
    "changed_classes": "Classes changed",
}


def summary_lines(document: Mapping[str, Any]) -> list[str]:
    """The verdict, the numbers with which way is good, and columns that were copied."""
    moved = class_finding(document)
    found = [*standing_out(document), *([moved] if moved else [])]
    width = max(len(_NAMES[finding.name]) for finding in found)
    lines = [verdict(document).headline, *(_line(finding, width) for finding in found)]
    copied = copied_columns(document)
    if copied:
        lines.append(f"WARNING: copied without any change: {', '.join(copied)}.")
    return lines


def _line(finding: Finding, width: int) -> str:
    way = "" if finding.name == "changed_classes" else "  (lower is better)"
    return f"  {_NAMES[finding.name]:<{width}}  {finding.answer}{way}"
