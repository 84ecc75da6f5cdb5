"""What an evaluated result has: a frame of all that was measured, and charts.

Every release is one, so what draws is loaded when something is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError, unknown_name

if TYPE_CHECKING:
    import polars as pl

    from hushwood.evaluation.distributions import Distribution
    from hushwood.evaluation.evaluation import Evaluation
    from hushwood.policies.verdict import Verdict
    from hushwood.reports.charts.frame import Chart

ATTACKS, COLUMNS, CORRELATIONS, RISK = "attacks", "columns", "correlations", "risk"


class Evaluated:
    """A result with an evaluation; what it shows is made when it is asked for."""

    if TYPE_CHECKING:

        @property
        def evaluation(self) -> Evaluation | None:
            """All that was measured."""

        @property
        def verdict(self) -> Verdict | None:
            """What the policy says."""

    def plot(self, what: str = "") -> Any:
        """An Altair chart of one column before and after, all "columns", the "attacks", "correlations" or "risk".

        Without a name it is what the result is about: of a release its columns, of an audit the attacks.
        """
        from hushwood.reports.charts.altair_charts import altair_chart

        return altair_chart(charts_of(self.evaluation, what or self._about, self._before_and_after()))

    def to_frame(self) -> pl.DataFrame:
        """Every measure, and every attack in every scenario, as a Polars frame; `to_pandas()` makes it a pandas one."""
        from hushwood.evaluation.evaluation import answer_frame

        return answer_frame(_measured(self.evaluation))

    @property
    def _about(self) -> str:
        return COLUMNS

    def _before_and_after(self) -> Sequence[Distribution]:
        """The values of every column in both tables."""
        return _measured(self.evaluation).release.distributions


def _measured(evaluation: Evaluation | None) -> Evaluation:
    if evaluation is None:
        raise InputError("Nothing was measured for this release; make it with evidence='quick' or 'full'.")
    return evaluation


def charts_of(evaluation: Evaluation | None, what: str, columns: Sequence[Distribution]) -> list[Chart]:
    """The charts of that name; a column called like a kind of chart is meant where there is one."""
    from hushwood.reports.charts.columns import distribution_chart
    from hushwood.reports.charts.risk import attack_charts, risk_charts

    entries = {entry.column: entry for entry in columns if entry.histogram is None or entry.histogram.edges}
    if what in entries:
        return [distribution_chart(entries[what])]
    kinds = {
        COLUMNS: lambda: [distribution_chart(entry) for entry in entries.values()],
        ATTACKS: lambda: attack_charts(_measured(evaluation).tried),
        CORRELATIONS: lambda: _correlations(_measured(evaluation)),
        RISK: lambda: risk_charts(_measured(evaluation)),
    }
    if what not in kinds:
        raise unknown_name("column or chart", what, (*entries, *kinds))
    found = kinds[what]()
    if not found:
        raise InputError(
            f"There is nothing to draw for {what!r}: it was not measured; evidence='full' measures all."
        )
    return found


def _correlations(evaluation: Evaluation) -> list[Chart]:
    from hushwood.measures.utility.correlations import CorrelationDetails, Correlations
    from hushwood.reports.charts.columns import heat_maps
    from hushwood.reports.release.judgement import details_of

    pairs: CorrelationDetails | None = details_of(evaluation, Correlations)
    return [heat_maps(pairs)] if pairs else []
