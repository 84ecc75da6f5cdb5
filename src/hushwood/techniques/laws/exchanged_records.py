"""Noise on the numbers of a record, which then go to another record of its group: the law behind KIMWINKLER95.

A group is turned by a random number of places, so each of its records has the numbers of one of the others, all equally
likely, and never its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.protocol import Columns, Law

STAYS = -1


@dataclass(frozen=True, slots=True)
class ExchangedRecords(Law):
    """The law `masked` of the numbers, and the group of every record of the table; STAYS where it keeps its numbers.

    `columns` are the table's own numbers.
    """

    masked: JointNormalLaw
    members: Codes
    columns: Columns
    dependent: ClassVar[bool] = True

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.masked.attributes

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record, any of those with its numbers: the mean over the records they may come from."""
        asked, source, weight = self._sources(original)
        own = source < 0
        old = {
            name: np.where(own, np.asarray(original[name])[asked], self.columns[name][source])
            for name in self.attributes
        }
        new = {name: np.asarray(released[name])[asked] for name in self.attributes}
        log_chance = self.masked.log_prob({**original_of(original, asked), **old}, new, segment_ids[asked])
        first = np.flatnonzero(np.diff(asked, prepend=-1))
        with np.errstate(invalid="ignore"):  # of chances that are both 0
            return np.asarray(np.logaddexp.reduceat(log_chance + np.log(weight), first))

    def _sources(self, original: Columns) -> tuple[Integers, Integers, Floats]:
        """For every record asked about, the records whose numbers it may have got, and how likely each is.

        -1 is the record itself, if the table has none like it. Records with the same numbers count as one.
        """
        rows = len(self.members)
        codes = self._coded(original)
        own, wanted = codes[:rows], codes[rows:]
        row, source, weight = self._pairs()
        pair, place = np.unique(own[row] * (int(codes.max(initial=0)) + 1) + own[source], return_inverse=True)
        total = np.bincount(place, weight) / np.bincount(own)[own[row[_first_of(place)]]]
        code, first = own[row[_first_of(place)]], source[_first_of(place)]
        begin, end = np.searchsorted(code, wanted), np.searchsorted(code, wanted, side="right")
        known = end > begin
        count = np.where(known, end - begin, 1)
        asked = np.repeat(np.arange(len(wanted)), count)
        at = np.arange(len(asked)) - np.repeat(np.cumsum(count) - count, count) + begin[asked]
        at = np.minimum(at, max(len(pair) - 1, 0))
        return asked, np.where(known[asked], first[at], -1), np.where(known[asked], total[at], 1.0)

    def _coded(self, original: Columns) -> Integers:
        """Numbers for the distinct records, of the table and of those asked about."""
        parts = [
            np.unique(
                np.concatenate([self.columns[name], np.asarray(original[name], float)]), return_inverse=True
            )
            for name in self.attributes
        ]
        return np.asarray(combine([code for _, code in parts])[0], np.int64)

    def _pairs(self) -> tuple[Integers, Integers, Floats]:
        """Every record of the table with each one whose numbers it may get, and the chance."""
        order, start, size = self._layout()
        stays = np.flatnonzero(self.members == STAYS)
        others = np.repeat(size - 1, size)
        row = np.repeat(order, others)
        turn = np.arange(len(row)) - np.repeat(np.cumsum(others) - others, others) + 1
        place = np.repeat(np.arange(len(order)) - np.repeat(start, size), others)
        begin, many = (np.repeat(np.repeat(one, size), others) for one in (start, size))
        source = order[begin + (place + turn) % many]
        return (
            np.concatenate([stays, row]),
            np.concatenate([stays, source]),
            np.concatenate([np.ones(len(stays)), 1.0 / (many - 1)]),
        )

    def _layout(self) -> tuple[Integers, Integers, Integers]:
        """The records that move, by group; where each group begins, and its size."""
        moving = np.flatnonzero(self.members != STAYS)
        order = moving[np.argsort(self.members[moving], kind="stable")]
        size = np.unique(self.members[moving], return_counts=True)[1]
        return order, np.cumsum(size) - size, size

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Noise first; then every group is turned, by a keyed number of its first record."""
        drawn = self.masked.sample(original, segment_ids, row_ids, streams)
        order, start, size = self._layout()
        if len(order) == 0:
            return drawn
        u = streams.uniform(f"{self.masked.purpose} exchange", "", 0, row_ids)
        turn = 1 + np.floor(u[order[start]] * (size - 1)).astype(np.int64)
        place = np.arange(len(order)) - np.repeat(start, size)
        source = order[np.repeat(start, size) + (place + np.repeat(turn, size)) % np.repeat(size, size)]
        out = {name: np.asarray(values).copy() for name, values in drawn.items()}
        for name, values in drawn.items():
            out[name][order] = values[source]
        return out

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs."""
        form = PairForm(self, self.attributes, group=self.masked.group, within="table")
        return dict.fromkeys(self.attributes, form) if self.attributes else {}

    def described(self) -> dict[str, Any]:
        moved = int((self.members != STAYS).sum())
        return self.masked.described() | {
            "form": "joint normal, then exchanged in groups",
            "exchanged": moved,
        }


def original_of(original: Columns, rows: Integers) -> dict[str, Array]:
    """Some of the records."""
    return {name: np.asarray(values)[rows] for name, values in original.items()}


def _first_of(codes: Integers) -> Integers:
    """The first place of every code."""
    return np.unique(codes, return_index=True)[1]
