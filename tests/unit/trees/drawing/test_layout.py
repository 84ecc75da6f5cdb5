"""Places of small trees, in numbers that can be added up by hand."""

from __future__ import annotations

import pytest

from hushwood.trees.drawing.drawing import (
    BAR_WIDTH,
    LABEL_GAP,
    LETTER_WIDTH,
    MARGIN,
    TRUNK,
    Node,
    lay_out,
    text_width,
)

ROOT = Node(0, 0, None, "", "age", leaf=False)
LOW = Node(1, 1, 0, "≤ 27", "low", leaf=True)
HIGH = Node(2, 1, 0, "> 27", "high", leaf=True)
# age: ≤ 27 is a test of sex with three leaves, > 27 a leaf.
DEEP = (
    ROOT,
    Node(1, 1, 0, "≤ 27", "sex", leaf=False),
    Node(2, 2, 1, "a", "x", leaf=True),
    Node(3, 2, 1, "b", "x", leaf=True),
    Node(4, 2, 1, "c", "x", leaf=True),
    Node(5, 1, 0, "> 27", "high", leaf=True),
)


def test_a_row_for_every_leaf_and_the_parent_halfway() -> None:
    layout = lay_out((ROOT, LOW, HIGH))
    assert [place.y for place in layout.places] == [54, 32, 76]
    assert layout.height == 2 * 44 + 20


def test_a_parent_stands_between_its_first_and_last_child() -> None:
    heights = [place.y for place in lay_out(DEEP).places]
    assert heights == [(76 + 164) / 2, 76, 32, 76, 120, 164]


def test_columns_leave_room_for_the_boxes_and_the_branch_texts() -> None:
    root, low, high = lay_out((ROOT, LOW, HIGH)).places
    assert root.width == pytest.approx(3 * 8.7 + 20)
    assert low.turn == pytest.approx(MARGIN + root.width + TRUNK)
    assert low.x == high.x == pytest.approx(low.turn + 4 * LETTER_WIDTH + 2 * LABEL_GAP)


def test_the_picture_ends_after_its_widest_leaf() -> None:
    layout = lay_out((ROOT, LOW, HIGH))
    high = layout.places[2]
    assert high.width == pytest.approx(4 * 8.7 + BAR_WIDTH + 12)
    assert layout.width == pytest.approx(high.x + high.width + MARGIN)


def test_a_single_leaf_is_a_picture() -> None:
    layout = lay_out((Node(0, 0, None, "", "low", leaf=True),))
    assert [(place.x, place.y) for place in layout.places] == [(MARGIN, 32)]


def test_wide_letters_count_twice() -> None:
    assert text_width("日本a", 1.0) == 5
