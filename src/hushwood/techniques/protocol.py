"""What a technique is: it prepares a perturber for some attributes, and the perturber states its own law.

A technique holds parameters only. A perturber is small, can be sent to another process, and works on all segments
of a chunk at once. The law is the exact distribution that the perturber draws from; risk measures read it, and a
contract test compares it with draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.techniques.promises import Promise

Columns = Mapping[str, NDArray[Any]]
Target = Literal["numeric", "categorical", "class", "any"]
Within = Literal["segment", "table"]


class Law(Protocol):
    """The distribution of released values given the original record and its segment."""

    @property
    def dependent(self) -> bool:
        """Whether the draws of different records depend on each other (permutations)."""

    def log_prob(
        self, original: Columns, released: Columns, segment_ids: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Natural logarithm of the probability (density) of every released record; -inf where impossible."""

    def sample(
        self, original: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """Draw released values for every record."""

    def described(self) -> dict[str, Any]:
        """The law's parameters as plain data, for plan.json."""


class Perturber(Protocol):
    """A technique made ready for one table."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The columns it perturbs."""

    @property
    def whole_column(self) -> bool:
        """Whether it must see all rows at once (a permutation) instead of any chunk."""

    def covers(self, attribute: str) -> NDArray[np.bool_] | None:
        """The segments in which it perturbs the attribute; None for all."""

    def perturb(
        self, columns: Columns, segment_ids: NDArray[Any], row_ids: Rows, streams: Streams
    ) -> Columns:
        """New values of its attributes for a chunk of original records."""

    def law(self) -> Law:
        """What `perturb` draws from."""


@runtime_checkable
class Relabels(Protocol):
    """A perturber that may release categories which the table did not have."""

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """Of such columns, the categories that the released codes stand for; the table's own come first."""


class Technique(Protocol):
    """One way to hide values, with its parameters."""

    @property
    def acronym(self) -> str:
        """The papers' short name."""

    @property
    def perturbs(self) -> Target:
        """The kind of attribute it is for."""

    @property
    def jointly(self) -> bool:
        """Whether all its columns are perturbed together, by one perturber, because their draws belong together."""

    @property
    def keeps_segment(self) -> bool:
        """Whether no record can leave its segment by it."""

    @property
    def promise(self) -> Promise:
        """What the certificate can check of every column it perturbs."""

    def says(self) -> str:
        """One sentence for reports: what happens to a value."""

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> Perturber:
        """Make a perturber for these attributes."""
