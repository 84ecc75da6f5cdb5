"""What sections 7 and 8 of the Forest Framework paper say, judged by our folds.

Its figures carry no numbers, so only these sentences can be compared with ours. They are in
`printed/forest-framework.toml`, by the keys used here. SERS is log2 n but for a few thousandths (errata G8), so any two
techniques are close by it; sentences about table 4 are therefore judged by the difference to log2 n.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from hushwood_papers.forest_framework.folds import (
    ACCURACY,
    CLASS_LEFT_OUT,
    EDUDS,
    EDUDS_ONE_TREE,
    EDUSC,
    EDUSC_BY_RECORDS,
    FF,
    GADP,
    LABELS,
    NAIVE,
    ORIGINAL,
    PERCENT,
    PRINTED_WAYS,
    ROOTS,
    RT,
    SERS,
    SHORTFALL,
    UNTOUCHED,
    F,
    key,
)
from hushwood_papers.protocol import Finding

CHANCE = 0.05
# With fewer folds a t test hardly ever finds a difference, and finding none would mean nothing.
FEWEST_FOLDS = 5
OTHERS = (F, GADP, RT)


@dataclass(frozen=True, slots=True)
class Folds:
    """All numbers by key, one per fold; `columns` counts the numeric columns that are not normal, and all, by table."""

    numbers: Mapping[str, Sequence[float]]
    columns: Mapping[str, tuple[int, int]]

    @property
    def complete(self) -> bool:
        """Whether every table was run: the sentences are about all tables."""
        return all(key(label, way, SERS) in self.numbers for label in LABELS for way in PRINTED_WAYS)

    @property
    def can_tell(self) -> bool:
        """Whether there are enough folds for a t test."""
        return all(len(self.numbers[key(label, FF, SERS)]) >= FEWEST_FOLDS for label in LABELS)

    def mean(self, label: str, way: str, measure: str) -> float:
        """The mean over the folds."""
        return float(np.mean(self.numbers[key(label, way, measure)]))

    def difference(self, label: str, one: str, other: str, measure: str) -> float:
        """By how much one technique is ahead of the other."""
        return self.mean(label, one, measure) - self.mean(label, other, measure)

    def ahead(self, measure: str, way: str = FF, of: Sequence[str] = OTHERS) -> list[str]:
        """The tables on which a technique is ahead of all the others."""
        return [
            label for label in LABELS if all(self.difference(label, way, other, measure) > 0 for other in of)
        ]

    def behind(self, measure: str, way: str, of: Sequence[str]) -> list[str]:
        """The tables on which a technique is behind all the others."""
        return [
            label for label in LABELS if all(self.difference(label, way, other, measure) < 0 for other in of)
        ]

    def distinguished(self, measure: str, one: str, other: str) -> list[str]:
        """The tables on which a paired t test over the folds distinguishes two techniques."""
        return [label for label in LABELS if self._apart(label, one, other, measure)]

    def _apart(self, label: str, one: str, other: str, measure: str) -> bool:
        from scipy.stats import ttest_1samp

        first, second = (np.asarray(self.numbers[key(label, way, measure)]) for way in (one, other))
        differences = first - second
        if len(differences) < 2:
            return False
        if np.ptp(differences) == 0:
            return bool(differences[0] != 0)
        return bool(ttest_1samp(differences, 0.0).pvalue < CHANCE)

    def listed(self, measure: str, ways: Sequence[str], labels: Sequence[str] = LABELS) -> str:
        """The means of some techniques on every table, as text."""
        places = 1 if measure in PERCENT else 4 if measure == SHORTFALL else 3
        tables = [
            f"{label} {' / '.join(f'{self.mean(label, way, measure):.{places}f}' for way in ways)}"
            for label in labels
        ]
        return f"{measure}, of {' / '.join(ways)}: {', '.join(tables)}"


def on(labels: Sequence[str]) -> str:
    """On which tables something holds, in words.

    >>> on(["Wine", "WBC"]), on([]), on(LABELS)
    ('on 2 of 5 tables (Wine, WBC)', 'on none of the 5 tables', 'on all 5 tables')
    """
    if not labels:
        return f"on none of the {len(LABELS)} tables"
    if len(labels) == len(LABELS):
        return f"on all {len(LABELS)} tables"
    return f"on {len(labels)} of {len(LABELS)} tables ({', '.join(labels)})"


# Comparable and slightly worse: the difference to log2 n is at most this many times as large.
FACTOR = 2.0
# The tolerance within which table 4 and ours agree.
TOLERANCE = 0.02


def comparable(folds: Folds) -> Finding:
    """FF compared with each of the others."""

    def alike(label: str) -> bool:
        own, *others = (folds.mean(label, way, SHORTFALL) for way in (FF, *OTHERS))
        return all(own <= FACTOR * other and other <= FACTOR * own for other in others)

    held = [label for label in LABELS if alike(label)]
    away = max(abs(folds.difference(label, FF, way, SERS)) for label in LABELS for way in OTHERS)
    said = f"the difference to log2 n is within a factor of {FACTOR:g} of FF's for all three {on(held)}"
    listed = folds.listed(SHORTFALL, PRINTED_WAYS)
    return Finding(
        len(held) == len(LABELS), f"{said}; {listed}; SERS itself is at most {away:.3f} bits from FF's"
    )


def slightly_worse(folds: Folds) -> Finding:
    """FF compared with the safest of the others."""
    times = {
        label: folds.mean(label, FF, SHORTFALL) / min(folds.mean(label, way, SHORTFALL) for way in OTHERS)
        for label in LABELS
    }
    worse = [label for label in LABELS if times[label] > 1]
    listed = ", ".join(f"{label} {value:.2f}" for label, value in times.items())
    said = f"FF is behind the best of the other three {on(worse)}"
    return Finding(
        max(times.values()) <= FACTOR,
        f"{said}; the difference to log2 n, as a multiple of the best (slightly: at most {FACTOR:g}): {listed}",
    )


def tells_untouched(folds: Folds) -> Finding:
    """The training records compared with themselves, which hide nobody, and their releases by F and FF."""
    above = {label: [folds.difference(label, way, UNTOUCHED, SERS) for way in (F, FF)] for label in LABELS}
    seen = [label for label, bits in above.items() if min(bits) > TOLERANCE]
    below = [label for label, bits in above.items() if min(bits) < 0]
    return Finding(
        len(seen) == len(LABELS),
        f"both are more than {TOLERANCE:g} bits above the untouched table {on(seen)}, and one of them is below it "
        f"{on(below)}; {folds.listed(SERS, (UNTOUCHED, F, FF))}",
    )


# How we read the paper's words; every finding states its limits.
ALIKE_POINTS, MUCH_LOWER = 3.0, 10.0
SHARPLY = 0.1
MOST = SEVERAL = 3
T_TEST = f"paired t test over the folds, p < {CHANCE:g}"


def claims_of(
    numbers: Mapping[str, Sequence[float]], columns: Mapping[str, tuple[int, int]]
) -> dict[str, Finding]:
    """Every sentence judged; none if a table is missing, and none that needs a t test if there are too few folds."""
    folds = Folds(numbers, columns)
    found = {name: judge(folds) for name, judge in JUDGES.items()} if folds.complete else {}
    return {name: finding for name, finding in found.items() if finding is not None}


def _everywhere(found: Mapping[str, Sequence[str]], says: str) -> Finding:
    """Whether something holds on all tables by every measure; `says` begins the sentence."""
    said = ", ".join(f"in {measure} {on(labels)}" for measure, labels in found.items())
    return Finding(all(len(labels) == len(LABELS) for labels in found.values()), f"{says} {said}")


def _normal(folds: Folds) -> Finding:
    odd, every = (sum(counts[i] for counts in folds.columns.values()) for i in (0, 1))
    return Finding(
        odd == 0,
        f"{odd} of {every} numeric columns are not even normal on their own (D'Agostino and Pearson, p < 0.001)",
    )


def _accuracy_ahead(folds: Folds) -> Finding:
    ahead = folds.ahead(ACCURACY, FF, (F, GADP))
    held = ahead == [label for label in LABELS if label != "Credit"]
    return Finding(held, f"FF is ahead of both {on(ahead)}; {folds.listed(ACCURACY, (FF, F, GADP))}")


def _accuracy_above_rt(folds: Folds) -> Finding | None:
    if not folds.can_tell:
        return None
    apart = folds.distinguished(ACCURACY, FF, RT)
    clearly = [label for label in folds.ahead(ACCURACY, FF, (RT,)) if label in apart]
    said = f"FF is clearly ahead ({T_TEST}) {on(clearly)}; {folds.listed(ACCURACY, (FF, RT))}"
    return Finding(len(clearly) == len(LABELS), said)


def _abalone_is_hard(folds: Folds) -> Finding:
    means = {label: folds.mean(label, ORIGINAL, ACCURACY) for label in LABELS}
    others = min(value for label, value in means.items() if label != "Abalone")
    said = (
        f"Abalone is {others - means['Abalone']:.1f} points below the next ({MUCH_LOWER:g} or more are much)"
    )
    return Finding(means["Abalone"] <= others - MUCH_LOWER, f"{said}; {folds.listed(ACCURACY, (ORIGINAL,))}")


def _eduds_ahead(folds: Folds) -> Finding:
    ahead = folds.ahead(EDUDS)
    held = set(ahead) >= set(LABELS) - {"Abalone"}
    return Finding(held, f"FF is ahead of all three {on(ahead)}; {folds.listed(EDUDS, PRINTED_WAYS)}")


def _eduds_abalone(folds: Folds) -> Finding:
    return Finding("Abalone" not in folds.ahead(EDUDS), folds.listed(EDUDS, PRINTED_WAYS, ("Abalone",)))


def _accuracy_cannot_tell(folds: Folds) -> Finding | None:
    if not folds.can_tell:
        return None
    apart = folds.distinguished(ACCURACY, FF, F)
    alike = [label for label in LABELS if label not in apart]
    said = f"accuracy does not distinguish FF from F ({T_TEST}) {on(alike)}"
    return Finding(len(alike) >= 4, f"{said}; {folds.listed(ACCURACY, (FF, F))}")


def _eduds_tells(folds: Folds) -> Finding | None:
    if not folds.can_tell:
        return None
    apart = folds.distinguished(EDUDS, FF, F)
    said = f"EDUDS distinguishes FF from F ({T_TEST}) {on(apart)}"
    return Finding(len(apart) >= 3, f"{said}; {folds.listed(EDUDS, (FF, F))}")


def _eduds_gadp_falls(folds: Folds) -> Finding:
    def sharply(label: str, gadp: str) -> bool:
        return all(folds.difference(label, way, gadp, EDUDS) >= SHARPLY for way in (FF, F))

    below, without = ([label for label in LABELS if sharply(label, way)] for way in (GADP, CLASS_LEFT_OUT))
    said = f"GADP is {SHARPLY:g} or more below both FF and F {on(below)}, without the class {on(without)}"
    listed = folds.listed(EDUDS, (FF, F, GADP, CLASS_LEFT_OUT))
    return Finding(len(below) == len(LABELS), f"{said}; {listed}")


def _gadp_predicts_alike(folds: Folds) -> Finding:
    def alike(label: str, gadp: str) -> bool:
        return all(abs(folds.difference(label, gadp, way, ACCURACY)) <= ALIKE_POINTS for way in (FF, F))

    same, without = ([label for label in LABELS if alike(label, way)] for way in (GADP, CLASS_LEFT_OUT))
    near = f"within {ALIKE_POINTS:g} points of both FF and F"
    said = f"GADP is {near} {on(same)} (several: {SEVERAL} or more), without the class {on(without)}"
    listed = folds.listed(ACCURACY, (FF, F, GADP, CLASS_LEFT_OUT))
    return Finding(len(same) >= SEVERAL, f"{said}; {listed}")


def _eduds_two_groups(folds: Folds) -> Finding:
    def grouped(label: str) -> bool:
        forest, one, gadp, rt = (folds.mean(label, way, EDUDS) for way in PRINTED_WAYS)
        return min(forest, one) - max(gadp, rt) > max(abs(forest - one), abs(gadp - rt))

    held = [label for label in LABELS if grouped(label)]
    said = f"the two groups are further apart than their members {on(held)}"
    return Finding(len(held) == len(LABELS), f"{said}; {folds.listed(EDUDS, PRINTED_WAYS)}")


def _edusc_ahead(folds: Folds) -> Finding:
    ahead, by_records = folds.ahead(EDUSC), folds.ahead(EDUSC_BY_RECORDS)
    without = folds.ahead(EDUSC, FF, (F, CLASS_LEFT_OUT, RT))
    said = (
        f"FF is ahead of all three {on(ahead)}, with nodes weighted by records {on(by_records)}, and with GADP without "
        f"the class {on(without)}"
    )
    listed = folds.listed(EDUSC, (*PRINTED_WAYS, CLASS_LEFT_OUT))
    return Finding(len(ahead) == len(LABELS), f"{said}; {listed}")


def _edusc_kinder_to_gadp(folds: Folds) -> Finding:
    """By shares of the way from FF to RT: equation 4 varies little in a large tree, whatever the release."""

    def fall(label: str, measure: str) -> float:
        whole = folds.difference(label, FF, RT, measure)
        return folds.difference(label, FF, GADP, measure) / whole if whole > 0 else inf

    falls = {label: (fall(label, EDUDS), fall(label, EDUSC)) for label in LABELS}
    held = [label for label, (domains, splits) in falls.items() if splits < domains]
    listed = ", ".join(
        f"{label} {' / '.join('none' if one == inf else f'{one:.2f}' for one in both)}"
        for label, both in falls.items()
    )
    said = f"of the way from FF down to RT, GADP falls a smaller part in EDUSC than in EDUDS {on(held)}"
    return Finding(len(held) == len(LABELS), f"{said}; in EDUDS / EDUSC: {listed} (none: RT is not below FF)")


def _edusc_gadp_below(way: str, at_least: int) -> Callable[[Folds], Finding]:
    def judge(folds: Folds) -> Finding:
        below, without = (folds.behind(EDUSC, gadp, (way,)) for gadp in (GADP, CLASS_LEFT_OUT))
        most = f" (most: {at_least} or more)" if at_least < len(LABELS) else ""
        said = f"GADP is below {way} {on(below)}{most}, without the class {on(without)}"
        listed = folds.listed(EDUSC, (way, GADP, CLASS_LEFT_OUT))
        return Finding(len(below) >= at_least, f"{said}; {listed}")

    return judge


def _rt_sometimes_accurate(folds: Folds) -> Finding:
    """High means near FF, and clearly better than always naming the largest class."""

    def high(label: str) -> bool:
        below, above = (folds.difference(label, *two, ACCURACY) for two in ((FF, RT), (RT, NAIVE)))
        return below <= ALIKE_POINTS and above >= ALIKE_POINTS

    held = [label for label in LABELS if high(label)]
    limits = (
        f"at most {ALIKE_POINTS:g} points below FF and at least {ALIKE_POINTS:g} above the majority class"
    )
    return Finding(bool(held), f"RT is {limits} {on(held)}; {folds.listed(ACCURACY, (FF, RT, NAIVE))}")


def _best_quality(folds: Folds) -> Finding:
    """Overall means first on most tables by every measure, as the paper itself has exceptions."""
    found = {measure: folds.ahead(measure) for measure in (ACCURACY, EDUDS, EDUSC)}
    said = ", ".join(f"in {measure} {on(labels)}" for measure, labels in found.items())
    most = f"at least {MOST} tables by each are required"
    return Finding(
        all(len(labels) >= MOST for labels in found.values()), f"FF is first of the four {said}; {most}"
    )


def _rt_below(folds: Folds) -> Finding:
    found = {measure: folds.behind(measure, RT, (FF,)) for measure in (EDUDS, EDUSC)}
    return _everywhere(found, "RT is below FF")


def _rt_worst(folds: Folds) -> Finding:
    """Overall means the mean of both measures."""

    def both(label: str, way: str) -> float:
        return folds.mean(label, way, EDUDS) + folds.mean(label, way, EDUSC)

    last = [label for label in LABELS if all(both(label, RT) < both(label, way) for way in (FF, F, GADP))]
    single = {measure: folds.behind(measure, RT, (FF, F, GADP)) for measure in (EDUDS, EDUSC)}
    said = ", ".join(f"in {measure} alone {on(labels)}" for measure, labels in single.items())
    return Finding(len(last) == len(LABELS), f"RT is last of the four in the mean of both {on(last)}, {said}")


def _close_to_f(folds: Folds) -> Finding:
    def nearest(label: str, measure: str) -> bool:
        framework, *others = (abs(folds.difference(label, FF, way, measure)) for way in OTHERS)
        return framework < min(others)

    found = {measure: [label for label in LABELS if nearest(label, measure)] for measure in (EDUDS, EDUSC)}
    finding = _everywhere(found, "F is the nearest of the three to FF")
    said = (
        f"{folds.listed(ROOTS, (FF, F))}; by the one tree that F keeps it is closer: "
        f"{folds.listed(EDUDS_ONE_TREE, (F,))}"
    )
    return replace(finding, numbers=f"{finding.numbers}; {said}")


JUDGES: Mapping[str, Callable[[Folds], Finding | None]] = {
    "tables: normal": _normal,
    "accuracy: FF above F and GADP on all but Credit": _accuracy_ahead,
    "accuracy: FF clearly above RT": _accuracy_above_rt,
    "accuracy: Abalone is hard": _abalone_is_hard,
    "EDUDS: FF ahead on all but Abalone": _eduds_ahead,
    "EDUDS: FF not ahead on Abalone": _eduds_abalone,
    "accuracy: cannot tell FF from F": _accuracy_cannot_tell,
    "EDUDS: tells FF from F": _eduds_tells,
    "EDUDS: GADP falls": _eduds_gadp_falls,
    "accuracy: GADP like F and FF": _gadp_predicts_alike,
    "EDUDS: two groups": _eduds_two_groups,
    "EDUSC: FF ahead": _edusc_ahead,
    "EDUSC: kinder to GADP": _edusc_kinder_to_gadp,
    "EDUSC: GADP below F in most cases": _edusc_gadp_below(F, MOST),
    "EDUSC: GADP below FF in all cases": _edusc_gadp_below(FF, len(LABELS)),
    "accuracy: RT sometimes high": _rt_sometimes_accurate,
    "SERS: FF comparable": comparable,
    "SERS: FF slightly worse": slightly_worse,
    "SERS: tells a release from the untouched table": tells_untouched,
    "quality: FF best": _best_quality,
    "EDUDS and EDUSC: RT below FF": _rt_below,
    "EDUDS and EDUSC: RT worst": _rt_worst,
    "EDUDS and EDUSC: F close to FF": _close_to_f,
}
