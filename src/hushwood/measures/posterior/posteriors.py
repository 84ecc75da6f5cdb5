"""Which released record is a target's: entropies of the posterior, its mass on every label, and the likeliest records.

P(i) is proportional to the product of the known attributes' likelihoods (thesis 8.1). If all products are 0, every
record is equally likely (errata E2). The work is done in `kernels.posteriors`; here likelihoods are laid out for it:
released rows sorted into tiles, forms of likelihood as stacked arrays. Columns that are normal kernels or codes that
match are added up three at a time when all attributes are known: what a released code says about all targets without it
goes into one number per row, and sorting rows by codes makes columns constant within a tile, where they cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from hushwood.arrays import Array, Flags, Floats, Floats32, Integers, check_indices
from hushwood.distances.neighbours import over_targets
from hushwood.errors import InternalFault
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    MISSING_AT,
    Evidence,
    Likelihood,
    NoiseInBoxes,
    Normal,
    Permuted,
    Redraw,
    Same,
)
from hushwood.measures.posterior.noise_likelihoods import equality_as_noise

_NEARLY = np.float32(1e-3)  # bits: what sums in single precision may differ by
_TOGETHER = 3
_SORTED_BY = 6  # more columns are constant in hardly any tile
_EQUALLY_LIKELY = 1e-6  # bits


@dataclass(frozen=True, slots=True)
class Posteriors:
    """Bits of entropy of every target, its posterior mass of every label, and whether all was impossible.

    The last axis is that of the intruder's knowledge, if it varies; `mass` has one more axis, the labels.
    """

    bits: Floats
    mass: Floats
    impossible: Flags


def posteriors(evidence: Evidence, labels: Integers, threads: int) -> Posteriors:
    """All targets when all attributes of the evidence are known; labels are 0, 1, ... for every released record."""
    from hushwood.measures.kernels.posteriors import entropies

    evidence = evidence.together()
    plain = plain_columns(evidence)
    layout = laid_out(evidence, labels, plain.sorting())
    columns, who = plain.arranged(layout), plain.who()
    count = len(evidence.targets)
    bits, mass = np.empty(count), np.zeros((count, _label_count(labels)))

    def work(first: int, last: int) -> None:
        entropies(who, first, last, layout.tiles, layout.values, columns, layout.forms, bits, mass)

    over_targets(count, threads, work)
    return _finished(bits, mass, labels)


def posteriors_by_known(
    evidence: Evidence, labels: Integers, order: Integers, threads: int
) -> tuple[Posteriors, Posteriors]:
    """The same for every attribute known alone [target, attribute], and for the first 1, 2, ... of a target's order.

    `order[target]` lists the attributes (their places in the evidence) in the order in which they become known. Here
    every attribute counts for itself, even if it belongs to a group.
    """
    from hushwood.measures.kernels.posteriors import entropies_by_known

    layout = laid_out(evidence, labels)
    shape = order.shape
    alone, together = np.empty(shape), np.empty(shape)
    alone_mass, more_mass = np.zeros((*shape, _label_count(labels))), np.zeros((*shape, _label_count(labels)))

    def work(first: int, last: int) -> None:
        entropies_by_known(
            first,
            last,
            layout.tiles,
            layout.values,
            layout.forms,
            order,
            alone,
            alone_mass,
            together,
            more_mass,
        )

    over_targets(shape[0], threads, work)
    return _finished(alone, alone_mass, labels), _finished(together, more_mass, labels)


def _label_count(labels: Integers) -> int:
    return int(labels.max(initial=0)) + 1


def _finished(bits: Floats, mass: Floats, labels: Integers) -> Posteriors:
    """With the uniform distribution where all was impossible, and without rounding beyond the limits."""
    most = float(np.log2(len(labels)))
    impossible = bits < -0.5
    mass[impossible] = np.bincount(labels) / len(labels)
    return Posteriors(np.where(impossible, most, np.clip(bits, 0.0, most)), mass, impossible)


@dataclass(frozen=True, slots=True)
class Links:
    """Of every target: the probability of its likeliest released record, how many records have it, and the chances
    that one of these, taken at random, is the target's own, and that it has the target's label.
    """

    belief: Floats
    ties: Floats
    own: Floats
    same_label: Floats


def likeliest_links(
    evidence: Evidence, partner: Integers, labels: Integers, wanted: Integers, threads: int
) -> Links:
    """The links of all targets; `partner` are their released rows, `wanted` the labels that they have in truth."""
    from hushwood.measures.kernels.posteriors import likeliest

    evidence = evidence.together()
    layout = laid_out(evidence, np.zeros(len(labels), np.int64))
    place = np.empty(len(labels), np.int64)
    place[layout.order] = np.arange(len(labels))
    own, ordered = place[partner], labels[layout.order]
    found = np.zeros((len(partner), 4))

    def work(first: int, last: int) -> None:
        likeliest(
            first, last, layout.tiles, layout.values, layout.forms, own, wanted, ordered, _NEARLY, found
        )

    over_targets(len(partner), threads, work)
    belief, ties, partners, same = found.T
    return Links(np.minimum(belief, 1 / ties), ties, partners / ties, same / ties)


@dataclass(frozen=True)
class KernelLayout:
    """Rows in `order`, their tiles, one row of values per column (and one of zeros), and the forms' arrays."""

    order: Integers
    tiles: Any
    values: Floats32
    forms: Any


