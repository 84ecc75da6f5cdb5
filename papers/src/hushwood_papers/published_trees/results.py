"""What the experiment on published trees found: numbers by key, the paper's sentences on Adult, times, and charts.

The sentences are in `printed/tree-publishing-adult.toml`, under the keys used here; those on the table of cancer
patients cannot be judged.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from hushwood.reports.charts.frame import Chart
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import publish
from hushwood_papers.protocol import Finding, Measured
from hushwood_papers.published_trees.fold_runs import ASKED, MONDRIAN, ORIGINAL, PARTS, TPP, Run
from hushwood_papers.reproducing.charts import Point, lines

KINDS = (ORIGINAL, TPP, ASKED, MONDRIAN, PARTS)
RELEASES = (TPP, ASKED, MONDRIAN)
K, K_OF_FOLDS, L_OF_FOLDS = "K, all records", "K, training records", "L, training records"
_SCORES = {"adult": "% of unseen records right", "abalone": "R squared on unseen records"}


@dataclass(frozen=True, slots=True)
class Results:
    """All trees on one table; `whole` is K of the releases of all records, by kind and leaves."""

    table: str
    runs: tuple[Run, ...]
    whole: Mapping[tuple[str, int], int]

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of leaves, ascending."""
        return tuple(sorted({run.leaves for run in self.runs}))

    def of(self, grown_from: str, leaves: int) -> tuple[Run, ...]:
        """The runs of one kind and size, by fold."""
        return tuple(run for run in self.runs if (run.grown_from, run.leaves) == (grown_from, leaves))

    def score(self, grown_from: str, leaves: int) -> float:
        """The mean accuracy (or R squared) over the folds."""
        return float(np.mean([run.score for run in self.of(grown_from, leaves)]))

    def preserved(self, grown_from: str) -> tuple[int, int]:
        """How many trees of a kind equal the original's, and how many there are."""
        same = [run.same for run in self.runs if run.grown_from == grown_from]
        return sum(same), len(same)


def numbers_of(results: Results) -> Iterator[tuple[str, list[float]]]:
    """Every number with its key: accuracy, trees that equal the original's, K and L."""
    table, factor = results.table, 100 if results.table == "adult" else 1
    for kind in KINDS:
        for leaves in results.sizes:
            yield score_key(table, kind, leaves), [factor * run.score for run in results.of(kind, leaves)]
    for kind in (TPP, MONDRIAN):
        same, trees = results.preserved(kind)
        yield f"{table.capitalize()}, {kind}: % of trees that are the original's", [100 * same / trees]
    for kind in RELEASES:
        for leaves in results.sizes:
            runs = results.of(kind, leaves)
            yield key(table, kind, leaves, K), [results.whole[kind, leaves]]
            yield key(table, kind, leaves, K_OF_FOLDS), [run.k for run in runs]
            diverse = [run.l for run in runs if run.l is not None]
            if kind == TPP and diverse:
                yield key(table, kind, leaves, L_OF_FOLDS), diverse


def key(table: str, kind: str, leaves: int, what: str) -> str:
    """The key of a number.

    >>> key("adult", "TPP", 4, K)
    'Adult, TPP, 4 leaves: K, all records'
    """
    return f"{table.capitalize()}, {kind}, {leaves} leaves: {what}"


def score_key(table: str, kind: str, leaves: int) -> str:
    """The key of the accuracy (or R squared)."""
    return key(table, kind, leaves, _SCORES[table])


def time_key(what: str, size: int) -> str:
    """The key of the seconds for this many records or attributes.

    >>> time_key("records", 5000)
    'Adult, 5,000 records: seconds to publish'
    """
    return f"Adult, {size:,} {what}: seconds to publish"


# "Slightly worse" is taken as: at least this share of the other.
SLIGHTLY = 0.5
_SIZES_NAMED = (4, 5)


def findings_on(results: Results) -> dict[str, Finding]:
    """Every sentence that the runs can confirm or refute."""
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
    """By means over the folds, as single folds may differ by chance; equality at some sizes is allowed."""
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
    listed = "; ".join(f"{own:,} against {other:,} at {leaves} leaves" for leaves, own, other in pairs)
    return Finding(slightly, f"{listed} (slightly lower means at least {100 * SLIGHTLY:.0f} % of it)")


