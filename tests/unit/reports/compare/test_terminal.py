"""The comparison in a terminal."""

from __future__ import annotations

from hushwood.reports.compare.comparison import comparison_of
from hushwood.reports.compare.terminal import comparison_lines
from support.compared_releases import seen


def test_every_release_and_number_has_its_line() -> None:
    lines = comparison_lines(
        comparison_of([seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)], ["Mind this."])
    )
    assert lines[0] == "A  one: NOT PROVEN by public. segment-shuffle, k 50, blur 5."
    assert "  linkage.excess ≤ 0.1  ✓ 0.050, to 0.060  ✓ 0.010, to 0.020  B" in lines
    assert "  Prediction accuracy kept  0.900  0.800  A" in lines
    assert lines[-1] == "Mind this."
    assert max(map(len, lines)) <= 100


def test_what_is_not_known_is_a_dash() -> None:
    one, two = seen("one", 0.05, 0.01, 0.9), seen("two", 0.01, 0.01, 0.8)
    two.verdict["checks"][0]["estimate"] = None
    lines = comparison_lines(comparison_of([one, two]))
    assert any("linkage.excess" in line and "–" in line for line in lines)
