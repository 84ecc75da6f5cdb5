"""The neural network of the thesis' chapter 9, in the nearest form that scikit-learn has, trained in three ways.

It used STATISTICA with back propagation and two hidden layers of four neurons. Learning rate, epochs and coding are not
printed, and what noise does to a network depends on them. The library's other learners, for audits, are in
`measures.utility.library_learners`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from hushwood.measures.utility.library_learners import LibraryLearner, Task
from hushwood.random_streams import Streams

HIDDEN = (4, 4)
BATCH, EPOCHS = 50, 100
# More records than any table of the chapter has: none is left out.
ALL = 1_000_000
_DESCENT = {"solver": "sgd", "batch_size": BATCH, "momentum": 0.9, "nesterovs_momentum": False}
# By name, the one that is set beside the print first.
TRAININGS: Mapping[str, Mapping[str, Any]] = {
    "network": {**_DESCENT, "learning_rate_init": 0.3, "max_iter": EPOCHS},
    "slowly trained network": {**_DESCENT, "learning_rate_init": 0.1, "max_iter": EPOCHS},
    "fully trained network": {"solver": "lbfgs", "max_iter": 300},
}


def thesis_network(training: str, streams: Streams) -> LibraryLearner:
    """A network with logistic neurons; its first weights come from the streams."""
    return LibraryLearner(training, partial(_network, TRAININGS[training]), streams, ALL)


def _network(training: Mapping[str, Any], task: Task) -> Any:
    """Numbers scaled to 0 to 1, missing ones filled with the mean, every epoch over all records."""
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
