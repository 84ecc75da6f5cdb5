"""In which attributes targets and released records agree: pattern counts of targets, and the best rows for them.

What the agreements are worth is learnt in `fellegi_sunter`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.attacks.guesses import Floats, Rows
from hushwood.attacks.protocol import Knowledge
from hushwood.distances.coding import MISSING, Coded, code_pair
from hushwood.distances.tasks import over_targets
from hushwood.tables.table import Table

MOST_ATTRIBUTES = 16  # patterns are counted in a table with a place for each: two to this power


@dataclass(frozen=True, slots=True)
class Compared:
    """Targets and released records in one coding, and how near numbers must be to agree."""

    targets: Coded
    released: Coded
    tolerances: NDArray[np.float32]

    @property
    def attributes(self) -> int:
        """How many attributes are compared: the bits of a pattern."""
        return self.targets.attributes


@dataclass(frozen=True, slots=True)
class PatternCounts:
    """The patterns that each target makes with released records, and how many records make them.

    Target t's stand from `begin[t]` up to the next target's.
    """

    patterns: Rows
    records: Rows
    begin: Rows


def compare(knowledge: Knowledge, released: Table, near: float) -> Compared:
    """The known attributes, coded; of very many, those that agree least often by chance.

    Numbers agree if they differ by at most `near` standard deviations of the released column.
    """
    names = tuple(knowledge.columns)
    if len(names) > MOST_ATTRIBUTES:
        often = [_by_chance(knowledge, released, name, near) for name in names]
        names = tuple(names[i] for i in sorted(np.argsort(often, kind="stable")[:MOST_ATTRIBUTES]))
    targets, records = code_pair(knowledge.columns, released.columns, released.schema, names)
    return Compared(targets, records, _tolerances(records, near))


def pattern_counts(compared: Compared, targets: int, threads: int) -> PatternCounts:
    """How many released records agree with each of the first targets in exactly the attributes of a pattern."""
    from hushwood.attacks.agreement_kernels import count_patterns

    numbers, codes = _by_target(compared.targets)
    released = compared.released

    def count(target: int) -> tuple[Rows, Rows]:
        counts = np.zeros(1 << compared.attributes, np.int64)
        count_patterns(
            numbers[target], codes[target], compared.tolerances, released.numbers, released.codes, counts
        )
        seen = np.flatnonzero(counts)
        return seen, counts[seen]

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        found = list(pool.map(count, range(min(targets, compared.targets.rows))))
    begin = np.cumsum([0, *(len(patterns) for patterns, _ in found[:-1])])
    patterns, records = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return PatternCounts(patterns, records, begin)


def cheapest_rows(
    compared: Compared, cost: NDArray[np.float32], words: NDArray[np.uint64], k: int, threads: int
) -> tuple[Rows, NDArray[np.float32]]:
    """The k released rows with the cheapest patterns for every target, and what they cost; ties by the key."""
    from hushwood.attacks.agreement_kernels import likeliest_rows

    numbers, codes = _by_target(compared.targets)
    released = compared.released
    shape = compared.targets.rows, min(k, released.rows)
    best, ties = np.full(shape, np.inf, np.float32), np.full(shape, np.iinfo(np.uint64).max)
    rows = np.full(shape, -1, np.int64)

    def search(begin: int, end: int) -> None:
        part = slice(begin, end)
        likeliest_rows(
            numbers[part],
            codes[part],
            compared.tolerances,
            released.numbers,
            released.codes,
            cost,
            words,
            begin,
            best[part],
            ties[part],
            rows[part],
        )

    over_targets(shape[0], threads, search)
    return rows, best


def _tolerances(records: Coded, near: float) -> NDArray[np.float32]:
    known = np.ma.masked_equal(records.numbers, MISSING)
    spread: Floats = np.ma.filled(known.std(axis=1, dtype=np.float64), 0.0)
    return (near * spread).astype(np.float32)


def _by_chance(knowledge: Knowledge, released: Table, name: str, near: float) -> float:
    """How often a target and the released row in the same place agree: places are keyed, so that is chance."""
    one, other = code_pair(
        {name: knowledge.columns[name]}, {name: released.columns[name]}, released.schema, (name,)
    )
    places = np.arange(max(one.rows, other.rows))
    mine, theirs = places % one.rows, places % other.rows
    if len(one.codes):
        return float((one.codes[0, mine] == other.codes[0, theirs]).mean())
    gaps = np.abs(one.numbers[0, mine] - other.numbers[0, theirs])
    return float((gaps <= _tolerances(other, near)[0]).mean())


def _by_target(targets: Coded) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    return np.ascontiguousarray(targets.numbers.T), np.ascontiguousarray(targets.codes.T)
