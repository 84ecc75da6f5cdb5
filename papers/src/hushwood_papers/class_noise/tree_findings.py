"""The repeats of `class_noise_trees` put together: the numbers of chapter 4, its sentences, and charts.

Keys are those of `printed/class-noise-trees.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from hushwood.reports.charts.frame import Chart
from hushwood.reports.wording import things
from hushwood_papers.chances import UNLIKELY, sign_test
from hushwood_papers.class_noise.noisy_models import (
    ABOVE_LEAF_ONE,
    CLASS_NOISE,
    LEAF_ONE,
    LEAVES,
    numbers_of_nodes,
)
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.charts import Bar, Pair, dots, grouped_bars

# The same amount of noise: means within this share of the expected value.
NEAR = 0.1
# A tree is much deeper than the original if it is deeper by this many tests.
DEEPER, SHALLOW = 3, 2


def claims_of(repeats: Sequence[Outcome]) -> dict[str, Finding]:
    """Every sentence that the repeats can confirm or refute."""
    return {
        "noise after the tree keeps patterns better": _patterns_better(repeats),
        "RPT is more consistent than PPT": _more_consistent(repeats),
        "ALPT trees are very different": _deep_and_shallow(repeats),
        "the same amount of noise": _same_amount(repeats),
        "RPT changes an even number": _even_number(repeats),
        "RPT keeps class totals": _class_totals(repeats),
        "minority records are changed with m/(m+n)": _minority(repeats),
    }


def _mean(repeats: Sequence[Outcome], technique: str, name: str) -> float:
    return fmean(float(tree[name]) for repeat in repeats for tree in repeat[technique])


def _kept(repeats: Sequence[Outcome], technique: str) -> float:
    return 100 * fmean(fmean(tree["kept"]) for repeat in repeats for tree in repeat[technique])


def _patterns_better(repeats: Sequence[Outcome]) -> Finding:
    """Better in general means: in most repeats, by both counts."""
    new = {t: 100 * _mean(repeats, t, "new_share") for t in CLASS_NOISE}
    kept = {t: _kept(repeats, t) for t in CLASS_NOISE}
    better = {t: sum(_keeps_better([repeat], t, "ALPT") for repeat in repeats) for t in ("RPT", "PPT")}
    listed = "; ".join(f"{t} {kept[t]:.0f} % and {new[t]:.0f} %" for t in CLASS_NOISE)
    wins = ", ".join(f"{t} in {times}" for t, times in better.items())
    return Finding(
        all(2 * times > len(repeats) for times in better.values()),
        f"rules of the original found again, and records under new rules: {listed}; better than ALPT by both: {wins} "
        f"of {things(len(repeats), 'repeat')} (more than half are required)",
    )


def _keeps_better(repeats: Sequence[Outcome], one: str, other: str) -> bool:
    new = [_mean(repeats, t, "new_share") for t in (one, other)]
    return new[0] < new[1] and _kept(repeats, one) > _kept(repeats, other)


def _more_consistent(repeats: Sequence[Outcome]) -> Finding:
    """Both start from the same tree in each repeat."""
    signs = sign_test((_kept([repeat], "RPT"), _kept([repeat], "PPT")) for repeat in repeats)
    return Finding(
        signs.significant,
        f"RPT keeps {_kept(repeats, 'RPT'):.0f} % of the rules on average, PPT {_kept(repeats, 'PPT'):.0f} %; RPT "
        f"keeps more in {signs.greater} and fewer in {signs.smaller} of {things(len(repeats), 'repeat')}; if both were "
        f"alike, the chance of this would be {signs.chance:.2g} (below {UNLIKELY:g} is required)",
    )


def _deep_and_shallow(repeats: Sequence[Outcome]) -> Finding:
    """In the same repeat, some trees are much deeper than the original and others test at most two attributes."""
    deep, shallow = [], []
    for repeat in repeats:
        deepest = repeat["original"]["depth"] + DEEPER
        deep.append(any(tree["depth"] >= deepest for tree in repeat["ALPT"]))
        shallow.append(any(len(tree["attributes"]) <= SHALLOW for tree in repeat["ALPT"]))
    both = sum(one and other for one, other in zip(deep, shallow, strict=True))
    return Finding(
        2 * both > len(repeats),
        f"in {both} of {things(len(repeats), 'repeat')} one of the ten trees is at least {DEEPER} tests deeper than "
        f"the original and another tests at most {SHALLOW} attributes (the first in {sum(deep)}, the second in "
        f"{sum(shallow)}); more than half are required",
    )


def _same_amount(repeats: Sequence[Outcome]) -> Finding:
    expected = fmean(repeat["expected_changes"] for repeat in repeats)
    changed = {t: _mean(repeats, t, "changed") for t in CLASS_NOISE}
    listed = ", ".join(f"{t} {value:.1f}" for t, value in changed.items())
    return Finding(
        all(abs(value - expected) <= NEAR * expected for value in changed.values()),
        f"equation 4.1 expects {expected:.1f} changed classes on average over the repeats; ours changed {listed} "
        f"(within {100 * NEAR:.0f} % is required)",
    )


def _even_number(repeats: Sequence[Outcome]) -> Finding:
    changed = [tree["changed"] for repeat in repeats for tree in repeat["RPT"]]
    even = sum(value % 2 == 0 for value in changed)
    return Finding(even == len(changed), f"{even} of {things(len(changed), 'release')} by RPT")


def _class_totals(repeats: Sequence[Outcome]) -> Finding:
    kept = {t: [tree["class_totals_kept"] for repeat in repeats for tree in repeat[t]] for t in CLASS_NOISE}
    listed = ", ".join(f"{t} {sum(values)} of {len(values)}" for t, values in kept.items())
    return Finding(
        all(kept["RPT"]) and not all(kept["PPT"]) and not all(kept["ALPT"]), f"totals are kept in {listed}"
    )


def _minority(repeats: Sequence[Outcome]) -> Finding:
    trees: list[Any] = [tree for repeat in repeats for t in ("RPT", "PPT") for tree in repeat[t]]
    changed = sum(tree["minority_changed"] for tree in trees)
    expected = sum(tree["minority_expected"] for tree in trees)
    return Finding(
        abs(changed - expected) <= NEAR * max(expected, 1),
        f"{changed:,} of the released minority classes were changed, {expected:,.0f} are expected (within "
        f"{100 * NEAR:.0f} % is required)",
    )


NAME = "class-noise-trees"
# The printed tree (figure 4.2 and, as text, figure 2 of the first paper).
PRINTED_ROOT = ("LSTAT", 5.49)
PRINTED_ATTRIBUTES = ["LSTAT", "NOX", "PTRATIO", "RM"]
PRINTED_LEAVES = 7
# The text speaks of new rules with a "significant number" of records without saying how many.
MANY = 0.05
CHARTED = tuple(
    f"{what}, mean of its trees"
    for what in ("errors on the released records", "leaves", "records under new rules in %")
)

Tree = Mapping[str, Any]


def findings_of(outcomes: Mapping[str, Outcome]) -> Measured:
    """Numbers and sentences."""
    repeats = list(outcomes.values())
    subsets = [subset for repeat in repeats for subset in repeat["subsets"]]
    numbers: dict[str, Sequence[float]] = _of_original(
        [*(repeat["original"] for repeat in repeats), *subsets]
    )
    for technique in CLASS_NOISE:
        numbers |= _of_technique(technique, repeats)
    numbers["expected changes of class, equation 4.1"] = [repeat["expected_changes"] for repeat in repeats]
    numbers |= _of_subsets(subsets)
    known = {key: values for key, values in numbers.items() if values}
    return Measured(known, claims_of(repeats), {len(repeats): 1, len(repeats) + len(subsets): 1})


def charts_of(measured: Measured, printed: Mapping[str, Sequence[float]]) -> Sequence[Chart]:
    """Errors and rules under the three kinds of noise, compared with the text."""
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
            "Ours and the text of chapter 4",
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
    """One value for every tree grown without noise."""
    found = {
        "leaves": [tree["leaves"] for tree in trees],
        "tests": [tree["leaves"] - 1 for tree in trees],
        "attributes tested": [len(tree["attributes"]) for tree in trees],
        "errors": [tree["errors"] for tree in trees],
        **numbers_of_nodes(trees),
    }
    return {f"original tree, {key}": values for key, values in found.items()}


def _of_technique(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    """One value per repeat, except for what is printed about a single tree."""
    runs: list[list[Tree]] = [repeat[technique] for repeat in repeats]
    found: dict[str, Sequence[float]] = {
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
    found |= {key: [fmean(values) for values in by_repeat] for key, by_repeat in means.items()}
    return {f"{technique}, {key}": values for key, values in found.items()}


def _of_leaf_one(technique: str, repeats: Sequence[Outcome]) -> dict[str, Sequence[float]]:
    """Leaf 1 itself, in the trees that share it with their original tree."""
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
