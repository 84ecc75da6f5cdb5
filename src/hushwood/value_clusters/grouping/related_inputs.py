"""Whether values are related to any input at all: a test of independence with exact moments.

The chi-square of the values by an input's values is compared with that of all orders of the records (errata C12): its
mean and variance over them are known (Haldane 1940), and a gamma curve with both gives the chance. Numbers are read in
parts of about equally many records.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Integers
from hushwood.trees.training import TrainingSet

CHANCE = 1e-3  # that any of the inputs seems related to values that have nothing to do with them
PARTS = 8


def related_to_any(training: TrainingSet) -> bool:
    """Whether chance is an unlikely reason for the strongest relation to an input."""
    inputs = len(training.attributes)
    return any(chance_of_relation(_counts(training, a)) <= CHANCE / inputs for a in range(inputs))


def _counts(training: TrainingSet, a: int) -> Integers:
    """Records by values (or parts of numbers) of an input and by the values to predict; nothing is empty."""
    known = training.codes[a] >= 0
    codes, classes = training.codes[a][known].astype(np.int64), training.class_codes[known]
    values, width = training.values[a], len(training.classes)
    if values is not None and len(codes):
        records = np.bincount(codes, minlength=len(values))
        middle = np.cumsum(records) - records / 2
        codes = (middle * PARTS // len(codes)).astype(np.int64)[codes]
    rows = int(codes.max(initial=0)) + 1
    counts = np.bincount(codes * width + classes, minlength=rows * width).reshape(rows, width)
    return counts[counts.any(axis=1)][:, counts.any(axis=0)]


def chance_of_relation(counts: Integers) -> float:
    """The chance of at least this chi-square if the records have their values in any order."""
    from scipy.special import gammaincc

    if min(counts.shape) < 2 or counts.sum() < 4:
        return 1.0
    mean, variance = moments(counts.sum(axis=1), counts.sum(axis=0))
    if variance <= 0:
        return 1.0
    return float(gammaincc(mean**2 / variance, chi_square(counts) * mean / variance))


def chi_square(counts: Integers) -> float:
    """Pearson's statistic of a table without empty rows or columns."""
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


def moments(rows: Integers, columns: Integers) -> tuple[float, float]:
    """Mean and variance of the chi-square over all orders of the records, which keep both totals."""
    n = float(rows.sum())
    (v1, w1), (v2, w2) = (
        ((k - 1) * (n - k) / (n - 1), (n * float((1 / total).sum()) - k * k) / (n - 2))
        for total in (rows, columns)
        for k in [len(total)]
    )
    mean = n / (n - 1) * (len(rows) - 1) * (len(columns) - 1)
    return mean, 2 * n / (n - 3) * (v1 - w1) * (v2 - w2) + n * n / (n - 1) * w1 * w2
