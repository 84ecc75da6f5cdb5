"""Utility for prediction: models trained on the release, judged on people held out, against models of the original."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from frontier.models import macro_auc
from frontier.records import Floats, Integers
from frontier.reference import Reference

CHANCE = 0.5


def accuracy_share(reference: Reference, by_release: Mapping[str, Floats]) -> float:
    """Mean accuracy of the models trained on the release over that of the models trained on the original."""
    return _mean_accuracy(reference, by_release) / _mean_accuracy(reference, reference.by_original)


def lift_share(reference: Reference, by_release: Mapping[str, Floats]) -> float:
    """(AUC - 1/2) of the release over that of the original, each a mean over the models."""
    return _lift(reference, by_release) / _lift(reference, reference.by_original)


def tree_agreement(reference: Reference, by_release: Mapping[str, Floats]) -> float:
    """Share of the people held out for whom both trees predict the same class."""
    return float(np.mean(_labels(by_release["tree"]) == _labels(reference.by_original["tree"])))


def _labels(shares: Floats) -> Integers:
    return np.asarray(np.argmax(shares, axis=1))


def _mean_accuracy(reference: Reference, predicted: Mapping[str, Floats]) -> float:
    true = reference.held_out.classes
    return float(np.mean([np.mean(_labels(shares) == true) for shares in predicted.values()]))


def _lift(reference: Reference, predicted: Mapping[str, Floats]) -> float:
    true = reference.held_out.classes
    return float(np.mean([macro_auc(shares, true) for shares in predicted.values()])) - CHANCE
