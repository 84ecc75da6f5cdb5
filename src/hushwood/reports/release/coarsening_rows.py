"""What coarsening took from columns before anything was learnt from them, in words."""

from __future__ import annotations

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.publishing import percent
from hushwood.reports.release.findings import NumberTable
from hushwood.reports.words.wording import amount

_HEAD = ("Column", "What became of it", "Values changed", "A cell covers of the domain", "Numbers moved by")


def coarsening_rows(evaluation: Evaluation) -> list[tuple[str, str, str, str, str]]:
    """A line for every coarsened column, against the table as it was read."""
    return [
        (
            one.column,
            one.says,
            percent(one.changed),
            percent(one.loss),
            "–" if one.moved is None else amount(one.moved, "deviations"),
        )
        for one in evaluation.release.coarsened
    ]


def coarsening_table(evaluation: Evaluation) -> NumberTable:
    """The same as a table of the report."""
    says = (
        "These columns were made coarser first. Everything else on this page compares with the coarser table; this is "
        "what coarsening itself took from the table as it was read."
    )
    return NumberTable("Coarser before all else", says, _HEAD, tuple(coarsening_rows(evaluation)))


def coarsening_sentences(evaluation: Evaluation) -> list[str]:
    """The same in a sentence each."""
    return [
        f"{column}: {says}. That changed {changed} of its values."
        for column, says, changed, _, _ in coarsening_rows(evaluation)
    ]
