"""Likelihoods from the noise laws of our own release, for the stronger intruder who knows the forest (errata E1, E9).

A released record lies in the segment of the record it was made from, and the intruder reads that from the release. A
target whose value is outside a segment's sub-domain cannot be in it. `fitted_likelihoods` serves all other releases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.measures.protocol import Context
from hushwood.measures.risk.likelihoods import Evidence, Integers, Likelihood, Permuted, same
from hushwood.measures.risk.matrix_likelihoods import is_matrix, matrix_likelihood
from hushwood.measures.risk.noise_likelihoods import NoiseOver, noise_likelihood
from hushwood.measures.risk.redraw_likelihoods import redraw_likelihood
from hushwood.segments.partition import combine
from hushwood.tables.domains import to_steps
from hushwood.tables.table import Array, Table
from hushwood.techniques.fallbacks import GroupLaw
from hushwood.techniques.joint import JointLaw
from hushwood.techniques.noise import NoiseLaw
from hushwood.techniques.permutation import PermutationLaw
from hushwood.techniques.redraw import RedrawLaw, by_segment, coded
from hushwood.techniques.two_stage import TwoStageLaw


@dataclass(frozen=True, slots=True)
class LawOver:
    """The law of one attribute, the law's segment of every block, and the blocks in which it works."""

    law: object
    segment: Integers
    covered: NDArray[np.bool_]


def law_evidence(original: Table, released: Table, context: Context, targets: Integers) -> Evidence | None:
    """The evidence of all attributes but the class; None if the release is not ours or a law cannot be read."""
    made_from = _made_from(released.rows, context.partner)
    if not context.steps or made_from is None:
        return None
    ids, members = combine([step.segment_ids for step in context.steps])
    laws = _laws(context.steps, members)
    likelihoods: dict[str, Likelihood] = {}
    described: dict[str, Any] = {}
    block = ids[made_from]
    for attribute in original.schema.inputs:
        found = _likelihood(attribute.name, laws.get(attribute.name, ()), original, released, block, targets)
        if found is None:
            return None
        likelihoods[attribute.name], described[attribute.name] = found
    return Evidence("laws", likelihoods, targets, block, members.shape[1], described)


def _made_from(rows: int, partner: Integers | None) -> Integers | None:
    """The original row of every released row, if each was made from exactly one."""
    if partner is None or len(partner) != rows or not np.array_equal(np.sort(partner), np.arange(rows)):
        return None
    return np.argsort(partner)


def _laws(steps: Sequence[PreparedStep], members: Integers) -> Mapping[str, tuple[LawOver, ...]]:
    found: dict[str, tuple[LawOver, ...]] = {}
    for step, segment in zip(steps, members, strict=True):
        joint = step.perturber.law()
        if isinstance(joint, GroupLaw):
            named: dict[str, object] = dict.fromkeys(joint.attributes, joint)
        else:
            parts = joint.laws if isinstance(joint, JointLaw) else (joint,)
            named = {getattr(law, "attribute", ""): law for law in parts}
        for name in step.perturber.attributes:
            covers = step.perturber.covers(name)
            covered = np.ones(len(segment), bool) if covers is None else covers[segment]
            found[name] = (*found.get(name, ()), LawOver(named.get(name), segment, covered))
    return found


def _likelihood(
    name: str, laws: Sequence[LawOver], original: Table, released: Table, block: Array, targets: Integers
) -> tuple[Likelihood, dict[str, Any]] | None:
    """The likelihood of one attribute and what to say about it; None if its laws are of another kind."""
    wanted, given = original.columns[name][targets], released.columns[name]
    if not laws:
        return same(given, wanted), {"law": "copied"}
    noises = tuple(NoiseOver(o.law, o.segment, o.covered) for o in laws if isinstance(o.law, NoiseLaw))
    if len(noises) == len(laws):
        if np.sum([o.covered for o in noises], axis=0).max(initial=0) > 1:
            return None
        law = noises[0].law
        described = {"law": f"{law.boundary} {law.distribution} noise"}
        return noise_likelihood(original.schema[name], wanted, given, block, noises), described
    only = laws[0]
    if len(laws) > 1 or not only.covered.all():
        return None
    if isinstance(only.law, RedrawLaw | TwoStageLaw):
        records = {column: values[targets] for column, values in original.columns.items()}
        if isinstance(only.law, TwoStageLaw) or is_matrix(only.law):
            redraw = matrix_likelihood(only.law, records, given, only.segment)
        else:
            redraw = redraw_likelihood(only.law, records, given, only.segment)
        return None if redraw is None else (redraw, {"law": "redraw"})
    if isinstance(only.law, PermutationLaw) and only.law.group_of is by_segment and only.law.share == 1:
        held = only.law.distributions
        own = coded(wanted, held.width)
        return Permuted(own, only.segment, held.width, held.keys), {"law": "permutation within segments"}
    return None


def _drawn_together(
    law: GroupLaw, original: Table, name: str, wanted: Array, segment: Integers
) -> tuple[Likelihood, dict[str, Any]] | None:
    """Numbers that nothing but the segment ties to the old ones tell whether a person can be in it, and no more."""
    target = original.schema.class_attribute
    given = {*law.perturber.given.numeric, *law.perturber.given.categorical}
    if not law.independent or given - {target.name if target else ""}:
        return None
    perturber = law.perturber
    inside = perturber.group.intervals[perturber.attributes.index(name)]
    if perturber.cells.within == "table":
        segment = np.zeros(len(segment), np.int64)
    number = to_steps(np.asarray(wanted, float), inside.precision)
    # Between two neighbouring limits all numbers lie in the same intervals, so they share a code.
    limits = np.unique(np.concatenate([inside.low, np.nextafter(inside.high, np.inf)]))
    width = len(limits) + 2
    own = np.where(np.isnan(number), width - 1, np.searchsorted(limits, number, side="right"))
    first, last = np.searchsorted(limits, inside.low, "right"), np.searchsorted(limits, inside.high, "right")
    codes = np.arange(width - 1)
    possible = (codes >= first[:, None]) & (codes <= last[:, None])
    gaps = np.zeros(len(possible), bool)
    known = perturber.cells.known[:, perturber.attributes.index(name)]
    gaps[perturber.cells.segment[~known]] = True
    keys = np.flatnonzero(np.concatenate([possible, gaps[:, None]], axis=1))
    return Permuted(own, segment, width, keys), {"law": "drawn together, whatever the old number"}
