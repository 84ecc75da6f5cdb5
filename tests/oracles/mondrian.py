"""InfoGain and LSD Mondrian by the definition: every split of every part is scored anew, from the records themselves.

Columns are lists of values, None for missing; `kinds` says "numeric" or "categorical" of each. The response is a list
of classes or, if `numeric`, of numbers. A part is a sorted list of row numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any

EQUAL = 1e-12

Part = list[int]
Split = tuple[float, int, Part, Part]


def parts(
    columns: Sequence[Sequence[Any]],
    kinds: Sequence[str],
    response: Sequence[Any],
    k: int,
    l: float = 1.0,
    sensitive: Sequence[Sequence[Any]] = (),
    max_parts: int | None = None,
    min_gain: float = 0.0,
    numeric: bool = False,
) -> list[Part]:
    """The final parts, in any order."""
    if numeric:
        known = [y for y in response if y is not None]
        centre = sum(known) / len(known) if known else 0.0
        response = [None if y is None else y - centre for y in response]
    everything = list(range(len(response)))
    whole = _size(everything, response, numeric)
    made: list[tuple[Part, Split | None]] = []

    def add(part: Part) -> None:
        made.append((part, _best(part, columns, kinds, response, k, l, sensitive, min_gain, numeric)))

    add(everything)
    final = 1
    while max_parts is None or final < max_parts:
        open_parts = [(i, split) for i, (_, split) in enumerate(made) if split is not None]
        if not open_parts:
            break
        place, split = max(open_parts, key=lambda each: (round(each[1][0] / (whole or 1), 12), -each[0]))
        made[place] = ([], None)
        add(split[2])
        add(split[3])
        final += 1
    return [part for part, _ in made if part]


def _best(
    part: Part,
    columns: Sequence[Sequence[Any]],
    kinds: Sequence[str],
    response: Sequence[Any],
    k: int,
    l: float,
    sensitive: Sequence[Sequence[Any]],
    min_gain: float,
    numeric: bool,
) -> Split | None:
    before, scale = _score(part, response, numeric), _scale(part, response, numeric)
    best: tuple[float, int, Part, Part] | None = None
    for number, (column, kind) in enumerate(zip(columns, kinds, strict=True)):
        allowed = []
        for left, right in _candidates(part, column, kind, response, numeric, k, l, sensitive):
            after = _score(left, response, numeric) + _score(right, response, numeric)
            allowed.append((after, number, left, right))
        own: tuple[float, int, Part, Part] | None = None
        for split in allowed:
            if own is None or split[0] < own[0] - EQUAL * scale:
                own = split
        if own is not None and (best is None or own[0] < best[0] - EQUAL * scale):
            best = own
    if best is None:
        return None
    gain = before - best[0]
    if min_gain > 0 and gain < min_gain * _size(part, response, numeric):
        return None
    return gain, best[1], best[2], best[3]


def _candidates(
    part: Part,
    column: Sequence[Any],
    kind: str,
    response: Sequence[Any],
    numeric: bool,
    k: int,
    l: float,
    sensitive: Sequence[Sequence[Any]],
) -> list[tuple[Part, Part]]:
    """The allowable splits of a part by one column."""

    def allowable(left: Part, right: Part) -> bool:
        return all(
            len(side) >= k
            and all(
                max(map([s[r] for r in side].count, {s[r] for r in side})) * l <= len(side) for s in sensitive
            )
            for side in (left, right)
        )

    values = sorted({column[row] for row in part}, key=lambda v: (v is not None, v))
    rows = {value: [row for row in part if column[row] == value] for value in values}
    if kind == "categorical":
        values.sort(key=lambda value: _share(rows[value], part, response, numeric))
    cuts = []
    for i in range(1, len(values)):
        left = [row for value in values[:i] for row in rows[value]]
        right = [row for value in values[i:] for row in rows[value]]
        classes = {response[row] for value in values[i - 1 : i + 1] for row in rows[value]}
        border = numeric or kind == "categorical" or len(classes) > 1
        cuts.append((left, right, border))
    found = [(left, right) for left, right, border in cuts if border and allowable(left, right)]
    if not found and cuts:
        left, right, _ = min(cuts, key=lambda cut: abs(len(cut[0]) - len(cut[1])))
        found = [(left, right)] if allowable(left, right) else []
    return [(sorted(left), sorted(right)) for left, right in found]


def _share(rows: Part, part: Part, response: Sequence[Any], numeric: bool) -> float:
    """Mean response, or share of the part's most frequent class, the smallest of equals."""
    if numeric:
        known = [response[row] for row in rows if response[row] is not None]
        return float(sum(known) / max(len(known), 1))
    labels = [response[row] for row in part]
    frequent = max(sorted(set(labels)), key=labels.count)
    return [response[row] for row in rows].count(frequent) / len(rows)


def _score(rows: Part, response: Sequence[Any], numeric: bool) -> float:
    labels = [response[row] for row in rows]
    if numeric:
        known = [y for y in labels if y is not None]
        mean = sum(known) / max(len(known), 1)
        return float(sum((y - mean) ** 2 for y in known))
    return -sum(labels.count(c) * log2(labels.count(c) / len(labels)) for c in set(labels))


def _scale(rows: Part, response: Sequence[Any], numeric: bool) -> float:
    if numeric:
        return float(sum(response[row] ** 2 for row in rows if response[row] is not None))
    return 1.0 + len(rows) * log2(len(rows))


def _size(rows: Part, response: Sequence[Any], numeric: bool) -> float:
    """What gains are a share of."""
    return _score(rows, response, numeric) if numeric else float(len(rows))
