"""How well models trained on the release predict the class, against models trained on the original (survey, IV B).

The models are in `learners` and `library_learners`, the choice of test records in `unseen_records`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hushwood.measures.grown import Grown
from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility.learners import ForestLearner, Learner, MajorityLearner, Predict, TreeLearner
from hushwood.measures.utility.library_learners import library_learners
from hushwood.measures.utility.unseen_records import Trial, trial_for
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, class_labels

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PredictionAccuracy:
    """Accuracy of a tree trained on the release, divided by that of a tree trained on the original.

    scikit-learn's models, which are slower, learn from at most `most_rows` records.
    """

    most_rows: int = 10_000
    name: ClassVar[str] = "prediction_accuracy"
    question: ClassVar[str] = (
        "Does a model trained on the release predict new records as well as one trained on the original?"
    )
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, None)
    best: ClassVar[float | None] = 1.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Answer the question."""
        codes = class_labels(original)[0]
        if len(np.unique(codes[codes >= 0])) < 2:
            return NotComputable(
                "The original's records have no two classes, so there is nothing to predict."
            )
        trial = trial_for(original, released, context)
        if not (trial.original.training.records and trial.released.training.records and _known(trial.unseen)):
            return NotComputable("Too few records have a class to learn from some and to try others.")
        baseline = _accuracy(TreeLearner().fit(trial.original), trial.unseen)
        if baseline == 0.0:
            return NotComputable("A tree trained on the original predicts no unseen record rightly.")
        value = _accuracy(TreeLearner().fit(trial.released), trial.unseen) / baseline
        if context.value_only:
            return Measurement(value)
        return Measurement(value, self._details(trial, context))

    def _details(self, trial: Trial, context: Context) -> dict[str, Any]:
        learners: list[Learner] = [TreeLearner(), ForestLearner()]
        learners += library_learners(context.streams, self.most_rows)
        removed = _removed(trial.original.table.schema)
        rows = _rows(trial, learners, removed)
        return {
            "unseen": trial.kind,
            "perhaps_seen": trial.kind == "perhaps seen",
            "records": {
                "original": trial.original.training.records,
                "released": trial.released.training.records,
                "unseen": _known(trial.unseen),
            },
            "most_rows": self.most_rows,
            "sampled": max(trial.original.training.records, trial.released.training.records) > self.most_rows,
            "removed": list(removed) or None,
            "rows": rows,
            "errors": [_errors(learner.name, rows) for learner in learners],
        }


def _rows(trial: Trial, learners: Sequence[Learner], removed: Sequence[str]) -> list[Row]:
    """The accuracy of every model on every table that it is tried on."""
    tables = {
        "released": trial.released.table,
        "original": trial.original.table,
        "unseen": trial.unseen,
    }
    rows = []
    for learner in learners:
        rows += _tried(learner, "released", trial.released, tables)
        rows += _tried(learner, "original", trial.original, tables)
        if removed:
            without = _without(trial.original, removed)
            rows += _tried(learner, "removal", without, {"unseen": trial.unseen})
    return rows + _tried(MajorityLearner(), "worst", trial.original, {"unseen": trial.unseen})


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
        for name, table in tables.items()
    ]


def _accuracy(predict: Predict, table: Table) -> float:
    """Share of the records with a class for which it is predicted."""
    codes = class_labels(table)[0]
    known = codes >= 0
    return float((predict(table)[known] == codes[known]).mean())


def _known(table: Table) -> int:
    return int((class_labels(table)[0] >= 0).sum())


def _removed(schema: Schema) -> tuple[str, ...]:
    """The attributes that a removal error does without: the confidential ones, or else the quasi-identifiers."""
    return schema.in_role("confidential") or schema.in_role("quasi-identifier")


def _without(grown: Grown, names: Sequence[str]) -> Grown:
    schema = grown.table.schema.with_role(names, "ignored")
    return replace(grown, table=replace(grown.table, schema=schema))


def _errors(model: str, rows: Sequence[Row]) -> dict[str, Any]:
    """Errors on unseen records, and what anonymising cost and what it is worth over publishing nothing."""
    accuracy = {
        r["trained_on"]: r["accuracy"] for r in rows if r["model"] == model and r["tested_on"] == "unseen"
    }
    worst = next(1.0 - r["accuracy"] for r in rows if r["trained_on"] == "worst")
    baseline, released = 1.0 - accuracy["original"], 1.0 - accuracy["released"]
    return {
        "model": model,
        "baseline": baseline,
        "released": released,
        "worst": worst,
        "removal": 1.0 - accuracy["removal"] if "removal" in accuracy else None,
        "cost": released - baseline,
        "benefit": worst - released,
    }
