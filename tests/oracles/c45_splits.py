"""What every possible split of a node is worth in C4.5 release 8 and J48, and which one is taken.

Written from the specification (algorithms 1.2 and 1.5) by going through all attributes and all cuts; `c45`
grows with it. Rounding must not decide: a later cut or attribute wins only if it is better by more than the
`slack`, a numeric split must gain more than the slack, and weights count as equal within the slack.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import fsum, log2
from typing import Literal, NamedTuple

from oracles.small_table import Record, Table, class_weights

EPSILON = 1e-3
LEAST_GAP = 1e-5


class Options(NamedTuple):
    """How a tree is grown, in the product's words."""

    variant: Literal["c45", "j48"] = "c45"
    criterion: Literal["gain_ratio", "information_gain", "gini"] = "gain_ratio"
    min_leaf: float = 2
    confidence: float = 0.25
    prune: bool = True
    max_depth: int | None = None
    thresholds: Literal["data", "midpoint"] = "data"

    @property
    def slack(self) -> float:
        return 1e-10 if self.variant == "c45" else 1e-6


class Split(NamedTuple):
    """A test of an attribute, what it gains and its split information; `threshold` is None if categorical."""

    attribute: int
    threshold: float | None
    gain: float
    info: float


def weight(records: Sequence[Record]) -> float:
    return fsum(record.weight for record in records)


def total_information(weights: Sequence[float]) -> float:
    """T(x1..xr) = X log X - sum xi log xi."""
    return _x_log_x(fsum(weights)) - fsum(_x_log_x(w) for w in weights)


def impurity(weights: Sequence[float], criterion: str) -> float:
    """Entropy or Gini index, times the weight."""
    if criterion != "gini":
        return total_information(weights)
    total = fsum(weights)
    return total - fsum(w * w for w in weights) / total if total > 0 else 0.0


def _x_log_x(x: float) -> float:
    return x * log2(x) if x > 0 else 0.0


def gain_of(parts: Sequence[Sequence[float]], unknown: float, criterion: str) -> float:
    """(1 - u) * (impurity of the known - impurity of the parts), for the class weights of each part."""
    together = [fsum(column) for column in zip(*parts, strict=True)]
    known = fsum(together)
    rate = unknown / (known + unknown)
    lost = impurity(together, criterion) - fsum(impurity(part, criterion) for part in parts)
    return (1 - rate) * lost / known


def known_of(records: Sequence[Record], attribute: int) -> list[Record]:
    return [r for r in records if r.values[attribute] is not None]


def unknown_of(records: Sequence[Record], attribute: int) -> list[Record]:
    return [r for r in records if r.values[attribute] is None]


def by_value(records: Sequence[Record], attribute: int, classes: int) -> dict[float, list[float]]:
    """Class weights of every value that occurs, values ascending."""
    known = known_of(records, attribute)
    values = sorted({value for r in known if (value := r.values[attribute]) is not None})
    groups: dict[float, list[Record]] = {value: [] for value in values}
    for r in known:
        value = r.values[attribute]
        if value is not None:
            groups[value].append(r)
    return {value: class_weights(group, classes) for value, group in groups.items()}


def all_cuts(groups: dict[float, list[float]]) -> list[tuple[float, float, list[float], list[float]]]:
    """Every cut between neighbouring values: value below, value above, class weights of both sides."""

    def add(one: list[float], other: list[float]) -> list[float]:
        return [a + b for a, b in zip(one, other, strict=True)]

    values = list(groups)
    below = list(accumulate(groups.values(), add))
    above = list(accumulate(reversed(groups.values()), add))[::-1]
    return [(values[i], values[i + 1], below[i], above[i + 1]) for i in range(len(values) - 1)]


def middle(low: float, high: float) -> float:
    mid = (low + high) / 2
    return low if mid == high else mid


def stored_threshold(mid: float, attribute: int, table: Table, thresholds: str) -> float:
    """The midpoint, or the largest value of the whole training table that is not above it."""
    if thresholds == "midpoint":
        return mid
    column = [row[attribute] for row, c in zip(table.rows, table.labels, strict=True) if c is not None]
    return max(value for value in column if value is not None and value <= mid)


