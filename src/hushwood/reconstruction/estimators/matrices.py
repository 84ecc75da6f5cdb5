"""Categories that moved by a known matrix: PRAM, RC, WARNER and SUBATTRIBUTES, by the inverse of the matrix."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.errors import InputError
from hushwood.reconstruction.frequencies import change_matrix, estimate_covariance, estimated_frequencies
from hushwood.reconstruction.recovered import MISSING, Known, NotRecovered, Recovered
from hushwood.segments.partition import whole_table
from hushwood.techniques.laws.groupings import coded
from hushwood.techniques.laws.redraw import check_entries
from hushwood.techniques.protocol import Law, Technique

MOST_ROUNDS = 5_000
NEAR = 1e-13
LARGEST_CHANGE = 0.5


def recover(known: Known) -> Recovered | NotRecovered:
    """Unbiased shares, brought back to the nearest possible ones; their errors are those of the drawing alone."""
    (technique,) = known.techniques
    if getattr(technique, "within", "table") == "segment":
        return NotRecovered("Its values moved among those of each segment, which are not announced.")
    if known.name not in (getattr(technique, "numbers", {known.name}) or ()):
        return NotRecovered("The order of its values was learnt from the original and is not announced.")
    categories = known.released.schema[known.name].categories
    codes = coded(known.released.columns[known.name], len(categories) + 1)
    held = len(categories) + bool((codes == len(categories)).any())
    counts = np.bincount(codes, minlength=held).astype(float)[:held]
    try:
        check_entries(known.name, held * held)
        matrix, shares = _solved(known, technique, counts / counts.sum())
        errors = np.sqrt(np.diag(estimate_covariance(matrix, shares * counts.sum())))
    except InputError as fault:
        return NotRecovered(f"{fault}")
    labels = (*categories, MISSING)[:held]
    return Recovered("inverse matrix", shares, labels=labels, errors=errors)


def _solved(known: Known, technique: Technique, released: Floats) -> tuple[Floats, Floats]:
    """The matrix, and the shares that it leads back to."""
    if getattr(technique, "others", "equal") == "equal" or _has_matrix(technique, known.name):
        categories = len(known.released.schema[known.name].categories)
        matrix = law_matrix(_law(known, technique), known.name, categories, len(released))
        return matrix, estimated_frequencies(matrix, released)
    return by_frequency(float(getattr(technique, "probability", 0.0)), released)


def by_frequency(probability: float, released: Floats) -> tuple[Floats, Floats]:
    """The same for changes in proportion to original frequencies, where the matrix depends on what it leads back to.

    Solves λ_l = π_l (1 - p + p Σ_{k ≠ l} π_k / (1 - π_k)) by repetition. From p = 1/2 on there are several solutions.

    >>> matrix = change_matrix(0.2, np.array([0.7, 0.2, 0.1]))
    >>> by_frequency(0.2, np.array([0.7, 0.2, 0.1]) @ matrix)[1].round(6).tolist()
    [0.7, 0.2, 0.1]
    """
    if probability >= LARGEST_CHANGE:
        raise InputError(
            f"With a probability of change of {probability:g}, in proportion to frequencies, different original "
            "frequencies give the same released ones."
        )
    shares = released / released.sum()
    for _ in range(MOST_ROUNDS if shares.max() < 1 else 0):
        odds = shares / (1 - shares)
        step = np.sqrt(shares * released / (1 - probability + probability * (odds.sum() - odds)))
        before, shares = shares, step / step.sum()
        if np.abs(shares - before).max() < NEAR:
            break
    return change_matrix(probability, shares), shares


def _has_matrix(technique: Technique, name: str) -> bool:
    return name in (getattr(technique, "matrix", None) or {})


def _law(known: Known, technique: Technique) -> Law:
    return technique.prepare(known.released, (known.name,), whole_table(known.released)).law()


def law_matrix(law: Law, name: str, categories: int, values: int) -> Floats:
    """What a law says for every pair of values: the categories in order and, if there is one more, missing."""
    codes = np.where(np.arange(values) < categories, np.arange(values), -1).astype(np.int32)
    both = {name: np.repeat(codes, values)}, {name: np.tile(codes, values)}
    chances = np.exp(law.log_prob(*both, np.zeros(values * values, np.int64)))
    return np.asarray(chances.reshape(values, values))
