"""What the paper says of its figures 5 to 10, and whether our runs say the same.

The words are in `printed/tree_publishing.toml`, as printed; the figures themselves have no numbers to compare with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from hushwood.experiments.tree_publishing_adult import Results
from hushwood.experiments.tree_publishing_folds import MONDRIAN, ORIGINAL, TPP

Outcome = Literal["agrees", "differs", "cannot be compared"]
# "Slightly worse" is read as: at least this share of the other.
SLIGHTLY = 0.5
_SIZES_NAMED = (4, 5)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence of the paper, what our runs show instead of its figure, and how the two compare."""

    source: str
    says: str
    outcome: Outcome
    ours: str


@cache
def printed() -> Mapping[str, Any]:
    """The paper's words and sizes."""
    file = files("hushwood.experiments") / "printed" / "tree_publishing.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def verdicts(adult: Results, abalone: Results | None = None) -> list[Verdict]:
    """Every sentence beside our runs; those on the cancer table, which is not public, beside Abalone."""
    return [_verdict(claim, adult, abalone) for claim in printed()["claims"]]


def _verdict(claim: Mapping[str, str], adult: Results, abalone: Results | None) -> Verdict:
    results = adult if claim["table"] == adult.table else abalone
    if not claim["key"] or results is None:
        return Verdict(claim["source"], claim["says"], "cannot be compared", "-")
    holds, ours = _TESTS[claim["key"]](results)
    if results is not adult:
        on_ours = f"{'holds' if holds else 'does not hold'} on Abalone: {ours}"
        return Verdict(claim["source"], claim["says"], "cannot be compared", on_ours)
    return Verdict(claim["source"], claim["says"], "agrees" if holds else "differs", ours)


def _scores(results: Results, kind: str) -> list[float]:
    return [results.score(kind, leaves) for leaves in results.sizes]


def _same_score(results: Results) -> tuple[bool, str]:
    pairs = [
        (one.score, other.score)
        for leaves in results.sizes
        for one, other in zip(results.of(TPP, leaves), results.of(ORIGINAL, leaves), strict=True)
    ]
    equal = sum(one == other for one, other in pairs)
    return equal == len(pairs), f"equal in {equal} of {len(pairs)} pairs of trees"


def _better_score(results: Results) -> tuple[bool, str]:
    gaps = np.array(_scores(results, TPP)) - _scores(results, MONDRIAN)
    largest = f"{gaps.max():.2f}" if results.regression else f"{100 * gaps.max():.1f} points"
    named = {
        word: [str(n) for n, chosen in zip(results.sizes, which, strict=True) if chosen]
        for word, which in (("equal", gaps == 0), ("lower", gaps < 0))
    }
    others = "".join(f"; {word} at {', '.join(own)} leaves" for word, own in named.items() if own)
    ours = f"higher at {(gaps > 0).sum()} of {len(gaps)} sizes, by {largest} at most{others}"
    return bool((gaps >= 0).all() and (gaps > 0).any()), ours


def _same_tree(results: Results) -> tuple[bool, str]:
    same, runs = _preserved(results, TPP)
    return same == runs, f"the same tree in {same} of {runs}"


def _baseline_changes(results: Results) -> tuple[bool, str]:
    same, runs = _preserved(results, MONDRIAN)
    return same == 0, f"the same tree in {same} of {runs}"


def _preserved(results: Results, kind: str) -> tuple[int, int]:
    same = [run.same for leaves in results.sizes for run in results.of(kind, leaves)]
    return sum(same), len(same)


def _k_falls(results: Results) -> tuple[bool, str]:
    found = [results.whole[TPP, leaves] for leaves in results.sizes]
    falls = all(after <= before for before, after in pairwise(found))
    return falls, f"{', '.join(f'{k:,}' for k in found)}"


def _k_below(results: Results) -> tuple[bool, str]:
    pairs = [
        (leaves, results.whole[TPP, leaves], results.whole[MONDRIAN, leaves])
        for leaves in _SIZES_NAMED
        if leaves in results.sizes
    ]
    slightly = all(SLIGHTLY * other <= own <= other for _, own, other in pairs)
    return slightly, "; ".join(
        f"{own:,} against {other:,} at {leaves} leaves" for leaves, own, other in pairs
    )


_TESTS: Mapping[str, Callable[[Results], tuple[bool, str]]] = {
    "same_score": _same_score,
    "better_score": _better_score,
    "same_tree": _same_tree,
    "baseline_changes": _baseline_changes,
    "k_falls": _k_falls,
    "k_below": _k_below,
}