def score_categorical(
    records: Sequence[Record], attribute: int, table: Table, options: Options
) -> Split | None:
    parts = list(by_value(records, attribute, len(table.classes)).values())
    sizes = [fsum(part) for part in parts]
    if sum(size >= options.min_leaf - options.slack for size in sizes) < 2:
        return None
    unknown = weight(unknown_of(records, attribute))
    gain = gain_of(parts, unknown, options.criterion)
    info = total_information([unknown, *sizes]) / (unknown + fsum(sizes))
    return Split(attribute, None, gain, info)


def least_side(known_weight: float, classes: int, options: Options) -> float:
    share = 0.1 * known_weight / classes
    return options.min_leaf if share <= options.min_leaf + options.slack else min(share, 25)


def score_numeric(records: Sequence[Record], attribute: int, table: Table, options: Options) -> Split | None:
    known = known_of(records, attribute)
    slack, classes = options.slack, len(table.classes)
    minsplit = least_side(weight(known), classes, options)
    if options.variant == "c45" and weight(known) < 2 * options.min_leaf - slack:
        return None
    if options.variant == "j48" and len(known) < 2 * minsplit - slack:
        return None
    unknown = weight(unknown_of(records, attribute))
    best, tries, found = 0.0, 0, None
    for low, high, left, right in all_cuts(by_value(records, attribute, classes)):
        smaller = min(fsum(left), fsum(right))
        if high - low <= LEAST_GAP or smaller < minsplit - slack:
            continue
        tries += 1
        if options.variant == "c45" and smaller < options.min_leaf - slack:
            continue
        gain = gain_of([left, right], unknown, options.criterion)
        if gain > best + slack:
            best, found = gain, (low, high, fsum(left), fsum(right))
    if found is None:
        return None
    total = weight(records)
    if options.criterion != "gini":
        best -= log2(tries) / total
    if best <= slack:
        return None
    low, high, left_size, right_size = found
    threshold = stored_threshold(middle(low, high), attribute, table, options.thresholds)
    return Split(attribute, threshold, best, total_information([unknown, left_size, right_size]) / total)


def all_splits(
    records: Sequence[Record], table: Table, used: frozenset[int], options: Options
) -> list[Split]:
    """The valid split of every attribute that has one; C4.5 bars categorical attributes used above."""
    splits = []
    for attribute, column in enumerate(table.columns):
        if column.values is None:
            splits.append(score_numeric(records, attribute, table, options))
        elif options.variant == "j48" or attribute not in used:
            splits.append(score_categorical(records, attribute, table, options))
    return [split for split in splits if split is not None]


def many_valued(attribute: int, table: Table, options: Options) -> bool:
    values = table.columns[attribute].values
    rows = sum(label is not None for label in table.labels)
    limit = 0.3 * rows - (options.slack if options.variant == "j48" else 0)
    return values is not None and len(values) >= limit


def best_split(splits: Sequence[Split], table: Table, options: Options) -> Split | None:
    """The split taken: the first among those of the largest worth."""
    candidates = list(splits)
    if options.criterion == "gain_ratio":
        everyone = all(many_valued(a, table, options) for a in range(len(table.columns)))
        averaged = [s for s in splits if everyone or not many_valued(s.attribute, table, options)]
        if not averaged:
            return None
        average = fsum(s.gain for s in averaged) / len(averaged)
        candidates = [s for s in splits if s.gain >= average - EPSILON]
    if options.criterion != "gini":
        candidates = [
            s for s in candidates if s.info > (EPSILON if options.variant == "c45" else options.slack)
        ]
    best, leader = (-EPSILON if options.variant == "c45" else 0.0), None
    for split in candidates:
        worth = split.gain / split.info if options.criterion == "gain_ratio" else split.gain
        if worth > best + options.slack:
            best, leader = worth, split
    return leader
