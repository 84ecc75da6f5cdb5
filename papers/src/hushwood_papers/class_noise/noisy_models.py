"""Noise on the class alone (thesis, chapters 4 and 9): Boston's records, their releases, and models learnt from them.

"BHP", Boston's house prices, has eleven numbers and whether a price is in the top fifth. The thesis took 300 of its 506
records for training and 50 for testing and does not say which (errata F5), so ours are drawn by key, again for every
repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import LearningTask, LibraryLearner, Predict, TreeLearner
from hushwood.measures.models.rule_matching import attributes_tested, match_rules
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.tables.table import Table, class_labels
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.options import Builder, GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.paper_tables import PaperTables

TRAINING, TESTING = 300, 50
LEFT_OUT = ("CHAS", "B")
# The lowest of the 102 highest prices of 506, in thousands of dollars.
LEAST_TOP_PRICE = 28.2
TOP, BOTTOM = "top 20%", "bottom 80%"
CLASS = "price"


def boston_prices(tables: PaperTables) -> Table:
    """All 506 records."""
    import polars as pl

    from hushwood.tables.reading import read

    price = pl.when(pl.col("MEDV") >= LEAST_TOP_PRICE).then(pl.lit(TOP)).otherwise(pl.lit(BOTTOM))
    frame = tables.frame("boston").drop(LEFT_OUT).with_columns(price.alias(CLASS)).drop("MEDV")
    return read(frame, target=CLASS).table


def drawn_records(
    table: Table, streams: Streams, training: int = TRAINING, testing: int = TESTING
) -> tuple[Table, Table]:
    """Training and testing records, disjoint, each in table order."""
    import numpy as np

    order = streams.order("records of an experiment", "", range(table.rows))
    parts = order[:training], order[training : training + testing]
    first, second = (table.take(np.sort(rows)) for rows in parts)
    return first, second


# RPT and PPT are the thesis' techniques, ALPT represents natural noise.
CLASS_NOISE = ("RPT", "PPT", "ALPT")
SEE5 = GrowOptions(variant="see5")


def grown_by_see5(table: Table) -> Grown:
    """The tree of the thesis' builder with its defaults: at least two records in a leaf, confidence 25 %."""
    return Grown(table, Builder(SEE5))


def released_class(original: Grown, technique: str, streams: Streams) -> Table:
    """The original's records with noise on the class, within the leaves of the original's tree."""
    options = PerturbOptions(technique=technique.lower(), variant=SEE5.variant, min_leaf=2, threads=1)
    return perturb(original.table, options, streams, original.tree).table


@dataclass(frozen=True, slots=True)
class NoisyTree:
    """One tree compared with the original tree: the columns of tables 9.1 and 9.2, and what chapter 4 counts.

    `attributes` are those it tests. `kept` says for every rule of the original tree, by leaf, whether the same or a
    similar one is here; `leading_kept` is about the original's rule with most records. `new_share` is the share of
    released records under rules that the original does not have. `depth` is the largest number of tests above a leaf.
    """

    root: str
    root_cut: float
    attributes: tuple[str, ...]
    leaves: int
    depth: int
    errors: int
    kept: tuple[bool, ...]
    leading_kept: bool
    new_share: float

    def as_json(self) -> Mapping[str, Any]:
        """Plain values for an outcome."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def noisy_tree(original: Grown, released: Grown) -> NoisyTree:
    """Compare a tree with the original's, which may be the same."""
    forest, tree = released.tree, released.tree.trees[0]
    kept = rules_kept(original.tree, forest)
    own = _records_by_leaf(original)[original.tree.trees[0].leaves]
    return NoisyTree(
        root=_name(forest, int(tree.attribute[0])),
        root_cut=round(float(np.nan_to_num(tree.threshold[0])), 4),
        attributes=tuple(sorted(attributes_tested(forest))),
        leaves=len(tree.leaves),
        depth=_depth(tree),
        errors=errors(TreeLearner().fit(released), released.table),
        kept=kept,
        leading_kept=kept[int(own.argmax())],
        new_share=_new_share(original.tree, forest, _records_by_leaf(released)),
    )


def rules_kept(original: Forest, released: Forest) -> tuple[bool, ...]:
    """Whether the released tree has each rule of the original, up to constants or a further split.

    These are the thesis' rule types A and B, with the roles of original and released tree exchanged.
    """
    return tuple(found.type in ("A", "B") for found in match_rules(released, original))


def errors(predict: Predict, records: Table) -> int:
    """How many records are classified wrongly."""
    return int((predict(records) != class_labels(records)[0]).sum())


def shared(original: Sequence[str], tree: Sequence[str]) -> tuple[int, int, int]:
    """Attributes in both trees, only in this one, only in the original: columns C, D and E of table 9.1.

    >>> shared(["LSTAT", "NOX", "RM"], ["LSTAT", "RM", "TAX"])
    (2, 1, 1)
    """
    before, after = set(original), set(tree)
    return len(before & after), len(after - before), len(before - after)


def _new_share(original: Forest, released: Forest, records: Any) -> float:
    """The share of the released records whose rule is of Type C or D."""
    new = sum(int(records[m.leaf]) for m in match_rules(original, released) if m.type in ("C", "D"))
    return round(new / int(records.sum()), 6)


def _depth(tree: Tree) -> int:
    depth = [0] * len(tree)
    for node, child in tree.edges():
        depth[child] = depth[node] + 1
    return max(depth)


