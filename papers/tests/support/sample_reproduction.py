"""An invented results document of an experiment, with charts of every kind: round numbers that nobody measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood_papers.reproducing import comparison
from hushwood_papers.reproducing.charts import Bar, Pair, Point, dots, grouped_bars, heat_map, lines, strip
from hushwood_papers.reproducing.page import chart_as_json

TABLES = ("Alpha", "Beta", "Gamma")
TECHNIQUES = ("First Way", "Second Way", "Third Way")


def sample_charts() -> list[Chart]:
    """One chart of every kind."""
    return [bar_chart(), lying_bars(), line_chart(), steep_lines(), dot_chart(), many_runs(), two_matrices()]


def bar_chart() -> Chart:
    """Three tables and three techniques: upright bars."""
    rows = [
        Bar(table, technique, 50 + 10 * i + 3 * j, 48 + 10 * i + 3 * j, 54 + 10 * i + 3 * j)
        for i, table in enumerate(TABLES)
        for j, technique in enumerate(TECHNIQUES)
    ]
    return grouped_bars(
        "Records right, by table and technique",
        "The higher, the better.",
        rows,
        "right on unseen records",
        percent=True,
    )


def lying_bars() -> Chart:
    """Names that need room: bars that lie."""
    names = ("Mean of an attribute with a long name", "Variance of an attribute with a long name")
    rows = [
        Bar(name, series, i + j + 0.5)
        for i, name in enumerate(names)
        for j, series in enumerate(("printed", "ours"))
    ]
    return grouped_bars("Moments", "The two bars of a group should be alike.", rows, "value")


def line_chart() -> Chart:
    """Lines with intervals for some of the series."""
    points = [
        *(Point("First Way", x, 60 + 5 * x, 57 + 5 * x, 64 + 5 * x) for x in range(1, 7)),
        *(Point("Second Way", x, 72 + 2 * x) for x in range(1, 7)),
        *(Point("Third Way", x, 66 + 3.2 * x) for x in range(1, 7)),
        *(Point("printed", x, 62 + 4.8 * x) for x in range(1, 7)),
    ]
    return lines("Accuracy by noise", "The flatter, the better.", points, "noise level", "right (%)")


def steep_lines() -> Chart:
    """Lines on a logarithmic axis."""
    points = [Point(name, x, 10**x * (i + 1)) for i, name in enumerate(TECHNIQUES) for x in range(5)]
    return lines("Records by leaves", "Lower is better.", points, "leaves", "records", logarithmic=True)


def dot_chart() -> Chart:
    """Printed values and ours."""
    pairs = [
        Pair("First Way: right on the test records", (84.0, 83.5), 84.25, 82.0, 86.0),
        Pair("Second Way: right on the test records", (81.0,), 79.0, 78.5, 79.5),
        Pair("Third Way: right on the test records, trained on its own release", (), 75.0, 75.0, 75.0),
    ]
    return dots(
        "Right on the test records", "Dots near their diamonds agree.", pairs, "right on the test records (%)"
    )


def many_runs() -> Chart:
    """A hundred runs and two printed values."""
    values = [70 + (i * i * 7 % 101) ** 0.5 * 2 for i in range(100)]
    marks = {"printed, first run": 86.25, "printed, second run": 89.5}
    return strip(
        "Rules of Type A in 100 runs", "Each bar is a number of runs.", values, marks, "rules of Type A (%)"
    )


def two_matrices() -> Chart:
    """Two matrices of correlations."""
    names = ("age", "income", "hours")
    first = [[1.0, 0.5, -0.25], [0.5, 1.0, 0.75], [-0.25, 0.75, 1.0]]
    second = [[1.0, 0.4, -0.3], [0.4, 1.0, 0.7], [-0.3, 0.7, 1.0]]
    return heat_map("Correlations", "The two should look alike.", names, first, second, ("printed", "ours"))


def as_json(charts: list[Chart]) -> list[dict[str, Any]]:
    """Charts as they stand in a results document."""
    return [chart_as_json(chart) for chart in charts]


def sample_document() -> dict[str, Any]:
    """Rows of every verdict, a source with many rows, statements, and numbers of ours alone."""
    rows = [*few_rows(), *many_rows(), *statement_rows(), *own_rows()]
    return {
        "format": "hushwood-reproduction",
        "version": 1,
        "hushwood": "0.0.1",
        "experiment": "sample-experiment",
        "title": "A sample experiment with invented numbers",
        "source": "Example 2001, tables 1 and 2",
        "about": [
            "The example takes a table of invented people and adds invented noise to it, five times.",
            "We do the same with our own noise, ten times. How ties are broken is stated nowhere; we take the first.",
        ],
        "paper": "Example, A. N.: On Examples. Journal of Examples 1, 2001.",
        "size": {"folds": 10, "repeats": 5, "small": False},
        "tables": [
            {"name": "alpha", "sha256": "0123456789abcdef" * 4, "records": 12345},
            {"name": "CR", "sha256": None},
        ],
        "seconds": 125.0,
        "rows": rows,
        "charts": as_json(sample_charts()),
        "joint": [joint_test()],
        "counts": counted(rows),
        "outcomes": {},
    }


def joint_test() -> dict[str, Any]:
    """The joint test of the first table."""
    numbers = {"numbers": 3, "printed_runs": 1, "runs": 49, "chance": 0.04, "lowest": 0.02}
    return {"source": "Table 1, page 10", **numbers}


def ours_alone() -> dict[str, Any]:
    """An experiment that no paper has: no printed numbers, no charts."""
    rows = own_rows()
    named = {"experiment": "own-sample", "title": "A question of our own", "source": "ours", "paper": ""}
    sized = {
        "size": {"folds": None, "repeats": None, "small": False},
        "tables": [],
        "charts": [],
        "joint": [],
    }
    return sample_document() | named | sized | {"rows": rows, "counts": counted(rows), "seconds": 0.4}


def row(
    source: str, what: str, theirs: float | None, verdict: str, sentence: str, unit: str = "%"
) -> dict[str, Any]:
    """A row whose runs lie around what is printed, or around 50."""
    middle = 50.0 if theirs is None else theirs
    ours = {"mean": middle + 0.25, "median": middle, "low": middle - 1, "high": middle + 2, "runs": 10}
    told = {"source": source, "what": what, "unit": unit, "theirs": theirs, "ours": ours}
    return told | {"verdict": verdict, "sentence": sentence}


def few_rows() -> list[dict[str, Any]]:
    """One row of each verdict a number can have."""
    table = "Table 1, page 10"
    return [
        row(table, "First Way: right on the test records", 84.0, "agrees", "Agrees within 0.5 points."),
        row(
            table,
            "Second Way: right on the test records",
            61.0,
            "differs",
            "Differs: ours is 9 points lower; the reason is unknown.",
        ),
        row(
            table,
            "Third Way: rules kept",
            3.0,
            "cannot be compared",
            "Cannot be compared: a copy of Table 2.",
            "rules",
        )
        | {"ours": None},
        row(
            table,
            "Records right, with a rather long description of what it is",
            25585.0,
            "agrees",
            "Agrees exactly.",
            "records",
        )
        | {"ours": {"mean": 25585.0, "median": 25585.0, "low": 25585.0, "high": 25585.0, "runs": 1}},
    ]


def many_rows() -> list[dict[str, Any]]:
    """A source of 40 rows, two of which differ."""
    return [
        row("Table 2, page 12", f"Correlation {place}", place / 40, *_judged(place), unit="")
        for place in range(40)
    ]


def _judged(place: int) -> tuple[str, str]:
    if place in (7, 30):
        return "differs", "Differs: ours is 0.25 higher; the known reason is errata D5."
    return "agrees", "Agrees within 0.3."


def statement_rows() -> list[dict[str, Any]]:
    """Two sentences of the paper."""
    nothing = {"ours": None}
    return [
        row(
            "page 14",
            "The First Way is better than the Second.",
            None,
            "agrees",
            "Holds: 84 % against 52 %.",
            "",
        )
        | nothing,
        row(
            "page 15",
            "Noise has no price.",
            None,
            "differs",
            "Does not hold: it costs 9 points; the reason is unknown.",
            "",
        )
        | nothing,
    ]


def own_rows() -> list[dict[str, Any]]:
    """Numbers that nobody printed."""
    return [
        row(
            "ours alone",
            f"records alone in segment {place}",
            None,
            "not printed",
            "Not printed; 10 runs.",
            "",
        )
        for place in range(20)
    ]


def counted(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """How many rows have each verdict."""
    return comparison.counted(row["verdict"] for row in rows)
