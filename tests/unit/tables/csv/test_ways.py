"""The ways to write a column: which follow from others, and how a plan keeps them."""

from __future__ import annotations

import pytest

from hushwood.tables.csv.ways import Way, is_way, number_ways, way_from_json

WHOLE, POINT, COMMA = Way("whole"), Way("decimal"), Way("decimal", ",")


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        (WHOLE, POINT, True),
        (WHOLE, COMMA, True),
        (WHOLE, Way("decimal", places=2), False),
        (WHOLE, Way("decimal", pointed=True), False),
        (POINT, WHOLE, False),
        (POINT, COMMA, False),
        (POINT, Way("decimal", ".", ","), True),
        (Way("decimal", places=2), Way("decimal", pointed=True), True),
        (Way("decimal", places=2), Way("decimal", places=3), False),
        (Way("decimal", ".", ","), POINT, False),
        (Way("whole", ",", "."), Way("decimal", ",", "."), True),
        (POINT, Way("mixed"), True),
        (Way("boolean", pattern="TRUE"), Way("boolean"), True),
        (Way("date", pattern="%d.%m.%Y"), Way("date", pattern="%-d.%-m.%Y"), True),
        (Way("date", pattern="%-d.%-m.%Y"), Way("date", pattern="%d.%m.%Y"), False),
        (Way("date", pattern="%d.%m.%Y"), Way("date", pattern="%m.%d.%Y"), False),
        (Way("date"), Way("date", pattern="%Y-%-m-%-d"), True),
        (Way("moment", pattern="%Y-%m-%d %H:%M"), Way("moment"), True),
        (Way("moment", pattern="%Y-%m-%d %H:%M", zone="Z"), Way("moment"), False),
        (Way("date"), Way("moment"), False),
    ],
)
def test_what_follows(one: Way, other: Way, follows: bool) -> None:
    assert one.implies(other) == follows


def test_every_way_comes_back_from_json() -> None:
    for way in [*number_ways("1.234,5"), Way("date", pattern="%d.%m.%Y"), Way("moment", zone="+02:00")]:
        assert way_from_json(way.to_json()) == way
        assert is_way(way.to_json())
    assert COMMA.to_json() == {"kind": "decimal", "decimal": ","}


@pytest.mark.parametrize(
    "content", [None, {}, {"kind": "x"}, {"kind": "date", "pattern": 1}, {"kind": "date", "a": ""}]
)
def test_what_is_no_way(content: object) -> None:
    assert not is_way(content)


def test_released_moments_have_seconds() -> None:
    assert Way("moment", pattern="%d.%m.%Y %H:%M").written.pattern == "%d.%m.%Y %H:%M:%S"
    assert Way("moment", pattern="%m/%d/%Y %I:%M %p").written.pattern == "%m/%d/%Y %I:%M:%S %p"
    assert COMMA.written == COMMA


def test_the_signs_of_the_first_number_decide_which_ways_are_tried() -> None:
    signs = {(way.decimal, way.thousands) for way in number_ways("-1'234.5")}
    assert signs == {(".", ""), (".", "'")}
