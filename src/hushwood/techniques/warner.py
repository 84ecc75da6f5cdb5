"""WARNER: randomised response; every record tells the truth with probability p, else the opposite (Warner 1965).

For columns of two values. Together, one decision holds for all columns of a record, as Du and Zhan's trees need it.
What the answers reveal on average is in `reconstruction.frequencies`; for more values use `pram`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError
from hushwood.parameters import SHARE, check_parameters
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import whole_table
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.promises import ESTIMATED_COUNTS, INSIDE, Promise
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw, checked_probability
from hushwood.techniques.protocol import Columns, Law, LearntOn, Target, Technique

_TWO = np.arange(2)


@dataclass(frozen=True, slots=True)
class Warner(Technique):
    """The truth with one probability, else the other of two values; missing values stay missing.

    Columns with another number of values are copied.
    """

    truth: Annotated[float, SHARE] = 0.8
    together: bool = False
    acronym: ClassVar[str] = "WARNER"
    perturbs: ClassVar[Target] = "categorical"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = ESTIMATED_COUNTS
    promise: ClassVar[Promise] = INSIDE

    def __post_init__(self) -> None:
        check_parameters(self)
        checked_truth(self.truth)

    @property
    def jointly(self) -> bool:
        """One decision for all columns needs all columns."""
        return self.together

    def says(self) -> str:
        how = (
            "together with the record's other answers"
            if self.together
            else "independently of the other columns"
        )
        return f"Kept with probability {self.truth:.0%} and otherwise replaced by the opposite, {how}."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Find the columns of two values."""
        names = tuple(name for name in attributes if len(original.schema[name].categories) == 2)
        laws: tuple[Law, ...] = tuple(self._law(name) for name in names)
        if self.together and names:
            laws = (TogetherLaw(names, self.truth, self.acronym),)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return LawPerturber(names, JointLaw(laws), None if len(names) == len(attributes) else covered)

    def _law(self, name: str) -> RedrawLaw:
        # Missing, the third code, is not a value of this distribution, and such values stay.
        drawn = Distributions.from_weights(np.zeros(2, np.int64), _TWO, np.ones(2), 3)
        return RedrawLaw(name, drawn, np.full(2, 1 - self.truth), whole_table, self.acronym, by_value=True)


@dataclass(frozen=True, slots=True)
class TogetherLaw(Law):
    """All answers of a record are true, or all are opposite; codes are 0, 1 and -1 for missing."""

    attributes: tuple[str, ...]
    truth: float
    purpose: str

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of every record of answers; 0 for one without any."""
        pairs = [(np.asarray(original[name]), np.asarray(released[name])) for name in self.attributes]
        same = np.all([v == w for v, w in pairs], axis=0)
        opposite = np.all([w == _opposite(v) for v, w in pairs], axis=0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.truth * same + (1 - self.truth) * opposite))

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """One number per record decides for all its answers."""
        lies = streams.uniform(self.purpose, "together", 0, row_ids) >= self.truth
        values = {name: np.asarray(original[name]) for name in self.attributes}
        return {name: np.where(lies, _opposite(v), v) for name, v in values.items()}

    def described(self) -> dict[str, Any]:
        return {
            "form": "all true or all opposite",
            "attributes": list(self.attributes),
            "truth": self.truth,
        }


def checked_truth(truth: float) -> float:
    """The probability itself, if the answers carry information."""
    checked_probability("truth", truth)
    if truth == 0.5:
        raise InputError(
            "With a probability of truth of 0.5 the answers are pure chance; choose another one."
        )
    return truth


def _opposite(codes: Array) -> Array:
    return np.where(codes < 0, codes, 1 - codes).astype(codes.dtype)