def _records_by_leaf(grown: Grown) -> Any:
    forest = grown.tree
    tree = forest.trees[0]
    return np.bincount(leaf_of_each(tree, forest, grown.table.columns), minlength=len(tree))


def _name(forest: Forest, attribute: int) -> str:
    return forest.attributes[attribute].name if attribute >= 0 else ""


ROOT = "the root"
LOW, HIGH = "<=", ">"
_DEEP = "LSTAT <=, RM >, PTRATIO >"
# The original tree that the first paper prints (its figure 2): the path to every leaf, with its class.
# The first is Leaf 1 of the thesis' figure 4.2.
LEAVES = {
    "LSTAT >, RM <=": BOTTOM,
    "LSTAT >, RM >": TOP,
    "LSTAT <=, RM <=": BOTTOM,
    "LSTAT <=, RM >, PTRATIO <=": TOP,
    f"{_DEEP}, NOX <=": BOTTOM,
    f"{_DEEP}, NOX >, LSTAT <=": TOP,
    f"{_DEEP}, NOX >, LSTAT >": BOTTOM,
}
LEAF_ONE, ABOVE_LEAF_ONE = next(iter(LEAVES)), "LSTAT >"
# The path to every test, with its attribute.
TESTS = {
    ROOT: "LSTAT",
    ABOVE_LEAF_ONE: "RM",
    "LSTAT <=": "RM",
    "LSTAT <=, RM >": "PTRATIO",
    _DEEP: "NOX",
    f"{_DEEP}, NOX >": "LSTAT",
}

Nodes = Mapping[str, Mapping[str, float]]


def printed_nodes(forest: Forest) -> Nodes:
    """The nodes of the printed tree that this tree has too: records and errors of leaves, records and cuts of tests.

    A node is the same if the tests above it are the same, on the same sides, whatever their cuts; a leaf must also have
    the printed class.
    """
    tree, found = forest.trees[0], {}
    for way, node in _ways(forest):
        counts = tree.counts[node]
        here = {"records": round(float(counts.sum()), 6)}
        if tree.attribute[node] == LEAF:
            same = LEAVES.get(way) == forest.classes[tree.label[node]]
            here["errors"] = round(float(counts.sum() - counts[tree.label[node]]), 6)
        else:
            same = TESTS.get(way) == forest.attributes[tree.attribute[node]].name
            here["cut"] = round(float(tree.threshold[node]), 4)
        if same:
            found[way] = here
    return found


def _ways(forest: Forest) -> Iterator[tuple[str, int]]:
    """Every node with the tests above it; all tests are on numbers."""
    tree = forest.trees[0]
    ways = {0: ROOT}
    for node in range(len(tree)):
        yield ways[node], node
        if tree.attribute[node] != LEAF:
            name = forest.attributes[tree.attribute[node]].name
            for side, child in zip((LOW, HIGH), tree.branches_of(node).tolist(), strict=True):
                ways[child] = f"{name} {side}" if node == 0 else f"{ways[node]}, {name} {side}"


def numbers_of_nodes(trees: Sequence[Mapping[str, Any]]) -> dict[str, Sequence[float]]:
    """Records, errors and cuts at every printed node, for the trees that have it."""
    found: dict[str, Sequence[float]] = {}
    for way in LEAVES:
        here = [tree["nodes"][way] for tree in trees if way in tree["nodes"]]
        found[f"leaf at {way}: records"] = [node["records"] for node in here]
        found[f"leaf at {way}: errors"] = [node["errors"] for node in here]
    for way, attribute in TESTS.items():
        here = [tree["nodes"][way] for tree in trees if way in tree["nodes"]]
        found[f"{attribute} tested at {way}: cut"] = [node["cut"] for node in here]
        # The number of records that reach a test is printed for this one only.
        if attribute == "NOX":
            found[f"{attribute} tested at {way}: records"] = [node["records"] for node in here]
    return found


HIDDEN = (4, 4)
BATCH, EPOCHS = 50, 100
# More records than any table of the chapter has: all are used.
ALL = 1_000_000
_DESCENT = {"solver": "sgd", "batch_size": BATCH, "momentum": 0.9, "nesterovs_momentum": False}
# The first is the one compared with the printed numbers.
TRAININGS: Mapping[str, Mapping[str, Any]] = {
    "network": {**_DESCENT, "learning_rate_init": 0.3, "max_iter": EPOCHS},
    "slowly trained network": {**_DESCENT, "learning_rate_init": 0.1, "max_iter": EPOCHS},
    "fully trained network": {"solver": "lbfgs", "max_iter": 300},
}


def thesis_network(training: str, streams: Streams) -> LibraryLearner:
    """The network of chapter 9 in the nearest form that scikit-learn offers; initial weights come from the streams.

    The thesis used STATISTICA with back-propagation and two hidden layers of four neurons. Learning rate, epochs and
    coding are not printed, although the effect of noise depends on them; hence three ways of training.
    """
    return LibraryLearner(training, partial(_network, TRAININGS[training]), streams, ALL)


def _network(training: Mapping[str, Any], task: LearningTask) -> Any:
    """Logistic neurons, inputs scaled to 0 to 1, missing values replaced by the mean."""
    from sklearn.impute import SimpleImputer
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    network = MLPClassifier(
        hidden_layer_sizes=HIDDEN,
        activation="logistic",
        alpha=0.0,
        n_iter_no_change=EPOCHS,
        random_state=task.seed,
        **training,
    )
    return make_pipeline(SimpleImputer(), MinMaxScaler(), network)
