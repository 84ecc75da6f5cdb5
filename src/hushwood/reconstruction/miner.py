"""Everything that an honest miner wins back from a release: the distribution of every column, and a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from hushwood.errors import unknown_name
from hushwood.reconstruction.column_back import COARSER, LINKED, ColumnBack, column_back, recovered_by
from hushwood.reconstruction.disguised_answers import Disguise
from hushwood.reconstruction.distributions import Method
from hushwood.reconstruction.moments import subpopulation_mean
from hushwood.reconstruction.noisy_trees import Strategy
from hushwood.reconstruction.recovered import Known, Recovered
from hushwood.reconstruction.tree_back import accuracy, plain_tree, regrown, some_rows, tree_back
from hushwood.stages import Stage, silent
from hushwood.tables.table import Table, class_labels
from hushwood.techniques.protocol import Technique
from hushwood.techniques.warner import Warner
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder

_NO_ACCURACY = "Columns were made coarser, so trees of the release are not tried on the original's records."


@dataclass(frozen=True, slots=True)
class Announced:
    """A release as its receiver has it: the table, the techniques of every column, and how its trees were grown.

    `forest` is the owner's, if it may be used; otherwise it is grown again where it is needed. `predicted` are the
    columns that trees predict in a table without a class, `linked` those that follow from others.
    """

    released: Table
    techniques: Mapping[str, tuple[Technique, ...]]
    builder: Builder = field(default_factory=Builder)
    forest: Forest | None = None
    predicted: tuple[str, ...] = ()
    linked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ClassMean:
    """The mean of a column among the records of one class, where the noise biased it."""

    column: str
    label: str
    released: float
    recovered: float
    original: float | None

    def to_json(self) -> dict[str, Any]:
        """The mean as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TreeFound:
    """The tree that was won back, and how many original records each tree classifies correctly."""

    way: str
    plain: bool
    forest: Forest
    leaves: int
    accuracy: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """The tree's facts as plain data; the tree itself is not among them."""
        return {"grown_by": self.way, "leaves": self.leaves, "accuracy": dict(self.accuracy)}


@dataclass(frozen=True, slots=True)
class WonBack:
    """What a miner wins back; `notes` say what was assumed or could not be done."""

    columns: tuple[ColumnBack, ...]
    class_means: tuple[ClassMean, ...]
    tree: TreeFound | None
    notes: tuple[str, ...]

    def __getitem__(self, name: str) -> ColumnBack:
        found = next((column for column in self.columns if column.name == name), None)
        if found is None:
            raise unknown_name("column", name, (column.name for column in self.columns))
        return found

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "format": "hushwood-reconstruction",
            "version": 1,
            "notes": list(self.notes),
            "columns": [column.to_json() for column in self.columns],
            "class_means": [mean.to_json() for mean in self.class_means],
            "tree": None if self.tree is None else self.tree.to_json(),
        }


def win_back(
    announced: Announced,
    original: Table | None = None,
    *,
    intervals: int = 20,
    method: Method | Literal["spectral"] = "em",
    strategy: Strategy = "byclass",
    stage: Stage = silent,
) -> WonBack:
    """Recover every column and the tree; with the original, compare both with it.

    With "spectral", independent noise is filtered out of all its columns together, and EM undoes all other.
    """
    spectral = method == "spectral"
    one_by_one: Method = "em" if method == "spectral" else method
    released, target = announced.released, announced.released.schema.class_attribute
    classified = target is not None and target.kind == "categorical"
    by_rules = any(t.keeps_segment for each in announced.techniques.values() for t in each)
    forest = announced.forest
    predicted = [a.name for a in released.schema.classes] or list(announced.predicted)
    if forest is None and predicted and by_rules:
        stage("growing the rules again", 0, 1)
        forest = regrown(released, announced.builder, predicted)
    columns, recovered = [], {}
    names = [attribute.name for attribute in released.schema.attributes if not attribute.carried]
    for done, name in enumerate(names):
        stage("recovering columns", done, len(names))
        techniques = announced.techniques.get(name, ())
        together = tuple(n for n, each in announced.techniques.items() if each == techniques)
        known = Known(released, name, techniques, forest, intervals, one_by_one, together, spectral)
        found = LINKED if name in announced.linked else recovered_by(known)
        columns.append(column_back(known, found, original))
        if isinstance(found, Recovered):
            recovered[name] = found
    if not classified:
        note = f"The class {target.name!r} is a number, so no tree is grown." if target else ""
        return WonBack(tuple(columns), (), None, (note,) if note else ())
    stage("growing the tree", 0, 1)
    back = tree_back(
        released, recovered, _disguise(announced), announced.builder, strategy=strategy, intervals=intervals
    )
    leaves = int((back.forest.trees[0].attribute < 0).sum())
    coarser = any(column.reason == COARSER for column in columns)
    compared = _accuracies(announced, back.forest, None if coarser else original)
    tree = TreeFound(back.way, back.plain, back.forest, leaves, compared)
    notes = (_NO_ACCURACY,) if coarser and original is not None else ()
    return WonBack(tuple(columns), tuple(_class_means(released, recovered, original)), tree, notes)


def _disguise(announced: Announced) -> Disguise | None:
    """How the inputs were disguised, if all random answers were given with one probability."""
    released = announced.released
    made = {
        name: technique
        for name, each in announced.techniques.items()
        for technique in each
        if isinstance(technique, Warner) and len(released.schema[name].categories) == 2
    }
    ways = {(technique.truth, technique.together) for technique in made.values()}
    others = [
        n for n, each in announced.techniques.items() if each and n not in made and n in released.columns
    ]
    if len(ways) != 1 or others:
        return None
    ((truth, together),) = ways
    return Disguise(truth, (tuple(made),) if together else tuple((name,) for name in made))


def _accuracies(announced: Announced, won: Forest, original: Table | None) -> dict[str, float]:
    """The share of the original's records that its own tree, the release's, and the one won back classify correctly."""
    if original is None:
        return {}
    own = plain_tree(some_rows(original), announced.builder)
    seen = plain_tree(some_rows(announced.released), announced.builder)
    trees = {"original": own, "released": seen, "recovered": won}
    return {name: accuracy(forest, original) for name, forest in trees.items()}


def _class_means(
    released: Table, recovered: Mapping[str, Recovered], original: Table | None
) -> Sequence[ClassMean]:
    """Means by class, where noise that keeps the whole table's moments has biased those of its parts."""
    codes, classes = class_labels(released)
    rows = []
    for name, found in recovered.items():
        if found.shrunk is None:
            continue
        values = np.asarray(released.columns[name], np.float64)
        known = np.isfinite(values)
        for code, label in enumerate(classes):
            part = values[known & (codes == code)]
            if len(part):
                estimate = subpopulation_mean(part[:, None], values[known][:, None], found.shrunk)[0]
                before = None if original is None else _mean_of(original, name, label)
                rows.append(ClassMean(name, label, float(part.mean()), float(estimate), before))
    return rows


def _mean_of(table: Table, name: str, label: str) -> float | None:
    codes, classes = class_labels(table)
    if label not in classes:
        return None
    values = np.asarray(table.columns[name], np.float64)[codes == classes.index(label)]
    values = values[np.isfinite(values)]
    return float(values.mean()) if len(values) else None
