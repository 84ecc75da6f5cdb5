"""CACTUS: sets of values of several attributes that occur together more often than by chance.

Two values of different attributes are strongly connected if more records hold both than alpha times what is expected
when all values are equally likely. A cluster is made of values that are all strongly connected (Ganti, Gehrke and
Ramakrishnan 1999; thesis 6.3; errata C3). Sets of values are whole numbers here, bit v for value v.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, islice
from operator import and_
from typing import Annotated, ClassVar, NamedTuple

import numpy as np

from hushwood.arrays import Flags, Integers
from hushwood.parameters import Above, AtLeast, Checked
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.grouping.records import (
    AlikeValues,
    ObservedValues,
    cached_per_table,
    groups_of_values,
    observed_values,
)
from hushwood.value_clusters.protocol import GroupPerValue

_RECORDS_AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True)
class Cactus(Checked):
    """When values are strongly connected: above alpha times the expected count, or (not `strict`) from it on.

    The search is bounded: the `most_projections` largest projections of an attribute are kept, and the first
    `most_candidates` combinations are counted.
    """

    acronym: ClassVar[str] = "CACTUS"
    alpha: Annotated[float, Above(1)] = 1.2
    strict: bool = True
    most_projections: Annotated[int, AtLeast(1)] = 100
    most_candidates: Annotated[int, AtLeast(1)] = 2_000


DEFAULT = Cactus()


@dataclass(frozen=True, slots=True)
class CactusCluster:
    """Values of some attributes, all strongly connected, and how many records hold only such values there."""

    values: Mapping[str, tuple[str, ...]]
    support: int


@dataclass(frozen=True, slots=True)
class CactusClusters:
    """The clusters, largest first; `cut_off` if the search reached a limit, so that some may be missing."""

    clusters: tuple[CactusCluster, ...]
    cut_off: bool


class _Node(NamedTuple):
    """One attribute's part of a cluster: a set of its values."""

    attribute: int
    values: int


Neighbours = Mapping[tuple[int, int], list[int]]


@cached_per_table
def cactus(table: Table, how: Cactus = DEFAULT, names: Sequence[str] | None = None) -> CactusClusters:
    """Cluster the values of the named categorical columns, or of all."""
    observed = observed_values(table, names)
    neighbours = _neighbours(observed, how)
    nodes: list[_Node] = []
    cut_off = False
    for attribute in range(len(observed.names)):
        found, cut = _projections(attribute, observed, neighbours, how.most_projections)
        nodes += (_Node(attribute, values) for values in found)
        cut_off |= cut
    candidates = list(islice(_cliques(_connected(nodes, neighbours)), how.most_candidates + 1))
    cut_off |= len(candidates) > how.most_candidates
    chosen = [c for c in candidates[: how.most_candidates] if len(c) > 1]
    clusters = _validated(nodes, chosen, observed, how.alpha)
    return CactusClusters(tuple(sorted(clusters, key=lambda c: -c.support)), cut_off)


def _neighbours(observed: ObservedValues, how: Cactus) -> Neighbours:
    """For attributes (i, j) and every value of j: the set of i's values that it is strongly connected with."""
    found: dict[tuple[int, int], list[int]] = {}
    for i, j in combinations(range(len(observed.names)), 2):
        size = observed.sizes[i] * observed.sizes[j]
        pair = observed.codes[i] * observed.sizes[j] + observed.codes[j]
        together = np.bincount(pair, observed.weight, minlength=size)
        limit = how.alpha * observed.records / size
        strong = together > limit if how.strict else together >= limit
        strong = strong.reshape(observed.sizes[i], observed.sizes[j])
        found[i, j], found[j, i] = _bits(strong.T), _bits(strong)
    return found


