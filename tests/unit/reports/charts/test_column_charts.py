from __future__ import annotations

from hushwood.evaluation.distributions import distributions
from hushwood.reports.charts.altair_charts import altair_chart
from hushwood.reports.charts.column_charts import column_chart
from hushwood.reports.charts.distributions import distribution_chart
from support.sample_release import credit_table


def test_a_column_alone_is_the_before_of_before_and_after() -> None:
    table = credit_table(200)
    for entry in distributions(table, table):
        alone, both = column_chart(entry), distribution_chart(entry)
        assert len(alone.spec["layer"]) == 1 < len(both.spec["layer"])
        assert alone.rows == [row[:2] for row in both.rows]
        assert "after_shown" not in str(alone.spec["layer"])
        altair_chart([alone])
