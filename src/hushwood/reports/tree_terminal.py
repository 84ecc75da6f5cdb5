"""The summary that publishing a tree prints; the whole story is in `tree_page`.

Plain text, at most a hundred columns wide; tables are set by `text_tables`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.reports.text_tables import columns, wrapped
from hushwood.reports.tree_findings import privacy_findings, use_findings
from hushwood.reports.tree_tables import copied_columns
from hushwood.reports.tree_verdict import tree_verdict

_KINDS = ("generalised", "suppressed", "unchanged", "copied", "dropped")


def tree_summary_lines(document: Mapping[str, Any]) -> list[str]:
    """The verdict, the numbers of both sides with what to see them beside, what became of the columns, and why growth
    ended; warnings are the command's to print.
    """
    found = [*privacy_findings(document), *use_findings(document)]
    asked = {finding.name for finding in found}
    # How well the tree fits its own table is worth a line only where nothing better is known.
    told = [f for f in found if f.name != "on_the_table" or "unseen" not in asked]
    lines = wrapped(tree_verdict(document).headline)
    lines += ["", *columns([(finding.title, finding.answer, finding.compares) for finding in told])]
    lines += ["", *wrapped(f"{_became(document)} {document['growth']['stopped']}")]
    copied = copied_columns(document)
    return lines + wrapped(f"WARNING: copied without any change: {', '.join(copied)}.") if copied else lines


def _became(document: Mapping[str, Any]) -> str:
    what = [column["what"] for column in document["columns"]]
    return f"Columns: {', '.join(f'{what.count(kind)} {kind}' for kind in _KINDS if kind in what)}."
