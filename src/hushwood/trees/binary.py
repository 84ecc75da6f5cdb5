"""The growth loop of a binary tree: open leaves wait, the most valuable split comes first, its records are divided.

What a split is, which one is best at a node and whether it may be made is the caller's business: `tree_publishing`
and Mondrian (`techniques.partitions`) search in different ways and grow with the same loop.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

import numpy as np

from hushwood.arrays import Array
from hushwood.errors import InternalFault

# With fewer (record, order) cells than this, starting threads costs more than it saves.
CELLS_FOR_THREADS = 200_000

Piece = TypeVar("Piece")
Result = TypeVar("Result")
S = TypeVar("S")


@dataclass(slots=True)
class Node(Generic[S]):
    """A node: its stretch of every order, its best split (None: it stays a leaf) and, once split, its children."""

    start: int
    stop: int
    depth: int
    best: S | None = None
    worth: float = 0.0
    children: tuple[int, int] = (-1, -1)
    closed: bool = False

    @property
    def split(self) -> S | None:
        """The split that was made; None of a leaf."""
        return self.best if self.children[0] >= 0 else None

    @property
    def size(self) -> int:
        """Number of records."""
        return self.stop - self.start


class BinaryGrowth(ABC, Generic[S]):
    """A tree that starts as one leaf; `nodes` are numbered in the order they were made.

    Each of the `orders` lists all records, and a node is the same stretch of all of them. The first order holds plain
    row numbers, the others may hold more above the row (see `kernels.binary`).
    """

    def __init__(self, orders: Sequence[Array], threads: int = 1) -> None:
        self.orders, self.threads = orders, threads
        self.goes_left = np.zeros(len(orders[0]), bool)
        self.nodes: list[Node[S]] = []
        self._waiting: list[tuple[float, int]] = []  # a heap: the most valuable split first
        self._add(0, len(self.goes_left), 0)

    @abstractmethod
    def best_split(self, node: Node[S]) -> tuple[float, S] | None:
        """The best split of a new node and its worth, by which open leaves are ranked; None if there is none."""

    @abstractmethod
    def mark(self, node: Node[S], split: S) -> int:
        """Say in `goes_left` where the split sends every row of the node; return how many go left."""

    def rows(self, node: Node[S]) -> Array:
        """Rows of the node's records."""
        return self.orders[0][node.start : node.stop]

    @property
    def leaf_count(self) -> int:
        """Number of leaves: one more than inner nodes."""
        return len(self.nodes) // 2 + 1

    def leaves(self) -> list[int]:
        """Numbers of the leaves."""
        return [number for number, node in enumerate(self.nodes) if node.split is None]

    def next_leaf(self) -> int | None:
        """The open leaf with the most valuable split; on ties the one made first."""
        while self._waiting:
            number = self._waiting[0][1]
            if self.nodes[number].split is None and not self.nodes[number].closed:
                return number
            heappop(self._waiting)
        return None

    def split_node(self, number: int) -> None:
        """Make a node's best split: divide its records between two children, and search those."""
        from hushwood.trees.kernels.records import divide

        node = self.nodes[number]
        if node.best is None:
            raise InternalFault("A node without a split cannot be split; please report this.")
        middle = node.start + self.mark(node, node.best)

        def divide_order(order: Array) -> None:
            divide(order, node.start, node.stop, self.goes_left, np.empty(node.size, order.dtype))

        for_each(self.orders, divide_order, node.size, self.threads)
        node.children = (len(self.nodes), len(self.nodes) + 1)
        self._add(node.start, middle, node.depth + 1)
        self._add(middle, node.stop, node.depth + 1)

    def _add(self, start: int, stop: int, depth: int) -> None:
        node: Node[S] = Node(start, stop, depth)
        self.nodes.append(node)
        found = self.best_split(node)
        if found is not None:
            node.worth, node.best = found
            heappush(self._waiting, (-node.worth, len(self.nodes) - 1))


def for_each(
    pieces: Sequence[Piece], work: Callable[[Piece], Result], records: int, threads: int
) -> list[Result]:
    """Do the work for every piece, on several threads if there are enough records."""
    if threads > 1 and records * len(pieces) > CELLS_FOR_THREADS:
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(work, pieces))
    return [work(piece) for piece in pieces]
