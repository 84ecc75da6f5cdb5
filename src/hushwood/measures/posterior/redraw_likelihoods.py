"""The likelihood of a categorical attribute whose values were redrawn from distributions of groups.

The group of a target follows from its own record and the segment it would be in; if only its value and the segment
matter, `matrix_likelihoods` is simpler. Where the law keeps records in their segment, a value that the segment's rules
exclude is impossible there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Floats32, Integers
from hushwood.measures.posterior.likelihoods import IMPOSSIBLE, Redraw, codes_among
from hushwood.segments.segments import Allowed
from hushwood.techniques.laws.forms import RedrawForm
from hushwood.techniques.laws.groupings import coded
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.protocol import Columns


def redraw_likelihood(form: RedrawForm, records: Columns, given: Array, segment: Integers) -> Redraw | None:
    """From the targets' whole records, the released values and the law's segment of every block.

    None if the law groups records by columns that the records lack.
    """
    law, clusters = form.law, form.groups.clusters
    if clusters is not None and any(name not in records for name in clusters.reads):
        return None
    cluster, width = form.groups.clusters_of(records), law.distributions.width
    codes, own, values = codes_among(given, records[law.attribute])
    kinds, first, kind = np.unique(
        cluster * width + coded(records[law.attribute], width), return_index=True, return_inverse=True
    )
    some = {name: column[first] for name, column in records.items()}
    classes, class_of = _classes(form.groups.allowed, segment)
    targets = [_targets_in(form, some, one) for one in classes.tolist()]
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

    possible: Flags
    group: Integers
    stay: Floats
    change: Floats


def _classes(allowed: Allowed | None, segment: Integers) -> tuple[Integers, Codes]:
    """One segment for every set of allowed values, and the set of every block."""
    kind = np.zeros(len(segment), np.int64) if allowed is None else allowed.of_segment[segment]
    _, first, class_of = np.unique(kind, return_index=True, return_inverse=True)
    return segment[first], class_of.astype(np.int32)


def _targets_in(form: RedrawForm, records: Columns, segment: int) -> _Targets:
    law, allowed = form.law, form.groups.allowed
    own = coded(records[law.attribute], law.distributions.width)
    group = form.groups(records, np.full(len(own), segment))
    possible = law.knows(group)
    group = np.where(possible, group, 0)
    if allowed is not None:
        possible &= allowed.sets[allowed.of_segment[segment], own]
    change, share = law.changes(group, own), law.distributions.of(group, own)
    redraws = np.isnan(change)
    with np.errstate(divide="ignore", invalid="ignore"):
        other = np.where(share < 1, change / (1 - share), 0.0)
    stay = np.where(share < 1, 1 - change, 1.0)
    return _Targets(possible, group, np.where(redraws, share, stay), np.where(redraws, 1.0, other))


def _shares(law: RedrawLaw, groups: Integers, values: Array) -> Floats:
    """The shares of all released values in all groups, group by group; of values the law never knew 0."""
    width = law.distributions.width
    known = values < width - 1
    held = coded(np.where(known, values, 0), width)
    shares = law.distributions.of(np.repeat(groups, len(values)), np.tile(held, len(groups)))
    return shares * np.tile(known, len(groups))


def _log2(chance: Floats) -> Floats32:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log2(chance), IMPOSSIBLE).astype(np.float32)
