"""Publishing trees with the data they are grown from (TPP), straight from the text and as slow as it reads.

Trees themselves are in `binary_tree`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from oracles.binary_tree import (
    Column,
    Data,
    Node,
    Plan,
    Value,
    leaves,
    next_expansion,
    preorder,
    ranks,
    tied_splits,
)
from oracles.released_numbers import Gap, anchored, delta

Map = Mapping[Any, Any]
NumberMap = Callable[[Sequence[Any], Sequence[Gap], int | None], Map]

MODES: dict[str, NumberMap] = {"anchored": anchored, "delta": delta}


class Request(NamedTuple):
    """What is asked of a release; `grouped` are the columns that its groups are formed on."""

    plans: tuple[Plan, ...]
    grouped: tuple[int, ...]
    k: int = 1
    l: float = 1.0
    sensitive: tuple[tuple[Value, ...], ...] = ()
    mode: str = "anchored"
    stop_at_first_failure: bool = False


@dataclass
class Published:
    """The trees, the released columns and what they are worth; tried and barred are numbers of expansions."""

    trees: list[Node]
    released: Data
    k: int
    l: list[float]
    tried: int = 0
    barred: int = 0


def publish(data: Data, request: Request) -> Published | None:
    """Grows the trees in turn while the release keeps its promise; None if not even two leaves keep it."""
    trees = [Node(list(range(len(data.response)))) for _ in request.plans]
    tried = barred = 0
    if not _kept(released(data, request.plans[0], trees, request.mode), request):
        return None
    growing = True
    while growing:
        growing = False
        for plan, tree in zip(request.plans, trees, strict=True):
            chosen = next_expansion(data, plan, tree)
            if chosen is None:
                continue
            leaf, split = chosen
            tried += 1
            leaf.expand(split)
            growing = True
            if not _kept(released(data, request.plans[0], trees, request.mode), request):
                leaf.undo()
                barred += 1
                if request.stop_at_first_failure:
                    _close_the_rest(data, request, trees)
                    return _result(data, trees, request, tried, barred)
    return _result(data, trees, request, tried, barred)


def _result(data: Data, trees: list[Node], request: Request, tried: int, barred: int) -> Published:
    out = released(data, request.plans[0], trees, request.mode)
    members = groups(out, request.grouped)
    diversity = [min(strong_l(column, rows) for rows in members) for column in request.sensitive]
    return Published(trees, out, min(len(rows) for rows in members), diversity, tried, barred)


def _close_the_rest(data: Data, request: Request, trees: Sequence[Node]) -> None:
    """After a stop, every leaf that could still be split counts as closed."""
    for plan, tree in zip(request.plans, trees, strict=True):
        for leaf in leaves(tree):
            leaf.closed = bool(tied_splits(data, plan, leaf))


def _kept(out: Data, request: Request) -> bool:
    for rows in groups(out, request.grouped):
        if len(rows) < request.k:
            return False
        if any(strong_l(column, rows) < request.l for column in request.sensitive):
            return False
    return True


def groups(out: Data, grouped: Sequence[int]) -> list[list[int]]:
    """The records that look the same in the given columns."""
    members: dict[tuple[Any, ...], list[int]] = {}
    for row in range(len(out.response)):
        members.setdefault(tuple(out.columns[place].values[row] for place in grouped), []).append(row)
    return list(members.values())


def strong_l(column: Sequence[Value], rows: Sequence[int]) -> float:
    """One over the share of the most frequent value."""
    return len(rows) / max(Counter(column[row] for row in rows).values())


def released(data: Data, plan: Plan, trees: Sequence[Node], mode: str | NumberMap) -> Data:
    """The columns as they may be seen so that the same trees come out of them; the response is untouched."""
    columns = []
    for place, column in enumerate(data.columns):
        nodes = [
            node
            for tree in trees
            for node in preorder(tree)
            if node.split is not None and node.split.cut.column == place
        ]
        wordy = column.categories is not None
        new = _words(data, plan, column, nodes) if wordy else _numbers(column, nodes, mode)
        columns.append(_replaced(column, new))
    return data._replace(columns=tuple(columns))


def _replaced(column: Column, new: Map) -> Column:
    values = tuple(new[value] for value in column.values)
    if column.categories is None:
        return column._replace(values=values)
    kept = dict.fromkeys(new[word] for word in column.categories if word in new)
    return column._replace(values=values, categories=tuple(kept))


def _words(data: Data, plan: Plan, column: Column, nodes: Sequence[Node]) -> Map:
    """Categories that go the same way at every node become one: the set of them.

    Those that a node lacks go with the larger part or, in a fixed order, by their place in it.
    """
    assert column.categories is not None
    ways: dict[Value, list[bool]] = {word: [] for word in column.categories if word in column.values}
    rank = ranks(data, plan._replace(fixed_order=True), column, ())
    for node in nodes:
        assert node.split is not None
        left = {column.values[row] for row in node.split.left}
        right = {column.values[row] for row in node.split.right}
        larger = len(node.split.left) >= len(node.split.right)
        limit = max(rank[word] for word in left)
        for word, way in ways.items():
            if plan.fixed_order:
                way.append(rank[word] <= limit)
            else:
                way.append(word in left or (larger and word not in right))
    return {
        word: frozenset(other for other, theirs in ways.items() if theirs == way)
        for word, way in ways.items()
    }


def _numbers(column: Column, nodes: Sequence[Node], mode: str | NumberMap) -> Map:
    if not nodes:
        return dict.fromkeys(column.values, mean_on_grid(column.values, column.places))
    gaps = []
    for node in nodes:
        assert node.split is not None
        v1 = max(column.values[row] for row in node.split.left)
        v2 = min(column.values[row] for row in node.split.right)
        gaps.append(Gap(v1, v2))
    method = MODES[mode] if isinstance(mode, str) else mode
    return method(column.values, gaps, column.places)


def mean_on_grid(values: Sequence[Any], places: int | None) -> Any:
    """The mean of a column that no tree tests, rounded to its decimals."""
    mean = sum(map(Fraction, values), Fraction(0)) / len(values)
    return float(mean) if places is None else float(round(mean, places))


def label(words: frozenset[Value], column: Column) -> str:
    """How a set of categories is called in a release."""
    assert column.categories is not None
    present = [word for word in column.categories if word in column.values]
    texts = ["missing" if word is None else str(word) for word in present if word in words]
    if len(texts) == 1:
        return texts[0]
    return "ALL" if len(texts) == len(present) else "{" + ", ".join(texts) + "}"
