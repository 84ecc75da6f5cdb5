from __future__ import annotations

from cost_chart import OURS, PEER, CostPoint, cost_points, picture, specification

from support.benchmark_results import MIB, small_results

POINTS = cost_points(small_results())


def test_points_are_the_releases_of_known_size_and_their_copies() -> None:
    assert [(point.who, point.rows, point.seconds) for point in POINTS] == [
        (OURS, 1_000_000, 5.0),
        (PEER, 1_000_000, 1.0),
        (OURS, 10_000_000, 20.0),
        (PEER, 10_000_000, 4.0),
    ]
    assert POINTS[0].gigabytes == 500 * MIB / 1e9


def test_one_panel_of_seconds_and_one_of_memory() -> None:
    panels = specification(POINTS)["hconcat"]
    assert [panel["layer"][0]["encoding"]["y"]["field"] for panel in panels] == ["seconds", "gigabytes"]
    assert panels[0]["data"]["values"][0] == vars(CostPoint(OURS, 1_000_000, 5.0, 500 * MIB / 1e9))


def test_the_picture_has_colours_and_points() -> None:
    drawn = picture(POINTS)
    assert drawn.startswith("<svg")
    assert "NaN" not in drawn
    assert "var(--" not in drawn
    assert OURS in drawn
