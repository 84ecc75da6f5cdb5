"""Proof that the rules survived: the released file, read back, follows the same path in every tree.

Reads forest.json as plain JSON and routes with its own few lines, so that a fault in the trees' or the techniques'
code cannot hide itself here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import BrokenCertificate
from hushwood.tables.storage import numbers_of, texts_of

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


def certify(
    original: pl.DataFrame, released: pl.DataFrame, forest: Mapping[str, Any], claimed: bool
) -> Certificate:
    """Send every record of both frames through every tree of a forest.json and count those that stay."""
    kept = np.ones(original.height, bool)
    per_tree = []
    attributes = {a["name"]: a for a in forest["attributes"]}
    if released.height != original.height:
        return Certificate(claimed, original.height, 0, tuple(0 for _ in forest["trees"]))
    columns = [_Columns(frame, attributes) for frame in (original, released)]
    for tree in forest["trees"]:
        before, after = (leaf_of_each(tree["nodes"], frame) for frame in columns)
        same = before == after
        per_tree.append(int(same.sum()))
        kept &= same
    return Certificate(claimed, original.height, int(kept.sum()), tuple(per_tree))


class _Columns:
    """Columns of a frame as a tree compares them, each made ready once: numbers, or codes with their texts."""

    def __init__(self, frame: pl.DataFrame, attributes: Mapping[str, Mapping[str, Any]]) -> None:
        self.frame, self.attributes, self.rows = frame, attributes, frame.height
        self.ready: dict[str, tuple[NDArray[Any], list[str] | None]] = {}

    def __getitem__(self, name: str) -> tuple[NDArray[Any], list[str] | None]:
        if name not in self.ready:
            self.ready[name] = self._prepare(name)
        return self.ready[name]

    def _prepare(self, name: str) -> tuple[NDArray[Any], list[str] | None]:
        import polars as pl

        column = self.frame[name]
        attribute = self.attributes[name]
        if attribute["kind"] == "numeric":
            return numbers_of(column, attribute.get("precision")), None
        texts = texts_of(column)
        distinct = texts.drop_nulls().unique().to_list()
        codes = texts.cast(pl.Enum(distinct)).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return codes, distinct


def leaf_of_each(nodes: Sequence[Mapping[str, Any]], columns: _Columns) -> NDArray[np.int64]:
    """Identity of the leaf that every row of the columns reaches."""
    leaf = np.full(columns.rows, -1, np.int64)
    by_id = {node["id"]: node for node in nodes}
    waiting = [(nodes[0]["id"], np.arange(columns.rows))]
    while waiting:
        identity, rows = waiting.pop()
        node = by_id[identity]
        if "test" not in node:
            leaf[rows] = identity
            continue
        child = _child_of_each(node, columns, rows)
        waiting += [(each, rows[child == each]) for each in set(node["children"].values())]
    return leaf


def _child_of_each(node: Mapping[str, Any], columns: _Columns, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    values, texts = columns[node["test"]["attribute"]]
    children, fallback = node["children"], node["missing_to"]
    if texts is None:
        known = values[rows]
        side = np.where(known <= node["test"]["threshold"], children["le"], children["gt"])
        return np.asarray(np.where(np.isnan(known), fallback, side))
    child_of_code = np.array([*(children.get(text, fallback) for text in texts), fallback], np.int64)
    return np.asarray(child_of_code[values[rows]])
