"""Tables as the yardstick sees them: plain arrays, coded by what the original table holds.

The yardstick stands apart from the product: it reads frames and never asks a technique how it works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hushwood.random_streams import Streams
from hushwood.tables.recoding.cells import category_cells
from hushwood.tables.recoding.texts import named_in

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Columns:
    """The numeric inputs, the categorical inputs with their levels, and the class with its labels."""

    numbers: tuple[str, ...]
    levels: Mapping[str, tuple[str, ...]]
    target: str
    classes: tuple[str, ...]

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(self.levels)

    @property
    def inputs(self) -> int:
        return len(self.numbers) + len(self.levels)

    @property
    def widths(self) -> tuple[int, ...]:
        """Number of levels of every categorical input, and of the class."""
        return (*(len(levels) for levels in self.levels.values()), len(self.classes))


@dataclass(frozen=True)
class Records:
    """Numbers by [record, column], codes of categories by [record, column] with the class in the last column."""

    numbers: Floats
    codes: Integers

    @property
    def count(self) -> int:
        return len(self.codes)

    @property
    def classes(self) -> Integers:
        return self.codes[:, -1]

    def take(self, rows: NDArray[Any]) -> Records:
        return Records(self.numbers[rows], self.codes[rows])


def columns_of(frame: pl.DataFrame, target: str) -> Columns:
    """What a table holds: texts and flags are categories, everything else is numbers; levels are sorted."""
    inputs = [name for name in frame.columns if name != target]
    numbers = [name for name in inputs if frame[name].dtype.is_numeric()]
    levels = {name: _levels(frame[name]) for name in inputs if name not in numbers}
    return Columns(tuple(numbers), levels, target, _levels(frame[target]))


def _levels(column: pl.Series) -> tuple[str, ...]:
    return tuple(column.cast(pl.String).unique().sort().to_list())


def coded(frame: pl.DataFrame, columns: Columns, streams: Streams) -> Records:
    """A frame as arrays.

    A cell that stands for several levels, such as "{a, b}", "{a, b and 3 more}" or "*", is read as one of those that it
    names, drawn evenly. Anything else that the original does not hold is a fault of the release, and stops the run.
    """
    numbers = [frame[name].cast(pl.Float64).to_numpy() for name in columns.numbers]
    kinds = {**columns.levels, columns.target: columns.classes}
    codes = [_codes(frame[name], levels, streams) for name, levels in kinds.items()]
    found = np.array(numbers, float).reshape(len(numbers), frame.height).T
    if np.isnan(found).any():
        raise ValueError("The release has missing numbers, though the table has none.")
    return Records(found, np.array(codes, np.int64).T)


def _codes(column: pl.Series, levels: Sequence[str], streams: Streams) -> Integers:
    texts = column.cast(pl.String)
    distinct = texts.unique(maintain_order=True).to_list()
    if None in distinct:
        raise ValueError(
            f"Column {column.name!r} of the release has missing values, though the table has none."
        )
    stands_for = _stands_for(column.name, distinct, levels)
    place = texts.cast(pl.Enum(distinct)).to_physical().to_numpy().astype(np.int64)
    drawn = streams.uniform("frontier reading", column.name, 0, range(len(column)))
    covers = stands_for[place]
    # The chosen one of the levels that the cell stands for, counted from 0.
    chosen = np.floor(drawn * covers.sum(axis=1)).astype(np.int64)
    return np.asarray(np.argmax(np.cumsum(covers, axis=1) > chosen[:, None], axis=1), np.int64)


def _stands_for(name: str, texts: Sequence[str], levels: Sequence[str]) -> Flags:
    """Which levels each text stands for."""
    cells = category_cells(texts, levels)
    covers = cells.covers.copy()
    for row in np.flatnonzero(cells.unknown).tolist():
        covers[row] = np.isin(levels, named_in(texts[row]))
        if not covers[row].any():
            raise ValueError(
                f"Column {name!r} of the release holds {texts[row]!r}, which the table does not."
            )
    return covers


@dataclass(frozen=True)
class Scale:
    """Where every numeric column of the original starts and how far it reaches; a constant reaches 1."""

    low: Floats
    reach: Floats

    @classmethod
    def of(cls, records: Records) -> Scale:
        low, high = records.numbers.min(axis=0), records.numbers.max(axis=0)
        return cls(low, np.where(high > low, high - low, 1.0))

    def __call__(self, numbers: Floats) -> Floats:
        return np.asarray((numbers - self.low) / self.reach)


def indicators(codes: Integers, widths: Sequence[int]) -> Floats:
    """One column for each level of each category: 1 where a record has it."""
    out = np.zeros((len(codes), int(sum(widths))))
    starts = np.cumsum([0, *widths[:-1]])
    np.put_along_axis(out, codes + starts, 1.0, axis=1)
    return out


def features(
    records: Records, columns: Columns, scale: Scale, *, target: bool = False, but: int | None = None
) -> Floats:
    """What models learn from: scaled numbers, and an indicator for each level.

    With `target` the class too; `but` is the input, numbers first, that is omitted.
    """
    widths, few = columns.widths, len(columns.numbers)
    numbers = [j for j in range(few) if j != but]
    groups = [j for j in range(len(widths) - (not target)) if but is None or j != but - few]
    scaled = scale(records.numbers)[:, numbers]
    return np.hstack([scaled, indicators(records.codes[:, groups], [widths[j] for j in groups])])


def places(records: Records, columns: Columns, scale: Scale, *, target: bool = False) -> Floats:
    """Points whose squared distance is that of the scaled numbers plus 1 for every category that differs."""
    points = features(records, columns, scale, target=target)
    points[:, len(columns.numbers) :] *= np.sqrt(0.5)
    return points
