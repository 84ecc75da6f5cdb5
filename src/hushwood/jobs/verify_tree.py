"""Is a published tree the one that its released table gives? From the table and the tree file alone.

`publish_tree` asks this of what it wrote before anybody sees it, and `hushwood verify-tree` of what anybody received.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.folders import SHARE
from hushwood.jobs.release_folder import TPP, release_folder
from hushwood.jobs.tree_vocabulary import in_the_words_of
from hushwood.tables.table import Table, bin_names
from hushwood.trees.forest import LEAF, Forest
from hushwood.trees.model_file import forest_from_json, read_forest


@dataclass(frozen=True, slots=True)
class TreeVerdict:
    """Whether the released table gives the published tree; true if it does, else with the first difference."""

    difference: str | None
    inner_nodes: int
    leaves: int
    closed: int

    def __bool__(self) -> bool:
        return self.difference is None

    @property
    def sentence(self) -> str:
        """The answer in words."""
        if self.difference is not None:
            return f"The released table does not give the published tree. {self.difference}"
        if not self.inner_nodes:
            return "The same: the published tree is one leaf, and there is no split to repeat."
        tests = "inner node's test is the one" if self.inner_nodes == 1 else "inner nodes' tests are those"
        leaves = "1 leaf" if self.leaves == 1 else f"{self.leaves:,} leaves"
        closed = f", {self.closed:,} of them closed" if self.closed else ""
        return (
            f"The same: the {self.inner_nodes:,} {tests} that the same search finds in the released table "
            f"({leaves}{closed})."
        )


def verify_tree(released: object, tree: Path | str | Mapping[str, Any] | Forest) -> TreeVerdict:
    """Compare every inner node's test with the best split of the released table (a frame, a file or a folder)."""
    forest = published_forest(tree)
    return verdict(forest, in_the_words_of(forest, _source(released)))


def verdict(forest: Forest, released: Table) -> TreeVerdict:
    """The verdict on a released table that is read in the tree's vocabulary."""
    from hushwood.tree_publishing.rebuild import first_difference

    leaves = sum(len(tree.leaves) for tree in forest.trees)
    inner = sum(int((tree.attribute != LEAF).sum()) for tree in forest.trees)
    difference = _other_rows(forest, released) or first_difference(forest, released)
    return TreeVerdict(difference, inner, leaves, sum(closed_leaves(forest)))


def _other_rows(forest: Forest, released: Table) -> str | None:
    """A difference between how many records the tree file tells of, where it does, and how many there are."""
    told = forest.grown.get("rows", released.rows)
    if told == released.rows:
        return None
    return f"The tree file tells of {told} records, the released table has {released.rows}."


def closed_leaves(forest: Forest) -> list[int]:
    """How many leaves of each tree were closed because of privacy."""
    return [len(tree.closed) for tree in forest.trees]


def published_forest(tree: Path | str | Mapping[str, Any] | Forest) -> Forest:
    """A tree file that `publish-tree` wrote; other models are refused with what they lack."""
    if isinstance(tree, Forest):
        forest, name = tree, "The forest given"
    elif isinstance(tree, Mapping):
        forest, name = forest_from_json(tree, "tree"), "The tree given"
    elif not isinstance(tree, str | Path):
        raise InputError(f"The tree must be a tree.json, what it holds, or a forest; {tree!r} was given.")
    else:
        path = Path(tree)
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the tree.json in it.")
        forest, name = read_forest(path, "tree"), str(path)
    _check_published(forest, name)
    return forest


def _check_published(forest: Forest, name: str) -> None:
    if forest.grown.get("variant") != TPP:
        found = forest.grown.get("variant")
        kind = f"grown by {found!r}" if found else "that does not say how it was grown"
        raise InputError(
            f"{name} is a forest {kind}; only trees of `hushwood publish-tree` can be rebuilt from their table."
        )
    if not forest.trees:
        raise InputError(f"{name} holds no tree; fetch the tree.json again.")
    others = forest.grown.get("other_columns")
    told = isinstance(others, list) and all(isinstance(other, str) for other in others)
    if not told or not _bins_fit(forest):
        wrong = "class_bins" if told else "other_columns"
        raise InputError(
            f"{name} is damaged: {wrong} under 'grown' cannot be read; fetch the tree.json again."
        )


def _bins_fit(forest: Forest) -> bool:
    """Whether the limits of a number that was cut into classes, where there are any, are those of the classes."""
    bins = forest.grown.get("class_bins", [])
    numbers = isinstance(bins, list) and all(type(limit) in (int, float) for limit in bins)
    return numbers and (not bins or bin_names(tuple(map(float, bins))) == forest.classes)


def _source(released: object) -> object:
    """The released table of a folder that `publish-tree` made; anything else as it is."""
    path = Path(released) if isinstance(released, str | Path) else None
    if path is None or not path.is_dir():
        return released if path is None else path
    folder = release_folder(path)
    if folder is None:
        raise InputError(f"{path} holds no release (no {SHARE}/manifest.json); give the released table.")
    return folder.released
