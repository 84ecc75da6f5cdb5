"""What every attribute is worth at a node in C5.0, which one is tested, and how records are dealt (1.6.2-1.6.4).

Written from the specification (algorithms 1.6) by going through all attributes and all cuts; `see5` grows with it.
The records' numbers have been rounded to single precision. Weights that are equal but for rounding count as equal.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import floor, fsum, log2
from typing import NamedTuple

from oracles.small_table import Record, Table, class_weights, training_records

SLACK = 1e-10


class Options(NamedTuple):
    """How a tree is grown, in the product's words."""

    min_leaf: float = 2
    confidence: float = 0.25
    prune: bool = True
    global_pruning: bool = True
    max_depth: int | None = None
    thresholds: str = "data"


class Split(NamedTuple):
    """A test of an attribute, what it gains and its split information; `cut` is None if categorical."""

    attribute: int
    cut: float | None
    gain: float
    info: float


def single(x: float) -> float:
    """The number in single precision."""
    rounded: float = struct.unpack("f", struct.pack("f", x))[0]
    return rounded


def weight(records: Sequence[Record]) -> float:
    return fsum(record.weight for record in records)


def total_information(weights: Sequence[float]) -> float:
    """T(x1..xr) = X log X - sum xi log xi."""
    return _x_log_x(sum(weights)) - sum(_x_log_x(w) for w in weights)


def _x_log_x(x: float) -> float:
    return x * log2(x) if x > 0 else 0.0


def first_largest(weights: Sequence[float]) -> int:
    """Position of the largest weight, the first one on ties."""
    best = 0
    for i, w in enumerate(weights):
        if w > weights[best] + SLACK:
            best = i
    return best


def score_numeric(records: Sequence[Record], attribute: int, table: Table, options: Options) -> Split | None:
    known = [r for r in records if r.values[attribute] is not None]
    classes, total, known_weight = len(table.classes), weight(records), weight(known)
    if known_weight < 2 * options.min_leaf - SLACK or not known:
        return None
    groups: dict[float, list[Record]] = {}
    for r in known:
        groups.setdefault(r.values[attribute] or 0.0, []).append(r)
    values = sorted(groups)
    by_value = [class_weights(groups[value], classes) for value in values]
    minsplit = max(options.min_leaf, min(25, 0.1 * known_weight / classes))
    base = total_information([sum(column) for column in zip(*by_value, strict=True)]) / known_weight
    left, right = [0.0] * classes, [sum(column) for column in zip(*by_value, strict=True)]
    tries, least, best, slack = 0, float("inf"), None, tolerance(table)
    for i in range(len(values) - 1):
        left = [a + b for a, b in zip(left, by_value[i], strict=True)]
        right = [a - b for a, b in zip(right, by_value[i], strict=True)]
        right = [0.0 if a < SLACK else a for a in right]
        if sum(left) < minsplit - 1e-5 or sum(right) < minsplit - SLACK:
            continue
        tries += 1
        information = total_information(left) + total_information(right)
        if information < least - slack:
            least, best = information, (values[i], values[i + 1], sum(left), sum(right))
    if best is None:
        return None
    low, high, left_weight, right_weight = best
    gain = (known_weight / total) * (base - least / known_weight)
    if gain <= SLACK:
        return None
    spread = single(values[-1] - values[0]) / single(high - low)
    gain = single(gain - log2(min(tries, spread)) / total)
    if gain <= 0:
        return None
    info = total_information([total - known_weight, left_weight, right_weight]) / total
    cut = single(single(low + high) / 2)
    return Split(attribute, low if cut >= high else cut, gain, single(info))


def tolerance(table: Table) -> float:
    """Fractions are summed in some order that must not decide; whole weights give the same sums in any order."""
    known = all(value is not None for record in training_records(table) for value in record.values)
    return 0.0 if known else SLACK


def score_categorical(
    records: Sequence[Record], attribute: int, table: Table, options: Options
) -> Split | None:
    known = [r for r in records if r.values[attribute] is not None]
    values, classes = table.columns[attribute].values or (), len(table.classes)
    by_value = [
        class_weights([r for r in known if r.values[attribute] == v], classes) for v in range(len(values))
    ]
    if sum(sum(part) >= options.min_leaf - SLACK for part in by_value) < 2:
        return None
    total, known_weight = weight(records), weight(known)
    base = total_information([sum(column) for column in zip(*by_value, strict=True)]) / known_weight
    within = sum(total_information(part) for part in by_value) / known_weight
    gain = max(0.0, (known_weight / total) * (base - within))
    info = total_information([total - known_weight, *(sum(part) for part in by_value)]) / total
    return Split(attribute, None, single(gain), single(info))


def many_valued(attribute: int, table: Table) -> bool:
    values = table.columns[attribute].values
    return values is not None and len(values) + 1 >= 0.3 * sum(label is not None for label in table.labels)


def choose(records: Sequence[Record], table: Table, used: frozenset[int], options: Options) -> Split | None:
    """The split a node takes, if any."""
    found: list[Split | None] = []
    for attribute, column in enumerate(table.columns):
        if column.values is None:
            found.append(score_numeric(records, attribute, table, options))
        elif attribute not in used:
            found.append(score_categorical(records, attribute, table, options))
    everyone = all(many_valued(a, table) for a in range(len(table.columns)))
    left = [s for s in found if s and s.gain >= 1e-4 and (everyone or not many_valued(s.attribute, table))]
    if not left:
        return None
    rows = sum(label is not None for label in table.labels)
    f = min(max((floor(rows / len(table.classes)) - 500) / 500, 0.0), 1.0)
    least = (1 - f) * sum(s.gain for s in left) / len(left) + 0.9 * f * log2(len(left)) / weight(records)
    leader: Split | None = None
    for s in left:
        if s.gain >= 0.999 * least and s.info > 0 and (leader is None or _leads(s, leader, table)):
            leader = s
    return leader


def _leads(s: Split, leader: Split, table: Table) -> bool:
    ratio, best = single(s.gain / s.info), single(leader.gain / leader.info)
    if ratio > best:
        return True
    own, other = _branches(s, table), _branches(leader, table)
    return ratio > 0.999 * best and (own < other or (own == other and s.gain > leader.gain))


def _branches(s: Split, table: Table) -> int:
    values = table.columns[s.attribute].values
    return 3 if values is None or len(values) <= 2 else len(values) + 1


def deal(records: Sequence[Record], split: Split, table: Table, growing: bool) -> list[list[Record]]:
    """The records of every branch; one without a value goes down all, in shares of their known weight."""
    values = table.columns[split.attribute].values
    parts: list[list[Record]] = [[] for _ in range(2 if values is None else len(values))]
    unknown = []
    for r in records:
        value = r.values[split.attribute]
        if value is None:
            unknown.append(r)
        else:
            parts[int(value) if split.cut is None else int(value > split.cut)].append(r)
    if growing and len(records) > 1000 and 2 * len(unknown) > len(records) and len(values or ()) >= 9:
        unknown = [r for r in unknown if r.weight >= 0.1]
    sizes = [weight(part) for part in parts]
    known = fsum(sizes)
    for part, size in zip(parts, sizes, strict=True):
        share = size / known if known > 0 else 1 / len(parts)
        if share > 0:
            part += [r._replace(weight=r.weight * share) for r in unknown]
    return [part if weight(part) >= 0.05 - SLACK else [] for part in parts]
