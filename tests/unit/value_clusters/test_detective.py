"""Leaves as groups."""

from __future__ import annotations

from hushwood.trees.grow import GrowOptions
from hushwood.value_clusters.detective import detective_groups
from hushwood.value_clusters.protocol import Sibling
from support.mixed_tables import category, table_of

CARS = ("Ford", "Holden", "Nissan", "Toyota")


def test_leaves_are_the_groups_of_capt() -> None:
    """The group is the leaf's node number; a sibling is its majority value and its weight."""
    place, car = [0] * 40 + [1] * 20, [0] * 30 + [2] * 10 + [1] * 20
    table = table_of({"place": (category("place", "ew"), place), "car": (category("car", CARS), car)})
    groups = detective_groups(table, "car", GrowOptions(min_leaf=2))
    assert groups is not None
    assert groups.group_of(table.columns).tolist() == [1] * 40 + [2] * 20
    assert groups.siblings == {1: (Sibling(1, 20.0),), 2: (Sibling(0, 40.0),)}
    assert groups.reads == ("place",)
    assert detective_groups(table, "car", GrowOptions(min_leaf=50)) is None
