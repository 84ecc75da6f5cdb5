"""The page of the map from plain facts."""

from __future__ import annotations

from hushwood.reports.charts.risk_utility import CLEARED, MapPoint
from hushwood.reports.tuning import CheckedRelease, MapView, map_page

VIEW = MapView(
    "people.csv",
    1234,
    "public",
    True,
    "a is released",
    ["a is best.", "b is <worse>."],
    [MapPoint("a", 0.5, 0.5, 0.6, CLEARED, winner=True)],
    ["linkage.excess"],
    [CheckedRelease("a", ["0.010 (0.000 to 0.020)"])],
    ["Prediction accuracy kept"],
)


def test_the_page_is_internal_and_holds_all_that_it_is_given() -> None:
    page = map_page(VIEW)
    for text in (
        "Internal: do not share",
        "a is released",
        "b is &lt;worse&gt;.",
        "linkage.excess",
        "0.000 to 0.020",
    ):
        assert text in page


def test_the_page_loads_nothing() -> None:
    page = map_page(VIEW)
    assert "src=" not in page.split("<script>", 1)[0]
    assert "default-src 'none'" in page
