"""Proof that the rules survived: the released file, read back, follows the same path in every tree.

Reads forest.json as plain JSON and routes with its own few lines, so that a fault in the trees' or the techniques'
code cannot hide itself here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import BrokenCertificate
from hushwood.tables.storage import numbers_of, texts_of
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Certificate:
    """How many records are still in their leaf, in all trees together and in each."""

    claimed: bool
    records: int
    kept: int
    per_tree: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The certificate as it stands in the manifest."""
        return {**asdict(self), "per_tree": list(self.per_tree)}

    def check(self) -> None:
        """Raise if the certificate claims more than the file shows."""
        if self.claimed and self.kept < self.records:
            raise BrokenCertificate(
                f"{self.records - self.kept} of {self.records} released records left their segment although "
                "every technique used promises to keep them; nothing was released. Please report this."
            )


class Source(Protocol):
    """A frame, or a file that gives one column at a time."""

    @property
    def height(self) -> int:
        """How many rows there are."""

    def __getitem__(self, name: str, /) -> pl.Series:
        """One column."""


def certify(
    original: Source | Table, released: Source, forest: Mapping[str, Any], claimed: bool, threads: int = 1
) -> Certificate:
    """Send every record of both tables through every tree of a forest.json and count those that stay."""
    rows = original.rows if isinstance(original, Table) else original.height
    trees = [tree["nodes"] for tree in forest["trees"]]
    if released.height != rows:
        return Certificate(claimed, rows, 0, tuple(0 for _ in trees))
    attributes = {a["name"]: a for a in forest["attributes"]}
    tested = {node["test"]["attribute"] for nodes in trees for node in nodes if "test" in node}
    before = {name: compared(original, attributes[name]) for name in tested}
    after = {name: compared(released, attributes[name]) for name in tested}

    def stays(nodes: Sequence[Mapping[str, Any]]) -> NDArray[np.bool_]:
        return np.asarray(leaf_of_each(nodes, before, rows) == leaf_of_each(nodes, after, rows))

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        same = list(pool.map(stays, trees))
    kept = np.logical_and.reduce([np.ones(rows, bool), *same])
    return Certificate(claimed, rows, int(kept.sum()), tuple(int(tree.sum()) for tree in same))


class Compared(NamedTuple):
    """A column as a tree compares it: numbers, or codes (-1: missing) with their texts."""

    values: NDArray[Any]
    texts: Sequence[str] | None
    gaps: bool


def compared(table: Source | Table, attribute: Mapping[str, Any]) -> Compared:
    """One column of a table, made ready for the trees of a forest.json."""
    import polars as pl

    name = attribute["name"]
    numeric = attribute["kind"] == "numeric"
    if isinstance(table, Table):
        values: NDArray[Any] = np.asarray(table.columns[name])
        texts: Sequence[str] | None = None if numeric else table.schema[name].categories
    elif numeric:
        values, texts = numbers_of(table[name], attribute.get("precision")), None
    else:
        column = texts_of(table[name])
        texts = column.drop_nulls().unique().to_list()
        values = column.cast(pl.Enum(texts)).to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return Compared(values, texts, bool(np.isnan(values).any() if numeric else (values < 0).any()))


def leaf_of_each(
    nodes: Sequence[Mapping[str, Any]], columns: Mapping[str, Compared], rows: int
) -> NDArray[np.int32]:
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


def _parts(
    node: Mapping[str, Any], column: Compared, rows: NDArray[np.int32]
) -> list[tuple[int, NDArray[np.int32]]]:
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
