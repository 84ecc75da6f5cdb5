"""Slow, obvious votes of a forest (algorithms 2.4), in exact fractions: no rounding decides a tie.

A leaf is the list of its class weights; a vote sees the leaf that one record reaches in every tree. On ties
the first class wins, also inside a leaf (`majority` would ask the parent, but only leaves are known here).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

Leaf = Sequence[Fraction]


def exact(weights: Sequence[float]) -> list[Fraction]:
    return [Fraction(w) for w in weights]


def first_largest(scores: Sequence[Fraction]) -> int:
    return max(range(len(scores)), key=lambda c: (scores[c], -c))


def confidence(leaf: Leaf) -> Fraction:
    """Share of the largest class."""
    return max(leaf) / sum(leaf)


def maximum_entropy(leaf: Leaf, s: Fraction = Fraction(1)) -> list[Fraction]:
    """The imprecise Dirichlet model's distribution of maximum entropy: pour s onto the smallest counts."""
    ascending = sorted(leaf)
    for filled in range(1, len(leaf) + 1):
        level = (sum(ascending[:filled]) + s) / Fraction(filled)
        if filled == len(leaf) or level <= ascending[filled]:
            return [max(count, level) / (sum(leaf) + s) for count in leaf]
    raise ValueError("a leaf has at least one class")


def package(leaves: Sequence[Leaf]) -> int:
    """One vote a tree; a tie goes to the tied class whose leaves are together the surest."""
    votes = majority_votes(leaves)
    tied = [c for c, number in enumerate(votes) if number == max(votes)]
    sure = confidence_votes(leaves)
    return max(tied, key=lambda c: (sure[c], -c))


def majority_votes(leaves: Sequence[Leaf]) -> list[Fraction]:
    return [Fraction(sum(first_largest(leaf) == c for leaf in leaves)) for c in range(len(leaves[0]))]


def confidence_votes(leaves: Sequence[Leaf]) -> list[Fraction]:
    return [
        sum((confidence(leaf) for leaf in leaves if first_largest(leaf) == c), Fraction(0))
        for c in range(len(leaves[0]))
    ]


def voting_1(leaves: Sequence[Leaf]) -> int:
    """The class of the surest leaf; on ties of the larger leaf, then of the earlier tree."""
    best = max(range(len(leaves)), key=lambda t: (confidence(leaves[t]), sum(leaves[t]), -t))
    return first_largest(leaves[best])


def voting_2(leaves: Sequence[Leaf]) -> int:
    """Votes weighted by confidence."""
    return first_largest(confidence_votes(leaves))


def credal(leaves: Sequence[Leaf]) -> int:
    """The leaves' maximum-entropy distributions, added up."""
    spread = [maximum_entropy(leaf) for leaf in leaves]
    return first_largest([sum(column, Fraction(0)) for column in zip(*spread, strict=True)])


def credal_majority(leaves: Sequence[Leaf]) -> int:
    """One vote a tree."""
    return first_largest(majority_votes(leaves))


def credal_dominance(leaves: Sequence[Leaf], s: Fraction = Fraction(1)) -> int:
    """Every tree's vote, split equally over the classes that no other class dominates in its leaf."""
    scores = [Fraction(0)] * len(leaves[0])
    for leaf in leaves:
        undominated = [c for c, count in enumerate(leaf) if count + s >= max(leaf)]
        for c in undominated:
            scores[c] += Fraction(1, len(undominated))
    return first_largest(scores)


METHODS: dict[str, Callable[[Sequence[Leaf]], int]] = {
    "package": package,
    "voting1": voting_1,
    "voting2": voting_2,
    "credal": credal,
    "credal-majority": credal_majority,
    "credal-dominance": credal_dominance,
}
