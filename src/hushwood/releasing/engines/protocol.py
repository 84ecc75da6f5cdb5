"""What an engine is: it runs prepared perturbers over a table's rows; every engine gives the same values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from hushwood.arrays import Array, Codes
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Perturber

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class PreparedStep:
    """A perturber and the segment of every record that it works with."""

    perturber: Perturber
    segment_ids: Codes


class Engine(Protocol):
    """A function that perturbs a table."""

    def __call__(
        self,
        table: Table,
        steps: Sequence[PreparedStep],
        streams: Streams,
        *,
        chunk_rows: int | None = None,
        threads: int = 1,
        progress: Progress = ...,
    ) -> dict[str, Array]:
        """New values of every perturbed column."""
