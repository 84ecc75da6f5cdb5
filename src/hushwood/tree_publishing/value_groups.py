"""Categories that go the same way at every node become one generalised value with a readable label (errata T10).

`intervals` does the same for numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.category_labels import set_label


def parted(groups: NDArray[np.int64], sides: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The group of every category after one more test, which sends each to a side; numbered as they first appear.

    >>> parted(np.array([0, 0, 0, 0]), np.array([1, 0, 1, 0])).tolist()
    [0, 1, 0, 1]
    """
    _, first, group = np.unique(groups * 2 + sides, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[group])


def group_labels(groups: NDArray[np.int64], names: Sequence[str]) -> list[str]:
    """The released value of every group; a label that is already some category's name is marked as a group.

    >>> group_labels(np.array([0, 1, 0]), ["a", "b", "c"])
    ['{a, c}', 'b']
    """
    members: list[list[str]] = [[] for _ in range(int(groups.max()) + 1)]
    for group, name in zip(groups.tolist(), names, strict=True):
        members[group].append(name)
    taken, labels = set(names), []
    for own in members:
        label = set_label(own, len(names))
        while len(own) > 1 and label in taken:
            label += " (group)"
        taken.add(label)
        labels.append(label)
    return labels
