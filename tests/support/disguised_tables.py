"""Tables of answers of yes or no, and their disguise by plain numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hushwood.arrays import Integers
from hushwood.tables.table import Table
from support.mixed_tables import category, table_of, target


def answers_table(codes: Integers) -> Table:
    """Columns a, b, c, ... of no and yes, the last one the class; `codes` are [record, column]."""
    names = "abcdefghijklmnop"[: codes.shape[1]]
    kinds = [*(category(name, ("no", "yes")) for name in names[:-1]), target(names[-1], ("no", "yes"))]
    return table_of({kind.name: (kind, codes[:, i].tolist()) for i, kind in enumerate(kinds)})


def from_counts(counts: Mapping[tuple[int, ...], int]) -> Table:
    """A table that holds every record as often as given."""
    rows = np.array(list(counts))
    return answers_table(np.repeat(rows, list(counts.values()), axis=0))


def disguised(codes: Integers, truth: float, groups: Sequence[Sequence[int]], seed: int) -> Integers:
    """Every group of columns is answered truly with that probability, else all of it in the opposite way."""
    chance = np.random.default_rng(seed)
    answers = codes.copy()
    for group in groups:
        lies = chance.random(len(codes)) >= truth
        answers[:, list(group)] ^= lies[:, None]
    return answers


def people(size: int, seed: int) -> Integers:
    """Five columns and a class: yes if a, unless b; else if c and d; the rest has nothing to do with it."""
    chance = np.random.default_rng(seed)
    columns = (chance.random((size, 5)) < [0.5, 0.4, 0.75, 0.35, 0.5]).astype(np.int64)
    a, b, c, d = columns[:, :4].T.astype(bool)
    return np.column_stack([columns, np.where(a, ~b, c & d).astype(np.int64)])
