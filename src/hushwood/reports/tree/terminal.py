"""The summary that publishing a tree prints: plain text, at most a hundred columns wide."""

from __future__ import annotations

from hushwood.evaluation.publication import Publication
from hushwood.reports.tree.findings import privacy_findings, use_findings
from hushwood.reports.tree.tables import copied_columns
from hushwood.reports.tree.verdict import tree_verdict
from hushwood.reports.words.text_tables import columns, wrapped

_KINDS = ("generalised", "suppressed", "unchanged", "copied", "dropped")


def tree_summary_lines(publication: Publication) -> list[str]:
    """The verdict, the numbers of both sides with their comparisons, what became of the columns, and why growth ended.

    Warnings are printed by the command.
    """
    found = [*privacy_findings(publication), *use_findings(publication)]
    # How well the tree fits its own table is worth a line only where nothing better is known.
    if publication.accuracy.unseen is not None:
        found = [finding for finding in found if finding.name != "on_the_table"]
    lines = wrapped(tree_verdict(publication).headline)
    lines += ["", *columns([(finding.title, finding.answer, finding.compares) for finding in found])]
    what = [column.what for column in publication.columns]
    became = ", ".join(f"{what.count(kind)} {kind}" for kind in _KINDS if kind in what)
    lines += ["", *wrapped(f"Columns: {became}. {publication.growth.stopped}")]
    copied = copied_columns(publication)
    return lines + wrapped(f"WARNING: copied without any change: {', '.join(copied)}.") if copied else lines
