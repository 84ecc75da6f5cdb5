"""Correlations side by side: the same cells, the same order, the numbers as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hushwood.measures.utility.correlations import Matrices, mean_changes
from hushwood.reports.charts.frame import Chart
from hushwood.reports.charts.heat_maps import heat_maps


def matrices(names: list[str], before: float, after: float | None) -> Matrices:
    """All pairs correlated alike."""
    size = len(names)

    def matrix(value: float | None) -> list[list[float | None]]:
        return [[1.0 if i == j else value for j in range(size)] for i in range(size)]

    kinds = [["pearson"] * size for _ in range(size)]
    return Matrices(names, kinds, matrix(before), matrix(after))


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

    chart = heat_maps(replace(matrices(["a", "b", "c"], 0.5, 0.5), after=after))

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
