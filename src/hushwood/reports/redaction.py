"""The evaluation as outsiders may see it: built up from what is allowed, so that nothing slips through.

Counts of one to four records become None ("fewer than 5"), other counts are rounded to multiples of five so that none
can be worked out from the rest, rare categories lose their names, the tails of histograms are pooled, and thresholds
that cut off fewer than five records are rounded. Every measure says itself what of its details may be published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.evaluation.answers import AttackAnswer
from hushwood.evaluation.distributions import CategoryCounts, Distribution, Histogram
from hushwood.evaluation.evaluation import About, AuditFacts, Evaluation, LeftOut, ReleaseFacts
from hushwood.evaluation.membership_law import LawFacts
from hushwood.evaluation.release_facts import (
    CoarsenedColumn,
    ColumnFacts,
    DrawnTogether,
    DrawnWay,
    ErrorSummary,
    NumericDomain,
    RareCategories,
    RareColumn,
    SegmentFacts,
    UniqueExtremes,
)
from hushwood.evaluation.whole_table import LinkFacts
from hushwood.measures.publishing import SMALL, at_most_few, safe_count, two_digits
from hushwood.trees.forest import Forest, Predicted, Tree

_FORESTS = ("original", "original_tree", "released_tree")
_GROWN = (
    "variant",
    "criterion",
    "min_leaf",
    "confidence",
    "global_pruning",
    "thresholds",
    "trees",
    "goodness",
    "separation",
    "minimum_gain_ratio",
)
# By column: what to call each category whose name is not shown.
Hidden = Mapping[str, Mapping[str, str]]


def publishable(evaluation: Evaluation) -> Evaluation:
    """The same evaluation without anything that describes fewer than five records."""
    release = evaluation.release
    rare = release.rare_categories
    hidden = _hidden_names(rare, release.unreleased_categories) if rare else {}
    distributions = tuple(_distribution(d, hidden) for d in release.distributions)
    return Evaluation(
        evaluation.pairing,
        tuple(_column(column, distributions) for column in evaluation.columns),
        tuple(answer.publishable(release.records_behind(answer.name)) for answer in evaluation.measures),
        tuple(_attack(answer) for answer in evaluation.attacks),
        # Without the list of rare categories they cannot be taken out of the trees.
        {
            name: safe_forest(evaluation.forests[name], hidden)
            for name in _FORESTS
            if rare and name in evaluation.forests
        },
        _release(release, distributions),
        _audit(evaluation.audit),
        public=True,
    )


def _release(release: ReleaseFacts, distributions: tuple[Distribution, ...]) -> ReleaseFacts:
    about, certificate, extremes = release.about, release.certificate, release.unique_extremes
    return ReleaseFacts(
        About(hushwood=about.hushwood, technique=about.technique, noise=about.noise, why=about.why),
        release.records,
        release.released_records,
        release.plan,
        replace(certificate, columns=None) if certificate else None,
        _segments(release.segments) if release.segments else None,
        _drawn(release.drawn_together) if release.drawn_together else None,
        _rare(release.rare_categories) if release.rare_categories else None,
        unique_extremes=UniqueExtremes(safe_count(extremes.count), safe_count(extremes.unchanged), ())
        if extremes
        else None,
        distributions=distributions,
        sample=release.sample,
        coarsened=tuple(_coarsened(column) for column in release.coarsened),
        links=tuple(_link(link) for link in release.links),
        law=None if release.law is None else _law(release.law),
    )


def _law(law: LawFacts) -> LawFacts:
    """The prediction in whole points, for about as many records."""
    listed, all_but_one = round(law.listed, 2), round(law.all_but_one, 2)
    return LawFacts(law.noise, round(law.cells, -1), two_digits(law.people) or 0.0, listed, all_but_one)


def _coarsened(column: CoarsenedColumn) -> CoarsenedColumn:
    """What coarsening took, to whole percents and hundredths: no share stands for a handful of records."""
    moved = None if column.moved is None else round(column.moved, 2)
    return replace(column, changed=round(column.changed, 2), loss=round(column.loss, 2), moved=moved)


def _link(link: LinkFacts) -> LinkFacts:
    """A link without exact counts of the records that break it."""
    return replace(
        link,
        broken_before=safe_count(link.broken_before),
        broken_after=safe_count(link.broken_after),
        newly_broken=safe_count(link.newly_broken),
    )


def _attack(answer: AttackAnswer) -> AttackAnswer:
    """Its rates in steps of five attempts, and the excess in whole points; none where the rate is withheld."""
    shown, found = answer.publishable(), answer.excess
    if found is None or shown.success is None:
        return replace(shown, excess=None)
    low, high = (round(end, 2) for end in found.interval)
    excess = replace(
        found,
        value=round(found.value, 2),
        interval=(low, high),
        attempts=safe_count(found.attempts) or 0,
        control_attempts=safe_count(found.control_attempts) or 0,
        further={
            name: (round(value, 2), round(low, 2), round(high, 2))
            for name, (value, low, high) in found.further.items()
        },
    )
    return replace(shown, excess=excess)


def _audit(audit: AuditFacts) -> AuditFacts:
    """How much was looked at; what reasons and notes say about values stays inside."""
    return replace(
        audit,
        left_out=tuple(LeftOut(entry.column, "") for entry in audit.left_out),
        notes=(),
        control="people who were never in the table" if audit.control else None,
    )


def _drawn(found: DrawnTogether) -> DrawnTogether:
    """Ways and errors of numbers drawn together; the largest error may be that of a tiny segment."""
    means, covariances = (
        ErrorSummary(None, two_digits(error.mean) or 0.0) if error else None
        for error in (found.mean_error, found.covariance_error)
    )
    ways = tuple(DrawnWay(w.way, safe_count(w.segments), safe_count(w.records)) for w in found.ways)
    return replace(found, ways=ways, mean_error=means, covariance_error=covariances)


def _hidden_names(rare: RareCategories, unreleased: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """What to call the categories that few records have, and those that the released table no longer names."""
    hidden = {
        name: {category: f"unreleased value {i}" for i, category in enumerate(categories, 1)}
        for name, categories in unreleased.items()
    }
    for column in rare.columns:
        names = {c.category: f"rare value {i}" for i, c in enumerate(column.categories, 1)}
        hidden[column.column] = hidden.get(column.column, {}) | names
    return hidden


def _rare(rare: RareCategories) -> RareCategories:
    columns = tuple(RareColumn(c.column, safe_count(c.count), None, None, ()) for c in rare.columns)
    return RareCategories(
        safe_count(rare.count), safe_count(rare.records), safe_count(rare.unchanged), columns
    )


def _column(column: ColumnFacts, distributions: Sequence[Distribution]) -> ColumnFacts:
    domain = column.domain
    if domain is not None:
        precision = domain.precision
        shown = next((d.histogram for d in distributions if d.column == column.name), None)
        domain = NumericDomain(None, None, precision)
        if shown and shown.edges:
            half = 0.0 if precision is None else 10.0**-precision / 2
            domain = NumericDomain(shown.edges[0] + half, shown.edges[-1] - half, precision, rounded=True)
    return replace(column, missing=safe_count(column.missing), domain=domain)


def _segments(segments: SegmentFacts) -> SegmentFacts:
    sizes = (
        replace(band, segments=safe_count(band.segments), records=safe_count(band.records))
        for band in segments.sizes
    )
    return SegmentFacts(
        safe_count(segments.count),
        safe_count(segments.alone),
        safe_count(segments.below_small),
        segments.small,
        safe_count(segments.median),
        safe_count(segments.smallest),
        safe_count(segments.largest),
        tuple(sizes),
    )


def _distribution(found: Distribution, hidden: Hidden) -> Distribution:
    histogram, counts = found.histogram, found.counts
    return replace(
        found,
        histogram=_pooled_tails(histogram) if histogram else None,
        counts=_without_rare(counts, hidden.get(found.column, {})) if counts else None,
    )


def _pooled_tails(found: Histogram) -> Histogram:
    before, after = ([n or 0 for n in side] for side in (found.before, found.after))
    edges, labels = list(found.edges), list(found.labels)
    while len(before) > 1 and min(before[0], after[0]) < SMALL:
        before[:2], after[:2] = [sum(before[:2])], [sum(after[:2])]
        del edges[0], labels[0]
        labels[0] = f"up to {labels[0].split(' – ')[-1]}"
    while len(before) > 1 and min(before[-1], after[-1]) < SMALL:
        before[-2:], after[-2:] = [sum(before[-2:])], [sum(after[-2:])]
        del edges[-1], labels[-1]
        labels[-1] = f"{labels[-1].removeprefix('up to ').split(' – ')[0]} and more"
    if len(before) == 1:
        labels = ["all values"]
    return Histogram(
        tuple(edges), tuple(labels), tuple(map(at_most_few, before)), tuple(map(at_most_few, after))
    )


def _without_rare(found: CategoryCounts, rare: Mapping[str, str]) -> CategoryCounts:
    """Rare categories join the others."""
    names = found.categories
    before, after = ([n or 0 for n in side] for side in (found.before, found.after))
    shown = [i for i, name in enumerate(names) if name not in rare and before[i] >= SMALL]
    pooled = [i for i in range(len(before)) if i not in shown]

    def safe(side: Sequence[int]) -> tuple[int | None, ...]:
        groups = [side[i] for i in shown] + ([sum(side[i] for i in pooled)] if pooled else [])
        return tuple(map(at_most_few, groups))

    return CategoryCounts(
        tuple(names[i] for i in shown),
        found.others + len(names) - len(shown),
        safe(before),
        safe(after),
        tuple(map(safe_count, found.missing)),
    )


def safe_forest(forest: Forest, hidden: Hidden) -> Forest:
    """A forest with rounded counts, without the names of rare categories, and without exact limits around a few."""
    attributes = []
    for attribute in forest.attributes:
        rare = hidden.get(attribute.name, {})
        categories = tuple(rare.get(value, value) for value in attribute.categories)
        attributes.append(replace(attribute, low=None, high=None, categories=categories))
    targets = tuple(
        Predicted(name, tuple(hidden.get(name, {}).get(value, value) for value in classes))
        for name, classes in forest.predicts
    )
    trees = zip(forest.trees, targets, strict=True)
    return Forest(
        *targets[0],
        tuple(attributes),
        tuple((_safe_tree if target.classes else _safe_means)(tree) for tree, target in trees),
        {key: forest.grown[key] for key in _GROWN if key in forest.grown},
        targets if forest.targets else (),
    )


def _safe_means(tree: Tree) -> Tree:
    """Means of a few people's numbers, rounded."""
    return replace(tree, counts=np.array([[two_digits(mean)] for mean in tree.counts[:, 0].tolist()]))


def _safe_tree(tree: Tree) -> Tree:
    """Counts below five become NaN, but in nodes that no record reaches they are 0."""
    total = tree.counts.sum(axis=1)
    counts = np.where(tree.counts < SMALL, np.nan, (tree.counts + SMALL // 2) // SMALL * SMALL)
    counts[total <= 0] = 0.0
    small, threshold = (total > 0) & (total < SMALL), tree.threshold.copy()
    for node in np.flatnonzero(np.isfinite(threshold)):
        if small[tree.branches_of(int(node))].any():
            threshold[node] = float(f"{threshold[node]:.1g}")
    return replace(tree, counts=counts, threshold=threshold)
