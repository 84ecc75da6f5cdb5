"""The risk-utility map as one HTML page that opens offline; it is kept with the private part of the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hushwood.reports.charts.risk_utility import MapPoint, map_chart
from hushwood.reports.page_frame import rendered
from hushwood.reports.wording import Tone

_SECTIONS = {"map": "The map", "checks": "Every check", "how": "How they were compared"}


@dataclass(frozen=True, slots=True)
class CheckedRelease:
    """A release of the map and what each check of the policy found: estimate and interval, in words."""

    label: str
    cells: Sequence[str]


@dataclass(frozen=True, slots=True)
class MapView:
    """All that the page shows; `measures` are the titles of what counts as utility."""

    table: str
    records: int
    policy: str
    cleared: bool
    headline: str
    why: Sequence[str]
    points: Sequence[MapPoint]
    checks: Sequence[str]
    checked: Sequence[CheckedRelease]
    measures: Sequence[str]
    hushwood: str = ""


def map_page(view: MapView) -> str:
    """The page."""
    tone: Tone = "good" if view.cleared else "bad"
    return rendered(
        "map.html.j2",
        {
            "public": False,
            "about": {"table": view.table, "hushwood": view.hushwood},
            "records": view.records,
            "sections": list(_SECTIONS.items()),
            "titles": _SECTIONS,
            "tone": tone,
            "headline": view.headline,
            "why": view.why,
            "policy": view.policy,
            "chart": map_chart(view.points),
            "check_head": ("Release", *view.checks),
            "check_rows": [(one.label, *one.cells) for one in view.checked],
            "measures": view.measures,
        },
    )
