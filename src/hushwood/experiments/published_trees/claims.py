"""What the paper says of its figures 5 and 7, asked of our runs on Adult.

The sentences are in `printed/tree-publishing-adult.toml`, under the keys used here. Those on its table of cancer
patients cannot be asked: Abalone, which stands in for it, is in the numbers and charts.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from hushwood.experiments.protocol import Finding
from hushwood.experiments.published_trees.folds import MONDRIAN, ORIGINAL, TPP
from hushwood.experiments.published_trees.results import Results

# "Slightly worse" is read as: at least this share of the other.
SLIGHTLY = 0.5
_SIZES_NAMED = (4, 5)


def findings_on(results: Results) -> dict[str, Finding]:
    """Every sentence that the runs can hold or refute."""
    same, trees = results.preserved(TPP)
    kept, baseline = results.preserved(MONDRIAN)
    return {
        "TPP has the original's accuracy": _same_score(results),
        "TPP is more accurate than InfoGain": _better_score(results),
        "TPP preserves the tree": Finding(same == trees, f"the same tree in {same} of {trees}"),
        "InfoGain preserves no tree": Finding(kept == 0, f"the same tree in {kept} of {baseline}"),
        "K falls with the size of the tree": _k_falls(results),
        "K of TPP is slightly below InfoGain's": _k_below(results),
    }


def _same_score(results: Results) -> Finding:
    pairs = [
        (one.score, other.score)
        for leaves in results.sizes
        for one, other in zip(results.of(TPP, leaves), results.of(ORIGINAL, leaves), strict=True)
    ]
    equal = sum(one == other for one, other in pairs)
    return Finding(equal == len(pairs), f"equal in {equal} of {len(pairs)} pairs of trees")


def _better_score(results: Results) -> Finding:
    """Means of the folds, so that one fold may be otherwise by chance; equal at some sizes still holds."""
    gaps = np.array([results.score(TPP, n) - results.score(MONDRIAN, n) for n in results.sizes])
    named = {
        word: [str(n) for n, chosen in zip(results.sizes, which, strict=True) if chosen]
        for word, which in (("equal", gaps == 0), ("lower", gaps < 0))
    }
    others = "".join(f"; {word} at {', '.join(own)} leaves" for word, own in named.items() if own)
    most = f"{100 * gaps.max():.1f} points"
    ours = f"higher at {(gaps > 0).sum()} of {len(gaps)} sizes, by {most} at most{others}"
    return Finding(bool((gaps >= 0).all() and (gaps > 0).any()), ours)


def _k_falls(results: Results) -> Finding:
    found = [results.whole[TPP, leaves] for leaves in results.sizes]
    falls = found[-1] < found[0] and all(after <= before for before, after in pairwise(found))
    sizes = f"{results.sizes[0]} to {results.sizes[-1]} leaves"
    return Finding(falls, f"{', '.join(f'{k:,}' for k in found)} for {sizes}")


def _k_below(results: Results) -> Finding:
    pairs = [(n, results.whole[TPP, n], results.whole[MONDRIAN, n]) for n in _SIZES_NAMED]
    slightly = all(SLIGHTLY * other <= own < other for _, own, other in pairs)
    told = "; ".join(f"{own:,} against {other:,} at {leaves} leaves" for leaves, own, other in pairs)
    return Finding(slightly, f"{told} (slightly lower: at least {100 * SLIGHTLY:.0f} % of it)")
