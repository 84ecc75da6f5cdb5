"""How well models trained on the release predict the class, compared with models trained on the original (survey IV B).

The models and the choice of test records are in `learners` and `library_learners`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, TypedDict

import numpy as np

from hushwood.detail_tables import DetailTable, DetailUnit
from hushwood.measures.columns.column_tallies import mean_of
from hushwood.measures.models.grown import Grown
from hushwood.measures.models.learners import (
    ForestLearner,
    Learner,
    MajorityLearner,
    Predict,
    PredictionTrial,
    TreeLearner,
    learners_of,
    learnt_values,
    library_learners,
    trial_for,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, TWO_DIGITS
from hushwood.tables.table import Table, missing_values

Row = dict[str, Any]


class ModelAccuracy(TypedDict):
    """How well a model that learnt from one table predicts another."""

    model: Annotated[str, PUBLIC]
    trained_on: Annotated[str, PUBLIC]
    tested_on: Annotated[str, PUBLIC]
    accuracy: Annotated[float, TWO_DECIMALS]
    rmse: NotRequired[Annotated[float, TWO_DIGITS]]
    records: int


class Errors(TypedDict):
    """The errors of a model on unseen records, the cost of anonymising, and its benefit over hiding columns."""

    model: Annotated[str, PUBLIC]
    baseline: Annotated[float, TWO_DECIMALS]
    released: Annotated[float, TWO_DECIMALS]
    worst: Annotated[float, TWO_DECIMALS]
    removal: Annotated[float | None, TWO_DECIMALS]
    cost: Annotated[float, TWO_DECIMALS]
    benefit: Annotated[float, TWO_DECIMALS]


class PredictionDetails(TypedDict, total=False):
    """What guessing gives, and all models on all tables; only the first two are there in quick evidence."""

    better_than_guessing: Annotated[bool, PUBLIC]
    guessing: Annotated[float, TWO_DECIMALS]
    unseen: Annotated[str, PUBLIC]
    perhaps_seen: bool
    hidden: Annotated[list[str], PUBLIC]
    only_classes: Annotated[bool, PUBLIC]
    removed: Annotated[list[str] | None, PUBLIC]
    response: Annotated[bool, PUBLIC]
    records: dict[str, int]
    most_rows: int
    sampled: bool
    rows: Annotated[list[ModelAccuracy], PUBLIC]
    errors: Annotated[list[Errors], PUBLIC]


@dataclass(frozen=True, slots=True)
class PredictionAccuracy(Measure):
    """Accuracy of a tree trained on the release, divided by that of a tree trained on the original.

    scikit-learn's models, which are slower, learn from at most `most_rows` records.
    """

    most_rows: int = 10_000
    name = "prediction_accuracy"
    title = "Prediction accuracy kept"
    question = (
        "Does a model trained on the release predict new records as well as one trained on the original?"
    )
    meaning = (
        "Accuracy of a tree trained on the release, on unseen records, where the accuracy of a tree "
        "trained on the original counts as 100 %."
    )
    about = "rules"
    side = "utility"
    unit = "share"
    better = "higher"
    bounds = (0.0, None)
    declared = PredictionDetails
    best = 1.0
    headline = 2
    yardstick = True
    brief = True

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""
        found = learnt_values(original)
        if len(np.unique(found[~missing_values(found)])) < 2:
            return NotComputable(
                "The original's records all have the same class, so there is nothing to predict."
            )
        trial = trial_for(original, released, context)
        if not (trial.original.training.records and trial.released.training.records and _known(trial.unseen)):
            return NotComputable("Too few records have a class to train on some and test on others.")
        tree = TreeLearner().fit(trial.original)
        baseline = _accuracy(tree, trial.unseen)
        if baseline == 0.0:
            return NotComputable(
                "A tree trained on the original predicts no unseen record correctly, or numbers no better than their "
                "mean does."
            )
        value = _accuracy(TreeLearner().fit(trial.released), trial.unseen) / baseline
        trivial = _trivial(tree, trial, baseline)
        if context.value_only:
            return Measurement(value, trivial)
        return Measurement(value, trivial | self._details(trial, context))

    def says_nothing(self, details: Details) -> str:
        """Where the most frequent class is right as often, a release that keeps nothing has the same accuracy."""
        if details.get("better_than_guessing", True):
            return ""
        return (
            "A tree grown on the original is not clearly better than naming the most frequent class for everyone, so "
            "its accuracy does not tell what was kept."
        )

    def floor(self, details: Details) -> float | None:
        """What naming the most frequent class for everyone gives."""
        return details.get("guessing")

    def _details(self, trial: PredictionTrial, context: Context) -> dict[str, Any]:
        learners: list[Learner] = [TreeLearner(), ForestLearner()]
        learners += learners_of(context.original_grown.builder, trial.original.builder)
        response = trial.original.response
        learners += library_learners(context.streams, self.most_rows, response=response)
        schema = trial.original.table.schema
        # Where every column is confidential, no quasi-identifier is left, and only the classes are.
        hidden = schema.quasi_identifiers or tuple(a.name for a in schema.inputs)
        removed = schema.in_role("confidential") or schema.in_role("quasi-identifier")
        rows = _rows(trial, learners, hidden, removed)
        return ({"response": True} if response else {}) | {
            "unseen": trial.kind,
            "perhaps_seen": trial.kind == "perhaps seen",
            "records": {
                "original": trial.original.training.records,
                "released": trial.released.training.records,
                "unseen": _known(trial.unseen),
            },
            "most_rows": self.most_rows,
            "sampled": max(trial.original.training.records, trial.released.training.records) > self.most_rows,
            "hidden": list(hidden),
            "only_classes": len(hidden) == len(schema.inputs),
            "removed": list(removed) or None,
            "rows": rows,
            "errors": [_errors(learner.name, rows) for learner in learners],
        }

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Accuracies by table, and errors on unseen records."""
        return (_accuracy_table(details), _error_table(details)) if "rows" in details else ()

    def remarks(self, details: Details) -> str:
        """What accuracy means where the class is a number."""
        if not details.get("response"):
            return ""
        errors = {
            row["trained_on"]: row["rmse"]
            for row in details["rows"]
            if row["model"] == TreeLearner.name and row["tested_on"] == "unseen" and "rmse" in row
        }
        said = "The class is a number, so accuracy is R², the share of its variance that is predicted."
        if not {"original", "released"} <= errors.keys():
            return said
        return (
            f"{said} The error of a tree (RMSE) is {errors['original']:.3g} if it learnt from the original and "
            f"{errors['released']:.3g} if from the release."
        )


