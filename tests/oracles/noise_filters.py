"""Filters of additive noise as their authors print them, with whole matrices and one record at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def spectral(released: Matrix, noise: Matrix) -> Matrix:
    """Kargupta: whiten by the noise, keep the directions above the largest eigenvalue of noise, go back."""
    records, width = released.shape
    largest = (1 + 1 / np.sqrt(records / width)) ** 2
    values, vectors = _whitened_directions(released, noise)
    signal = [vectors[:, i] for i in range(width) if values[i] > largest]
    return _projected(released, noise, signal)


def principal(released: Matrix, noise: Matrix, keep: int) -> Matrix:
    """PCA-DR: the `keep` largest components."""
    values, vectors = _whitened_directions(released, noise)
    order = sorted(range(len(values)), key=lambda i: -values[i])
    return _projected(released, noise, [vectors[:, i] for i in order[:keep]])


def bayes(released: Matrix, noise: Matrix) -> Matrix:
    """mu + Sigma_X (Sigma_X + Sigma_V)^-1 (y - mu), Sigma_X = cov(Y) - Sigma_V; if no part of it is negative."""
    mean = released.mean(axis=0)
    total = _covariance(released)
    signal = total - np.diag(noise**2)
    assert np.linalg.eigvalsh(signal)[0] > 0
    shrink = signal @ np.linalg.inv(signal + np.diag(noise**2))
    return np.array([mean + shrink @ (row - mean) for row in released])


def _covariance(rows: Matrix) -> Matrix:
    centred = rows - rows.mean(axis=0)
    return np.asarray(sum(np.outer(row, row) for row in centred) / len(rows))


def _whitened_directions(released: Matrix, noise: Matrix) -> tuple[Matrix, Matrix]:
    half = np.diag(1 / noise)
    values, vectors = np.linalg.eigh(half @ _covariance(released) @ half)
    return values, vectors


def _projected(released: Matrix, noise: Matrix, directions: list[Matrix]) -> Matrix:
    mean, width = released.mean(axis=0), len(noise)
    keep = sum((np.outer(v, v) for v in directions), np.zeros((width, width)))
    back = np.diag(noise) @ keep @ np.diag(1 / noise)
    return np.array([mean + back @ (row - mean) for row in released])
