"""Likelihoods from the noise laws of our own release, for an intruder who knows the forest (errata E1, E9).

A released record lies in the segment of the record it was made from, and the intruder reads that from the release. A
target whose value is outside a segment's sub-domain cannot be in it. A law of categories is asked about all pairs of
values that occur, or, if it depends on more than the value, about the targets' groups; laws of numbers are in
`noise_likelihoods` and `pair_likelihoods`. `fitted_likelihoods` serves all other releases, and ours where a law only
says how one record is drawn among others (EGADP, ROTATION, cells with too few records).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Floats32, Integers
from hushwood.measures.posterior.fitted_likelihoods import fitted_likelihood
from hushwood.measures.posterior.likelihoods import (
    IMPOSSIBLE,
    Evidence,
    Grouped,
    Likelihood,
    Permuted,
    Redraw,
    codes_among,
    same,
)
from hushwood.measures.posterior.noise_likelihoods import NoiseOver, noise_likelihood
from hushwood.measures.posterior.pair_likelihoods import (
    affordable_targets_of,
    box_likelihood,
    pair_likelihood,
)
from hushwood.measures.protocol import Context
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import combine
from hushwood.segments.segments import Allowed
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import (
    BoxForm,
    Form,
    MatrixForm,
    NoiseForm,
    PairForm,
    PermutationForm,
    RedrawForm,
)
from hushwood.techniques.laws.groupings import coded
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.laws.noise_in_parts import noise_in_parts
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.protocol import Columns

Found = tuple[Likelihood, dict[str, Any]]
# Most pairs of values, over all segments, that a law is asked about.
MOST_PAIRS = 1 << 22


@dataclass(frozen=True, slots=True)
class FormOver:
    """The form of one attribute's law, the law's segment of every block, and the blocks in which it works."""

    form: Form | None
    segment: Integers
    covered: Flags


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """Both tables, the original row and the block of every released one, and the rows of the targets."""

    original: Table
    released: Table
    made_from: Integers
    block: Codes
    blocks: int
    targets: Integers

    @property
    def records(self) -> Columns:
        """The targets' own records."""
        return {name: values[self.targets] for name, values in self.original.columns.items()}

    def pair_likelihood(self, form: PairForm, segment: Integers) -> Likelihood | None:
        """What a law of pairs says; None if there are too many."""
        there = segment[self.block]
        return pair_likelihood(form, self.original, self.released, there, self.blocks, self.targets)

    def fitted(self, name: str) -> Found:
        """A fitted kernel for one column, regardless of its law."""
        x, y = self.original.columns[name], self.released.columns[name]
        return fitted_likelihood(self.original.schema[name], x[self.made_from], y, x[self.targets], y)


def law_evidence(original: Table, released: Table, context: Context, targets: Integers) -> Evidence | None:
    """The evidence of all attributes but the class; None if the release is not ours or a law has no form."""
    made_from = _made_from(released.rows, context.partner)
    if not context.steps or made_from is None:
        return None
    ids, members = combine([step.segment_ids for step in context.steps])
    forms = _forms(context.steps, members, original.schema)
    release = ReleasePair(original, released, made_from, ids[made_from], members.shape[1], targets)
    likelihoods: dict[str, Likelihood] = {}
    described: dict[str, Any] = {}
    for attribute in original.schema.inputs:
        found = _likelihood(attribute.name, forms.get(attribute.name, ()), release)
        if found is None:
            return None
        likelihoods[attribute.name], described[attribute.name] = found
    groups = _groups(forms, release)
    if groups is None:
        return None
    return Evidence("laws", likelihoods, targets, release.block, release.blocks, described, groups)


def affordable_by_laws(original: Table, released: Table, context: Context, most: int) -> int:
    """How many targets can be sought if the laws are asked at most this many questions; all in most releases."""
    made_from = _made_from(released.rows, context.partner)
    found = original.rows
    if made_from is None:
        return found
    for step in context.steps:
        forms = step.perturber.law().forms(original.schema)
        for form in {id(form): form for form in forms.values()}.values():
            if isinstance(form, PairForm):
                segment = np.asarray(step.segment_ids, np.int64)[made_from]
                found = min(found, affordable_targets_of(form, original, released, segment, most))
    return found


def _made_from(rows: int, partner: Integers | None) -> Integers | None:
    """The original row of every released row, if each was made from exactly one."""
    if partner is None or len(partner) != rows or not np.array_equal(np.sort(partner), np.arange(rows)):
        return None
    return np.argsort(partner)


def _forms(
    steps: Sequence[PreparedStep], members: Integers, schema: Schema
) -> Mapping[str, tuple[FormOver, ...]]:
    """The forms of every attribute, one for each step that perturbs it."""
    found: dict[str, tuple[FormOver, ...]] = {}
    for step, segment in zip(steps, members, strict=True):
        forms = step.perturber.law().forms(schema)
        for name in step.perturber.attributes:
            covers = step.perturber.covers(name)
            covered = np.ones(len(segment), bool) if covers is None else covers[segment]
            found[name] = (*found.get(name, ()), FormOver(forms.get(name), segment, covered))
    return found


def _groups(forms: Mapping[str, Sequence[FormOver]], release: ReleasePair) -> tuple[Grouped, ...] | None:
    """What columns say together, from laws that look at several; None if there are too many pairs."""
    found = []
    for over in {id(each.form): each for here in forms.values() for each in here}.values():
        if not isinstance(over.form, PairForm) or over.form.of_one_column:
            continue
        likelihood = release.pair_likelihood(over.form, over.segment)
        if likelihood is None:
            return None
        found.append(Grouped(over.form.names, over.form.given, likelihood))
    return tuple(found)


