"""Pictures of tables and forests, and verdicts in words: given to them here, because they know nothing of reports.

`hushwood.api` imports this module, so whatever it hands out has them.
"""

from __future__ import annotations

from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.policies.verdict import Verdict
from hushwood.python_words import in_python
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest


def plot_table(self: Table, column: str = "") -> Any:
    """An Altair chart of the values of one column, or of all."""
    from hushwood.evaluation.distributions import distributions
    from hushwood.reports.charts.altair_charts import altair_chart
    from hushwood.reports.charts.columns import column_chart

    kept = {a.name for a in self.schema.kept}
    if column and column not in kept:
        raise unknown_name("column", column, tuple(kept))
    entries = [entry for entry in distributions(self, self) if entry.column in ({column} if column else kept)]
    drawn = [column_chart(entry) for entry in entries if entry.histogram is None or entry.histogram.edges]
    if not drawn:
        raise InputError("There are no values to draw.")
    return altair_chart(drawn)


def plot_forest(self: Forest, tree: int = 0) -> Any:
    """An Altair chart of one tree, the first unless another is named."""
    from hushwood.reports.charts.altair_charts import altair_chart
    from hushwood.reports.charts.trees import tree_chart

    if not 0 <= tree < len(self.trees):
        raise InputError(f"tree must be from 0 to {len(self.trees) - 1}; {tree} was given.")
    title = f"Tree {tree + 1} of {len(self.trees)} for {self.predicts[tree].name}"
    return altair_chart([tree_chart(self.trees[tree], self, title)])


def _table_html(self: Table) -> str:
    from hushwood.reports.notebook import table_card

    return table_card(self)


def _forest_html(self: Forest) -> str:
    from hushwood.reports.notebook import forest_card

    return forest_card(self)


def _verdict_text(self: Verdict) -> str:
    from hushwood.reports.release.terminal import verdict_lines

    return in_python("\n".join(verdict_lines(self)))


for _kind, _methods in (
    (Verdict, {"__str__": _verdict_text}),
    (Table, {"plot": plot_table, "_repr_html_": _table_html}),
    (Forest, {"plot": plot_forest, "_repr_html_": _forest_html}),
):
    for _name, _method in _methods.items():
        setattr(_kind, _name, _method)
