"""All columns of a release handed out within groups, one after the other; the class comes last.

Nothing of a person but the group is used for the person's slot: every value comes from a proposal, which depends on
what the slot already has, and from the group's own values, which are handed out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.random_streams import group_order, keyed_order
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.sequential.coded_columns import CodedColumn
from hushwood.techniques.sequential.hand_outs import (
    ROUNDS,
    Slots,
    categories_by_proposal,
    numbers_by_rank,
    permuted,
)
from hushwood.techniques.sequential.proposal_trees import (
    Linked,
    ProposalTree,
    grow_proposal_tree,
    predictors_of,
)

# Draw numbers of a column: two orders and one number per round, for values and for gaps.
_VALUES, _GAPS = 0, 2 + ROUNDS


@dataclass(frozen=True, slots=True)
class Proposals:
    """The trees of one column; `gaps` proposes where its numbers are missing. The first column has no tree.

    The column is that of the records to learn from.
    """

    column: CodedColumn
    tree: ProposalTree | None = None
    gaps: ProposalTree | None = None

    def without_records(self) -> Proposals:
        """The same, small: trees know all that is needed of the records."""
        return replace(self, column=self.column.without_records())


def grown_proposals(
    ordered: Sequence[CodedColumn],
    rows: Array,
    min_leaf: int,
    threads: int,
    given: Sequence[CodedColumn] = (),
) -> list[Proposals]:
    """Trees for all columns: each knows at most twenty of those before it, so all grow at once.

    `given` columns come before all and are not handed out.
    """

    def grow(place: int) -> Proposals:
        column, known = ordered[place], [*given, *ordered[:place]]
        if not known:
            return Proposals(column)
        before = predictors_of(column, known, rows, min_leaf)
        if not column.numeric:
            return Proposals(column, grow_proposal_tree(column, before, rows, min_leaf))
        there = column.codes[rows] > 0
        tree = grow_proposal_tree(column, before, rows[there], min_leaf) if there.any() else None
        if not (column.codes == 0).any():
            return Proposals(column, tree)
        return Proposals(column, tree, grow_proposal_tree(gap_flags(column), before, rows, min_leaf))

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        return list(pool.map(grow, range(len(ordered))))


def gap_flags(column: CodedColumn) -> CodedColumn:
    """Whether a number is missing, as a category of two levels."""
    return CodedColumn(column.name, (column.codes == 0).astype(np.int32), 2)


def hand_out(
    proposals: Sequence[Proposals],
    own: Mapping[str, CodedColumn],
    slots: Slots,
    given: Mapping[str, CodedColumn] | None = None,
) -> tuple[dict[str, CodedColumn], dict[str, CodedColumn]]:
    """The released columns, in the order of the proposals, and the same in the coding that trees learnt.

    `own` are the columns whose values are handed out; the slots have those that are `given` already.
    """
    released: dict[str, CodedColumn] = {}
    seen = dict(given or {})
    for one in proposals:
        name = one.column.name
        released[name] = own[name].with_codes(_handed_out(one, own[name], slots, seen))
        seen[name] = released[name].as_coded_by(one.column)
    return released, seen


def hand_out_linked(
    link: Linked, own: Mapping[str, CodedColumn], released: Mapping[str, CodedColumn], slots: Slots
) -> CodedColumn:
    """A column that follows from another: its values go to slots that got the value they went with.

    Where a longer table has exceptions that a sample lacks, the exceptions of a group are handed out at random.
    """
    first, column = own[link.first], own[link.name]
    held = keyed_pairs(slots, first.codes, first.levels)
    wanted = keyed_pairs(slots, released[link.first].codes, first.levels)
    words = slots.streams.words(slots.purpose, link.name, _VALUES, slots.rows)
    codes = np.empty(slots.count, np.int32)
    codes[keyed_order(words, wanted)] = column.codes[group_order(held)]
    return column.with_codes(codes)


def keyed_pairs(slots: Slots, codes: Codes, levels: int) -> Integers:
    """One number for the group and the code of every slot."""
    return dense_codes(slots.groups * levels + codes)[1]


def _handed_out(one: Proposals, own: CodedColumn, slots: Slots, seen: Mapping[str, CodedColumn]) -> Codes:
    name = own.name
    if one.tree is None and one.gaps is None:
        return permuted(slots, name, _VALUES, own.codes)
    if not own.numeric:
        return _categories(one.tree, own, slots, seen, _VALUES)
    there = None
    if (own.codes == 0).any():
        there = _categories(one.gaps, gap_flags(own), slots, seen, _GAPS) == 0
    leaves = one.tree.leaves(seen, slots.count, slots.threads) if one.tree else np.zeros(slots.count, int)
    u = slots.uniform(name, _VALUES + 2)
    proposed = one.tree.draw(leaves, u) if one.tree else leaves
    return numbers_by_rank(slots, name, _VALUES, own.codes, proposed, there)


def _categories(
    tree: ProposalTree | None,
    column: CodedColumn,
    slots: Slots,
    released: Mapping[str, CodedColumn],
    draw: int,
) -> Codes:
    if tree is None:
        return permuted(slots, column.name, draw, column.codes)
    leaves = tree.leaves(released, slots.count, slots.threads)
    return categories_by_proposal(
        slots,
        column.name,
        draw,
        column.codes,
        column.levels,
        lambda number: tree.draw(leaves, slots.uniform(column.name, draw + 2 + number)),
    )
