"""The columns of one table as charts: the same as before and after in a report, with nothing after."""

from __future__ import annotations

from typing import Any

from hushwood.evaluation.distributions import Distribution
from hushwood.reports.charts.distributions import distribution_chart
from hushwood.reports.charts.frame import AFTER, AFTER_SOFT, BEFORE, Chart, Spec


def column_chart(entry: Distribution) -> Chart:
    """The values of a column; both sides of the entry are the same."""
    both = distribution_chart(entry)
    spec: Spec = {**both.spec, "layer": [_in_front(one) for one in both.spec["layer"] if not _after(one)]}
    rows = [row[:2] for row in both.rows]
    return Chart(entry.column, "", spec, (both.head[0], "Records"), rows)


def _after(layer: Spec) -> bool:
    return bool(layer["mark"].get("color") == AFTER)


def _in_front(layer: Spec) -> dict[str, Any]:
    """What is grey next to a release has a colour where it stands alone."""
    colour = AFTER_SOFT if layer["mark"].get("color") == BEFORE else layer["mark"].get("color")
    shown = [one for one in layer["encoding"].get("tooltip", ()) if one["field"] != "after_shown"]
    named = [{**one, "title": "records"} if one["field"] == "before_shown" else one for one in shown]
    return {
        **layer,
        "mark": {**layer["mark"], "color": colour},
        "encoding": {**layer["encoding"], "tooltip": named},
    }
