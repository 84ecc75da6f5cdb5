"""A list of candidates and a release: how much likelier every value, pair and kind of record is in the release.

Whoever is in the table pulls its counts a little towards the own values. The candidates are the expectation: most of
them are in the table, so what is left of the difference between released and expected counts is the few who are not.
The pull is strongest in small groups, and the published tree says who is in which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from hushwood.arrays import Array, Floats, Integers, one_thread, spurious_flags_ignored
from hushwood.attacks.protocol import Knowledge
from hushwood.attacks.search.levels import Counted, counted, in_leaves, marked, tree_to_use
from hushwood.attacks.search.members import class_certainty
from hushwood.distances.coding import Coded, code_pair
from hushwood.distances.neighbours import Nearest, nearest, over_targets, packed
from hushwood.random_streams import Streams
from hushwood.tables.pairs.common_coding import column_pairs, occurrences, pair_codes, value_codes
from hushwood.tables.table import Table

PURPOSE = "list membership"
MOST_COLUMNS = 60  # by keyed choice, and as many pairs of them
MOST_RELEASED = 20_000  # released records among whom the nearest are sought, by keyed choice
MOST_SMOOTHED = 5_000  # released records from which densities are taken
MOST_LEARNT = 10_000  # released records from which the class is learnt
MOST_COMPARED = 4_000  # candidates among whom the density of the list is taken
MOST_WHITENED = 20_000  # candidates from whom the whole table's covariances are taken
NEIGHBOURS = 25
_LEAST = 1e-9


@dataclass(frozen=True)
class Candidates:
    """The targets, with the rest of the list behind them, and a release; every score has a number for each target."""

    knowledge: Knowledge
    released: Table
    streams: Streams

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The columns that are counted."""
        names = tuple(self.knowledge.columns)
        return tuple(
            names[place] for place in self.streams.sample(PURPOSE, "columns", len(names), MOST_COLUMNS)
        )

    @cached_property
    def everyone(self) -> dict[str, Array]:
        """All candidates, the targets first."""
        rest = self.knowledge.reference
        return {
            name: np.concatenate((values, rest[name])) if name in rest else values
            for name, values in self.knowledge.columns.items()
        }

    @property
    def targets(self) -> int:
        """How many candidates are scored."""
        return self.knowledge.count

    @cached_property
    def listed(self) -> int:
        """How many candidates there are."""
        return len(next(iter(self.everyone.values())))

    @cached_property
    def columns(self) -> list[Counted]:
        """Every column, numbers in tenths of the candidates; a missing value is a value."""
        return [counted(self.everyone[name], self.released.columns[name]) for name in self.names]

    @cached_property
    def pairs(self) -> list[tuple[Integers, Integers]]:
        """Pairs of columns: the codes of the list and of the release."""
        codes = [[column.listed, column.released] for column in self.columns]
        chosen = column_pairs(len(codes), MOST_COLUMNS, self.streams, PURPOSE)
        found = (pair_codes(codes[one], codes[other]) for one, other in chosen)
        return [(own, theirs) for own, theirs in found]

    def values_seen(self) -> Floats:
        """The logarithms of the released counts of a target's values, added up."""
        return _sum_of(self._log_counts(one.listed, one.released) for one in self.columns)

    def pairs_seen(self) -> Floats:
        """The same of its pairs of values."""
        return _sum_of((self._log_counts(*pair) for pair in self.pairs), self.targets)

    def numbers_seen(self) -> Floats:
        """The same of its numbers, exactly as they are."""
        both = (
            value_codes([self.knowledge.columns[name], self.released.columns[name]])
            for name in self.names
            if self.knowledge.columns[name].dtype.kind == "f"
        )
        return _sum_of((self._log_counts(*codes) for codes in both), self.targets)

    def _log_counts(self, own: Integers, released: Integers) -> Floats:
        found: Floats = np.log(occurrences(own[: self.targets], released) + 0.5)
        return found

    def pair_trace(self) -> Floats:
        """How far the released shares of its pairs lie above the list's, in units of these, added up."""
        found = np.zeros(self.targets)
        for own, released in self.pairs:
            expected = occurrences(own[: self.targets], own) / self.listed
            share = occurrences(own[: self.targets], released) / self.released.rows
            found += (share - expected) / (expected + 1 / self.listed)
        return found

    @cached_property
    def cells(self) -> tuple[Integers, Integers, int]:
        """The place of every level among all levels of all columns, as [row, column], in the list and the release."""
        begin = np.cumsum([0, *(column.width for column in self.columns)])
        own, theirs = (
            np.column_stack(
                [column.levels[side] + first for column, first in zip(self.columns, begin, strict=False)]
            )
            for side in (0, 1)
        )
        return own, theirs, int(begin[-1])

    def value_trace(self) -> Floats:
        """The whitened difference of the released shares from the list's, at the target's own levels."""
        own, theirs, width = self.cells
        rows = marked(own[:MOST_WHITENED], width)
        mean = np.bincount(own.ravel(), minlength=width) / self.listed
        difference = np.bincount(theirs.ravel(), minlength=width) / self.released.rows - mean
        with one_thread("blas"), spurious_flags_ignored():
            covariance = rows.T @ rows / len(rows) - np.outer(mean, mean)
            ridge = 0.02 / width + 1e-3
            pull = np.linalg.solve(covariance + ridge * np.eye(width), difference)
        return np.asarray(pull[own[: self.targets]].sum(axis=1) - mean @ pull)

    @cached_property
    def leaf_scores(self) -> tuple[Floats, Floats]:
        """The whitened difference in the target's leaf, and the log likelihood ratio of its counts there."""
        from hushwood.trees.routing import leaves_reached

        forest = tree_to_use(self.knowledge, self.released)
        everyone = Table(self.released.schema, self.everyone, pl.DataFrame(height=self.listed), self.listed)
        leaves = (leaves_reached(forest, table) for table in (everyone, self.released))
        each = [in_leaves(own, theirs, self.cells, self.targets) for own, theirs in zip(*leaves, strict=True)]
        whitened, ratio = np.sum(each, axis=0)
        return whitened, ratio

    @cached_property
    def near(self) -> Nearest:
        """The released records nearest to every target."""
        own, theirs = self._coded(self._some_released(MOST_RELEASED))
        return nearest(own, theirs, NEIGHBOURS, threads=self.knowledge.threads)

    def nearness(self, k: int) -> Floats:
        """Minus the mean distance to the k nearest released records."""
        return np.asarray(-self.near.distance[:, :k].mean(axis=1, dtype=np.float64))

    def _some_released(self, most: int) -> dict[str, Array]:
        rows = self.streams.sample(PURPOSE, "released", self.released.rows, most)
        return {name: self.released.columns[name][rows] for name in self.names}

    def _coded(self, others: Mapping[str, Array]) -> tuple[Coded, Coded]:
        return code_pair(self.knowledge.columns, others, self.released.schema, self.names, scaling="rank")

    @cached_property
    def densities(self) -> tuple[Floats, Floats, Floats]:
        """The logarithms of the density of the release and of the list around every target, and Gen-LRA's ratio.

        Of a target, its own record does not count for the list.
        """
        some = {name: values[:MOST_COMPARED] for name, values in self.everyone.items()}
        released = self._some_released(MOST_SMOOTHED)
        records = len(next(iter(released.values())))
        both = {name: np.concatenate((released[name], some[name])) for name in self.names}
        targets, all_of_them = self._coded(both)
        theirs = all_of_them.take(np.arange(records))
        own = all_of_them.take(np.arange(records, all_of_them.rows))
        threads = self.knowledge.threads
        rates = 1 / (soft_sums(theirs, own, None, threads)[0] + _LEAST)
        around, gained = soft_sums(targets, theirs, rates, threads)
        fellows = soft_sums(targets, own, None, threads)[0]
        fellows[: own.rows] -= 1.0
        return (
            np.log(around / records + _LEAST),
            np.log(np.maximum(fellows, 0) / max(own.rows - 1, 1) + _LEAST),
            gained,
        )

    def class_certainty(self) -> Floats:
        """The log probability that a model learnt from the release gives to the target's own class."""
        rows = self.streams.sample(PURPOSE, "released", self.released.rows, MOST_LEARNT)
        some = self.released if len(rows) == self.released.rows else self.released.take(rows)
        return class_certainty(self.knowledge, some, self.streams)


def soft_sums(targets: Coded, records: Coded, rates: Floats | None, threads: int) -> tuple[Floats, Floats]:
    """For every target the sum of a kernel over all records, and that of log(1 + kernel x the record's rate)."""
    from hushwood.attacks.kernels.densities import kernel_sums

    total, gain = np.zeros(targets.rows), np.zeros(targets.rows)
    given = np.empty(0) if rates is None else rates
    if records.rows:
        pair = packed(targets, records)
        over_targets(
            targets.rows, threads, lambda first, last: kernel_sums(pair, first, last, given, total, gain)
        )
    return total, gain


def _sum_of(parts: object, count: int = 0) -> Floats:
    found: Floats = sum(parts, np.zeros(count) if count else 0.0)  # type: ignore[call-overload]
    return found
