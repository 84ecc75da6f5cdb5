"""One generated table of chapter 6 and its noise runs: the trees before and after, and how alike they are.

CS is perturbed by CAPT in three attributes together and in Car Make alone, CR in City. What all tables together say is
in `numbers` and `claims`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hushwood.experiments.categorical_noise.chapter_six_labels import label_counts, type_shares
from hushwood.experiments.categorical_noise.leaf_per_value import leaf_per_value
from hushwood.experiments.protocol import public_streams
from hushwood.experiments.synthetic_tables import credit_risk, customer_status
from hushwood.random_streams import Streams
from hushwood.segments.partition import leaves
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.capt import Capt, Mode
from hushwood.techniques.redraw import RedrawLaw
from hushwood.trees.forest import LEAF
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.cactus import Cactus, cactus
from hushwood.value_clusters.detective import LeafGroups, ValueClusters, detective, similarities
from hushwood.value_clusters.similar_values import similar_pairs

NAME = "categorical-noise"
RECORDS = 399
PROBABILITY = 0.1
DIGITS = 5  # of shares of 399 records, as they are kept
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
    """A table CS of as many records as the thesis used."""
    return customer_status(RECORDS, public_streams(NAME, "CS", number).secret)


def credit_risk_table(number: int) -> Table:
    """A table CR of as many records as the thesis used."""
    return credit_risk(RECORDS, public_streams(NAME, "CR", number).secret)


def grown(table: Table, name: str, builder: str) -> ValueClusters:
    """The tree whose class is this attribute, with a leaf for every value."""
    found = detective(table, name, BUILDERS[builder], threads=1)
    if found is None:
        raise ValueError(f"{name} has one value only in a generated table")
    return leaf_per_value(found, table)


def wrong_records(clusters: ValueClusters) -> float:
    """The share of its own records that a tree puts into a wrong class."""
    counts = clusters.tree.counts[clusters.tree.leaves]
    right = counts[np.arange(len(counts)), clusters.tree.label[clusters.tree.leaves]]
    return round(float(1 - right.sum() / counts.sum()), DIGITS)


class CategoricalNoise:
    """CAPT made ready for some attributes of one table, each with the tree of the original table."""

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


def _law(capt: Capt, table: Table, name: str, segments: Segments, apart: bool) -> RedrawLaw:
    found = detective(table, name, capt.grow, threads=1)
    if found is None or found.unrelated:
        return capt.law_among(None, table, name, segments)
    groups = LeafGroups(leaf_per_value(found, table) if apart else found, table.schema)
    return capt.law_among(groups, table, name, segments)


def together(number: int, runs: int, mode: Mode, apart: bool = True) -> Found:
    """Three attributes perturbed: for every kind of tree how many noisy ones have each label, and Type A shares."""
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
    """One attribute perturbed: the shares of rule types in the See5 trees of the named classes, and their errors."""
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
    """The cars of Status = Good if the tree is that of figure 6.9: Good a leaf, below Bad a leaf for each country."""
    tree, forest = clusters.tree, clusters.forest
    tested = [forest.attributes[a].name for a in tree.attribute.tolist() if a != LEAF]
    if tested != [STATUS, COUNTRY]:
        return None
    status = forest.attributes[tree.attribute[0]]
    good = int(tree.branches_of(0)[status.categories.index("Good")])
    if tree.attribute[good] != LEAF:
        return None
    return {car: int(count) for car, count in zip(forest.classes, tree.counts[good], strict=True)}
