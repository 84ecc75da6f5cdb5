"""Likelihoods from the noise laws of our own release, for the stronger intruder who knows the forest (errata E1, E9).

A released record lies in the segment of the record it was made from, and the intruder reads that from the release. A
target whose value is outside a segment's sub-domain cannot be in it. `fitted_likelihoods` serves all other releases,
and ours where a law only says how one record is drawn among others (EGADP, ROTATION, cells with too few records).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.engines.protocol import PreparedStep
from hushwood.measures.protocol import Context
from hushwood.measures.risk.box_likelihoods import box_likelihood, whatever_it_was
from hushwood.measures.risk.fitted_likelihoods import fitted_likelihood
from hushwood.measures.risk.likelihoods import Evidence, Grouped, Integers, Likelihood, Permuted, same
from hushwood.measures.risk.matrix_likelihoods import is_matrix, matrix_likelihood
from hushwood.measures.risk.noise_likelihoods import NoiseOver, noise_likelihood
from hushwood.measures.risk.pair_likelihoods import PairLaw, affordable_targets_of, pair_law, pair_likelihood
from hushwood.measures.risk.redraw_likelihoods import redraw_likelihood
from hushwood.segments.partition import combine
from hushwood.tables.table import Table
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


@dataclass(frozen=True, slots=True)
class Release:
    """Both tables, the original row and the block of every released one, and the rows that are looked for."""

    original: Table
    released: Table
    made_from: Integers
    block: NDArray[np.int32]
    blocks: int
    targets: Integers

    def pair_likelihood(self, pairs: PairLaw, segment: Integers) -> Likelihood | None:
        """What a law of pairs says; None if there are too many."""
        there = segment[self.block]
        return pair_likelihood(pairs, self.original, self.released, there, self.blocks, self.targets)

    def fitted(self, name: str) -> tuple[Likelihood, dict[str, Any]]:
        """A kernel for one column, whatever its law."""
        x, y = self.original.columns[name], self.released.columns[name]
        return fitted_likelihood(self.original.schema[name], x[self.made_from], y, x[self.targets], y)


def law_evidence(original: Table, released: Table, context: Context, targets: Integers) -> Evidence | None:
    """The evidence of all attributes but the class; None if the release is not ours or a law cannot be read."""
    made_from = _made_from(released.rows, context.partner)
    if not context.steps or made_from is None:
        return None
    ids, members = combine([step.segment_ids for step in context.steps])
    laws = _laws(context.steps, members)
    release = Release(original, released, made_from, ids[made_from], members.shape[1], targets)
    likelihoods: dict[str, Likelihood] = {}
    described: dict[str, Any] = {}
    for attribute in original.schema.inputs:
        found = _likelihood(attribute.name, laws.get(attribute.name, ()), release)
        if found is None:
            return None
        likelihoods[attribute.name], described[attribute.name] = found
    groups = _groups(laws, release)
    if groups is None:
        return None
    return Evidence("laws", likelihoods, targets, release.block, release.blocks, described, groups)


def affordable_by_laws(original: Table, released: Table, context: Context, most: int) -> int:
    """How many targets can be looked for if the laws are asked at most so many questions; all of most releases."""
    made_from = _made_from(released.rows, context.partner)
    found = original.rows
    if made_from is None:
        return found
    for step in context.steps:
        for law in _parts(step):
            pairs = _in_pairs(law, original)
            if pairs is not None:
                segment = np.asarray(step.segment_ids, np.int64)[made_from]
                found = min(found, affordable_targets_of(pairs, original, released, segment, most))
    return found


def _made_from(rows: int, partner: Integers | None) -> Integers | None:
    """The original row of every released row, if each was made from exactly one."""
    if partner is None or len(partner) != rows or not np.array_equal(np.sort(partner), np.arange(rows)):
        return None
    return np.argsort(partner)


def _parts(step: PreparedStep) -> tuple[Any, ...]:
    law = step.perturber.law()
    return law.laws if isinstance(law, JointLaw) else (law,)


def _laws(steps: Sequence[PreparedStep], members: Integers) -> Mapping[str, tuple[LawOver, ...]]:
    found: dict[str, tuple[LawOver, ...]] = {}
    for step, segment in zip(steps, members, strict=True):
        named: dict[str, object] = {}
        for law in _parts(step):
            names = law.attributes if hasattr(law, "attributes") else (law.attribute,)
            named |= dict.fromkeys(names, law)
        for name in step.perturber.attributes:
            covers = step.perturber.covers(name)
            covered = np.ones(len(segment), bool) if covers is None else covers[segment]
            found[name] = (*found.get(name, ()), LawOver(named.get(name), segment, covered))
    return found


def _in_pairs(law: object, original: Table) -> PairLaw | None:
    """The law as one of pairs, if it must be asked about them."""
    return None if whatever_it_was(law, original.schema) else pair_law(law, original.schema)


def _groups(laws: Mapping[str, Sequence[LawOver]], release: Release) -> tuple[Grouped, ...] | None:
    """What columns say together, of laws that look at several; None if there are too many pairs."""
    found = []
    for over in {id(each.law): each for here in laws.values() for each in here}.values():
        pairs = _in_pairs(over.law, release.original)
        if pairs is None or _alone(pairs):
            continue
        likelihood = release.pair_likelihood(pairs, over.segment)
        if likelihood is None:
            return None
        found.append(Grouped(pairs.names, pairs.given, likelihood))
    return tuple(found)


def _alone(pairs: PairLaw) -> bool:
    return len(pairs.names) == 1 and not pairs.given


def _likelihood(
    name: str, laws: Sequence[LawOver], release: Release
) -> tuple[Likelihood, dict[str, Any]] | None:
    """The likelihood of one attribute and what to say about it; None if its laws are of another kind."""
    wanted, given = release.original.columns[name][release.targets], release.released.columns[name]
    if not laws:
        return same(given, wanted), {"law": "copied"}
    noises = tuple(NoiseOver(o.law, o.segment, o.covered) for o in laws if isinstance(o.law, NoiseLaw))
    if len(noises) == len(laws):
        if np.sum([o.covered for o in noises], axis=0).max(initial=0) > 1:
            return None
        law = noises[0].law
        described = {"law": f"{law.boundary} {law.distribution} noise"}
        return noise_likelihood(wanted, given, release.block, noises), described
    only = laws[0]
    if len(laws) > 1 or not only.covered.all():
        return None
    if isinstance(only.law, RedrawLaw | TwoStageLaw):
        return _redrawn(name, only.law, only.segment, release)
    if isinstance(only.law, PermutationLaw) and only.law.group_of is by_segment and only.law.share == 1:
        held = only.law.distributions
        own = coded(wanted, held.width)
        return Permuted(own, only.segment, held.width, held.keys), {"law": "permutation within segments"}
    return _of_numbers(name, only, release)


def _redrawn(
    name: str, law: RedrawLaw | TwoStageLaw, segment: Integers, release: Release
) -> tuple[Likelihood, dict[str, Any]] | None:
    records = {column: values[release.targets] for column, values in release.original.columns.items()}
    given = release.released.columns[name]
    if isinstance(law, TwoStageLaw) or is_matrix(law):
        found = matrix_likelihood(law, records, given, segment)
    else:
        found = redraw_likelihood(law, records, given, segment)
    return None if found is None else (found, {"law": "redraw"})


def _of_numbers(name: str, only: LawOver, release: Release) -> tuple[Likelihood, dict[str, Any]] | None:
    """Numbers that are drawn together, or asked about in pairs; of a group every column also has a fitted kernel."""
    original, law = release.original, only.law
    if isinstance(law, GroupLaw) and whatever_it_was(law, original.schema):
        wanted, given = original.columns[name][release.targets], release.released.columns[name]
        found = box_likelihood(law, name, wanted, given, only.segment)
        return found, {"law": "drawn together, whatever the old number"}
    pairs = pair_law(law, original.schema)
    if pairs is None:
        return None
    if _alone(pairs):
        likelihood = release.pair_likelihood(pairs, only.segment)
        return None if likelihood is None else (likelihood, {"law": "asked about every pair"})
    fitted, described = release.fitted(name)
    others = {"together_with": [other for other in (*pairs.names, *pairs.given) if other != name]}
    return fitted, {"law": "drawn together", **others, "alone": described}
