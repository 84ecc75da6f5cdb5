"""KIMWINKLER95: correlated noise, then the records that stand out exchange their numbers (Kim and Winkler 1995).

Two halves (thesis 3.2.1). First KIM's noise, which keeps means and covariances. Then a record that noise alone does not
hide has its numbers swapped with those of similar records, column by column. All are of one subpopulation, so what one
loses another gets, and the subpopulation's totals stay: that is the controlled distortion (errata B9). Their methods of
2003 are KIMWINKLER and LOGNOISE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.errors import unknown_name
from hushwood.parameters import Above, AtLeast
from hushwood.random_streams import Rows, Streams
from hushwood.segments.partition import combine
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.joint_normal import JointNormalLaw
from hushwood.techniques.laws.promises import Promise, inside_if
from hushwood.techniques.partitions.near_records import near_records, standardised
from hushwood.techniques.protocol import Columns, Law, Target, Technique
from hushwood.techniques.together.correlated_noise import Scale, added_noise, kims_factor
from hushwood.techniques.together.learnt_groups import LearntGroup

STAYS = -1


@dataclass(frozen=True, slots=True)
class MaskAndSwap(Technique):
    """Noise with `noise` (d) times the covariance, shrunk as by KIM, and exchanges in groups of `k` or more.

    A record is at risk if fewer than k records of its subpopulation, itself included, lie within `reach` standard
    deviations of the noise of it in every column. `controls` are the columns that make subpopulations; None stands for
    the class.
    """

    noise: Annotated[float, Above(0)] = 0.1
    k: Annotated[int, AtLeast(2)] = 5
    reach: Annotated[float, AtLeast(0)] = 2.0
    controls: tuple[str, ...] | None = None
    scale: Scale = "finite"
    bounded: bool = True
    acronym: ClassVar[str] = "KIMWINKLER95"
    perturbs: ClassVar[Target] = "numeric"
    jointly: ClassVar[bool] = True
    trust: ClassVar[str] = (
        "Do not rely on single values. Averages and correlations with other numbers are right where the range is wide "
        "enough; links of unusual records are weaker."
    )

    @property
    def promise(self) -> Promise:
        """Bounded numbers stay in the domain; missing ones are exchanged only for missing ones."""
        return inside_if(self.bounded)

    def says(self) -> str:
        named = "class" if self.controls is None else ", ".join(self.controls)
        like = f" of the same {named}" if named else ""
        where = "staying in the allowed range" if self.bounded else "possibly leaving the column's range"
        return (
            f"Noise with {self.noise:.0%} of the numbers' own variances and covariances is added and the sum drawn "
            f"back towards the mean, {where}; records that still stand out exchange their numbers, column by "
            f"column, with similar ones{like}."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Learn the moments, and find the records at risk and their groups."""
        learnt = LearntGroup.of(original, attributes, segments, "table")
        names = learnt.group.names
        if not names:
            return LawPerturber((), JointLaw(()))
        members = self._members(learnt, self._subpopulations(original))
        apart = (LearntGroup.of(original, [name], segments, "table") for name in names)
        law = ExchangedNumbers(
            self._masked(learnt, self.acronym),
            tuple(self._masked(one, f"{self.acronym} apart") for one in apart),
            members,
            {name: original.columns[name] for name in names},
        )
        return LawPerturber(names, JointLaw((law,)))

    def _masked(self, learnt: LearntGroup, purpose: str) -> JointNormalLaw:
        """KIM's noise on one or several columns."""
        factor = kims_factor(self.noise, self.scale, learnt)
        noise = added_noise(self.noise, learnt.numbers, learnt.cells.known, factor)
        return learnt.normal_law(noise, purpose, self.bounded)

    def _members(self, learnt: LearntGroup, subpopulation: Integers) -> Codes:
        """The group of every record that is exchanged: those of groups with a record at risk."""
        near = near_records(learnt.numbers, subpopulation, "segment", self.k)
        like = combine([subpopulation, learnt.cell])[0].astype(np.int64)
        risky = isolated(standardised(learnt.numbers), like, self.k, self.reach * self.noise**0.5)
        concerned = np.bincount(near, risky) > 0
        concerned &= np.bincount(near) > 1
        return np.where(concerned[near], near, STAYS).astype(np.int32)

    def _subpopulations(self, original: Table) -> Integers:
        """The records that agree on all controls."""
        controls = original.schema.in_role("class") if self.controls is None else self.controls
        for name in controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
        parts = [np.unique(original.columns[name], return_inverse=True)[1] for name in controls]
        return np.asarray(combine(parts)[0], np.int64) if parts else np.zeros(original.rows, np.int64)


def isolated(points: Floats, cell: Integers, k: int, reach: float) -> Flags:
    """Records with fewer than k of their cell, themselves included, within reach in every column.

    >>> isolated(np.array([[0.0], [1.0], [5.0], [1.0]]), np.array([0, 0, 0, 1]), 2, 1.0).tolist()
    [False, False, True, True]
    """
    from scipy.spatial import KDTree

    # Records of different cells are put farther apart than the reach.
    apart = np.column_stack([points, cell * (3.0 * reach + 1.0)])
    tree = KDTree(apart, balanced_tree=False, compact_nodes=False)
    distance, _ = tree.query(apart, k=[k], p=np.inf, distance_upper_bound=np.nextafter(reach, np.inf))
    return np.asarray(~np.isfinite(distance[:, 0]))


class TurnedGroups(NamedTuple):
    """The rows that are exchanged, by group, the place where each row's group begins, its size and the own place."""

    rows: Integers
    start: Integers
    size: Integers
    place: Integers

    @classmethod
    def of(cls, members: Codes) -> TurnedGroups:
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
    """Noise on the numbers of a record, which then go to other records of its group.

    In a group every column is turned by a random number of places of its own. So a record has, in each column, the
    number of one of the others, all equally likely and never its own. Columns of such records get their noise
    separately, which makes the law a product over them; all other records have correlated noise. `masked` is the law of
    records that stay, `apart` those of single columns for the others; `members` is the group of every record of the
    table, or STAYS, and `columns` are the table's own numbers.
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
        layout = TurnedGroups.of(self.members)
        at = np.empty(len(self.members), np.int64)
        at[layout.rows] = np.arange(len(layout.rows))
        others = layout.size[at[row]] - 1
        first = np.cumsum(others) - others
        which = np.repeat(np.arange(len(row)), others)
        turn = np.arange(len(which)) - np.repeat(first, others) + 1
        mine = TurnedGroups(layout.rows, *(part[at[row[which]]] for part in layout[1:]))
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
        layout = TurnedGroups.of(self.members)
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
