"""What the repeats of `class_noise_trees` add up to: the numbers of chapter 4, its sentences, and charts of them.

Keys are those of `printed/class-noise-trees.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from hushwood.experiments.class_noise.noisy_classes import CLASS_NOISE
from hushwood.experiments.class_noise.printed_tree import (
    ABOVE_LEAF_ONE,
    LEAF_ONE,
    LEAVES,
    numbers_of_nodes,
)
from hushwood.experiments.class_noise.tree_claims import claims_of
from hushwood.experiments.protocol import Measured, Outcome
from hushwood.experiments.reproducing.charts import Bar, Pair, dots, grouped_bars
from hushwood.reports.charts import Chart

NAME = "class-noise-trees"
# The tests of the tree that is printed (figure 4.2 and, in words, figure 2 of the first paper).
PRINTED_ROOT = ("LSTAT", 5.49)
PRINTED_ATTRIBUTES = ["LSTAT", "NOX", "PTRATIO", "RM"]
PRINTED_LEAVES = 7
# The text speaks of new rules with a "significant number" of records; what that is it does not say.
MANY = 0.05
CHARTED = tuple(
    f"{what}, mean of its trees"
    for what in ("errors on the released records", "leaves", "records under new rules in %")
)

Tree = Mapping[str, Any]


def findings_of(outcomes: Mapping[str, Outcome]) -> Measured:
    """Numbers and the sentences."""
    repeats = list(outcomes.values())
    subsets = [subset for repeat in repeats for subset in repeat["subsets"]]
    numbers: dict[str, Sequence[float]] = _of_original(
        [*(repeat["original"] for repeat in repeats), *subsets]
    )
    for technique in CLASS_NOISE:
        numbers |= _of_technique(technique, repeats)
    numbers["expected changes of class, equation 4.1"] = [repeat["expected_changes"] for repeat in repeats]
    numbers |= _of_subsets(subsets)
    told = {key: values for key, values in numbers.items() if values}
    return Measured(told, claims_of(repeats))


def charts_of(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Errors and rules under the three kinds of noise, beside what the text tells."""
    numbers = measured.numbers
    wanted = [f"{t}, {end} errors of its trees" for t in CLASS_NOISE for end in ("fewest", "most")]
    wanted += [f"{t}, trees with the rule of Leaf 1" for t in CLASS_NOISE]
    wanted += [f"{t}, trees with the third attribute" for t in ("PPT", "ALPT")]
    pairs = [
        Pair(key, tuple(printed.get(key, ())), fmean(numbers[key]), min(numbers[key]), max(numbers[key]))
        for key in wanted
        if key in numbers
    ]
    bars = [
        _bar(key.removesuffix(", mean of its trees"), technique, numbers[f"{technique}, {key}"])
        for key in CHARTED
        for technique in CLASS_NOISE
    ]
    return (
        dots(
            "Ours beside the text of chapter 4",
            "Errors are on the released records; trees are counted out of 5 (RPT) or 10.",
            pairs,
            "errors, or trees",
        ),
        grouped_bars(
            "Trees under three kinds of noise", "Means of the repeats.", bars, "errors, leaves or percent"
        ),
    )


def _bar(group: str, series: str, values: Sequence[float]) -> Bar:
    return Bar(group, series, fmean(values), min(values), max(values))


def _of_original(trees: Sequence[Tree]) -> dict[str, Sequence[float]]:
    """One value for every tree that was grown without noise."""
    told = {
        "leaves": [tree["leaves"] for tree in trees],
        "tests": [tree["leaves"] - 1 for tree in trees],
        "attributes tested": [len(tree["attributes"]) for tree in trees],
        "errors": [tree["errors"] for tree in trees],
        **numbers_of_nodes(trees),
    }
    return {f"original tree, {key}": values for key, values in told.items()}