RECORDS = (5_000, 10_000, 15_000, 20_000, 25_000, 30_000)
ATTRIBUTES = (2, 4, 6, 8, 10, 12)
# As many leaves as the largest tree of the other figures; otherwise larger tables would get larger trees.
_OPTIONS = PublishOptions(k=5, max_leaves=10, threads=1)


def seconds_by_records(table: Table, repeats: int) -> dict[str, list[float]]:
    """Seconds to publish the first records of the table, by their number."""
    return _seconds({count: table.take(np.arange(min(count, table.rows))) for count in RECORDS}, repeats)


def seconds_by_attributes(table: Table, repeats: int) -> dict[str, list[float]]:
    """Seconds to publish all records with the first attributes and the class, by the number of attributes."""
    return _seconds({count: first_attributes(table, count) for count in ATTRIBUTES}, repeats)


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The slope of the line through the logarithms: 1 if twice as much takes twice as long.

    >>> round(exponent([1, 10, 100], [3, 30, 300]), 6)
    1.0
    """
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def first_attributes(table: Table, count: int) -> Table:
    """The table with its first attributes and the class."""
    target = table.schema.class_attribute
    kept = [*table.schema.inputs[:count], *([target] if target else [])]
    columns = {attribute.name: table.columns[attribute.name] for attribute in kept}
    return Table(Schema(tuple(kept)), columns, table.carried, table.rows)


def _seconds(tables: dict[int, Table], repeats: int) -> dict[str, list[float]]:
    first = next(iter(tables.values()))
    publish(first.take(np.arange(min(1_000, first.rows))), _OPTIONS)  # compiles
    return {str(size): [_timed(table) for _ in range(repeats)] for size, table in tables.items()}


def _timed(table: Table) -> float:
    start = time.perf_counter()
    publish(table, _OPTIONS)
    return round(time.perf_counter() - start, 4)


LEAVES = range(2, 11)
_NOT_PUBLIC = "The paper's figure shows a table of cancer patients that is not public; this is Abalone."


def drawn(measured: Measured, printed: Mapping[str, Sequence[float]]) -> tuple[Chart, ...]:
    """Accuracy and K of Adult, R squared and K of Abalone, and the times."""
    found = measured.numbers
    scores = {
        table: [
            point
            for kind in (TPP, MONDRIAN, ORIGINAL)
            for point in _points(found, kind, {n: score_key(table, kind, n) for n in LEAVES})
        ]
        for table in ("adult", "abalone")
    }
    ks = {
        table: [
            point
            for kind in (TPP, MONDRIAN)
            for point in _points(found, kind, {n: key(table, kind, n, K) for n in LEAVES})
        ]
        for table in ("adult", "abalone")
    }
    return (
        lines(
            "Figure 5: accuracy of trees on Adult",
            "TPP's line coincides with that of the original table: the tree is the same.",
            scores["adult"],
            "leaves",
            "% of unseen records right",
        ),
        lines(
            "Figure 6: R squared of trees, on Abalone", _NOT_PUBLIC, scores["abalone"], "leaves", "R squared"
        ),
        _k_chart(
            "Figure 7: K on Adult", "The higher, the larger the groups that records hide in.", ks["adult"]
        ),
        _k_chart("Figure 8: K, on Abalone", _NOT_PUBLIC, ks["abalone"]),
        _time_chart("Figure 9: seconds for more records", found, "records", RECORDS),
        _time_chart("Figure 10: seconds for more attributes", found, "attributes", ATTRIBUTES),
    )


def _points(
    found: Mapping[str, Sequence[float]], series: str, keys: Mapping[int, str], interval: bool = True
) -> list[Point]:
    """The mean, lowest and highest run at every size that was run."""
    points = []
    for x, name in keys.items():
        values = found.get(name, ())
        if not values:
            continue
        spread = (min(values), max(values)) if interval and len(values) > 1 else (None, None)
        points.append(Point(series, x, sum(values) / len(values), *spread))
    return points


def _k_chart(title: str, says: str, points: Sequence[Point]) -> Chart:
    return lines(title, says, points, "leaves", "K, all records", logarithmic=True)


def _time_chart(title: str, found: Mapping[str, Sequence[float]], what: str, sizes: Sequence[int]) -> Chart:
    points = _points(found, TPP, {size: time_key(what, size) for size in sizes})
    says = "Adult with K = 5 and at most ten leaves, on one core."
    return lines(title, says, points, what, "seconds")
