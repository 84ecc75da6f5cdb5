"""Columns that can be added up three at a time when all attributes are known: normal kernels and codes that match.

What a released code says about all targets without it goes into one number per row; sorting rows by codes makes columns
constant within a tile, and those cost nothing. `layout` prepares all other columns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Floats32, Integers
from hushwood.measures.posterior.layout import Layout
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    MISSING_AT,
    Evidence,
    Likelihood,
    Noise,
    Normal,
    Permuted,
    Redraw,
    Same,
)

_TOGETHER = 3
_SORTED_BY = 6  # more columns are constant in hardly any tile
_EQUALLY_LIKELY = 1e-6  # bits


@dataclass(frozen=True, slots=True)
class Match:
    """Codes of released rows and of targets, and what is added where they are equal and where not [target]."""

    place: int
    released: Floats32
    code: Floats32
    hit: Floats32
    miss: Floats32


@dataclass
class PlainColumns:
    """The columns by their places in the evidence: normal kernels, matches and the rest."""

    base: Floats
    targets: int
    squares: list[int] = field(default_factory=list)
    at: list[Floats32] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    rest: list[int] = field(default_factory=list)

    def sorting(self) -> list[Floats32]:
        """Released codes to sort the rows by, those of the least entropy first: they are constant in most tiles."""
        return [match.released for match in self._by_entropy[:_SORTED_BY]]

    def who(self) -> Integers:
        """The targets, sorted the other way round: those that agree in what varies in most tiles are together."""
        codes = [match.code for match in self._by_entropy]
        return np.lexsort(codes) if codes else np.arange(self.targets)

    @cached_property
    def _by_entropy(self) -> list[Match]:
        return sorted(self.matches, key=lambda match: _entropy(match.released))

    def arranged(self, layout: Layout) -> Any:
        """The columns as the compiled loops need them, padded to whole groups with the column of zeros."""
        from hushwood.measures.kernels.posteriors import Plain

        zeros = len(layout.values) - 1
        squares = _filled(self.squares, zeros)
        matches = _filled([match.place for match in self.matches], zeros)
        order, varying = _by_tile(layout, matches)
        numbers = np.zeros((self.targets, len(matches), 3), np.float32)
        numbers[:, :, 0] = -1.0
        for place, match in enumerate(self.matches):
            numbers[:, place] = np.stack([match.code, match.hit, match.miss], axis=1)
        at = np.zeros((self.targets, len(squares)), np.float32)
        for place, own in enumerate(self.at):
            at[:, place] = own
        base = self.base[layout.order].astype(np.float32)
        return Plain(base, squares, at, matches, numbers, order, varying, np.array(self.rest, np.int64))


def plain_columns(evidence: Evidence) -> PlainColumns:
    """Sort the columns of an evidence into the plain ones and the rest."""
    found = PlainColumns(np.zeros(len(evidence.block)), len(evidence.targets))
    forms = list(evidence.likelihoods.values())
    for place, column in enumerate(forms):
        match = _match(place, column)
        if match is not None:
            found.matches.append(match)
            if isinstance(column, Redraw):
                found.base += column.table[column.released.astype(np.int64)]
        elif isinstance(column, Normal) and not column.soft:
            found.squares.append(place)
            found.at.append(column.at)
        else:
            found.rest.append(place)
    found.rest.sort(key=lambda place: _distinguished(forms[place]), reverse=True)
    return found


def _match(place: int, column: Likelihood) -> Match | None:
    """The column as codes that match or not, if it is no more than that."""
    if isinstance(column, Same):
        nothing = np.zeros_like(column.code)
        return Match(place, column.released, column.code, nothing, nothing + np.float32(IMPOSSIBLE))
    if isinstance(column, Redraw) and _one_distribution(column):
        own = column.code.astype(np.int64)
        among_others = column.shift[0, column.kind] + np.where(own < 0, 0.0, column.table[own])
        hit = (column.stay[0, column.kind] - among_others).astype(np.float32)
        return Match(place, column.released, column.code, hit, np.zeros_like(hit))
    if isinstance(column, Noise) and _stay_or_go(column):
        box = column.boxes
        at = ((column.number - box.origin[0]) * box.stretch[0]).astype(np.float32)
        first = int(box.offset[0])
        more = column.table[first] - column.table[first + 1]
        if box.stretch[0] != 1:
            more *= 0  # where nodes stand for many values, hardly any row has the target's own
        return Match(place, column.released, at, np.full_like(at, more), np.zeros_like(at))
    return None


def _one_distribution(column: Redraw) -> bool:
    """Whether all targets see the same finite numbers in all blocks."""
    return len(column.row) == 1 and not column.row.any() and bool((column.table > IMPOSSIBLE / 10).all())


def _stay_or_go(column: Noise) -> bool:
    """Whether noise is the same everywhere and all changes are equally likely, as uniform noise on a circle is."""
    box = column.boxes
    boxes = [box.low, box.high, box.stretch, box.offset]
    if any(np.ptp(each) for each in boxes) or box.mirror[0] > 0 or box.rest[0] >= 0:
        return False
    nodes = column.table[int(box.offset[0]) : int(box.offset[0]) + int(box.last[0])]
    alike = len(nodes) > 1 and np.ptp(nodes[1:]) < _EQUALLY_LIKELY and nodes.min() > IMPOSSIBLE / 10
    outside = (column.number < box.low[0]) | (column.number > box.high[0])
    gone = max(column.released.max(initial=0), column.code.max(initial=0)) >= MISSING_AT / 2
    return bool(box.stretch[0] > 0 and alike and not outside.any() and not gone)


def _distinguished(column: Likelihood) -> int:
    """How many kinds of blocks a column distinguishes: columns that distinguish most are tried first."""
    if isinstance(column, Noise):
        return int(np.unique(np.stack([column.boxes.low, column.boxes.high]), axis=1).shape[1])
    if isinstance(column, Redraw):
        return len(column.row)
    return len(column.segment) if isinstance(column, Permuted) else 0


def _entropy(codes: Floats32) -> float:
    share = np.unique(codes, return_counts=True)[1] / max(len(codes), 1)
    return float(-(share * np.log2(share)).sum())


def _filled(places: list[int], zeros: int) -> Integers:
    return np.array([*places, *[zeros] * (-len(places) % _TOGETHER)], np.int64)


def _by_tile(layout: Layout, matches: Integers) -> tuple[Integers, Integers]:
    """For every tile the matches, varying ones first, and how many vary (rounded up to whole groups)."""
    begin = layout.tiles.begin
    values = layout.values[matches]
    constant = np.ones((len(begin), len(matches)), bool)
    if len(begin) and len(matches):
        smallest, largest = (f.reduceat(values, begin, axis=1) for f in (np.minimum, np.maximum))
        constant = (smallest == largest).T
    order = np.argsort(constant, axis=1, kind="stable")
    varying = -(-(~constant).sum(axis=1) // _TOGETHER) * _TOGETHER
    return np.ascontiguousarray(order), varying