def _trivial(tree: Predict, trial: PredictionTrial, baseline: float) -> dict[str, Any]:
    """What the most frequent class, or the mean, gives in place of a tree, and whether the original's tree is clearly
    better on unseen records: by McNemar's test of those that one of the two is right about."""
    if trial.original.response:
        return {"guessing": 0.0, "better_than_guessing": True}
    guess, unseen = MajorityLearner().fit(trial.original), trial.unseen
    true = learnt_values(unseen)
    right, guessed = ((predict(unseen) == true)[~missing_values(true)] for predict in (tree, guess))
    gained, lost = int((right & ~guessed).sum()), int((guessed & ~right).sum())
    return {
        "guessing": _accuracy(guess, unseen) / baseline,
        "better_than_guessing": gained - lost > 2 * float(np.sqrt(gained + lost)),
    }


def _rows(
    trial: PredictionTrial, learners: Sequence[Learner], hidden: Sequence[str], removed: Sequence[str]
) -> list[Row]:
    """The accuracy of every model on every table that it is tested on.

    A column that is one value for everyone teaches a model nothing, so hidden columns are left out.
    """
    tables = {
        "released": trial.released.table,
        "original": trial.original.table,
        "unseen": trial.unseen,
    }
    rows = []
    for learner in learners:
        rows += _tried(learner, "released", trial.released, tables)
        rows += _tried(learner, "original", trial.original, tables)
        (worst,) = _tried(learner, "worst", _without(trial.original, hidden), {"unseen": trial.unseen})
        rows.append(worst)
        if removed and set(removed) == set(hidden):
            rows.append(worst | {"trained_on": "removal"})
        elif removed:
            rows += _tried(learner, "removal", _without(trial.original, removed), {"unseen": trial.unseen})
    return rows


def _tried(learner: Learner, trained_on: str, grown: Grown, tables: dict[str, Table]) -> list[Row]:
    predict = learner.fit(grown)
    return [
        {
            "model": learner.name,
            "trained_on": trained_on,
            "tested_on": name,
            "accuracy": _accuracy(predict, table),
            "records": _known(table),
        }
        | ({"rmse": float(np.sqrt(_squares(predict, table)))} if grown.response else {})
        for name, table in tables.items()
    ]


