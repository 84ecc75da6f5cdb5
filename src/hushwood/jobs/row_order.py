"""The order of the rows: whether it tells something, and how to break it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, missing_values

FEWEST = 10  # fewer values are often sorted by chance


def shuffled(rows: int, streams: Streams) -> NDArray[np.int64]:
    """A keyed permutation: position i of the release holds row `shuffled[i]` of the table."""
    return streams.order("row order", "", range(rows))


def read_order(path: Path) -> NDArray[np.int64]:
    """The permutation that a release kept; a file that holds anything else is refused."""
    from numpy.lib import format as npy

    try:
        with path.open("rb") as file:
            if npy.read_magic(file) != (1, 0):
                raise ValueError
            shape, _, kind = npy.read_array_header_1_0(file)
            # What the header claims is believed only if the file is as long as that.
            if kind != np.int64 or shape != ((path.stat().st_size - file.tell()) // 8,):
                raise ValueError
            order = np.fromfile(file, np.int64)
        if not np.array_equal(np.sort(order), np.arange(len(order))):
            raise ValueError
    except (OSError, ValueError, SyntaxError, RecursionError, TokenError) as fault:
        raise InputError(
            f"{path} is damaged: it does not say where each row came from; fetch or make the release again."
        ) from fault
    return order


def order_warnings(table: Table, but: Sequence[str] = ()) -> Iterator[str]:
    """A sentence for every column that the rows are sorted by, but for some that are told anyway."""
    for attribute in table.schema.kept:
        if attribute.name not in but and _sorted(np.asarray(table.columns[attribute.name])):
            yield (
                f"The rows are sorted by {attribute.name!r}, so a row's place tells its value; "
                "--shuffle-rows breaks the order."
            )


def _sorted(column: NDArray[Any]) -> bool:
    known = column[~missing_values(column)]
    steps = np.diff(known)
    return len(known) >= FEWEST and bool(steps.any()) and bool((steps >= 0).all() or (steps <= 0).all())
