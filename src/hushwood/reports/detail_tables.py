"""Tables of what stands behind single measures, as rows of text for the page.

Only what a document's details hold is shown; the short forms of a quick evaluation have none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.reports.wording import band, count, measure, share_or_dash, short_number

Details = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NumberTable:
    """A table of numbers with its title and what it shows in a sentence."""

    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def utility_tables(document: Mapping[str, Any]) -> list[NumberTable]:
    """What stands behind the measures of what miners keep."""
    makers = {
        "prediction_accuracy": (_accuracies, _errors),
        "distribution_distances": (_distances,),
        "means_and_variances": (_moments,),
        "clustering": (_clusters,),
        "generalisation_loss": (_losses,),
    }
    return _made(document, makers)


def risk_tables(document: Mapping[str, Any]) -> list[NumberTable]:
    """What stands behind the measures of what an intruder learns."""
    makers = {
        "reidentification_entropy": (_who_alone,),
        "class_entropy": (_class_alone,),
        "k_anonymity": (_groups,),
        "l_diversity": (_diversity,),
        "t_closeness": (_closeness,),
    }
    return _made(document, makers)


def _made(
    document: Mapping[str, Any], makers: Mapping[str, Sequence[Callable[[Details], NumberTable | None]]]
) -> list[NumberTable]:
    tables = []
    for name, parts in makers.items():
        found = measure(document, name)
        if found is not None and found["details"]:
            tables += [
                table for part in parts if (table := part(found["details"])) is not None and table.rows
            ]
    return tables


_UNSEEN = {
    "holdout": "the people of the hold-out, whom no model has met",
    "split": "a part of the original's records that was kept from the models",
    "perhaps seen": "the original's records, of which some may have been seen in training",
}
_MODELS = {
    "tree": "decision tree",
    "forest": "SysFor forest",
    "gradient_boosting": "gradient boosting",
    "logistic_regression": "logistic regression",
    "neural_network": "neural network",
}


def _model(name: str) -> str:
    return _MODELS.get(name, name.replace("_", " "))


def _accuracies(details: Details) -> NumberTable:
    found = {(r["model"], r["trained_on"], r["tested_on"]): r["accuracy"] for r in details["rows"]}
    models = dict.fromkeys(r["model"] for r in details["rows"] if r["trained_on"] == "released")
    columns = [
        (on, tested) for on in ("released", "original") for tested in ("released", "original", "unseen")
    ]
    return NumberTable(
        "Accuracy of models",
        "Share of records whose class is predicted rightly; higher is better. Unseen are "
        f"{_UNSEEN[details['unseen']]}. The numbers to compare are the two for unseen records.",
        ("Trained on → tested on", *(f"{on} → {tested}" for on, tested in columns)),
        tuple((_model(m), *(share_or_dash(found.get((m, *column))) for column in columns)) for m in models),
    )


def _errors(details: Details) -> NumberTable:
    removed = details.get("removed")
    without = (("removal", f"without {', '.join(removed)}"),) if removed else ()
    columns = (
        ("baseline", "original"),
        ("released", "release"),
        ("cost", "cost"),
        *without,
        ("worst", "nothing but classes"),
        ("benefit", "worth"),
    )
    return NumberTable(
        "Errors on unseen records",
        "Share of unseen records whose class is predicted wrongly; lower is better. The release should come close to "
        "the original (the cost is small) and stay below what publishing nothing but the classes would give (it is "
        "worth something); both differences are in percentage points.",
        ("Model", *(head for _, head in columns)),
        tuple(
            (
                _model(e["model"]),
                *((_points if k in {"cost", "benefit"} else share_or_dash)(e[k]) for k, _ in columns),
            )
            for e in details["errors"]
        ),
    )


def _distances(details: Details) -> NumberTable:
    keys = ("total_variation", "hellinger", "ks", "wasserstein", "kl", "chi_square_per_degree")
    heads = (
        "total variation",
        "Hellinger",
        "Kolmogorov-Smirnov",
        "Wasserstein",
        "KL (bits)",
        "chi-square per degree",
    )
    shown = [i for i, key in enumerate(keys) if any(c.get(key) is not None for c in details["columns"])]
    return NumberTable(
        "How far each column's distribution moved",
        "Lower is better; the untouched table has 0 everywhere. Total variation, Hellinger and Kolmogorov-Smirnov end "
        "at 1; Wasserstein is a share of the original's range.",
        ("Column", *(heads[i] for i in shown)),
        tuple(
            (c["column"], *(short_number(c.get(keys[i])) for i in shown))
            for c in _worst_first(details, keys[0])
        ),
    )


def _worst_first(details: Details, key: str) -> list[Details]:
    return sorted(details["columns"], key=lambda column: -abs(column.get(key) or 0.0))


def _moments(details: Details) -> NumberTable:
    keys = ("mean_before", "mean_after", "variance_before", "variance_after", "shift_in_sd", "variance_ratio")
    heads = ("mean before", "after", "variance before", "after", "shift (sd)", "variance ratio")
    shown = [i for i, key in enumerate(keys) if any(key in c for c in details["columns"])]
    return NumberTable(
        "Means and variances",
        "The shift is in standard deviations of the original, best 0; the ratio of the variances is best 1.",
        ("Column", *(heads[i] for i in shown)),
        tuple(
            (c["column"], *(short_number(c.get(keys[i])) for i in shown))
            for c in _worst_first(details, "shift_in_sd")
        ),
    )


def _clusters(details: Details) -> NumberTable:
    names = {
        "rand": "Rand index",
        "adjusted_rand": "adjusted Rand index",
        "f_measure": "F-measure",
        "fowlkes_mallows": "Fowlkes-Mallows",
        "davies_bouldin": "Davies-Bouldin (lower is tighter)",
        "silhouette": "Silhouette",
    }
    return NumberTable(
        f"Quality of {count(details['clusters'])} clusters before and after",
        "How well the clusters of each table agree with its class, and how tight they are; the two columns should be "
        "alike.",
        ("Measure", "before", "after"),
        tuple(
            (said, short_number(details["before"].get(name)), short_number(details["after"].get(name)))
            for name, said in names.items()
        ),
    )


def _losses(details: Details) -> NumberTable | None:
    if details["none_generalised"]:
        return None
    return NumberTable(
        "What generalising cost, by column",
        "LM and ILoss are shares of a column's possible values that a cell leaves open, 0 for the untouched table; MD "
        "counts the levels that cells were lifted.",
        ("Column", "LM", "ILoss", "MD", "generalised", "suppressed"),
        tuple(
            (
                c["name"],
                share_or_dash(c["lm"]),
                share_or_dash(c["iloss"]),
                *(count(c[key]) for key in ("md", "generalised", "suppressed")),
            )
            for c in details["columns"]
        ),
    )


def _who_alone(details: Details) -> NumberTable | None:
    return _alone("What each attribute alone tells about who is who", details, details.get("bits_possible"))


def _class_alone(details: Details) -> NumberTable | None:
    return _alone("What each attribute alone tells about the class", details, details.get("prior_bits"))


def _alone(title: str, details: Details, nothing: float | None) -> NumberTable | None:
    """Attributes by how much doubt is left to somebody who knows nothing else, the most telling first."""
    if nothing is None or "by_attribute" not in details:
        return None
    rows = sorted(details["by_attribute"], key=lambda row: float(row["mean_bits"]))
    return NumberTable(
        title,
        f"Bits of doubt left to somebody who knows this attribute of a person and no other; higher is better. Knowing "
        f"nothing leaves {nothing:.2f}.",
        ("Attribute", "bits left", "standard deviation", "records below the threshold"),
        tuple(
            (
                row["attribute"],
                f"{row['mean_bits']:.2f}",
                f"{row['deviation']:.2f}",
                share_or_dash(row["below_threshold"]),
            )
            for row in rows
        ),
    )


def _groups(details: Details) -> NumberTable:
    return NumberTable(
        "Groups that share all quasi-identifiers",
        f"By {', '.join(details['quasi_identifiers'])}. Records in small groups are the exposed ones.",
        ("Records in the group", "groups", "records"),
        tuple(
            (band(row["from"], row["to"]), count(row["groups"]), count(row["records"]))
            for row in details["group_sizes"]
            if row["groups"]
        ),
    )


def _diversity(details: Details) -> NumberTable:
    return NumberTable(
        "Diversity of sensitive attributes, in the worst group",
        "Higher is better; 1 means that some group has one value, so that its members have no secret. Recursive "
        f"diversity is with c = {details['c']:g}.",
        ("Attribute", "distinct", "entropy", "recursive", "strong", "records without a secret"),
        tuple(
            (
                a["name"],
                *(short_number(a[key]) for key in ("distinct", "entropy", "recursive", "strong")),
                count(a["records_with_one_value"]),
            )
            for a in details["attributes"]
        ),
    )


def _closeness(details: Details) -> NumberTable:
    limits = sorted({limit for a in details["attributes"] for limit in a["records_above"]}, key=float)
    return NumberTable(
        "Closeness of sensitive attributes",
        "Distance of a group's values from the whole table's, lower is better.",
        ("Attribute", "largest", "mean", *(f"records above {limit}" for limit in limits)),
        tuple(
            (
                a["name"],
                short_number(a["largest"]),
                short_number(a["mean"]),
                *(count(a["records_above"].get(limit, 0)) for limit in limits),
            )
            for a in details["attributes"]
        ),
    )


def _points(value: float) -> str:
    """A difference of shares in percentage points, with its sign.

    >>> _points(0.0123), _points(-0.5)
    ('+1.2', '-50')
    """
    return f"{100 * value:+.1f}".removesuffix(".0") if abs(value) >= 0.0005 else "0"
