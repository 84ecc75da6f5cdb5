"""One prediction from several trees' leaves (docs/trees.md).

All methods read the class weights of the leaves a record reaches, as [tree, record, class].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.errors import unknown_name

TIE = 1e-10  # scores that differ by less are equal: rounding must not decide


def vote(counts: Floats, method: str) -> Integers:
    """The class predicted for every record; ties go to the lowest class."""
    if method not in VOTINGS:
        raise unknown_name("voting", method, VOTINGS)
    return winners(scores(counts, method))


def winners(found: Floats, favourite: int | None = None) -> Integers:
    """The class with the highest score or share of every record, given as [record, class]; ties as in `vote`.

    With a `favourite`, ties go to that class where it is among them.

    >>> winners(np.array([[0.4, 0.4, 0.2]])).tolist(), winners(np.array([[0.4, 0.4, 0.2]]), 1).tolist()
    ([0], [1])
    """
    highest = found >= found.max(axis=1, keepdims=True) - TIE
    first = np.argmax(highest, axis=1)
    return np.asarray(first if favourite is None else np.where(highest[:, favourite], favourite, first))


def scores(counts: Floats, method: str) -> Floats:
    """The score of every class, as [record, class]."""
    return VOTINGS[method](np.asarray(counts, np.float64))


def maximum_entropy(counts: Floats, s: float = 1.0) -> Floats:
    """The maximum entropy distribution of the imprecise Dirichlet model: mass `s` goes to the smallest counts.

    >>> maximum_entropy(np.array([[3.0, 1.0, 0.0]])).tolist()
    [[0.6, 0.2, 0.2]]
    """
    ordered = np.sort(counts, axis=-1)
    width = counts.shape[-1]
    number = np.arange(1, width + 1)
    # Water level if the k smallest counts were filled up; the right k is the last whose level reaches its counts.
    level = (np.cumsum(ordered, axis=-1) + s) / number
    k = np.sum(level > ordered, axis=-1, keepdims=True)
    filled = np.maximum(counts, np.take_along_axis(level, np.maximum(k, 1) - 1, axis=-1))
    return np.asarray(filled / (counts.sum(axis=-1, keepdims=True) + s))


def class_shares(counts: Floats) -> Floats:
    """The share of every class at each leaf; all 0 where there are no records."""
    weight = counts.sum(axis=-1, keepdims=True)
    return np.asarray(np.divide(counts, weight, out=np.zeros_like(counts), where=weight > 0))


def _one_hot(winner: Integers, width: int) -> Floats:
    return np.eye(width)[winner]


def _package(counts: Floats) -> Floats:
    """A vote per tree; a tie is decided by the summed probabilities of the leaves that voted for the class."""
    shares = class_shares(counts)
    votes = _one_hot(np.argmax(counts, axis=-1), counts.shape[-1])
    confidence = (votes * shares).sum(axis=0)
    return np.asarray(votes.sum(axis=0) + confidence / (len(counts) + 1.0))


def _voting1(counts: Floats) -> Floats:
    """The class of the most confident leaf, of the larger one on ties."""
    confidence = class_shares(counts).max(axis=-1)
    size = counts.sum(axis=-1)
    surest = confidence >= confidence.max(axis=0) - TIE
    best = np.argmax(np.where(surest, size, -1.0), axis=0)
    chosen = np.take_along_axis(counts, best[None, :, None], axis=0)[0]
    return _one_hot(np.argmax(chosen, axis=-1), counts.shape[-1])


def _voting2(counts: Floats) -> Floats:
    """Votes weighted by the leaf's confidence."""
    votes = _one_hot(np.argmax(counts, axis=-1), counts.shape[-1])
    return np.asarray((votes * class_shares(counts)).sum(axis=0))


def _credal(counts: Floats) -> Floats:
    """The sum of the leaves' maximum entropy distributions."""
    return np.asarray(maximum_entropy(counts).sum(axis=0))


def _credal_majority(counts: Floats) -> Floats:
    return np.asarray(_one_hot(np.argmax(counts, axis=-1), counts.shape[-1]).sum(axis=0))


def _credal_dominance(counts: Floats, s: float = 1.0) -> Floats:
    """A tree's vote split equally over the classes that no other class dominates in its leaf."""
    open_classes = (counts + s >= counts.max(axis=-1, keepdims=True)).astype(np.float64)
    return np.asarray((open_classes / open_classes.sum(axis=-1, keepdims=True)).sum(axis=0))


VOTINGS: Mapping[str, Callable[[Floats], Floats]] = {
    "package": _package,
    "voting1": _voting1,
    "voting2": _voting2,
    "credal": _credal,
    "credal-majority": _credal_majority,
    "credal-dominance": _credal_dominance,
}
