"""What a certificate must say, worked out record by record: slow and obvious.

Records are dictionaries of numbers and texts, None for missing; numbers that became ranges are pairs of ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

Record = Mapping[str, Any]


def leaf_of(nodes: Sequence[Mapping[str, Any]], record: Record) -> int:
    """The identity of the leaf that a record reaches in a tree of a forest.json."""
    by_id = {node["id"]: node for node in nodes}
    node = nodes[0]
    while "test" in node:
        value, test, children = record[node["test"]["attribute"]], node["test"], node["children"]
        if value is None:
            way = node["missing_to"]
        elif "threshold" in test:
            way = children["le"] if value <= test["threshold"] else children["gt"]
        else:
            way = children.get(value, node["missing_to"])
        node = by_id[way]
    return int(node["id"])


def kept(before: Sequence[Any], after: Sequence[Any], paired: bool) -> int:
    """Records that are where they were; unpaired ones take the place of any other."""
    if paired:
        return sum(first == last for first, last in zip(before, after, strict=True))
    return sum((Counter(before) & Counter(after)).values())


def column_fault(
    column: Mapping[str, Any],
    promise: Any,
    before: list[Any],
    after: list[Any],
    groups: list[Any],
    lone: set[Any],
) -> str | None:
    """The first broken promise; `column` has a name, and ends or categories; `lone` are the exempt groups."""
    rows = len(before)
    lost = sum(
        wrong_gap(promise.missing, had is None, has is None) for had, has in zip(before, after, strict=True)
    )
    blanks = promise.missing in ("added", "any")
    strange = [(a, b) for a, b in zip(before, after, strict=True) if is_strange(column, promise.values, a, b)]
    said = None
    if lost:
        said = f"has gaps in other records than the original ({lost} of {rows})"
    elif not blanks and set(after) == {None} and sum(had is not None for had in before) >= 100:
        said = "lost all its values"
    elif strange:
        said = strangeness(column, promise.values).format(f"({len(strange)} of {rows})")
    elif promise.missing in ("dealt", "drawn") or promise.values in ("dealt", "held"):
        exempt = lone if promise.lone_moves else set()
        wrong = miscounted(promise, blanks, before, after, groups) - exempt
        where = f" (in {len(wrong)} of {len(set(groups))} segments)" if promise.within == "segment" else ""
        said = f"has other counts of its values than the original{where}" if wrong else None
    return said and f"column {column['name']!r} {said}"


def wrong_gap(word: str, had: bool, has: bool) -> bool:
    return {"same": had != has, "added": had and not has, "filled": has and not had}.get(word, False)


def is_strange(column: Mapping[str, Any], word: str, had: Any, has: Any) -> bool:
    if has is None or (word in ("same", "ranges") and had is None):
        return False
    if word == "same":
        return bool(had != has)
    if word == "ranges":
        return not has[0] <= had <= has[1]
    if "categories" in column:
        return word not in ("generalised", "any") and has not in column["categories"]
    return word != "any" and not column["low"] <= has <= column["high"]


def strangeness(column: Mapping[str, Any], word: str) -> str:
    if word == "same":
        return "has other values than the original {} though it is copied"
    if word == "ranges":
        return "has ranges that do not hold the original's number {}"
    if "categories" in column:
        return "has values that are none of its categories {}"
    return f"has numbers outside {column['low']:g} to {column['high']:g} {{}}"


def miscounted(
    promise: Any, blanks: bool, before: list[Any], after: list[Any], groups: list[Any]
) -> set[Any]:
    """Groups in which a value or a gap occurs in a number that is not allowed."""
    had, has = (Counter(zip(groups, column, strict=True)) for column in (before, after))
    wrong = set()
    for pair in had | has:
        word = promise.missing if pair[1] is None else promise.values
        if word == "dealt":
            broken = has[pair] > had[pair] if blanks else has[pair] != had[pair]
        else:
            broken = word in ("held", "drawn") and has[pair] > 0 and had[pair] == 0
        wrong |= {pair[0]} if broken else set()
    return wrong


def lone_groups(movers: Sequence[list[Any]], groups: list[Any]) -> set[Any]:
    """Groups in which a single record has a number in some column whose numbers change places."""
    found = set()
    for column in movers:
        present = Counter(group for group, value in zip(groups, column, strict=True) if value is not None)
        found |= {group for group, count in present.items() if count == 1}
    return found
