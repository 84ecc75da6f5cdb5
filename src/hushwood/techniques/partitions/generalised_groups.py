"""What the records of a group are released as: one number inside their range, one label for their categories.

`mondrian_parts` and `specialisation` make the groups; `tables.generalised.texts` writes the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.tables.frames.storage import on_grid
from hushwood.tables.generalised.texts import MISSING, set_label
from hushwood.tables.schema import Attribute

Inside = Literal["mean", "median"]


def group_numbers(values: Floats, ids: Array, count: int, attribute: Attribute, inside: Inside) -> Floats:
    """Mean (on the grid of the column) or lower median of every group's known numbers; NaN where it has none."""
    known = ~np.isnan(values)
    order = np.lexsort((values[known], ids[known]))
    line, group = values[known][order], ids[known][order]
    sizes = np.bincount(group, minlength=count)
    held, start = sizes > 0, np.cumsum(sizes) - sizes
    out = np.full(count, np.nan)
    low, high = line[start[held]], line[start[held] + sizes[held] - 1]
    if inside == "median":
        out[held] = line[start[held] + (sizes[held] - 1) // 2]
        return out
    # Distances from the smallest are added up, so that a group of equal numbers has exactly that mean.
    away = np.bincount(group, line - np.repeat(low, sizes[held]), minlength=count)[held]
    mean = low + away / sizes[held]
    if attribute.precision is not None:
        mean = on_grid(mean, attribute.precision) + 0.0
    elif attribute.storage == "Float32":
        mean = mean.astype(np.float32).astype(np.float64)
    out[held] = np.clip(mean, low, high)
    return out


def group_labels(codes: Array, ids: Array, count: int, attribute: Attribute) -> tuple[Codes, tuple[str, ...]]:
    """The code of every group's label, and the categories that these codes stand for; missing is a value too."""
    width = len(attribute.categories) + 1
    filled = np.where(codes < 0, width - 1, codes).astype(np.int64)
    pairs = np.unique(ids.astype(np.int64) * width + filled)
    limits = np.searchsorted(pairs, np.arange(1, count) * width)
    sets = [tuple(part.tolist()) for part in np.split(pairs % width, limits)]
    names, present = (*attribute.categories, MISSING), len(np.unique(filled))
    label: dict[tuple[int, ...], str | None] = {
        held: set_label([names[code] for code in held], present) for held in dict.fromkeys(sets)
    }
    label[(width - 1,)] = None
    return coded_labels([label[held] for held in sets], attribute)


def coded_labels(labels: Sequence[str | None], attribute: Attribute) -> tuple[Codes, tuple[str, ...]]:
    """The code of every label (-1 for None), and the categories: the attribute's, then the new ones in order."""
    known = set(attribute.categories)
    new = sorted({label for label in labels if label is not None and label not in known})
    categories = (*attribute.categories, *new)
    place: dict[str | None, int] = {category: i for i, category in enumerate(categories)}
    place[None] = -1
    return np.array([place[label] for label in labels], np.int32), categories
