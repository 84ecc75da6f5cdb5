"""Noise on the numbers of a record, which then go to other records of its group: the law behind KIMWINKLER95.

In a group every column is turned by a random number of places of its own. So a record has, in each column, the number
of one of the others, all equally likely and never its own. Columns of such records get their noise separately, which
makes the law a product over them; all other records have correlated noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.segments.partition import combine
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.protocol import Columns, Law

STAYS = -1


class Layout(NamedTuple):
    """The rows that are exchanged, by group, the place where each row's group begins, its size and the own place."""

    rows: Integers
    start: Integers
    size: Integers
    place: Integers

    @classmethod
    def of(cls, members: Codes) -> Layout:
        """Sort the rows by group."""
        moving = np.flatnonzero(members != STAYS)
        rows = moving[np.argsort(members[moving], kind="stable")]
        _, group, size = np.unique(members[rows], return_inverse=True, return_counts=True)
        start = (np.cumsum(size) - size)[group]
        return cls(rows, start, size[group], np.arange(len(rows)) - start)

    def turned(self, turn: Integers) -> Integers:
        """The rows whose numbers go to the rows, if every group is turned by as many places."""
        return self.rows[self.start + (self.place + turn) % np.maximum(self.size, 1)]


@dataclass(frozen=True, slots=True)
class ExchangedNumbers(Law):
    """The group of every record of the table, or STAYS; `columns` are the table's own numbers.

    `masked` is the law of records that stay, `apart` those of single columns for the others.
    """

    masked: JointNormalLaw
    apart: tuple[JointNormalLaw, ...]
    members: Codes
    columns: Columns
    dependent: ClassVar[bool] = True

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.masked.attributes

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Marginal law of one record, any of those with its numbers."""
        asked, row, weight = self._rows_like(original)
        stays = (row < 0) | (self.members[row] == STAYS)
        log_chance = np.log(weight)
        for part, law in ((stays, self._staying), (~stays, self._moving)):
            here = np.flatnonzero(part)
            if len(here):
                wanted = asked[here]
                new = {name: np.asarray(released[name])[wanted] for name in self.attributes}
                old = {name: np.asarray(values)[wanted] for name, values in original.items()}
                log_chance[here] += law(old, new, segment_ids[wanted], row[here])
        return _log_sums(log_chance, np.flatnonzero(np.diff(asked, prepend=-1)))

    def _staying(self, old: Columns, new: Columns, segment_ids: Array, row: Integers) -> Floats:
        return self.masked.log_prob(old, new, segment_ids)

    def _moving(self, old: Columns, new: Columns, segment_ids: Array, row: Integers) -> Floats:
        """The product over the columns of the mean over the other records of the row's group."""
        layout = Layout.of(self.members)
        at = np.empty(len(self.members), np.int64)
        at[layout.rows] = np.arange(len(layout.rows))
        others = layout.size[at[row]] - 1
        first = np.cumsum(others) - others
        which = np.repeat(np.arange(len(row)), others)
        turn = np.arange(len(which)) - np.repeat(first, others) + 1
        mine = Layout(layout.rows, *(part[at[row[which]]] for part in layout[1:]))
        source = mine.turned(turn)
        total = np.zeros(len(row))
        for law in self.apart:
            (name,) = law.attributes
            given = {name: self.columns[name][source]}
            each = law.log_prob(given, {name: new[name][which]}, segment_ids[which])
            total += _log_sums(each, first) - np.log(others)
        return total

    def _rows_like(self, original: Columns) -> tuple[Integers, Integers, Floats]:
        """For every record asked about, a row of each group that has the same numbers, and the share of such rows.

        The row is -1 if the table has no such record.
        """
        rows = len(self.members)
        parts = [np.concatenate([self.columns[n], np.asarray(original[n], float)]) for n in self.attributes]
        codes = combine([np.unique(part, return_inverse=True)[1] for part in parts])[0].astype(np.int64)
        own, wanted = codes[:rows], codes[rows:]
        groups = int(self.members.max(initial=0)) + 2
        _, pair = dense_codes(own * groups + self.members + 1)
        _, first, count = np.unique(pair, return_index=True, return_counts=True)
        code = own[first]
        begin, end = np.searchsorted(code, wanted), np.searchsorted(code, wanted, side="right")
        known = end > begin
        found = np.where(known, end - begin, 1)
        asked = np.repeat(np.arange(len(wanted)), found)
        at = np.arange(len(asked)) - np.repeat(np.cumsum(found) - found, found) + begin[asked]
        at = np.minimum(at, max(len(code) - 1, 0))
        share = count / np.bincount(own, minlength=1)[code]
        return asked, np.where(known[asked], first[at], -1), np.where(known[asked], share[at], 1.0)

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Noise first; then the columns of every group are turned, by a keyed number of its first record."""
        layout = Layout.of(self.members)
        out = {n: np.array(v) for n, v in self.masked.sample(original, segment_ids, row_ids, streams).items()}
        if len(layout.rows) == 0:
            return out
        first = layout.rows[layout.start]
        for law in self.apart:
            (name,) = law.attributes
            u = streams.uniform(f"{self.masked.purpose} turn", name, 0, row_ids)
            turn = 1 + np.floor(u[first] * (layout.size - 1)).astype(np.int64)
            drawn = law.sample(original, segment_ids, row_ids, streams)[name]
            out[name][layout.rows] = drawn[layout.turned(turn)]
        return out

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        """Asked about in pairs."""
        form = PairForm(self, self.attributes, group=self.masked.group, within="table")
        return dict.fromkeys(self.attributes, form)

    def described(self) -> dict[str, Any]:
        return self.masked.described() | {
            "form": "joint normal, or exchanged column by column in groups",
            "apart": [law.described() for law in self.apart],
            "exchanged": int((self.members != STAYS).sum()),
        }


def _log_sums(logs: Floats, first: Integers) -> Floats:
    """Logs of the sums of chances, of pieces that begin at these places."""
    if len(logs) == 0:
        return np.zeros(0)
    with np.errstate(invalid="ignore"):  # of chances that are both 0
        return np.asarray(np.logaddexp.reduceat(logs, first))
