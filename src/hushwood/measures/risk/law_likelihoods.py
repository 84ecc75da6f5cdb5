"""Likelihoods from the noise laws of our own release, for the stronger intruder who knows the forest (errata E1, E9).

A released record lies in the segment of the record it was made from, and the intruder reads that from the release. A
target whose value is outside a segment's sub-domain cannot be in it. `fitted_likelihoods` serves all other releases,
and ours where a law only says how one record is drawn among the others (EGADP, ROTATION, cells with too few records).
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
from hushwood.tables.table import Array, Table
from hushwood.techniques.group_law import GroupLaw
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
    release = _Release(original, released, made_from, ids[made_from], members.shape[1], targets)
    likelihoods: dict[str, Likelihood] = {}
    described: dict[str, Any] = {}
    groups: dict[int, Grouped] = {}
    for attribute in original.schema.inputs:
        if attribute.name in likelihoods:
            continue
        here = laws.get(attribute.name, ())
        pairs = _asked_in_pairs(here, original.schema)
        if pairs is None:
            found = _likelihood(attribute.name, here, original, released, release.block, targets)
            if found is None:
                return None
            likelihoods[attribute.name], described[attribute.name] = found
            continue
        together = release.of_pairs(pairs, here[0].segment)
        if together is None:
            return None
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
