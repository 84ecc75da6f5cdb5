"""Accuracy of a tree the slow way: every record walked to its leaf, every leaf asked for its class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from oracles.intersections import Record, leaf_of

Nodes = Sequence[Mapping[str, Any]]


def accuracy(nodes: Nodes, records: Sequence[Record], target: str) -> float:
    """Share of the records with a class whose leaf predicts it."""
    label = {node["id"]: str(node["label"]) for node in nodes}
    known = [record for record in records if record[target] is not None]
    return sum(label[leaf_of(nodes, record)] == record[target] for record in known) / len(known)


def majority_accuracy(learnt: Sequence[Record], tried: Sequence[Record], target: str) -> float:
    """The same for the most frequent class of the records learnt from."""
    largest, _ = Counter(r[target] for r in learnt if r[target] is not None).most_common(1)[0]
    known = [record for record in tried if record[target] is not None]
    return sum(record[target] == largest for record in known) / len(known)
