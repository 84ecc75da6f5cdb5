"""Uncertainty by what an intruder knows: chosen attributes, a single one, or a random set of each size.

Subsets are drawn by key: every target has its own order of the attributes, and the first k of it are a random subset
of size k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError
from hushwood.measures.posterior.bits import Limit, spread
from hushwood.measures.posterior.class_shares import ClassFrom, binary_entropy, class_shares
from hushwood.measures.posterior.evidence import evidence_for
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.posterior.posteriors import Posteriors, posteriors, posteriors_by_known
from hushwood.measures.protocol import Context
from hushwood.random_streams import Streams
from hushwood.tables.table import Table


def entropies_for(
    original: Table,
    released: Table,
    context: Context,
    known: Sequence[str],
    targets: Integers,
    *,
    classes: Sequence[str] | None = None,
    class_from: ClassFrom = "records",
) -> tuple[Floats, Floats]:
    """H_RI and H_c(L) of some rows of the original, in bits, for an intruder who knows these attributes.

    L are the named classes; without them the first of all. Rows must be paired.
    """
    evidence = evidence_for(original, released, context, np.asarray(targets, np.int64))
    if evidence is None:
        raise InputError("No rows of the two tables are paired; entropies of single records need that.")
    shares = class_shares(released, context, class_from)
    chosen = [shares.classes.index(name) for name in classes or shares.classes[:1]]
    found = posteriors(evidence.knowing(known), shares.labels, context.threads)
    return found.bits, binary_entropy((found.mass @ shares.shares)[:, chosen].sum(axis=1))


def keyed_orders(names: Sequence[str], rows: Integers, streams: Streams, purpose: str) -> Integers:
    """For every row its own random order of the attributes, independent of their places in the table."""
    if not names:
        return np.zeros((len(rows), 0), np.int64)
    words = [streams.words(purpose, name, 0, rows) for name in names]
    return np.argsort(np.stack(words, axis=1), axis=1, kind="stable")


def by_known(
    evidence: Evidence,
    labels: Integers,
    context: Context,
    purpose: str,
    bits_of: Callable[[Posteriors], Floats],
    nothing: float,
    limit: Limit,
    chosen: Sequence[str] = (),
) -> dict[str, Any]:
    """Summaries of bits for those who know one attribute, 0, 1, 2, ... random ones, or the `chosen` ones.

    `bits_of` reads them from posteriors, `nothing` is their value without any knowledge. Attributes with dependent
    noise are combined only where all or the chosen ones are known.
    """
    names = list(evidence.likelihoods)
    order = keyed_orders(names, evidence.targets, context.streams, purpose)
    found = posteriors_by_known(evidence, labels, order, context.threads)
    alone, together = (bits_of(each) for each in found)
    if evidence.groups:
        together[:, -1] = bits_of(posteriors(evidence, labels, context.threads))
    none = np.full(len(order), nothing)
    together_known = None
    if chosen:
        bits = bits_of(posteriors(evidence.knowing(chosen), labels, context.threads))
        together_known = {"attributes": list(chosen), **spread(bits, limit)}
    return {
        "chosen": together_known,
        "known_targets": len(order),
        "by_attribute": [
            {"attribute": name, **spread(bits, limit)} for name, bits in zip(names, alone.T, strict=True)
        ],
        "by_size": [{"known": size, **spread(bits, limit)} for size, bits in enumerate((none, *together.T))],
    }
