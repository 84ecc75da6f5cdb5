"""Proof that nothing was lost: the released file, read back, follows the rules of every tree and keeps its promises.

Reads forest.json as plain JSON and routes with its own few lines, so that a fault in the trees' or the techniques'
code cannot hide itself here. What every column promises comes from the plan and is checked in `column_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Codes
from hushwood.errors import BrokenCertificate
from hushwood.releasing.column_checks import ColumnChecks, Compared, Source, compared
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Promise


@dataclass(frozen=True, slots=True)
class Certificate:
    """How many records are still in their leaf, in all trees together and in each, and what the columns keep.

    `columns` are the promises that were checked, with the number of missing values; None if none were. `faults`
    describe the broken ones. If records are not `paired`, those are counted that find an original record of their own
    in the same leaf.
    """

    claimed: bool
    records: int
    kept: int
    per_tree: tuple[int, ...]
    columns: Mapping[str, Mapping[str, Any]] | None = None
    faults: tuple[str, ...] = ()
    paired: bool = True

    def to_json(self) -> dict[str, Any]:
        """The certificate as it stands in the manifest."""
        said: dict[str, Any] = {"claimed": self.claimed, "records": self.records, "kept": self.kept}
        said["per_tree"] = list(self.per_tree)
        said |= {} if self.paired else {"paired": False}
        return said if self.columns is None else said | {"columns": dict(self.columns)}

    def check(self) -> None:
        """Raise if the certificate claims more than the file shows."""
        if self.faults:
            more = f" ({len(self.faults) - 1} more like this)" if len(self.faults) > 1 else ""
            raise BrokenCertificate(
                f"The released file is not what its techniques promise: {self.faults[0]}{more}; nothing was "
                "released. Please report this."
            )
        if self.claimed and self.kept < self.records:
            raise BrokenCertificate(
                f"{self.records - self.kept} of {self.records} released records left their segment although "
                "every technique used promises to keep them; nothing was released. Please report this."
            )


def certify(
    original: Source | Table,
    released: Source,
    forest: Mapping[str, Any],
    claimed: bool,
    threads: int = 1,
    promises: Mapping[str, Promise] | None = None,
    *,
    paired: bool = True,
) -> Certificate:
    """Send every record of both tables through every tree of a forest.json, and check what the columns promise.

    Promises need a table, whose schema says what the columns were.
    """
    rows = original.rows if isinstance(original, Table) else original.height
    trees = [tree["nodes"] for tree in forest["trees"]]
    checks = (
        ColumnChecks(original, promises) if isinstance(original, Table) and promises is not None else None
    )
    faults = checks.shape_faults(released) if checks else ()
    if faults or released.height != rows:
        return Certificate(claimed, rows, 0, tuple(0 for _ in trees), {} if checks else None, faults, paired)
    attributes = {a["name"]: a for a in forest["attributes"]} | (checks.attributes if checks else {})
    tested = {node["test"]["attribute"] for nodes in trees for node in nodes if "test" in node}
    before = {name: compared(original, attributes[name]) for name in tested}
    with ThreadPoolExecutor(max(threads, 1)) as pool:
        left = list(pool.map(lambda nodes: leaf_of_each(nodes, before, rows), trees))
        found = checks.run(released, left, tested, pool) if checks else None
        read = found.read if found else {}
        after = {name: read.get(name) or compared(released, attributes[name]) for name in tested}
        reached = list(pool.map(lambda nodes: leaf_of_each(nodes, after, rows), trees))
    count = _same_place if paired else _matched
    per_tree = tuple(count([first], [last]) for first, last in zip(left, reached, strict=True))
    kept = count(left, reached) if trees else rows
    if found is None:
        return Certificate(claimed, rows, kept, per_tree, paired=paired)
    return Certificate(claimed, rows, kept, per_tree, found.columns, found.faults, paired)


def _same_place(before: Sequence[Codes], after: Sequence[Codes]) -> int:
    """Records that are in the same leaf of all trees before and after."""
    return int(
        np.logical_and.reduce([first == last for first, last in zip(before, after, strict=True)]).sum()
    )


def _matched(before: Sequence[Codes], after: Sequence[Codes]) -> int:
    """The most pairs of a record before and one after, each used once, that are in the same leaf of all trees."""
    leaves, place = np.unique(
        np.concatenate([np.stack(before, axis=1), np.stack(after, axis=1)]), axis=0, return_inverse=True
    )
    had, has = (np.bincount(half, minlength=len(leaves)) for half in np.split(place.ravel(), 2))
    return int(np.minimum(had, has).sum())


def leaf_of_each(nodes: Sequence[Mapping[str, Any]], columns: Mapping[str, Compared], rows: int) -> Codes:
    """Identity of the leaf that every row of the columns reaches."""
    leaf = np.full(rows, -1, np.int32)
    by_id = {node["id"]: node for node in nodes}
    waiting = [(nodes[0]["id"], np.arange(rows, dtype=np.int32))]
    while waiting:
        identity, here = waiting.pop()
        node = by_id[identity]
        if "test" in node:
            waiting += _parts(node, columns[node["test"]["attribute"]], here)
        else:
            leaf[here] = identity
    return leaf


def _parts(node: Mapping[str, Any], column: Compared, rows: Codes) -> list[tuple[int, Codes]]:
    """The rows that go to each child of a node."""
    children, fallback, values = node["children"], node["missing_to"], column.values[rows]
    if column.texts is None:
        low = values <= node["test"]["threshold"]
        high = ~low & ~np.isnan(values) if column.gaps else ~low
        parts = [(children["le"], rows[low]), (children["gt"], rows[high])]
        return [*parts, (fallback, rows[np.isnan(values)])] if column.gaps else parts
    targets = list(dict.fromkeys([*children.values(), fallback]))
    place = {child: i for i, child in enumerate(targets)}
    of_code = np.array([place[children.get(text, fallback)] for text in (*column.texts, None)], np.uint16)
    part = of_code[values]
    order = np.argsort(part, kind="stable")
    limits = np.cumsum(np.bincount(part, minlength=len(targets)))[:-1]
    return list(zip(targets, np.split(rows[order], limits), strict=True))
