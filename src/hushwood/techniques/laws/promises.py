"""What a technique promises about a released column, in words that can be checked without knowing how it works.

Every technique declares its promise; the plan combines those of a column, and the certificate checks the released file.
The sentences that several techniques share on how far to trust such a column are for dictionary.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from hushwood.errors import InputError
from hushwood.techniques.protocol import Within

Missing = Literal["same", "dealt", "drawn", "added", "filled", "any"]
Values = Literal["same", "dealt", "held", "inside", "generalised", "ranges", "any", "numbered"]


@dataclass(frozen=True, slots=True)
class Promise:
    """Where values may be missing, and what the values that are there may be.

    `missing`: the "same" cells; in every group of records that `within` names, as many ("dealt"), or none if there were
    none ("drawn"); the same cells and more ("added"); only some of those cells ("filled"); or "any".

    `values`: the "same" in every cell; in every group the same values with the same counts ("dealt"), or only values
    that occurred there ("held"); "inside" the column's domain, a range or the known categories; "generalised", where
    numbers stay in the range but categories may get new labels; "ranges", where a number becomes the text of a range
    that holds it; or "any". Earlier words promise more. "numbered" stands apart: numbers from 1 on, one for each of the
    different values, say which rows belong together.

    With `lone_moves`, a record that alone has some number in its group is exempt, and so is its group. With `per`, the
    name of a column that is numbered, the value is the same in all rows of every number, and counts are those of
    numbers, not of rows.
    """

    missing: Missing = "same"
    values: Values = "same"
    within: Within = "segment"
    lone_moves: bool = False
    per: str = ""

    @property
    def by_group(self) -> bool:
        """Whether anything is promised for every group of records."""
        return self.missing in ("dealt", "drawn") or self.values in ("dealt", "held")

    @property
    def blanks(self) -> bool:
        """Whether values may be blanked by design."""
        return self.missing in ("added", "any")

    def then(self, other: Promise) -> Promise:
        """The promise that remains when one technique perturbs a column after another."""
        missing = {self.missing, other.missing} - {"same"}
        order: tuple[Values, ...] = get_args(Values)
        return Promise(
            "any" if len(missing) > 1 else next(iter(missing), "same"),
            max(self.values, other.values, key=order.index),
            "table" if "table" in (self.within, other.within) else "segment",
            self.lone_moves or other.lone_moves,
            other.per or self.per,
        )

    def to_json(self) -> dict[str, Any]:
        """The promise as it stands in the manifest."""
        said: dict[str, Any] = {"missing": self.missing, "values": self.values}
        said |= {"within": self.within} if self.by_group else {}
        said |= {"lone_moves": True} if self.lone_moves else {}
        return said | ({"per": self.per} if self.per else {})


COPIED = Promise()
INSIDE = Promise(values="inside")
ANY_NUMBER = Promise(values="any")
GENERALISED = Promise("filled", "generalised")
RANGES = Promise("filled", "ranges")
NUMBERED = Promise("filled", "numbered")


def inside_if(bounded: bool) -> Promise:
    """The promise of noise that is kept inside the domain, or is not."""
    return INSIDE if bounded else ANY_NUMBER


def dealt(within: Within) -> Promise:
    """The promise of a permutation that also moves missing values."""
    return Promise("dealt", "dealt", within)


def redrawn(values: Values, within: Within) -> Promise:
    """The promise of redrawn values, missing ones included."""
    return Promise("drawn", values, within)


def promise_from_json(said: Mapping[str, Any]) -> Promise:
    """A promise from a manifest; unknown words are refused."""
    found = Promise(
        said.get("missing", "same"),
        said.get("values", "same"),
        said.get("within", "segment"),
        bool(said.get("lone_moves", False)),
        str(said.get("per", "")),
    )
    for word, allowed in ((found.missing, Missing), (found.values, Values), (found.within, Within)):
        if word not in get_args(allowed):
            raise InputError(
                f"The manifest promises {word!r} for a column, which this version does not know; use a newer one."
            )
    return found


WITHIN_RANGE = (
    "Do not rely on single values. Which side of a rule's limit a value lies on is exact; averages drift towards the "
    "middle of each range."
)
EXACT_COUNTS = "Do not rely on single values. Counts within a segment, and so in the whole table, are exact."
EXACT_TOTALS = "Do not rely on single values. Counts in the whole table are exact."
AVERAGE_COUNTS = "Do not rely on single values. Counts are right on average."
ESTIMATED_COUNTS = (
    "Do not rely on single values. Counts can be estimated from the technique's probabilities, as "
    "docs/techniques.md explains."
)
NOTHING = "Rely neither on single values nor on their links to other columns."
EXACT_MOMENTS = (
    "Do not rely on single values. Averages, variances and correlations with the other numbers are exact up to "
    "rounding, except for records that are alone in their segment or in their pattern of missing values; the report "
    "says how many."
)
MOMENTS = (
    "Do not rely on single values. Averages and correlations with other numbers are right where the range is wide "
    "enough; skewed columns drift."
)
WEAKER_LINKS = (
    "Do not rely on single values. Averages drift inwards at the ends of the range; correlations with other numbers "
    "are weaker."
)
COARSE = "Coarse but true: a label names the values it stands for, and a number is the middle of its group."


def exact_or_blurred(blur: int) -> str:
    """How far to trust the distribution of a column whose numbers are handed out to other records."""
    if blur:
        return "The column's distribution is nearly exact: only numbers that few records share are blurred"
    return "The column's set of values is exact"