def _bits(rows: Flags) -> list[int]:
    packed = np.packbits(rows, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _projections(
    attribute: int, observed: ObservedValues, neighbours: Neighbours, most: int
) -> tuple[list[int], bool]:
    """The largest sets of values that have a strongly connected value in common in every other attribute.

    A set with such a value b lies in the neighbours of b, so these are the maximal intersections of one value's
    neighbours per attribute; the sides of larger bicliques, from all generating sets, are subsets of them. An
    attribute that is connected with no value at all says nothing. The flag says whether the limit cut some off.
    """
    sets: list[int] = []
    cut = False
    for other in range(len(observed.names)):
        near, too_many = _maximal(() if other == attribute else neighbours[attribute, other], most)
        cut |= too_many
        if near:
            sets, too_many = _maximal((s & n for s in sets for n in near), most) if sets else (near, False)
            cut |= too_many
            if not sets:
                break
    return sets, cut


def _maximal(sets: Iterable[int], most: int) -> tuple[list[int], bool]:
    """The non-empty sets that lie in no other, largest first, and whether there are too many."""
    kept: list[int] = []
    for one in sorted({s for s in sets if s}, key=lambda s: (-s.bit_count(), s)):
        if all(one & other != one for other in kept):
            if len(kept) == most:
                return kept, True
            kept.append(one)
    return kept, False


def _connected(nodes: Sequence[_Node], neighbours: Neighbours) -> list[int]:
    """For every node the set of nodes of other attributes all of whose values are strongly connected with its."""
    attributes = sorted({node.attribute for node in nodes})
    connected = [0] * len(nodes)
    for here, node in enumerate(nodes):
        common = {
            other: reduce(and_, (neighbours[other, node.attribute][v] for v in _members(node.values)))
            for other in attributes
            if other != node.attribute
        }
        for there, other in enumerate(nodes):
            if other.attribute in common and other.values & common[other.attribute] == other.values:
                connected[here] |= 1 << there
    return connected


def _members(values: int) -> list[int]:
    return [v for v in range(values.bit_length()) if values >> v & 1]


def _cliques(connected: Sequence[int]) -> Iterator[list[int]]:
    """All sets of connected nodes that no further node fits, by Bron and Kerbosch with a pivot.

    Each holds one node an attribute: candidates on as many attributes as go together.
    """

    def grow(chosen: list[int], fitting: int, done: int) -> Iterator[list[int]]:
        if not fitting and not done:
            yield chosen
            return
        pivot = max(_members(fitting | done), key=lambda node: (connected[node] & fitting).bit_count())
        for node in _members(fitting & ~connected[pivot]):
            yield from grow([*chosen, node], fitting & connected[node], done & connected[node])
            fitting ^= 1 << node
            done |= 1 << node

    if connected:
        yield from grow([], (1 << len(connected)) - 1, 0)


def _validated(
    nodes: Sequence[_Node], candidates: Sequence[list[int]], observed: ObservedValues, alpha: float
) -> list[CactusCluster]:
    """The candidates that hold at least alpha times the records expected of as many equally likely values."""
    supports = _supports(nodes, candidates, observed)
    found = []
    for candidate, support in zip(candidates, supports.tolist(), strict=True):
        chosen = sorted(nodes[node] for node in candidate)
        shares = [node.values.bit_count() / observed.sizes[node.attribute] for node in chosen]
        if support >= alpha * observed.records * float(np.prod(shares)):
            values = {
                observed.names[a]: tuple(observed.values[a][v] for v in _members(members))
                for a, members in chosen
            }
            found.append(CactusCluster(values, support))
    return found


def _supports(nodes: Sequence[_Node], candidates: Sequence[list[int]], observed: ObservedValues) -> Integers:
    """How many records lie in every candidate."""
    inside = [np.isin(np.arange(observed.sizes[n.attribute]), _members(n.values)) for n in nodes]
    supports = np.zeros(len(candidates), np.int64)
    for begin in range(0, len(observed.weight) if candidates else 0, _RECORDS_AT_ONCE):
        some = slice(begin, begin + _RECORDS_AT_ONCE)
        holds = np.array(
            [mine[observed.codes[n.attribute, some]] for n, mine in zip(nodes, inside, strict=True)]
        )
        weight = observed.weight[some]
        supports += [int(weight[holds[candidate].all(axis=0)].sum()) for candidate in candidates]
    return supports


def cactus_groups(
    table: Table, attribute: str, options: GrowOptions, how: Cactus = DEFAULT
) -> GroupPerValue | None:
    """For CAPT: a value belongs to its largest cluster; None if no two share one. No tree is grown."""
    found = [
        AlikeValues(cluster.values[attribute], cluster.support)
        for cluster in cactus(table, how).clusters
        if attribute in cluster.values
    ]
    return groups_of_values(table.schema[attribute], found)