def _of_technique(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    """One value for every repeat, but for what is printed of a single tree."""
    runs: list[list[Tree]] = [repeat[technique] for repeat in repeats]
    told: dict[str, Sequence[float]] = {
        "fewest errors of its trees": [min(tree["errors"] for tree in trees) for trees in runs],
        "most errors of its trees": [max(tree["errors"] for tree in trees) for trees in runs],
        "trees with 5 % of the records or more under new rules": [
            sum(tree["new_share"] >= MANY for tree in trees) for trees in runs
        ],
        **_of_leaf_one(technique, repeats),
        **_of_attributes(technique, repeats),
        **_of_rules(runs),
    }
    means = {
        "errors on the released records, mean of its trees": [[t["errors"] for t in trees] for trees in runs],
        "leaves, mean of its trees": [[tree["leaves"] for tree in trees] for trees in runs],
        "records under new rules in %, mean of its trees": [
            [100 * t["new_share"] for t in ts] for ts in runs
        ],
        "records whose class changed, mean of its releases": [[t["changed"] for t in ts] for ts in runs],
    }
    told |= {key: [fmean(values) for values in by_repeat] for key, by_repeat in means.items()}
    return {f"{technique}, {key}": values for key, values in told.items()}


def _of_leaf_one(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    """Leaf 1 itself, of single trees that have it as their original tree has."""
    nodes = [
        tree["nodes"]
        for repeat in repeats
        for tree in repeat[technique]
        if LEAF_ONE in repeat["original"]["nodes"] and LEAF_ONE in tree["nodes"]
    ]
    return {
        "records of Leaf 1": [found[LEAF_ONE]["records"] for found in nodes],
        "errors of Leaf 1": [found[LEAF_ONE]["errors"] for found in nodes],
        "cut of RM above Leaf 1": [found[ABOVE_LEAF_ONE]["cut"] for found in nodes],
    }


def _of_attributes(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    found = [_trees_by_attribute(repeat["original"], repeat[technique]) for repeat in repeats]
    same_root = [
        [tree["root_cut"] for tree in repeat[technique]]
        for repeat in repeats
        if all(tree["root"] == PRINTED_ROOT[0] for tree in (repeat["original"], *repeat[technique]))
    ]
    return {
        "attributes of the original in every tree": [
            counts.count(len(repeat[technique])) for counts, repeat in zip(found, repeats, strict=True)
        ],
        "trees with the third attribute": [counts[2] for counts in found if len(counts) > 2],
        "lowest cut of LSTAT at the root": [min(cuts) for cuts in same_root],
        "highest cut of LSTAT at the root": [max(cuts) for cuts in same_root],
    }


def _of_rules(runs: Sequence[Sequence[Tree]]) -> dict[str, Sequence[float]]:
    again = [kept for trees in runs if (kept := [tree["errors"] for tree in trees if tree["leading_kept"]])]
    return {
        "trees with the rule of Leaf 1": [sum(tree["leading_kept"] for tree in trees) for trees in runs],
        "errors of a tree with the rule of Leaf 1": [errors for kept in again for errors in kept],
        "fewest errors of its trees with the rule of Leaf 1": [min(kept) for kept in again],
        "most errors of its trees with the rule of Leaf 1": [max(kept) for kept in again],
        "rules of the original in every tree": [
            sum(map(all, zip(*(tree["kept"] for tree in trees), strict=True))) for trees in runs
        ],
        "rules of the original found again in %, mean of its trees": [
            100 * fmean(fmean(tree["kept"]) for tree in trees) for trees in runs
        ],
    }


def _trees_by_attribute(original: Tree, trees: Sequence[Tree]) -> list[int]:
    """In how many trees each attribute of the original tree is tested, most often first."""
    return sorted(
        (sum(a in tree["attributes"] for tree in trees) for a in original["attributes"]), reverse=True
    )


def _of_subsets(subsets: Sequence[Tree]) -> dict[str, Sequence[float]]:
    """How often something of the printed tree comes out of a subset of 300 records."""

    def share(holds: Sequence[bool]) -> list[float]:
        return [100 * fmean(holds)]

    roots = [(subset["root"], subset["root_cut"]) for subset in subsets]
    return {
        **{
            f"subsets whose tree has the printed leaf at {way}, in %": share(
                [way in subset["nodes"] for subset in subsets]
            )
            for way in LEAVES
        },
        "subsets whose root tests LSTAT, in %": share([root == PRINTED_ROOT[0] for root, _ in roots]),
        "subsets whose root tests RM, in %": share([root == "RM" for root, _ in roots]),
        "subsets whose root is LSTAT <= 5.49, in %": share([root == PRINTED_ROOT for root in roots]),
        "subsets whose tree tests the printed four attributes only, in %": share(
            [subset["attributes"] == PRINTED_ATTRIBUTES for subset in subsets]
        ),
        "subsets whose tree has the printed root, attributes and number of leaves, in %": share(
            [
                root == PRINTED_ROOT
                and subset["attributes"] == PRINTED_ATTRIBUTES
                and subset["leaves"] == PRINTED_LEAVES
                for root, subset in zip(roots, subsets, strict=True)
            ]
        ),
        "subsets whose tree tests all printed four attributes, in %": share(
            [set(PRINTED_ATTRIBUTES) <= set(subset["attributes"]) for subset in subsets]
        ),
    }
