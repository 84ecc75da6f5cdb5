"""ROCK, QROCK, COOLCAT and CORE by plain loops over all records, sets and entropies computed anew at every step.

A table is a list of rows of values; a clustering is a dictionary from row to the number of its cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import log2

Row = tuple[int, ...]
Item = tuple[int, int]
Clusters = list[list[Row]]
TIE = 1e-9


def in_order(rows: Sequence[Row]) -> list[Row]:
    """The different rows, the most frequent first, then in their own order."""
    counts = Counter(rows)
    return sorted(counts, key=lambda row: (-counts[row], row))


def items(row: Row) -> set[Item]:
    return set(enumerate(row))


def similarity(one: Row, other: Row) -> Fraction:
    return Fraction(len(items(one) & items(other)), len(items(one) | items(other)))


def are_neighbours(one: Row, other: Row, theta: float) -> bool:
    return float(similarity(one, other)) >= theta


def numbered(clusters: Clusters) -> dict[Row, int]:
    return {row: number for number, cluster in enumerate(clusters) for row in cluster}


def merge_best(
    clusters: Clusters, score: Callable[[list[Row], list[Row]], float], floor: float, least: int
) -> Clusters:
    """Merge the best pair until so many clusters are left or no score is above the floor."""
    while len(clusters) > least:
        pairs = list(combinations(range(len(clusters)), 2))
        scores = [score(clusters[i], clusters[j]) for i, j in pairs]
        best = max(scores)
        if best <= floor + TIE * abs(floor):
            break
        i, j = next(pair for pair, s in zip(pairs, scores, strict=True) if s >= best * (1 - TIE))
        merged = clusters[i] + clusters[j]
        clusters = [merged if c == i else cluster for c, cluster in enumerate(clusters) if c != j]
    return clusters


def rock(
    rows: Sequence[Row],
    theta: float,
    k: int,
    own_neighbours: bool = True,
    weed_at: int = 1,
    least: int = 1,
) -> dict[Row, int]:
    """Without the rows of clusters that are smaller than `least` when `weed_at` are left."""
    f = (1 - theta) / (1 + theta)
    places: dict[Row, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row, []).append(place)

    def near(p: int, q: int) -> bool:
        return (own_neighbours or p != q) and are_neighbours(rows[p], rows[q], theta)

    def links(p: int, q: int) -> int:
        return sum(near(p, r) and near(q, r) for r in range(len(rows)))

    shared = {(p, q): links(p, q) for p, q in product(range(len(rows)), repeat=2)}

    def goodness(one: list[Row], other: list[Row]) -> float:
        first, second = ([p for row in cluster for p in places[row]] for cluster in (one, other))
        across = sum(shared[pair] for pair in product(first, second))
        n, m, exponent = len(first), len(second), 1 + 2 * f
        return across / ((n + m) ** exponent - n**exponent - m**exponent) if across else 0.0

    clusters = merge_best([[row] for row in in_order(rows)], goodness, 0, max(weed_at, k))
    large = [cluster for cluster in clusters if sum(len(places[row]) for row in cluster) >= least]
    return numbered(merge_best(large or clusters, goodness, 0, k))


def qrock(rows: Sequence[Row], theta: float) -> dict[Row, int]:
    """Components of the graph of neighbours, by walking from neighbour to neighbour."""
    clusters: Clusters = []
    left = in_order(rows)
    while left:
        cluster, reached = [], [left.pop(0)]
        while reached:
            row = reached.pop()
            cluster.append(row)
            reached += [other for other in left if are_neighbours(row, other, theta)]
            left = [other for other in left if other not in reached]
        clusters.append(cluster)
    return numbered(clusters)


def label_by_neighbours(
    row: Row, rows: Sequence[Row], clusters: Mapping[Row, int], theta: float, power: float
) -> int:
    """The cluster with the most neighbours over (size + 1) ** power; without neighbours, that of the likest row."""
    members: dict[int, list[Row]] = {}
    for other in rows:
        if other in clusters:
            members.setdefault(clusters[other], []).append(other)
    votes = {
        c: sum(are_neighbours(row, other, theta) for other in members[c]) / (len(members[c]) + 1) ** power
        for c in sorted(members)
    }
    best = max(votes.values())
    if best > 0:
        return next(c for c, vote in votes.items() if vote >= best * (1 - TIE))
    likest = max((other for other in in_order(rows) if other in clusters), key=lambda o: similarity(row, o))
    return clusters[likest]


def entropy(rows: Sequence[Row]) -> float:
    """Sum over the attributes of the entropy of their values."""
    total = 0.0
    for column in zip(*rows, strict=True):
        shares = [count / len(rows) for count in Counter(column).values()]
        total -= sum(share * log2(share) for share in shares)
    return total


def expected_entropy(clusters: Sequence[Sequence[Row]]) -> float:
    records = sum(len(cluster) for cluster in clusters)
    return sum(len(cluster) / records * entropy(cluster) for cluster in clusters)


def least_entropy(clusters: Clusters, added: list[Row]) -> int:
    """Where rows are to go so that the expected entropy is least."""
    results = [
        expected_entropy([rows + added if c == choice else rows for c, rows in enumerate(clusters)])
        for choice in range(len(clusters))
    ]
    return next(c for c, result in enumerate(results) if result <= min(results) + TIE)


def coolcat_starts(different: Sequence[Row], k: int) -> list[Row]:
    pairs = [list(pair) for pair in combinations(different, 2)]
    chosen = max(pairs, key=entropy, default=list(different))
    while len(chosen) < min(k, len(different)):
        left = [row for row in different if row not in chosen]
        chosen.append(max(left, key=lambda row: min(entropy((row, start)) for start in chosen)))
    return chosen


def coolcat(rows: Sequence[Row], k: int, batch: int, again: float) -> tuple[dict[Row, int], Clusters]:
    """The cluster of every row, and all records of the clusters."""
    counts, different = Counter(rows), in_order(rows)
    starts = coolcat_starts(different, k)
    clusters: Clusters = [[start] * counts[start] for start in starts]
    found = {start: number for number, start in enumerate(starts)}

    def place(row: Row) -> None:
        found[row] = least_entropy(clusters, [row] * counts[row])
        clusters[found[row]].extend([row] * counts[row])

    def fit(row: Row) -> Fraction:
        own = clusters[found[row]]
        result = Fraction(1)
        for a, value in enumerate(row):
            result *= Fraction(sum(other[a] == value for other in own), len(own))
        return result

    rest = [row for row in different if row not in starts]
    for begin in range(0, len(rest), batch):
        which = rest[begin : begin + batch]
        for row in which:
            place(row)
        by_fit = sorted(which, key=lambda row: (fit(row), -which.index(row)))[: int(again * len(which) + TIE)]
        for row in by_fit:
            clusters[found[row]] = [other for other in clusters[found[row]] if other != row]
        for row in (row for row in which if row in by_fit):
            place(row)
    return found, clusters


def correlation(rows: Sequence[Row], one: Item, other: Item) -> Fraction:
    both = sum(one in items(row) and other in items(row) for row in rows)
    either = sum(one in items(row) or other in items(row) for row in rows)
    return Fraction(both, either) if either else Fraction(0)


def mean_correlation(rows: Sequence[Row], one: Sequence[Row], other: Sequence[Row]) -> float:
    """Over all pairs of a value of the one and a value of the other cluster."""
    first, second = ({item for row in cluster for item in items(row)} for cluster in (one, other))
    total = sum((correlation(rows, a, b) for a, b in product(first, second)), Fraction(0))
    return float(total / (len(first) * len(second)))


def core(rows: Sequence[Row], delta: float, k: int) -> dict[Row, int]:
    def score(one: list[Row], other: list[Row]) -> float:
        return mean_correlation(rows, one, other)

    return numbered(merge_best([[row] for row in in_order(rows)], score, delta, k))


def label_by_correlation(row: Row, rows: Sequence[Row], clusters: Mapping[Row, int]) -> int:
    members: dict[int, list[Row]] = {}
    for other, number in clusters.items():
        members.setdefault(number, []).append(other)
    scores = [mean_correlation(rows, [row], members[c]) for c in sorted(members)]
    return next(c for c, score in enumerate(scores) if score >= max(scores) * (1 - TIE))
