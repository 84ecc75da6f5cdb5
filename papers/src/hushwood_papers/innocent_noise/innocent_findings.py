"""The repeats of `noise_2003` put together: the numbers of the first paper, its sentences, and a chart.

Keys are those of `printed/noise-2003.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood.reports.wording import things
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.charts import Pair, dots

NAME = "noise-2003"
COMPARED = "wrap"
OTHERS = ("reflect", "truncate")
VERY_SIMILAR, SIMILAR, NEW = 0.6, 0.15, 0.05
DEEP = 2  # tests above a node
MOST = 0.5

Tree = Mapping[str, Any]


def same_root(original: Tree, tree: Tree) -> bool:
    """Whether both trees test the same attribute first."""
    return bool(tree["root"] == original["root"])


def similar(tree: Tree, least: float = SIMILAR) -> bool:
    """Whether at least this share of the records is under rules of the original tree, and few under new ones."""
    shares = tree["shares"]
    return bool(shares.get("A", 0) + shares.get("B", 0) >= least and shares.get("D", 0) < NEW)


def very_similar(original: Tree, tree: Tree) -> bool:
    """The reading that was fixed before the runs (errata A10)."""
    return same_root(original, tree) and similar(tree, VERY_SIMILAR)


def findings_of(outcomes: Mapping[str, Outcome]) -> Measured:
    """Numbers and sentences."""
    repeats = list(outcomes.values())
    numbers = _of_boundary(repeats, COMPARED)
    for boundary in OTHERS:
        found = _of_boundary(repeats, boundary)
        numbers |= {f"{boundary}: {key}": values for key, values in found.items()}
    numbers |= {
        "leaves of the original tree": [repeat["original"]["leaves"] for repeat in repeats],
        "total innocent attributes": [len(repeat["total innocent"]) for repeat in repeats],
    }
    return Measured(numbers, claims_of(repeats), {len(repeats): 1})


def _total(repeat: Outcome, boundary: str = COMPARED) -> list[Tree]:
    """The twenty trees under noise on total innocent attributes."""
    return [*repeat[boundary]["TIA in mixed leaves"], *repeat[boundary]["TIA"]]


def _of_boundary(repeats: Sequence[Outcome], boundary: str) -> dict[str, Sequence[float]]:
    """One value per repeat."""
    kinds = {
        "TIA": [(repeat["original"], _total(repeat, boundary)) for repeat in repeats],
        "LIA": [(repeat["original"], repeat[boundary]["LIA"]) for repeat in repeats],
    }
    found: dict[str, Sequence[float]] = {}
    for kind, runs in kinds.items():
        of = f"{kind}, trees of {20 if kind == 'TIA' else 10}"
        found[f"{of} with the root of the original"] = [
            sum(same_root(original, tree) for tree in trees) for original, trees in runs
        ]
        found[f"{of} very similar to the original"] = [
            sum(very_similar(original, tree) for tree in trees) for original, trees in runs
        ]
        found[f"{of} that are exactly the original"] = [
            sum(tree["shares"].get("A", 0) >= 1 for tree in trees) for _, trees in runs
        ]
        found[f"{kind}, rules of the original found again in %, mean of its trees"] = [
            100 * fmean(tree["found again"] for tree in trees) for _, trees in runs
        ]
    every = [[t["noise"] for t in (*_total(r, boundary), *r[boundary]["LIA"])] for r in repeats]
    found["noise in % of the value"] = [
        100 * fmean(n**2 for n in noises if n is not None) ** 0.5 for noises in every
    ]
    return found


def claims_of(repeats: Sequence[Outcome]) -> dict[str, Finding]:
    """Every sentence that the repeats can confirm or refute; each must hold in more than half of them."""
    return {
        "TIA trees are similar": _all_similar(repeats),
        "most rules remain": _most_rules(repeats),
        "new attributes only in deep nodes": _deep(repeats),
        "the other trees keep the root and some rules": _others(repeats),
    }


def _all_similar(repeats: Sequence[Outcome]) -> Finding:
    counts = [sum(similar(tree) for tree in _total(repeat)) for repeat in repeats]
    whole = sum(count == len(_total(repeat)) for count, repeat in zip(counts, repeats, strict=True))
    return Finding(
        whole > MOST * len(repeats),
        f"in {whole} of {things(len(repeats), 'repeat')} all twenty trees are similar (more than half are required); "
        f"on average {fmean(counts):.1f} are",
    )


def _most_rules(repeats: Sequence[Outcome]) -> Finding:
    again, same = (
        [fmean(tree[what] for tree in _total(repeat)) for repeat in repeats]
        for what in ("found again", "found the same")
    )
    most = sum(share > MOST for share in again)
    return Finding(
        most > MOST * len(repeats),
        f"in {most} of {things(len(repeats), 'repeat')} more than half of the original's rules are found again, the "
        "same or with other constants (more than half of the repeats are required); on average "
        f"{100 * fmean(again):.0f} % are, and {100 * fmean(same):.0f} % are the same to the constant",
    )


def _deep(repeats: Sequence[Outcome]) -> Finding:
    """In one repeat: some of the twenty trees have new attributes, and none of them near the root."""
    some = [
        [tree["new attributes"] for tree in _total(repeat) if tree["new attributes"]] for repeat in repeats
    ]
    deep = [[min(new.values()) >= DEEP for new in trees] for trees in some]
    holds = sum(bool(trees) and all(trees) for trees in deep)
    trees = sum(map(len, deep))
    return Finding(
        holds > MOST * len(repeats),
        f"in {holds} of {things(len(repeats), 'repeat')} some trees test new attributes, and none of these has fewer "
        f"than {DEEP} tests above it (more than half are required); {things(trees, 'tree')} of {20 * len(repeats):,} "
        f"test new attributes, {sum(map(sum, deep)):,} of them only in deep nodes",
    )


def _others(repeats: Sequence[Outcome]) -> Finding:
    """The trees of each repeat that are not very similar keep the root and at least one rule."""
    kept: list[list[bool]] = []
    for repeat in repeats:
        original = repeat["original"]
        kept.append(
            [
                same_root(original, tree) and tree["found again"] > 0
                for tree in repeat[COMPARED]["LIA"]
                if not very_similar(original, tree)
            ]
        )
    there = [trees for trees in kept if trees]
    holds = sum(map(all, there))
    return Finding(
        bool(there) and holds > MOST * len(there),
        f"{len(there)} of {things(len(repeats), 'repeat')} have trees that are not very similar, and in {holds} of "
        f"them all of these keep the root and a rule (more than half are required); of all {sum(map(len, there)):,} "
        f"such trees {sum(map(sum, there)):,} do",
    )


def charts_of(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """What is printed, and ours under the three ways to stay inside the range."""
    numbers, pairs = measured.numbers, []
    for key in (key for key in printed if "trees of" in key):
        for name in (key, *(f"{boundary}: {key}" for boundary in OTHERS)):
            values = numbers[name]
            pairs.append(Pair(name, tuple(printed.get(name, ())), fmean(values), min(values), max(values)))
    return (
        dots(
            "Ours and the first paper",
            "Trees out of 20 (TIA) or 10 (LIA). Values outside 1 to 10 wrap around unless another rule is named.",
            pairs,
            "trees",
        ),
    )
