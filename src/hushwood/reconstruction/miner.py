"""What an honest miner wins back from a release: every column, the means of classes and a tree, next to the original's.

The original is only compared, if it is given. `estimators` recover the columns, `trees_back` the tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.errors import InputError, unknown_name
from hushwood.reconstruction.disguised import Disguise
from hushwood.reconstruction.distributions import Method
from hushwood.reconstruction.moments import subpopulation_mean
from hushwood.reconstruction.recovered import MISSING, KnownColumn, NotRecovered, Recovered
from hushwood.reconstruction.registry import ESTIMATORS
from hushwood.reconstruction.trees_back import Strategy, accuracy, plain_tree, regrown, some_rows, tree_back
from hushwood.stages import Stage, silent
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.techniques.laws.promises import COPIED, Promise
from hushwood.techniques.protocol import Technique
from hushwood.techniques.warner import Warner
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder

_NO_ACCURACY = "Columns were made coarser, so trees of the release are not tried on the original's records."
OTHERS = "(others)"
COARSER = "Its values were made coarser without chance, so there is no noise to undo."
LINKED = NotRecovered("It follows from other columns, and its noise is theirs.")
_EXACT = ("same", "dealt")


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
        known = KnownColumn(released, name, techniques, forest, intervals, one_by_one, together, spectral)
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


@dataclass(frozen=True, slots=True)
class ColumnBack:
    """Shares of the same cells, released, recovered and original: intervals, or the `labels` and all others.

    `recovered` is None where nothing could be recovered, for the `reason`; `exact` if nothing had to be.
    """

    name: str
    kind: str
    techniques: tuple[str, ...]
    way: str
    reason: str
    exact: bool
    limits: Floats | None
    labels: tuple[str, ...]
    released: Floats
    recovered: Floats | None
    errors: Floats | None
    original: Floats | None
    rules_out: float | None

    def apart(self, which: str) -> float | None:
        """Total variation between the "released" or the "recovered" distribution and the original's, if it is known."""
        shares = getattr(self, which)
        if shares is None or self.original is None:
            return None
        return float(np.abs(shares - self.original).sum() / 2)

    def to_json(self) -> dict[str, Any]:
        """The column as plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "techniques": list(self.techniques),
            "recovered_by": self.way or None,
            "not_recovered": self.reason or None,
            "exact": self.exact,
            "limits": _listed(self.limits),
            "labels": list(self.labels),
            "shares": {
                which: _listed(getattr(self, which)) for which in ("released", "recovered", "original")
            },
            "standard_errors": _listed(self.errors),
            "distance": {which: self.apart(which) for which in ("released", "recovered")},
            "rules_out": self.rules_out,
        }


def column_back(
    known: KnownColumn, found: Recovered | NotRecovered, original: Table | None = None
) -> ColumnBack:
    """What was found about a column, next to what was released and to the original's."""
    attribute = known.released.schema[known.name]
    if isinstance(found, NotRecovered) and found.reason == COARSER:
        original = None  # ranges and sets are not values that could be counted against the original's
    limits, labels = _cells(known, attribute, found)
    before = None if original is None else original.schema[known.name]
    shares = found.shares if isinstance(found, Recovered) else None
    errors = found.errors if isinstance(found, Recovered) else None
    return ColumnBack(
        known.name,
        attribute.kind,
        tuple(technique.acronym for technique in known.techniques),
        found.way if isinstance(found, Recovered) else "",
        found.reason if isinstance(found, NotRecovered) else "",
        isinstance(found, NotRecovered) and found.exact,
        limits,
        labels,
        _shares(known.released.columns[known.name], attribute, limits, labels),
        _with_others(shares, limits),
        _with_others(errors, limits),
        None
        if original is None or before is None
        else _shares(original.columns[known.name], before, limits, labels),
        found.rules_out if isinstance(found, Recovered) else None,
    )


def recovered_by(known: KnownColumn) -> Recovered | NotRecovered:
    """What the estimator of the column's techniques finds, or why there is none."""
    attribute, techniques = known.released.schema[known.name], known.techniques
    if not techniques:
        return NotRecovered("Copied as it is.", exact=True)
    if any(technique.row_order == "none" for technique in techniques):
        return NotRecovered("Its values were made up from a model of the table; there is no noise to undo.")
    promise = _promised([technique.promise_for(attribute) for technique in techniques])
    if promise.values in _EXACT and promise.missing in _EXACT:
        return NotRecovered(
            "Its values only changed places, so the released distribution is the original's.", exact=True
        )
    if promise.values == "generalised":
        return NotRecovered(COARSER)
    estimators = {ESTIMATORS.get(technique.acronym) for technique in techniques}
    estimator = next(iter(estimators)) if len(estimators) == 1 else None
    if estimator is None:
        names = " and ".join(technique.acronym for technique in techniques)
        return NotRecovered(
            f"{names} has no law that can be inverted from the release. {techniques[0].trust}"
        )
    try:
        return estimator(known)
    except InputError as fault:
        return NotRecovered(f"{fault}")


def _promised(promises: Sequence[Promise]) -> Promise:
    found = COPIED
    for promise in promises:
        found = found.then(promise)
    return found


def _cells(
    known: KnownColumn, attribute: Attribute, found: Recovered | NotRecovered
) -> tuple[Floats | None, tuple[str, ...]]:
    """Limits of intervals, or categories: those of the estimate, or else of the released column."""
    if isinstance(found, Recovered):
        return found.limits, found.labels
    if attribute.kind == "categorical":
        gaps = bool((np.asarray(known.released.columns[known.name]) < 0).any())
        return None, (*attribute.categories, *((MISSING,) if gaps else ()))
    values = known.numbers
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    return np.linspace(low, high if high > low else low + 1.0, known.intervals + 1), ()


def _shares(column: Array, attribute: Attribute, limits: Floats | None, labels: Sequence[str]) -> Floats:
    """The shares of the cells; numbers beyond the limits belong to the outermost, missing ones do not count.

    Categories that are not cells come last.
    """
    if limits is not None:
        values = np.asarray(column, np.float64)
        values = np.clip(values[np.isfinite(values)], limits[0], limits[-1])
        counts = np.histogram(values, limits)[0].astype(float)
    else:
        place = {label: cell for cell, label in enumerate(labels)}
        cell_of = [place.get(value, len(labels)) for value in attribute.categories]
        cell_of.append(place.get(MISSING, len(labels)))
        codes = np.asarray(column, np.int64)
        cells = np.array(cell_of)[np.where(codes < 0, len(cell_of) - 1, codes)]
        counts = np.bincount(cells, minlength=len(labels) + 1).astype(float)
    return np.asarray(counts / max(counts.sum(), 1.0))


def _with_others(shares: Floats | None, limits: Floats | None) -> Floats | None:
    """Room for categories that are not cells, if the cells are categories."""
    return shares if shares is None or limits is not None else np.append(shares, 0.0)


def _listed(numbers: Floats | None) -> list[float] | None:
    return None if numbers is None else [float(number) for number in numbers]
