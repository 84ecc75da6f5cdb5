"""What each measure and attack is called on the page, the unit of its number, and its meaning in one sentence.

A measure that is not listed still has its question and a name made of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hushwood.reports.wording import Unit


@dataclass(frozen=True, slots=True)
class Words:
    """A short title, the unit of the number, and what the number means."""

    title: str
    unit: Unit
    meaning: str


MEASURES: Mapping[str, Words] = {
    "rule_types": Words(
        "Rules found again",
        "share",
        "For this share of the records, a tree grown on the release says word for word what the original's tree says.",
    ),
    "prediction_accuracy": Words(
        "Prediction accuracy kept",
        "share",
        "A tree trained on the release is right this often on unseen records, where one trained on the original counts "
        "as 100 %.",
    ),
    "means_and_variances": Words(
        "Largest shift of a mean",
        "deviations",
        "The mean of the numeric column that moved most is off by this many of that column's standard deviations.",
    ),
    "correlations": Words(
        "Largest change of a correlation",
        "number",
        "Of all pairs of columns, the one that changed most is tied together more or less strongly by this much, on a "
        "scale from 0 to 1.",
    ),
    "distribution_distances": Words(
        "Distance of distributions",
        "share",
        "On average over the columns, this share of the values sits where the original has fewer.",
    ),
    "eduds": Words(
        "Same ranges (EDUDS)",
        "number",
        "1 would mean that forests grown on both tables put every record into exactly the same range of values.",
    ),
    "edusc": Words(
        "Same splitting power (EDUSC)",
        "number",
        "1 would mean that every attribute separates the classes exactly as well as before, everywhere in the trees.",
    ),
    "discernibility": Words(
        "Records that look alike",
        "share",
        "By its quasi-identifiers, a record cannot be told apart from this share of the table on average, which "
        "analysts lose and people win.",
    ),
    "generalisation_loss": Words(
        "Loss by coarser values",
        "share",
        "A released cell leaves open this share of its column's possible values; 0 means that each names one value.",
    ),
    "clustering": Words(
        "Clusters found again",
        "number",
        "1 means that clusters found in the release group the original's records as its own clusters do, 0 that they "
        "agree only by chance.",
    ),
    "sers": Words(
        "Uncertainty by likeness (SERS)",
        "bits",
        "Somebody who compares a whole record with all rows is as unsure which of them is its own as among {like} "
        "equally likely ones.",
    ),
    "reidentification_entropy": Words(
        "Uncertainty who is who",
        "bits",
        "An intruder who knows a person's whole record and how the noise was made is as unsure which row is that "
        "person's as among {like} equally likely rows.",
    ),
    "class_entropy": Words(
        "Uncertainty about the class",
        "bits",
        "Somebody who looks for a person's record is left with this much doubt about the class; 1 bit is as open as "
        "the toss of a coin, 0 is certainty.",
    ),
    "unchanged_cells": Words(
        "Cells unchanged",
        "share",
        "This share of the cells left as it came; a cell can stay so by chance, and a reader cannot tell which did.",
    ),
    "changed_classes": Words(
        "Classes changed",
        "share",
        "The more often classes moved, the less a reader can take a record's class for that person's own.",
    ),
    "k_anonymity": Words(
        "Smallest group (k)",
        "records",
        "In the release, at least so many records share any combination of quasi-identifiers that occurs.",
    ),
    "l_diversity": Words(
        "Diversity (l)",
        "number",
        "In the worst group, guessing the most frequent sensitive value is right one time in so many.",
    ),
    "t_closeness": Words(
        "Closeness (t)",
        "number",
        "0 means that every group has the whole table's mix of sensitive values, 1 that a group tells everything.",
    ),
}

ATTACKS: Mapping[str, str] = {
    "linkage": "Nearest-record linkage",
    "assignment_linkage": "One-to-one linkage",
    "probabilistic_linkage": "Probabilistic linkage",
    "attribute_inference": "Attribute inference",
    "singling_out": "Singling out",
    "linkability": "Joining two sources",
    "membership": "Membership",
    "outlier_linkage": "Linkage of unusual people",
    "spectral_filtering": "Filtering out the noise",
}


def words_of(entry: Mapping[str, Any]) -> Words:
    """The words for a measure; made from its name and bounds if it is not listed."""
    name = entry["name"]
    if name in MEASURES:
        return MEASURES[name]
    unit: Unit = "share" if entry.get("bounds") == [0.0, 1.0] else "number"
    return Words(name.replace("_", " ").capitalize(), unit, "")


def attack_title(name: str) -> str:
    """What an attack is called.

    >>> attack_title("linkage"), attack_title("brand_new")
    ('Nearest-record linkage', 'Brand new')
    """
    return ATTACKS.get(name, name.replace("_", " ").capitalize())
