"""Likelihoods laid out for the compiled loops: released rows sorted into tiles, forms of likelihood as stacked arrays.

`plain_columns` picks out the columns for which there is a faster way when all attributes are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats32, Integers, check_indices
from hushwood.errors import InternalFault
from hushwood.measures.posterior.likelihoods import (
    Evidence,
    Likelihood,
    Noise,
    Normal,
    Permuted,
    Redraw,
    Same,
)
from hushwood.measures.posterior.noise_likelihoods import equality_as_noise


@dataclass(frozen=True)
class Layout:
    """Rows in `order`, their tiles, one row of values per column (and one of zeros), and the forms' arrays."""

    order: Integers
    tiles: Any
    values: Floats32
    forms: Any


def laid_out(evidence: Evidence, labels: Integers, sorting: Sequence[Array] = ()) -> Layout:
    """Sort by block, by label and then by `sorting`; every tile holds one block and one label."""
    order = np.lexsort((*reversed(sorting), labels, evidence.block))
    columns = list(evidence.likelihoods.values())
    check_indices("Labels of released records", labels, len(labels) + 1)
    check_indices("Blocks of released records", evidence.block, evidence.blocks)
    values = np.zeros((len(columns) + 1, len(order)), np.float32)
    for place, column in enumerate(columns):
        if not isinstance(column, Permuted):
            values[place] = column.released[order]
    return Layout(order, _tiles(evidence.block[order], labels[order]), values, _forms(columns, evidence))


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
        elif isinstance(form, Noise):
            shape[j, k.FORM] = k.NOISE
            own[:, j, k.CODE], own[:, j, k.NUMBER] = form.code, form.number
            begin, boxes = tables.add(form.table), form.boxes
            rest = np.where(boxes.rest < 0, -1, boxes.rest + begin)
            box[:, j] = np.stack(boxes._replace(offset=boxes.offset + begin, rest=rest), axis=1)
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


def _check_places(form: Normal | Noise | Redraw | Permuted) -> None:
    """Refuse a form with places outside its tables."""
    if not isinstance(form, Permuted) and not np.isfinite(form.released).all():
        raise InternalFault("A released value has no place among those possible; please report this.")
    if isinstance(form, Noise):
        box = form.boxes
        rest = box.rest + np.rint((box.high - box.origin) * box.rest_stretch)
        nodes = [box.offset, box.offset + np.trunc(box.last), rest[box.rest >= 0]]
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
