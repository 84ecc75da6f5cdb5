"""One generated table of chapter 6 and its noise runs: the trees before and after, and how similar they are.

CAPT perturbs three attributes of CS together and Car Make alone, and City of CR. Similarity is in the words of chapter
6: Type A is the same rule, Type B the same up to numeric constants, Type C a very different one. The chapter also
mentions rules that are cut short, and counts them as none of the three; a tree of one leaf has no rule, which is Type C
here. Chapter 7 has its own types (errata D2, D3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from hushwood.arrays import Array
from hushwood.demo.synthetic_tables import credit_risk, customer_status
from hushwood.measures.models.rule_matching import inner_shapes, match_rules, shape_of
from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt, Mode
from hushwood.techniques.protocol import Law
from hushwood.trees.forest import LEAF, Forest, Tree
from hushwood.trees.options import GrowOptions
from hushwood.trees.routing import leaf_of_each
from hushwood.value_clusters.cactus import Cactus, cactus
from hushwood.value_clusters.detective import LeafGroups
from hushwood.value_clusters.grouping.attribute_trees import (
    ValueClusters,
    detective,
    siblings_of,
    similarities,
)
from hushwood.value_clusters.grouping.records import similar_pairs
from hushwood_papers.protocol import public_streams

TYPES = ("A", "B", "cut short", "C")
UNCLASSIFIED = "unclassified"
LABELS = ("Exactly Same", "Very Similar", "Similar", "Dissimilar", UNCLASSIFIED)


def type_shares(original: Forest, noisy: Forest, records: Mapping[str, Array]) -> dict[str, float]:
    """The share of noisy records under rules of each type."""
    tree = noisy.trees[0]
    weight = np.bincount(leaf_of_each(tree, noisy, records), minlength=len(tree))
    inner = inner_shapes(original)
    found = dict.fromkeys(TYPES, 0.0)
    for matched in match_rules(original, noisy):
        kind: str = matched.type if matched.type in ("A", "B") else "C"
        if kind == "C" and matched.rule.conditions and shape_of(matched.rule) in inner:
            kind = "cut short"
        found[kind] += float(weight[matched.leaf])
    total = float(weight.sum())
    return {kind: count / total for kind, count in found.items()}


def label(same: float, different: float) -> str:
    """The label of a tree by its shares of Type A and Type C (page 110), which leaves gaps.

    >>> label(1, 0), label(0.62, 0), label(0.3, 0.04), label(0.05, 0.2), label(0, 0)
    ('Exactly Same', 'Very Similar', 'Similar', 'Dissimilar', 'unclassified')
    """
    if same >= 1:
        return "Exactly Same"
    if same >= 0.6 and different < 0.05:
        return "Very Similar"
    if same > 0.15 and different < 0.05:
        return "Similar"
    return "Dissimilar" if different > 0.1 and same < 0.1 else UNCLASSIFIED


def label_counts(trees: Sequence[Mapping[str, float]], cut_short_is_c: bool = False) -> list[int]:
    """How many trees have each label, in the order of LABELS."""
    extra = [tree["cut short"] if cut_short_is_c else 0.0 for tree in trees]
    given = [label(tree["A"], tree["C"] + more) for tree, more in zip(trees, extra, strict=True)]
    return [given.count(name) for name in LABELS]


def leaf_per_value(clusters: ValueClusters, table: Table) -> ValueClusters:
    """The same tree with a leaf for every value of a test, and the table's records counted again.

    The thesis counts leaves like this: its figure 6.9 has three sibling leaves below one test of three values, although
    See5 lets values with the same label share a leaf.
    """
    tree = _apart(clusters.tree)
    if len(tree) == len(clusters.tree):
        return clusters
    forest = _with(clusters.forest, tree)
    classes = table.columns[forest.class_name]
    key = leaf_of_each(tree, forest, table.columns).astype(np.int64) * len(forest.classes) + classes
    counts = np.bincount(key, minlength=tree.counts.size).reshape(tree.counts.shape).astype(np.float64)
    for node, child in reversed(list(tree.edges())):
        counts[node] += counts[child]
    tree = replace(tree, counts=counts)
    return ValueClusters(clusters.attribute, _with(forest, tree), dict(siblings_of(tree)))


def _with(forest: Forest, tree: Tree) -> Forest:
    return replace(forest, trees=(tree,))


def _apart(tree: Tree) -> Tree:
    """A leaf for every branch that leads to one; counts are still empty."""
    order: list[int] = []
    branches: list[list[int]] = []

    def copy(node: int) -> int:
        here = len(order)
        order.append(node)
        branches.append([])
        copies: dict[int, int] = {}
        for child in tree.branches_of(node).tolist():
            if child not in copies or tree.attribute[child] == LEAF:
                copies[child] = copy(child)
            branches[here].append(copies[child])
        return here

    copy(0)
    missing = [
        own[tree.branches_of(node).tolist().index(tree.missing_to[node])] if own else LEAF
        for node, own in zip(order, branches, strict=True)
    ]
    return Tree(
        tree.attribute[order],
        tree.threshold[order],
        np.concatenate([[0], np.cumsum([len(own) for own in branches])]).astype(np.int64),
        np.array([child for own in branches for child in own], np.int32),
        np.array(missing, np.int32),
        np.zeros((len(order), tree.counts.shape[1])),
        tree.label[order],
    )


NAME = "categorical-noise"
RECORDS = 399
PROBABILITY = 0.1
DIGITS = 5  # of shares of 399 records in outcomes
BUILDERS = {"See5": GrowOptions(variant="see5"), "J48": GrowOptions(variant="j48")}
CAR, COUNTRY, PROFESSION, STATUS = "Car Make", "Country of Origin", "Profession", "Status"
UNRELATED = ("Parents' Country", "Favorite City")
TREES = {"country": COUNTRY, "car make": CAR, "profession": PROFESSION, "status": STATUS}
PERTURBED = (COUNTRY, CAR, PROFESSION)
TABLE_6_3 = {
    COUNTRY: ("England", "USA"),
    CAR: ("Ford", "Toyota"),
    PROFESSION: ("Scientist",),
    STATUS: ("Good",),
}
Found = dict[str, Any]


def customer_status_table(number: int) -> Table:
    """A table CS with as many records as the thesis used."""
    return customer_status(RECORDS, public_streams(NAME, "CS", number).secret)


def credit_risk_table(number: int) -> Table:
    """A table CR with as many records as the thesis used."""
    return credit_risk(RECORDS, public_streams(NAME, "CR", number).secret)


def grown(table: Table, name: str, builder: str) -> ValueClusters:
    """The tree whose class is this attribute, with a leaf for every value."""
    found = detective(table, name, BUILDERS[builder], threads=1, as_grown=True)
    if found is None:
        raise ValueError(f"{name} has one value only in a generated table")
    return leaf_per_value(found, table)


def wrong_records(clusters: ValueClusters) -> float:
    """The share of its own records that a tree classifies wrongly."""
    counts = clusters.tree.counts[clusters.tree.leaves]
    right = counts[np.arange(len(counts)), clusters.tree.label[clusters.tree.leaves]]
    return round(float(1 - right.sum() / counts.sum()), DIGITS)


class CategoricalNoise:
    """CAPT prepared for some attributes of one table, each with the tree of the original table."""

    def __init__(self, table: Table, names: Sequence[str], mode: Mode, apart: bool = True) -> None:
        self._table = table
        natural = table.schema.class_attribute
        if natural is None:
            raise ValueError("a generated table has a class")
        self._segments = leaves(table, grown(table, natural.name, "See5").forest)
        capt = Capt(mode, PROBABILITY, grow=BUILDERS["See5"])
        self._laws = [_law(capt, table, name, self._segments, apart) for name in names]

    def drawn(self, streams: Streams) -> Table:
        """The table with all these attributes perturbed, each from the original values."""
        columns: dict[str, Any] = {}
        for law in self._laws:
            columns |= law.sample(self._table.columns, self._segments.ids, range(self._table.rows), streams)
        return self._table.with_columns(columns)


def _law(capt: Capt, table: Table, name: str, segments: Segments, apart: bool) -> Law:
    found = detective(table, name, capt.grow, threads=1)
    if found is None or found.unrelated:
        return capt.law_among(None, table, name, segments)
    groups = LeafGroups(leaf_per_value(found, table) if apart else found, table.schema)
    return capt.law_among(groups, table, name, segments)


def together(number: int, runs: int, mode: Mode, apart: bool = True) -> Found:
    """Three attributes perturbed: labels and Type A shares of every kind of noisy tree."""
    table = customer_status_table(number)
    noise = CategoricalNoise(table, PERTURBED, mode, apart)
    before = {(b, tree): grown(table, name, b) for b in BUILDERS for tree, name in TREES.items()}
    types: dict[str, list[Mapping[str, float]]] = {f"{b}, {tree}": [] for b, tree in before}
    changed: dict[str, list[float]] = {name: [] for name in PERTURBED}
    more_wrong: list[list[float]] = []
    for run in range(runs):
        noisy = noise.drawn(public_streams(NAME, "CS", number, "noise", run))
        for name in PERTURBED:
            share = float((noisy.columns[name] != table.columns[name]).mean())
            changed[name].append(round(share, DIGITS))
        for (builder, tree), original in before.items():
            after = grown(noisy, TREES[tree], builder)
            shares = _types(original, after, noisy)
            types[f"{builder}, {tree}"].append(shares)
            if (builder, tree) == ("See5", "car make") and shares["A"] >= 1:
                more_wrong.append([wrong_records(original), wrong_records(after)])
    return {
        "labels": {key: label_counts(runs) for key, runs in types.items()},
        "labels if cut short is C": {key: label_counts(runs, True) for key, runs in types.items()},
        "A": {key: [run["A"] for run in runs] for key, runs in types.items()},
        "changed": changed,
        "wrong": more_wrong,
    }


def alone(table: Table, names: Sequence[str], noisy_name: str, runs: int, table_name: str) -> Found:
    """One attribute perturbed: shares of rule types in the See5 trees of the named classes, and their errors."""
    noise = CategoricalNoise(table, (noisy_name,), "literal")
    before = {name: grown(table, name, "See5") for name in names}
    types: dict[str, list[Mapping[str, float]]] = {name: [] for name in names}
    wrong: dict[str, list[float]] = {name: [] for name in names}
    for run in range(runs):
        noisy = noise.drawn(public_streams(NAME, table_name, "alone", run))
        for name, original in before.items():
            after = grown(noisy, name, "See5")
            types[name].append(_types(original, after, noisy))
            wrong[name].append(wrong_records(after))
    rarer = {name: 1 - _largest_class(table, name) for name in names}
    return {"types": types, "wrong": wrong, "guessing": rarer}


def _types(original: ValueClusters, after: ValueClusters, noisy: Table) -> dict[str, float]:
    found = type_shares(original.forest, after.forest, noisy.columns)
    return {kind: round(share, DIGITS) for kind, share in found.items()}


def _largest_class(table: Table, name: str) -> float:
    return float(np.bincount(table.columns[name]).max() / table.rows)


def clusters_of(number: int) -> Found:
    """What CACTUS and DETECTIVE find on one table CS."""
    table = customer_status_table(number)
    by_cactus = cactus(table, Cactus(), tuple(TABLE_6_3)).clusters
    tree = grown(table, CAR, "See5")
    cars = similar_pairs(cluster.values[CAR] for cluster in by_cactus if CAR in cluster.values)
    more = similar_pairs(similar.values for similar in similarities(tree))
    tested = {tree.forest.attributes[a].name for a in tree.tree.attribute.tolist() if a != LEAF}
    return {
        "cluster": any(cluster.values == TABLE_6_3 for cluster in by_cactus),
        "cactus": sorted(map(list, cars)),
        "detective": sorted(map(list, more)),
        "unrelated tested": bool(tested & set(UNRELATED)),
        "leaf 1": leaf_one(tree),
    }


def leaf_one(clusters: ValueClusters) -> dict[str, int] | None:
    """The cars of Status = Good, if the tree is that of figure 6.9: Good is a leaf, Bad has a leaf per country."""
    tree, forest = clusters.tree, clusters.forest
    tested = [forest.attributes[a].name for a in tree.attribute.tolist() if a != LEAF]
    if tested != [STATUS, COUNTRY]:
        return None
    status = forest.attributes[tree.attribute[0]]
    good = int(tree.branches_of(0)[status.categories.index("Good")])
    if tree.attribute[good] != LEAF:
        return None
    return {car: int(count) for car, count in zip(forest.classes, tree.counts[good], strict=True)}
