"""What is measured of every release: each measure with its words, its better direction and its place in the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from frontier import disclosure, likeness, prediction
from frontier.membership import membership
from frontier.records import Records
from frontier.reference import Reference

# Raise this when a measure changes: finished runs of an older yardstick are then run again.
YARDSTICK = 1
ATTACKS = ("nearest", "density_1", "density_5", "class_loss", "classifier")


@dataclass(frozen=True)
class Measure:
    """A number of every run: its key, its heading, whether it is utility or risk, and which way is better."""

    key: str
    title: str
    kind: Literal["utility", "risk"]
    better: Literal["higher", "lower"]
    says: str


MEASURES = (
    Measure(
        "accuracy_share", "accuracy share", "utility", "higher",
        "accuracy on people held out of models trained on the release over that of models trained on the original; "
        "each the mean of a decision tree (min leaf 10), a random forest (50 trees), a logistic regression and "
        "boosted trees (50 rounds), all scikit-learn's",
    ),
    Measure(
        "lift_share", "AUC-lift share", "utility", "higher",
        "the same with (AUC − 1/2); macro average, one class against the others",
    ),
    Measure(
        "tree_agreement", "tree agreement", "utility", "higher",
        "share of the people held out for whom a tree of the release and one of the original predict the same class",
    ),
    Measure(
        "association_error", "association error", "utility", "lower",
        "mean absolute difference of all pairwise associations, the class included: Spearman's rank correlation, "
        "correlation ratio of ranks, Cramér's V",
    ),
    Measure(
        "marginal_distance", "marginal distance", "utility", "lower",
        "mean total variation of the columns, the class included; numbers in 20 quantile bins of the original",
    ),
    Measure(
        "told_apart", "told apart", "utility", "lower",
        "AUC of boosted trees that tell released from original records, in three folds; 1/2 is ideal, and less counts "
        "as 1/2",
    ),
    Measure(
        "query_error", "query error", "utility", "lower",
        "mean relative error of 200 random counts with conditions on two columns; counts below 1 % of the records "
        "are judged as 1 %",
    ),
    Measure(
        "linkage", "linkage", "risk", "lower",
        "chance that the released record nearest to a person by all inputs is the person's own, less 1/n",
    ),
    Measure(
        "linkage_worst", "worst 5 %", "risk", "lower",
        "the same for the 5 % of the people who are farthest from their five nearest fellows",
    ),
    Measure(
        "attribute_excess", "attribute inference", "risk", "lower",
        "how much more often a random forest trained on the release guesses a value of people of the table than of "
        "people held out; mean of four columns drawn by the key; numbers count within a twentieth of the span from "
        "the 5 % to the 95 % quantile",
    ),
    Measure("class_excess", "class inference", "risk", "lower", "the same for the class"),
    Measure(
        "membership_nearest", "membership: nearest", "risk", "lower",
        "AUC of the distance to the nearest released record, members against people held out",
    ),
    Measure(
        "membership_unique", "unique numbers", "risk", "lower",
        "AUC of the share of a target's rare numbers (shared by fewer than five records of release and reference) that "
        "the release holds exactly; 1/2 in a table without numbers",
    ),
    Measure(
        "membership_strongest", "strongest", "risk", "lower",
        "the largest AUC of nearest record, density ratio with 1 and 5 neighbours, class loss, and a classifier of "
        "release against reference; the largest of five numbers lies above 1/2 by chance alone, as pure noise shows",
    ),
)  # fmt: skip
BY_KEY = {measure.key: measure for measure in MEASURES}
UTILITY = tuple(measure.key for measure in MEASURES if measure.kind == "utility")
RISK = tuple(measure.key for measure in MEASURES if measure.kind == "risk")


def measured(reference: Reference, released: Records, *, partners: bool) -> dict[str, float | None]:
    """All measures of one release; without partners, row i is not person i and linkage has no meaning."""
    models = reference.trained(released)
    x = reference.features(reference.held_out)
    predicted = {name: model.shares(x) for name, model in models.items()}
    linked, worst = disclosure.linkage(reference, released) if partners else (None, None)
    attacks = membership(reference, released, models["forest"])
    return {
        "accuracy_share": prediction.accuracy_share(reference, predicted),
        "lift_share": prediction.lift_share(reference, predicted),
        "tree_agreement": prediction.tree_agreement(reference, predicted),
        "association_error": likeness.association_error(reference, released),
        "marginal_distance": likeness.marginal_distance(reference, released),
        "told_apart": likeness.told_apart(reference, released),
        "query_error": likeness.query_error(reference, released),
        "linkage": linked,
        "linkage_worst": worst,
        "attribute_excess": disclosure.attribute_excess(reference, released),
        "class_excess": disclosure.class_excess(reference, models["forest"]),
        **{f"membership_{name}": value for name, value in attacks.items()},
        "membership_strongest": max(attacks[name] for name in ATTACKS),
    }


def overall_risk(values: dict[str, float]) -> float:
    """The worst of all risks on one scale: excess of linkage and inference, and 2 AUC − 1 of membership; at least 0."""
    excess = [values[key] for key in RISK if not key.startswith("membership") and key in values]
    advantage = [2 * values[key] - 1 for key in RISK if key.startswith("membership") and key in values]
    return max(0.0, *excess, *advantage)