def _likelihood(name: str, forms: Sequence[FormOver], release: ReleasePair) -> Found | None:
    """The likelihood of one attribute and its description; None if its laws have no form, or several forms."""
    wanted, given = release.original.columns[name][release.targets], release.released.columns[name]
    if not forms:
        return same(given, wanted), {"law": "copied"}
    # Noise is the only form that may come from several laws, each in segments of its own.
    noises = [NoiseOver(o.form.law, o.segment, o.covered) for o in forms if isinstance(o.form, NoiseForm)]
    if len(noises) == len(forms):
        if np.sum([o.covered for o in noises], axis=0).max(initial=0) > 1:
            return None
        law = noises[0].law
        described = {"law": f"{law.boundary} {law.distribution} noise"}
        return noise_likelihood(wanted, given, release.block, noises), described
    if any(isinstance(o.form, PairForm) and isinstance(o.form.law, NoiseLaw) for o in forms):
        return _by_value_noise(forms, release)
    only = forms[0]
    if len(forms) > 1 or not only.covered.all() or only.form is None:
        return None
    return _READERS[type(only.form)](only.form, name, only.segment, release)


def _by_value_noise(forms: Sequence[FormOver], release: ReleasePair) -> Found | None:
    """Noise in proportion to the value, perhaps by several laws, each in segments of its own."""
    laws = [o.form.law for o in forms if isinstance(o.form, NoiseForm | PairForm)]
    if len(laws) < len(forms):
        return None
    form = noise_in_parts(laws, [o.segment for o in forms], [o.covered for o in forms])
    likelihood = None if form is None else release.pair_likelihood(form, forms[0].segment)
    described = {"law": "noise in proportion to the value, asked about every pair"}
    return None if likelihood is None else (likelihood, described)


def _by_redraw(
    form: MatrixForm | RedrawForm, name: str, segment: Integers, release: ReleasePair
) -> Found | None:
    records, given = release.records, release.released.columns[name]
    if isinstance(form, MatrixForm):
        found = matrix_likelihood(form, records, given, segment)
    else:
        found = redraw_likelihood(form, records, given, segment)
    return None if found is None else (found, {"law": "redraw"})


def _by_permutation(form: PermutationForm, name: str, segment: Integers, release: ReleasePair) -> Found:
    own = coded(release.original.columns[name][release.targets], form.held.width)
    return Permuted(own, segment, form.held.width, form.held.keys), {"law": "permutation within segments"}


def _by_box(form: BoxForm, name: str, segment: Integers, release: ReleasePair) -> Found:
    wanted, given = release.original.columns[name][release.targets], release.released.columns[name]
    found = box_likelihood(form, name, wanted, given, segment)
    return found, {"law": "drawn together, whatever the old number"}


def _by_pairs(form: PairForm, name: str, segment: Integers, release: ReleasePair) -> Found | None:
    """A column asked about in pairs; each column of a group has a fitted kernel for when it alone is known."""
    if form.of_one_column:
        likelihood = release.pair_likelihood(form, segment)
        return None if likelihood is None else (likelihood, {"law": "asked about every pair"})
    fitted, described = release.fitted(name)
    others = [other for other in (*form.names, *form.given) if other != name]
    return fitted, {"law": "drawn together", "together_with": others, "alone": described}


_READERS: Mapping[type, Callable[[Any, str, Integers, ReleasePair], Found | None]] = {
    MatrixForm: _by_redraw,
    RedrawForm: _by_redraw,
    PermutationForm: _by_permutation,
    BoxForm: _by_box,
    PairForm: _by_pairs,
}


def matrix_likelihood(form: MatrixForm, records: Columns, given: Array, segment: Integers) -> Redraw | None:
    """From the targets' records, the released values and the law's segment of every block.

    None if there are too many pairs of values.
    """
    name, log_prob = form.attribute, form.law.log_prob
    codes, own, values = codes_among(given, records[name])
    held, kind = np.unique(records[name], return_inverse=True)
    classes, class_of = np.unique(segment if form.by_segment else np.zeros_like(segment), return_inverse=True)
    classes = classes.astype(np.int64)
    shape = len(classes), len(held), len(values)
    if np.prod(shape, dtype=np.float64) > MOST_PAIRS:
        return None
    at, x, y = (part.ravel() for part in np.meshgrid(classes, held, values, indexing="ij"))
    logs = log_prob({name: x}, {name: np.minimum(y, form.width - 2)}, at) / np.log(2)
    table = np.where(y < form.width - 1, np.maximum(logs, IMPOSSIBLE), IMPOSSIBLE)
    first = np.arange(shape[0] * shape[1]).reshape(shape[:2]) * shape[2]
    stay = log_prob({name: x[:: shape[2]]}, {name: x[:: shape[2]]}, at[:: shape[2]])
    return Redraw(
        codes.astype(np.float32),
        own.astype(np.float32),
        kind.astype(np.int64),
        class_of.astype(np.int32),
        np.where(_occurs(form.held, classes, held), first, -1).astype(np.int64),
        np.maximum(stay / np.log(2), IMPOSSIBLE).reshape(shape[:2]).astype(np.float32),
        np.zeros(shape[:2], np.float32),
        table.astype(np.float32),
    )


def _occurs(known: Distributions | None, classes: Integers, held: Array) -> Flags:
    """Whether a record with the value can be in the segment at all [segment, value]."""
    if known is None:
        return np.ones((len(classes), len(held)), bool)
    segment, code = (part.ravel() for part in np.meshgrid(classes, coded(held, known.width), indexing="ij"))
    return np.asarray(known.of(segment, code) > 0).reshape(len(classes), len(held))


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
