"""The models of the yardstick, all scikit-learn's, and the area under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from frontier.records import Flags, Floats, Integers

FOREST_TREES = 50


def tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(min_samples_leaf=10, random_state=seed)


def forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(FOREST_TREES, random_state=seed)


def regression_forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestRegressor

    return RandomForestRegressor(FOREST_TREES, max_features="sqrt", random_state=seed)


def logistic(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=0.5, max_iter=300, random_state=seed))


def boosting(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(
        max_iter=50, max_leaf_nodes=15, min_samples_leaf=20, early_stopping=False, random_state=seed
    )


# What analysts are taken to train; utility is the mean over these.
ANALYSTS = {"tree": tree, "forest": forest, "logistic regression": logistic, "boosting": boosting}


class Classifier:
    """A model that knows all classes of the original, also those that the release has lost."""

    def __init__(self, model: Any, x: Floats, labels: Integers, classes: int) -> None:
        self._classes = classes
        self._present = np.unique(labels)
        self._model = model.fit(x, labels) if len(self._present) > 1 else None

    def shares(self, x: Floats) -> Floats:
        """Probability by [record, class]."""
        out = np.zeros((len(x), self._classes))
        out[:, self._present] = 1.0 if self._model is None else self._model.predict_proba(x)
        return out


def auc(scores: NDArray[Any], positive: Flags) -> float:
    """The chance that a positive scores above a negative, ties half; 1/2 if one of them is missing."""
    from scipy.stats import rankdata

    few, many = int(positive.sum()), int((~positive).sum())
    if not few or not many:
        return 0.5
    ranks = rankdata(scores)
    return float((ranks[positive].sum() - few * (few + 1) / 2) / (few * many))


def macro_auc(shares: Floats, labels: Integers) -> float:
    """Mean over the classes that occur of the AUC of one class against the others."""
    return float(np.mean([auc(shares[:, c], labels == c) for c in np.unique(labels)]))
