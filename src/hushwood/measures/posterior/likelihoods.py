"""How likely each released record is a target's, by attribute: the forms of likelihood, as arrays.

`law_likelihoods` makes them from the noise laws of our own releases, `fitted_likelihoods` from the pairs of any other;
`posteriors` turns them into probabilities. Logarithms are to base two. The released records lie in *blocks* (the
segments of our own release, else one); a likelihood is log P(released value | target's value, block).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Floats32, Integers
from hushwood.errors import unknown_name
from hushwood.tables.table import missing_values

Source = Literal["laws", "fitted"]

# Stands for minus infinity, which the compiled loops must not see; sums of it stay finite.
IMPOSSIBLE = -1e30
# The place of a missing number: nearer to nothing but another one, and 1e15 squared is impossible too.
MISSING_AT = 1e15
NO_LIMIT = 1e300
NO_PERIOD = 4e15
EQUAL_OFFSET = 0  # where the table begins that is for values that must be equal


@dataclass(frozen=True, slots=True)
class Same:
    """Released exactly as it was: 1 if the codes are equal, else 0; missing is a code like any other."""

    released: Floats32
    code: Floats32


@dataclass(frozen=True, slots=True)
class Normal:
    """A normal kernel: minus the squared distance of places that are scaled for that.

    Of a target, `present` is added where the released value is there, and `gap` is all there is where it is missing;
    `weight` is 0 for a target without a value. `soft` says that values do appear or vanish.
    """

    released: Floats32
    at: Floats32
    gap: Floats32
    present: Floats32
    weight: Floats32
    soft: bool


class NoiseBox(NamedTuple):
    """How noise is read in one block; by default only the same value is possible, whatever it is.

    A target whose number is outside [low, high] is impossible in the block. Else its place is (number - origin) ·
    stretch, or its code where stretch is 0 and values must be equal. The node of the table at `offset` is the distance
    of places around a circle of that `period`, at most `last`; reflected noise also comes from `mirror` minus the
    place, and its table holds probabilities. `rest` is where another table begins that is read at the target's place.
    """

    low: float = -NO_LIMIT
    high: float = NO_LIMIT
    origin: float = 0.0
    stretch: float = 0.0
    period: float = NO_PERIOD
    offset: float = EQUAL_OFFSET
    last: float = 1.0
    constant: float = 0.0
    mirror: float = -1.0
    rest: float = -1.0
    rest_stretch: float = 0.0


# Boxes of many blocks, as records with these fields; the kernels know the fields by their order.
BOXES = np.dtype([(field, np.float64) for field in NoiseBox._fields])


@dataclass(frozen=True, slots=True)
class NoiseInBoxes:
    """Noise inside an interval per block, from tables over the distance."""

    released: Floats32
    number: Floats
    code: Floats32
    boxes: Array  # one of `BOXES` for every block
    table: Floats32


@dataclass(frozen=True, slots=True)
class Redraw:
    """Codes drawn from distributions, which begin in `table` at `row[class of block, kind of target]`.

    A row of -1 is impossible. The likelihood of the target's own code is `stay`, of another one the table's plus
    `shift`, both [class, kind] too.
    """

    released: Floats32
    code: Floats32
    kind: Integers
    class_of: Codes
    row: Integers
    stay: Floats32
    shift: Floats32
    table: Floats32


def pair_table(codes: Integers, kind: Integers, table: Floats32, blocks: int) -> Redraw:
    """A likelihood read from a table [kind of target, code], the same in all blocks."""
    kinds, width = table.shape
    return Redraw(
        released=codes.astype(np.float32),
        code=np.full(len(kind), -1, np.float32),
        kind=kind,
        class_of=np.zeros(blocks, np.int32),
        row=np.arange(kinds, dtype=np.int64)[None] * width,
        stay=np.full((1, kinds), IMPOSSIBLE, np.float32),
        shift=np.zeros((1, kinds), np.float32),
        table=table.reshape(-1),
    )


@dataclass(frozen=True, slots=True)
class Permuted:
    """Permuted inside segments: 1 if the block's segment holds the target's code, else 0.

    The values of a segment say nothing about which of its records is the target. `keys` are the sorted segment ·
    width + code of all values that are held.
    """

    code: Integers
    segment: Integers
    width: int
    keys: Integers


Likelihood = Same | Normal | NoiseInBoxes | Redraw | Permuted


@dataclass(frozen=True, slots=True)
class Grouped:
    """What attributes with dependent noise say together, to an intruder who knows them and the `given` ones."""

    names: tuple[str, ...]
    given: tuple[str, ...]
    likelihood: Likelihood


@dataclass(frozen=True, slots=True)
class Evidence:
    """The likelihoods of some attributes for some targets (rows of the original) and all released records.

    `groups` are what several attributes say together; where only some of a group are known, each counts for itself.
    `described` are the parameters of every attribute as plain data.
    """

    source: Source
    likelihoods: Mapping[str, Likelihood]
    targets: Integers
    block: Codes
    blocks: int
    described: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[Grouped, ...] = ()

    def knowing(self, known: Sequence[str]) -> Evidence:
        """The evidence of an intruder who knows these attributes only."""
        for name in known:
            if name not in self.likelihoods:
                raise unknown_name("known attribute", name, tuple(self.likelihoods))
        return replace(self, likelihoods={name: self.likelihoods[name] for name in known})

    def together(self) -> Evidence:
        """The same with one likelihood for every group that is known as a whole, under the name of its first."""
        found = dict(self.likelihoods)
        for group in self.groups:
            if self.likelihoods.keys() >= {*group.names, *group.given}:
                found[group.names[0]] = group.likelihood
                found = {name: one for name, one in found.items() if name not in group.names[1:]}
        return replace(self, likelihoods=found, groups=())


def codes_among(released: Array, wanted: Array) -> tuple[Integers, Integers, Array]:
    """Codes of a released column's values and of other values among them (-1: not there), and the values.

    Missing is a value, the last one if it is numeric.
    """
    values, codes = np.unique(released, return_inverse=True, equal_nan=True)
    at = np.minimum(np.searchsorted(values, wanted), max(len(values) - 1, 0))
    there = values[at] == wanted if len(values) else np.zeros(len(wanted), bool)
    if len(values) and values.dtype.kind == "f" and np.isnan(values[-1]):
        there |= np.isnan(wanted) & (at == len(values) - 1)
    return codes.astype(np.int64), np.where(there, at, -1), values


def same(released: Array, wanted: Array) -> Same:
    """The likelihood of a column that was copied."""
    codes, own, _ = codes_among(released, wanted)
    return Same(codes.astype(np.float32), own.astype(np.float32))


def placed(places: Array, column: Array, missing_at: float) -> Floats32:
    """Places in single precision, missing values far away."""
    return np.where(missing_values(column), missing_at, places).astype(np.float32)