def laid_out(evidence: Evidence, labels: Integers, sorting: Sequence[Array] = ()) -> KernelLayout:
    """Sort by block, by label and then by `sorting`; every tile holds one block and one label."""
    order = np.lexsort((*reversed(sorting), labels, evidence.block))
    columns = list(evidence.likelihoods.values())
    check_indices("Labels of released records", labels, len(labels) + 1)
    check_indices("Blocks of released records", evidence.block, evidence.blocks)
    values = np.zeros((len(columns) + 1, len(order)), np.float32)
    for place, column in enumerate(columns):
        if not isinstance(column, Permuted):
            values[place] = column.released[order]
    return KernelLayout(
        order, _tiles(evidence.block[order], labels[order]), values, _forms(columns, evidence)
    )


def _tiles(block: Array, label: Array) -> Any:
    from hushwood.measures.kernels.likelihoods import TILE
    from hushwood.measures.kernels.posteriors import Tiles

    new = np.flatnonzero(np.diff(block, prepend=-1) | np.diff(label, prepend=-1))
    size = np.diff(np.append(new, len(block)))
    pieces = -(-size // TILE)
    part = np.arange(pieces.sum()) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    begin = np.repeat(new, pieces) + TILE * part
    used = np.minimum(np.repeat(size, pieces) - TILE * part, TILE)
    return Tiles(begin, used, block[begin].astype(np.int64), label[begin].astype(np.int64))


def _forms(columns: Sequence[Likelihood], evidence: Evidence) -> Any:
    from hushwood.measures.kernels import likelihoods as k

    count, targets = len(columns), len(evidence.targets)
    shape = np.zeros((count, k.KINDS + 1), np.int64)
    own, box = np.zeros((targets, count, 4)), np.zeros((evidence.blocks, count, k.REST_STRETCH + 1))
    entries, tables, keys = _Joined((0, 3), np.float64), _Joined((0,), np.float32), _Joined((0,), np.int64)
    for j, column in enumerate(columns):
        form = equality_as_noise(column, evidence.blocks) if isinstance(column, Same) else column
        _check_places(form)
        if isinstance(form, Normal):
            shape[j, k.FORM] = k.NORMAL
            own[:, j] = np.stack([form.at, form.gap, form.present, form.weight], axis=1)
        elif isinstance(form, NoiseInBoxes):
            shape[j, k.FORM] = k.NOISE
            own[:, j, k.CODE], own[:, j, k.NUMBER] = form.code, form.number
            begin, boxes = tables.add(form.table), form.boxes.copy()
            boxes["offset"] += begin
            boxes["rest"][boxes["rest"] >= 0] += begin
            box[:, j] = structured_to_unstructured(boxes)
        elif isinstance(form, Redraw):
            shape[j, k.FORM] = k.REDRAW
            own[:, j, k.CODE], own[:, j, k.KIND], box[:, j, k.CLASS] = form.code, form.kind, form.class_of
            row = np.where(form.row < 0, -1, form.row + tables.add(form.table))
            begin = entries.add(np.stack([row, form.stay, form.shift], axis=2).reshape(-1, 3))
            shape[j, k.ENTRIES], shape[j, k.KINDS] = begin, row.shape[1]
        else:
            first = keys.add(form.keys)
            shape[j, k.FORM] = k.PERMUTED
            shape[j, k.FIRST_KEY], shape[j, k.LAST_KEY] = first, first + len(form.keys)
            own[:, j, k.CODE], box[:, j, k.SEGMENT] = form.code, form.segment * form.width
    return k.Forms(shape, own, box, entries.joined(), tables.joined(), keys.joined())


def _check_places(form: Normal | NoiseInBoxes | Redraw | Permuted) -> None:
    """Refuse a form with places outside its tables."""
    if not isinstance(form, Permuted) and not np.isfinite(form.released).all():
        raise InternalFault("A released value has no place among those possible; please report this.")
    if isinstance(form, NoiseInBoxes):
        box = form.boxes
        rest = box["rest"] + np.rint((box["high"] - box["origin"]) * box["rest_stretch"])
        nodes = [box["offset"], box["offset"] + np.trunc(box["last"]), rest[box["rest"] >= 0]]
        check_indices("Nodes of noise", np.concatenate(nodes).astype(np.int64), len(form.table))
    elif isinstance(form, Redraw):
        classes, kinds = form.row.shape
        check_indices("Classes of blocks", form.class_of, classes)
        check_indices("Kinds of targets", form.kind, kinds)
        codes = form.released.astype(np.int64)
        check_indices("Released codes", codes, len(form.table) - int(form.row.max(initial=0)))


class _Joined:
    """Arrays of one type, concatenated."""

    def __init__(self, empty: tuple[int, ...], dtype: Any) -> None:
        self._parts: list[Array] = [np.zeros(empty, dtype)]
        self._size = 0

    def add(self, part: Array) -> int:
        """Append an array; where it begins."""
        begin = self._size
        self._parts.append(part.astype(self._parts[0].dtype))
        self._size += len(part)
        return begin

    def joined(self) -> Array:
        """All parts as one array."""
        return np.concatenate(self._parts)


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

    def arranged(self, layout: KernelLayout) -> Any:
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
    """The column as codes that match or do not, if that says all about it; None for others."""
    if isinstance(column, Same):
        nothing = np.zeros_like(column.code)
        return Match(place, column.released, column.code, nothing, nothing + np.float32(IMPOSSIBLE))
    if isinstance(column, Redraw) and _one_distribution(column):
        own = column.code.astype(np.int64)
        among_others = column.shift[0, column.kind] + np.where(own < 0, 0.0, column.table[own])
        hit = (column.stay[0, column.kind] - among_others).astype(np.float32)
        return Match(place, column.released, column.code, hit, np.zeros_like(hit))
    if isinstance(column, NoiseInBoxes) and _stay_or_go(column):
        box = column.boxes
        at = ((column.number - box["origin"][0]) * box["stretch"][0]).astype(np.float32)
        first = int(box["offset"][0])
        more = column.table[first] - column.table[first + 1]
        if box["stretch"][0] != 1:
            more *= 0  # where nodes stand for many values, hardly any row has the target's own
        return Match(place, column.released, at, np.full_like(at, more), np.zeros_like(at))
    return None


def _one_distribution(column: Redraw) -> bool:
    """Whether all targets see the same finite numbers in all blocks."""
    return len(column.row) == 1 and not column.row.any() and bool((column.table > IMPOSSIBLE / 10).all())


def _stay_or_go(column: NoiseInBoxes) -> bool:
    """Whether noise is the same everywhere and all changes are equally likely, as uniform noise on a circle is."""
    box = column.boxes
    varies = any(np.ptp(box[field]) for field in ("low", "high", "stretch", "offset"))
    if varies or box["mirror"][0] > 0 or box["rest"][0] >= 0:
        return False
    nodes = column.table[int(box["offset"][0]) : int(box["offset"][0]) + int(box["last"][0])]
    alike = len(nodes) > 1 and np.ptp(nodes[1:]) < _EQUALLY_LIKELY and nodes.min() > IMPOSSIBLE / 10
    outside = (column.number < box["low"][0]) | (column.number > box["high"][0])
    gone = max(column.released.max(initial=0), column.code.max(initial=0)) >= MISSING_AT / 2
    return bool(box["stretch"][0] > 0 and alike and not outside.any() and not gone)


def _distinguished(column: Likelihood) -> int:
    """How many kinds of blocks a column distinguishes: columns that distinguish most are tried first."""
    if isinstance(column, NoiseInBoxes):
        return int(np.unique(np.stack([column.boxes["low"], column.boxes["high"]]), axis=1).shape[1])
    if isinstance(column, Redraw):
        return len(column.row)
    return len(column.segment) if isinstance(column, Permuted) else 0


def _entropy(codes: Floats32) -> float:
    share = np.unique(codes, return_counts=True)[1] / max(len(codes), 1)
    return float(-(share * np.log2(share)).sum())


def _filled(places: list[int], zeros: int) -> Integers:
    return np.array([*places, *[zeros] * (-len(places) % _TOGETHER)], np.int64)


def _by_tile(layout: KernelLayout, matches: Integers) -> tuple[Integers, Integers]:
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
