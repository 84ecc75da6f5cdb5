"""The growth loop with a search that can be followed by hand: cut a stretch of numbers at its middle."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InternalFault
from hushwood.trees.binary import BinaryGrowth, Node


class Halving(BinaryGrowth[int]):
    """Splits rows below their node's median from the others; the larger node is worth more."""

    def best_split(self, node: Node[int]) -> tuple[float, int] | None:
        return None if node.size < 2 else (node.size, int(np.sort(self.rows(node))[node.size // 2]))

    def mark(self, node: Node[int], split: int) -> int:
        rows = self.rows(node)
        self.goes_left[rows] = rows < split
        return int((rows < split).sum())


def halving(rows: int) -> Halving:
    return Halving([np.arange(rows, dtype=np.int32), np.arange(rows, dtype=np.int64)[::-1].copy()])


def test_children_follow_in_the_order_they_were_made_and_divide_every_order() -> None:
    growth = halving(5)
    growth.split_node(0)
    assert growth.nodes[0].children == (1, 2)
    assert (growth.leaf_count, growth.leaves()) == (2, [1, 2])
    assert [growth.rows(growth.nodes[child]).tolist() for child in (1, 2)] == [[0, 1], [2, 3, 4]]
    assert growth.orders[1].tolist() == [1, 0, 4, 3, 2]
    assert [node.depth for node in growth.nodes] == [0, 1, 1]


def test_the_most_valuable_open_leaf_comes_next_and_the_first_of_equal_ones() -> None:
    growth = halving(6)
    growth.split_node(0)
    assert growth.next_leaf() == 1
    growth.nodes[1].closed = True
    assert growth.next_leaf() == 2
    while (leaf := growth.next_leaf()) is not None:
        growth.split_node(leaf)
    assert [growth.nodes[leaf].size for leaf in growth.leaves()] == [3, 1, 1, 1]


def test_a_node_without_a_split_cannot_be_split() -> None:
    growth = halving(1)
    assert growth.next_leaf() is None
    with pytest.raises(InternalFault):
        growth.split_node(0)