def _accuracy(predict: Predict, table: Table) -> float:
    """The share of the records with a class whose class is predicted; of a response R², or 0 if that is below."""
    true = learnt_values(table)
    known = ~missing_values(true)
    weights = None if table.weights is None else table.weights[known]
    if true.dtype.kind != "f":
        return mean_of(predict(table)[known] == true[known], weights)
    away = true[known] - mean_of(true[known], weights)
    spread = mean_of(away * away, weights)
    return max(1.0 - _squares(predict, table) / spread, 0.0) if spread > 0 else 0.0


def _squares(predict: Predict, table: Table) -> float:
    """The mean squared error of a response."""
    true = learnt_values(table)
    known = ~missing_values(true)
    weights = None if table.weights is None else table.weights[known]
    return mean_of((predict(table)[known] - true[known]) ** 2, weights)


def _known(table: Table) -> int:
    return int((~missing_values(learnt_values(table))).sum())


def _without(grown: Grown, names: Sequence[str]) -> Grown:
    schema = grown.table.schema.with_role(names, "ignored")
    return replace(grown, table=replace(grown.table, schema=schema))


def _errors(model: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Errors on unseen records, the cost of anonymising, and its benefit over hiding the quasi-identifiers."""
    accuracy = {
        r["trained_on"]: r["accuracy"] for r in rows if r["model"] == model and r["tested_on"] == "unseen"
    }
    baseline, released, worst = (1.0 - accuracy[name] for name in ("original", "released", "worst"))
    return {
        "model": model,
        "baseline": baseline,
        "released": released,
        "worst": worst,
        "removal": 1.0 - accuracy["removal"] if "removal" in accuracy else None,
        "cost": released - baseline,
        "benefit": worst - released,
    }


_UNSEEN = {
    "holdout": "the people of the hold-out, whom no model has seen",
    "split": "a part of the original's records that was kept from the models",
    "perhaps seen": "the original's records, of which some may have been seen in training",
}
_MODELS = {
    "tree": "decision tree",
    "forest": "SysFor forest",
    "builder_tree": "decision tree, grown as for the release",
    "builder_forest": "forest, grown as for the release",
    "gradient_boosting": "gradient boosting",
    "logistic_regression": "logistic regression",
    "linear_regression": "linear regression",
    "neural_network": "neural network",
}


def _model(name: str) -> str:
    return _MODELS.get(name, name.replace("_", " "))


_RIGHT = "Share of records whose class is predicted correctly"
_WRONG = "Share of unseen records whose class is predicted wrongly"


def _accuracy_table(details: Details) -> DetailTable:
    found = {(r["model"], r["trained_on"], r["tested_on"]): r["accuracy"] for r in details["rows"]}
    models = dict.fromkeys(r["model"] for r in details["rows"] if r["trained_on"] == "released")
    tests = [(on, tested) for on in ("released", "original") for tested in ("released", "original", "unseen")]
    what = "The share of its variance that is predicted (R²)" if details.get("response") else _RIGHT
    return DetailTable.of(
        "Accuracy of models",
        f"{what}; higher is better. Unseen records are "
        f"{_UNSEEN[details['unseen']]}. Compare the two accuracies on unseen records.",
        {"Trained on → tested on": "text", **dict.fromkeys((" → ".join(test) for test in tests), "share")},
        ((_model(model), *(found.get((model, *test)) for test in tests)) for model in models),
    )


def _error_table(details: Details) -> DetailTable:
    removed, hidden, only = details.get("removed"), details.get("hidden"), details.get("only_classes", True)
    removed = None if removed == hidden else removed
    keys = ("baseline", "released", "cost", *(("removal",) if removed else ()), "worst", "benefit")
    without: dict[str, DetailUnit] = {f"without {', '.join(removed)}": "share"} if removed else {}
    worst = "classes only" if only else f"without {', '.join(hidden or ())}"
    least = "publishing the classes only" if only else "hiding the quasi-identifiers"
    what = "The share of its variance that is not predicted (1 − R²)" if details.get("response") else _WRONG
    return DetailTable.of(
        "Errors on unseen records",
        f"{what}; lower is better. The release should come close to "
        f"the original (a small cost) and do better than {least} (a benefit); both differences are "
        "in percentage points.",
        {
            "Model": "text",
            "original": "share",
            "release": "share",
            "cost": "points",
            **without,
            worst: "share",
            "benefit": "points",
        },
        ((_model(e["model"]), *(e[key] for key in keys)) for e in details["errors"]),
    )
