from __future__ import annotations

import pytest
from frontier.charts import PANELS, picture, specification
from frontier.yardstick import RISK

from support.frontier_document import NAMES, small_document

DOCUMENT = small_document()


def test_every_contender_with_runs_is_a_point_in_both_panels() -> None:
    spec = specification(DOCUMENT, ("wbc",), "wbc")
    for panel in spec["hconcat"]:
        assert [row["name"] for row in panel["data"]["values"]] == [n for n in NAMES if n != "rankswap"]


def test_a_point_lies_at_its_worst_risk_and_its_utility() -> None:
    rows = {
        row["name"]: row for row in specification(DOCUMENT, ("wine",), "")["hconcat"][0]["data"]["values"]
    }
    # framework is the second of the contenders: excess 0.1, and 2 · (0.5 + 0.1) − 1 for membership
    assert rows["framework"]["risk"] == pytest.approx(0.2)
    assert rows["framework"]["lift_share"] == pytest.approx(0.87)
    assert rows["framework"]["across"] == pytest.approx(0.2**0.5)
    assert rows["framework"]["up"] == pytest.approx((0.87 - 0.5) / 0.6)
    assert len(RISK) == 7


def test_values_beyond_the_ends_are_drawn_at_the_ends() -> None:
    lift, queries = PANELS
    assert [lift.height(value) for value in (-3, 0.8, 7)] == pytest.approx([0, 0.5, 1])
    assert (queries.height(0.9), queries.height(0.0)) == (0, 1)


def test_the_picture_has_colours_points_and_labels() -> None:
    drawn = picture(DOCUMENT, ("wbc", "wine"), "Two tables")
    assert drawn.startswith("<svg")
    assert "NaN" not in drawn
    assert "var(--" not in drawn
    assert ">Two tables<" in drawn
    assert drawn.count(">rankswap<") == 2
