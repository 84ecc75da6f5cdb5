"""The likelihood of a categorical attribute whose values were drawn anew from distributions of groups.

The group of a target follows from its own record and the segment it would be in; if only its value and the segment
matter, `matrix_likelihoods` is simpler. Where the law keeps records in
their segment, a value that the segment's rules exclude is impossible there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.risk.likelihoods import IMPOSSIBLE, Doubles, Floats, Integers, Redraw, codes_among
from hushwood.tables.table import Array
from hushwood.techniques.capt import Where
from hushwood.techniques.protocol import Columns
from hushwood.techniques.redraw import RedrawLaw, coded, whole_table


def redraw_likelihood(law: RedrawLaw, records: Columns, given: Array, segment: Integers) -> Redraw | None:
    """From the law, the targets' whole records, the released values and the law's segment of every block.

    None if the law groups records in a way that is not known here, or by columns that the records lack.
    """
    cluster = _clusters(law, records)
    if cluster is None:
        return None
    codes, own, values = codes_among(given, records[law.attribute])
    kinds, first, kind = np.unique(
        cluster * law.distributions.width + coded(records[law.attribute], law.distributions.width),
        return_index=True,
        return_inverse=True,
    )
    some = {name: column[first] for name, column in records.items()}
    classes, class_of = _classes(law, segment)
    targets = [_targets_in(law, some, one) for one in classes.tolist()]
    groups, place = np.unique(np.concatenate([t.group for t in targets]), return_inverse=True)
    row = np.where(np.concatenate([t.possible for t in targets]), place * len(values), -1)
    shape = len(classes), len(kinds)
    return Redraw(
        codes.astype(np.float32),
        own.astype(np.float32),
        kind,
        class_of,
        row.reshape(shape).astype(np.int64),
        _log2(np.concatenate([t.stay for t in targets])).reshape(shape),
        _log2(np.concatenate([t.change for t in targets])).reshape(shape),
        _log2(_shares(law, groups, values)),
    )


class _Targets(NamedTuple):
    """Targets as if they were in one segment: possible, their group, P(stay), and P(another value) over Q(it)."""

    possible: NDArray[np.bool_]
    group: Integers
    stay: Doubles
    change: Doubles


def _clusters(law: RedrawLaw, records: Columns) -> Integers | None:
    """What of its own record decides a target's group: its cluster of the attribute's values, or nothing."""
    if law.group_of is whole_table:
        return np.zeros(len(records[law.attribute]), np.int64)
    if not isinstance(law.group_of, Where):
        return None
    clusters = law.group_of.clusters
    if clusters is not None and any(name not in records for name in clusters.reads):
        return None
    return law.group_of.clusters_of(records)


def _classes(law: RedrawLaw, segment: Integers) -> tuple[Integers, NDArray[np.int32]]:
    """A segment for every class of blocks that the law does not tell apart, and the class of every block."""
    kind: Array = np.zeros(len(segment), np.int64)
    if isinstance(law.group_of, Where) and law.group_of.allowed is not None:
        kind = law.group_of.allowed.of_segment[segment]
    _, first, class_of = np.unique(kind, return_index=True, return_inverse=True)
    return segment[first], class_of.astype(np.int32)


def _targets_in(law: RedrawLaw, records: Columns, segment: int) -> _Targets:
    own = coded(records[law.attribute], law.distributions.width)
    group = law.group_of(records, np.full(len(own), segment))
    possible = group < len(law.change)  # beyond: a combination that no record of the table is in
    group = np.where(possible, group, 0)
    if isinstance(law.group_of, Where) and law.group_of.allowed is not None:
        allowed = law.group_of.allowed
        possible &= allowed.sets[allowed.of_segment[segment], own]
    change, share = law.changes(group, own), law.distributions.of(group, own)
    redraws = np.isnan(change)
    with np.errstate(divide="ignore", invalid="ignore"):
        other = np.where(share < 1, change / (1 - share), 0.0)
    stay = np.where(share < 1, 1 - change, 1.0)
    return _Targets(possible, group, np.where(redraws, share, stay), np.where(redraws, 1.0, other))


def _shares(law: RedrawLaw, groups: Integers, values: Array) -> Doubles:
    """The shares of all released values in all groups, group by group; of values the law never knew 0."""
    width = law.distributions.width
    known = values < width - 1
    held = coded(np.where(known, values, 0), width)
    shares = law.distributions.of(np.repeat(groups, len(values)), np.tile(held, len(groups)))
    return shares * np.tile(known, len(groups))


def _log2(chance: Doubles) -> Floats:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log2(chance), IMPOSSIBLE).astype(np.float32)
