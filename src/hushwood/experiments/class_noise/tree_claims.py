"""What chapter 4 of the thesis says in words about noise on the class, held against the repeats.

The numbers are in `tree_findings`; keys are those of `printed/class-noise-trees.toml`.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from hushwood.experiments.class_noise.noisy_classes import CLASS_NOISE
from hushwood.experiments.class_noise.sign_test import UNLIKELY, sign_test
from hushwood.experiments.protocol import Finding, Outcome
from hushwood.reports.wording import things

# Same amount of noise: means within this share of the expected one.
NEAR = 0.1
# A tree is much deeper than the original if some leaf of it is this many tests deeper than any there.
DEEPER, SHALLOW = 3, 2


def claims_of(repeats: Sequence[Outcome]) -> dict[str, Finding]:
    """Every sentence that the repeats can hold or refute."""
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
    """Generally: in most repeats, by both counts."""
    new = {t: 100 * _mean(repeats, t, "new_share") for t in CLASS_NOISE}
    kept = {t: _kept(repeats, t) for t in CLASS_NOISE}
    better = {t: sum(_keeps_better([repeat], t, "ALPT") for repeat in repeats) for t in ("RPT", "PPT")}
    told = "; ".join(f"{t} {kept[t]:.0f} % and {new[t]:.0f} %" for t in CLASS_NOISE)
    wins = ", ".join(f"{t} in {times}" for t, times in better.items())
    return Finding(
        all(2 * times > len(repeats) for times in better.values()),
        f"of the original's rules are found again, and of the records are under new rules: {told}; by both better "
        f"than ALPT is {wins} of {things(len(repeats), 'repeat')}, and more than half are asked for",
    )


def _keeps_better(repeats: Sequence[Outcome], one: str, other: str) -> bool:
    new = [_mean(repeats, t, "new_share") for t in (one, other)]
    return new[0] < new[1] and _kept(repeats, one) > _kept(repeats, other)


def _more_consistent(repeats: Sequence[Outcome]) -> Finding:
    """In each repeat both start from the same tree."""
    signs = sign_test((_kept([repeat], "RPT"), _kept([repeat], "PPT")) for repeat in repeats)
    return Finding(
        signs.significant,
        f"RPT keeps {_kept(repeats, 'RPT'):.0f} % of the rules on average, PPT {_kept(repeats, 'PPT'):.0f} %; RPT "
        f"keeps more in {signs.greater} and fewer in {signs.smaller} of {things(len(repeats), 'repeat')}; the chance "
        f"of so many if both were alike is {signs.chance:.2g}, and below {UNLIKELY:g} is asked for",
    )


def _deep_and_shallow(repeats: Sequence[Outcome]) -> Finding:
    """Some trees much deeper than the original, others that test two attributes only, in the same repeat."""
    deep, shallow = [], []
    for repeat in repeats:
        deepest = repeat["original"]["depth"] + DEEPER
        deep.append(any(tree["depth"] >= deepest for tree in repeat["ALPT"]))
        shallow.append(any(len(tree["attributes"]) <= SHALLOW for tree in repeat["ALPT"]))
    both = sum(one and other for one, other in zip(deep, shallow, strict=True))
    return Finding(
        2 * both > len(repeats),
        f"in {both} of {things(len(repeats), 'repeat')} some tree of ten is {DEEPER} tests deeper than the original or "
        f"more and some tree tests {SHALLOW} attributes or fewer (in {sum(deep)} the first, in {sum(shallow)} the "
        "second); more than half are asked for",
    )


def _same_amount(repeats: Sequence[Outcome]) -> Finding:
    expected = fmean(repeat["expected_changes"] for repeat in repeats)
    changed = {t: _mean(repeats, t, "changed") for t in CLASS_NOISE}
    told = ", ".join(f"{t} {value:.1f}" for t, value in changed.items())
    return Finding(
        all(abs(value - expected) <= NEAR * expected for value in changed.values()),
        f"equation 4.1 expects {expected:.1f} changed classes on average over the repeats; ours changed {told}; within "
        f"{100 * NEAR:.0f} % is asked for",
    )


def _even_number(repeats: Sequence[Outcome]) -> Finding:
    changed = [tree["changed"] for repeat in repeats for tree in repeat["RPT"]]
    even = sum(value % 2 == 0 for value in changed)
    return Finding(even == len(changed), f"{even} of {things(len(changed), 'release')} by RPT")


def _class_totals(repeats: Sequence[Outcome]) -> Finding:
    kept = {t: [tree["class_totals_kept"] for repeat in repeats for tree in repeat[t]] for t in CLASS_NOISE}
    told = ", ".join(f"{t} {sum(values)} of {len(values)}" for t, values in kept.items())
    return Finding(
        all(kept["RPT"]) and not all(kept["PPT"]) and not all(kept["ALPT"]), f"totals are kept in {told}"
    )


def _minority(repeats: Sequence[Outcome]) -> Finding:
    trees: list[Any] = [tree for repeat in repeats for t in ("RPT", "PPT") for tree in repeat[t]]
    changed = sum(tree["minority_changed"] for tree in trees)
    expected = sum(tree["minority_expected"] for tree in trees)
    return Finding(
        abs(changed - expected) <= NEAR * max(expected, 1),
        f"{changed:,} of the released minority classes were changed, {expected:,.0f} are expected; within "
        f"{100 * NEAR:.0f} % is asked for",
    )
