"""What the repeats of `class_noise_trees` add up to: the numbers of chapter 4, its sentences, and charts of them.

Keys are those of `printed/class-noise-trees.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from hushwood.experiments.class_noise.noisy_classes import CLASS_NOISE
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

Tree = Mapping[str, Any]


def findings_of(outcomes: Mapping[str, Outcome]) -> Measured:
    """Numbers, one per repeat, and the sentences."""
    repeats = list(outcomes.values())
    numbers: dict[str, Sequence[float]] = _of_original([repeat["original"] for repeat in repeats])
    for technique in CLASS_NOISE:
        numbers |= _of_technique(technique, repeats)
    numbers["expected changes of class, equation 4.1"] = [repeat["expected_changes"] for repeat in repeats]
    numbers |= _of_subsets([subset for repeat in repeats for subset in repeat["subsets"]])
    told = {key: values for key, values in numbers.items() if values}
    return Measured(told, claims_of(repeats))


def charts_of(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Errors and rules under the three kinds of noise, beside what the text tells."""
    numbers = measured.numbers
    wanted = [f"{t}, {end} errors of its trees" for t in CLASS_NOISE for end in ("fewest", "most")]
    wanted += [f"{t}, trees with the leading rule" for t in CLASS_NOISE]
    wanted += [f"{t}, trees with the third attribute" for t in ("PPT", "ALPT")]
    pairs = [
        Pair(key, tuple(printed.get(key, ())), fmean(numbers[key]), min(numbers[key]), max(numbers[key]))
        for key in wanted
        if key in numbers
    ]
    bars = [
        _bar(key, technique, numbers[f"{technique}, {key}"])
        for key in ("errors", "leaves", "records under new rules in %")
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
    cuts = [tree["root_cut"] for tree in trees if tree["root"] == PRINTED_ROOT[0]]
    return {
        "original tree, leaves": [tree["leaves"] for tree in trees],
        "original tree, tests": [tree["leaves"] - 1 for tree in trees],
        "original tree, attributes tested": [len(tree["attributes"]) for tree in trees],
        "original tree, errors": [tree["errors"] for tree in trees],
        "original tree, records of the leading rule": [tree["leading_records"] for tree in trees],
        "original tree, errors of the leading rule": [tree["leading_errors"] for tree in trees],
        "original tree, cut of LSTAT at the root": cuts,
    }


def _of_technique(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    runs: list[list[Tree]] = [repeat[technique] for repeat in repeats]
    found = [_trees_by_attribute(repeat["original"], repeat[technique]) for repeat in repeats]
    again = [tree for trees in runs for tree in trees if tree["leading_kept"]]
    same_root = [
        [tree["root_cut"] for tree in repeat[technique]]
        for repeat in repeats
        if all(tree["root"] == PRINTED_ROOT[0] for tree in (repeat["original"], *repeat[technique]))
    ]
    told: dict[str, Sequence[float]] = {
        "errors": [fmean(tree["errors"] for tree in trees) for trees in runs],
        "fewest errors of its trees": [min(tree["errors"] for tree in trees) for trees in runs],
        "most errors of its trees": [max(tree["errors"] for tree in trees) for trees in runs],
        "errors where the leading rule is kept": [tree["errors"] for tree in again],
        "errors of the leading rule": [tree["leading_errors"] for tree in again],
        "records of the leading rule": [tree["leading_records"] for tree in again],
        "leaves": [fmean(tree["leaves"] for tree in trees) for trees in runs],
        "attributes of the original in every tree": [
            counts.count(len(t)) for counts, t in zip(found, runs, strict=True)
        ],
        "trees with the third attribute": [counts[2] for counts in found if len(counts) > 2],
        "trees with the leading rule": [sum(tree["leading_kept"] for tree in trees) for trees in runs],
        "rules of the original in every tree": [
            sum(map(all, zip(*(tree["kept"] for tree in trees), strict=True))) for trees in runs
        ],
        "rules of the original, mean found again in %": [
            100 * fmean(fmean(tree["kept"]) for tree in trees) for trees in runs
        ],
        "trees with many records under new rules": [
            sum(tree["new_share"] >= MANY for tree in trees) for trees in runs
        ],
        "records under new rules in %": [100 * fmean(tree["new_share"] for tree in trees) for trees in runs],
        "lowest cut of LSTAT at the root": [min(cuts) for cuts in same_root],
        "highest cut of LSTAT at the root": [max(cuts) for cuts in same_root],
        "changed classes": [fmean(tree["changed"] for tree in trees) for trees in runs],
    }
    return {f"{technique}, {key}": values for key, values in told.items()}


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
