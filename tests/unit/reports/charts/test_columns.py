"""Before and after of one column: what is drawn, and the same numbers as a table."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.distributions import Distribution, distributions
from hushwood.evaluation.plain_data import from_plain
from hushwood.measures.utility.correlations import mean_changes
from hushwood.reports.charts.altair_charts import altair_chart
from hushwood.reports.charts.columns import column_chart, distribution_chart, heat_maps, small_chart
from hushwood.reports.charts.frame import Chart
from support.sample_release import credit_table


def categories(**changes: Any) -> Distribution:
    """The distribution of a column of two categories."""
    plain = {
        "column": "job",
        "kind": "categorical",
        "role": "ordinary",
        "storage": "String",
        "categories": ["clerk", "nurse"],
        "others": 0,
        "before": [7, 1200],
        "after": [6, 1201],
        "missing": [0, 0],
    }
    return from_plain(Distribution, plain | changes)


def data_of(chart: Chart) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = chart.spec["datasets"][chart.spec["data"]["name"]]
    return rows


def test_a_withheld_count_is_drawn_like_any_other_small_one() -> None:
    entry = {
        "column": "age",
        "kind": "numeric",
        "role": "ordinary",
        "storage": "Int64",
        "edges": [0, 10, 20],
        "labels": ["up to 9", "10 and more"],
        "before": [None, 10],
        "after": [15, None],
    }

    chart = distribution_chart(from_plain(Distribution, entry))

    assert chart.rows == [("up to 9", "fewer than 5", "15"), ("10 and more", "10", "fewer than 5")]
    assert [row["before"] for row in data_of(chart)] == [2.5, 10]


def test_dates_get_a_time_axis() -> None:
    entry = {
        "column": "born",
        "kind": "numeric",
        "role": "ordinary",
        "storage": "Date",
        "edges": [-0.5, 0.5],
        "labels": ["1970-01-01"],
        "before": [5],
        "after": [5],
    }

    chart = distribution_chart(from_plain(Distribution, entry))

    assert chart.spec["layer"][0]["encoding"]["x"]["type"] == "temporal"
    assert data_of(chart)[0]["high"] == 43_200_000


def test_categories_in_their_order_with_both_counts() -> None:
    chart = distribution_chart(categories())

    assert (chart.title, chart.head) == ("job", ("Category", "Before", "After"))
    assert chart.rows == [("clerk", "7", "6"), ("nurse", "1,200", "1,201")]
    assert chart.says == "Number of records by value of the categorical column job, before and after."


def test_pooled_categories_and_missing_values_have_their_own_bars() -> None:
    pooled = distribution_chart(categories(others=30, before=[7, 12, 40], after=[7, 12, 40], missing=[3, 0]))
    one = distribution_chart(categories(others=1, before=[7, 12, 1], after=[7, 12, 1], missing=[None, None]))

    assert pooled.rows[2:] == [("(30 others)", "40", "40"), ("(missing)", "3", "none")]
    assert one.rows[2:] == [("(1 other)", "1", "1"), ("(missing)", "fewer than 5", "fewer than 5")]


def test_the_class_is_called_the_class() -> None:
    assert "of the class risk" in distribution_chart(categories(column="risk", role="class")).says


def test_a_small_chart_has_the_same_numbers_without_axes() -> None:
    entry = categories(missing=[3, 0])
    small, whole = small_chart(entry, "2 % moved"), distribution_chart(entry)

    assert small.rows == whole.rows
    assert [(row["before"], row["after"]) for row in data_of(small)] == [(7, 6), (1200, 1201), (3, 0)]
    assert all(one["encoding"]["x"]["axis"] is None for one in small.spec["layer"])
    assert small.says.endswith("before and after. 2 % moved.")


def test_years_have_no_separators() -> None:
    entry = {
        "column": "year",
        "kind": "numeric",
        "role": "ordinary",
        "storage": "Int64",
        "edges": [1989.5, 1999.5],
        "labels": ["1,990 – 1,999"],
        "before": [5],
        "after": [5],
    }
    found = from_plain(Distribution, entry)

    assert distribution_chart(found, years=True).rows[0][0] == "1990 – 1999"
    assert small_chart(found, "", years=True).rows[0][0] == "1990 – 1999"
    assert distribution_chart(found).rows[0][0] == "1,990 – 1,999"


def test_a_column_alone_is_the_before_of_before_and_after() -> None:
    table = credit_table(200)
    for entry in distributions(table, table):
        alone, both = column_chart(entry), distribution_chart(entry)
        assert len(alone.spec["layer"]) == 1 < len(both.spec["layer"])
        assert alone.rows == [row[:2] for row in both.rows]
        assert "after_shown" not in str(alone.spec["layer"])
        altair_chart([alone])


def matrices(names: list[str], before: float, after: float | None) -> Any:
    """All pairs correlated alike."""
    size = len(names)

    def matrix(value: float | None) -> list[list[float | None]]:
        return [[1.0 if i == j else value for j in range(size)] for i in range(size)]

    kinds = [["pearson"] * size for _ in range(size)]
    return {"names": names, "kinds": kinds, "before": matrix(before), "after": matrix(after)}


def cells(spec: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = spec["datasets"][spec["data"]["name"]]
    return rows


def drawn(chart: Chart, which: int) -> Any:
    return (chart.spec, chart.second)[which]


def test_both_maps_show_all_pairs_in_table_order() -> None:
    chart = heat_maps(matrices(["b", "a", "c"], -0.5, 0.25))

    for which, shown in ((0, "-0.50"), (1, "0.25")):
        spec = drawn(chart, which)
        assert len(cells(spec)) == 6
        assert {cell["shown"] for cell in cells(spec)} == {shown}
        assert spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == ["b", "a", "c"]
    assert {cell["negative"] for cell in cells(chart.spec)} == {True}
    assert chart.captions == ("before", "after")


def test_the_table_has_the_largest_changes_first() -> None:
    after = [[1.0, 0.5, 0.5], [0.5, 1.0, -0.25], [0.5, -0.25, 1.0]]

    chart = heat_maps(matrices(["a", "b", "c"], 0.5, 0.5) | {"after": after})

    assert chart.rows[0] == ("b and c", "Pearson's r", "0.50", "-0.25", "0.75")
    assert len(chart.rows) == 3


def test_a_pair_without_a_coefficient_is_a_dash() -> None:
    chart = heat_maps(matrices(["a", "b"], 0.5, None))

    assert chart.rows == [("a and b", "Pearson's r", "0.50", "–", "0.50")]
    assert cells(chart.second)[0]["strength"] == 0.0


def test_average_changes_are_stated_as_far_as_they_are_known() -> None:
    assert mean_changes({}) == ""
    assert mean_changes({"mean_change": 0.125, "within_segments": None}).endswith("changed by 0.12.")
    both = mean_changes({"mean_change": 0.1, "within_segments": {"mean_change": 0.25}})
    assert both.endswith("correlations of numbers changed by 0.25 on average.")


def test_negative_cells_are_marked_by_a_number_or_a_dot() -> None:
    few, many = (heat_maps(matrices([f"c{i}" for i in range(n)], -0.5, -0.5)) for n in (4, 12))

    assert few.spec["layer"][1]["mark"]["type"] == "text"
    assert many.spec["layer"][1]["mark"]["type"] == "point"
    assert many.spec["layer"][1]["transform"] == [{"filter": "datum.negative"}]
