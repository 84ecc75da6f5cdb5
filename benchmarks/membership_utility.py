"""What drawing people and counts costs: pair trends, associations, prediction, and regression coefficients."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
from frontier.likeness import cramers_v
from frontier.models import macro_auc
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
TENTHS, COMMON_LEVEL, FEW = 10, 0.05, 12
NORMAL_95, STEPS, RIDGE = 1.96, 30, 1e-6


class Coding:
    """Columns as codes: levels of categories, tenths of numbers, all by the table that others are compared with."""

    def __init__(self, frame: pl.DataFrame, target: str) -> None:
        self.target = target
        self.edges = {
            name: np.unique(np.quantile(frame[name].to_numpy(), np.arange(1, TENTHS) / TENTHS))
            for name in frame.columns
            if frame[name].dtype.is_numeric() and frame[name].n_unique() > FEW
        }
        self.levels = {
            name: frame[name].cast(pl.String).unique().sort().to_list()
            for name in frame.columns
            if name not in self.edges
        }
        self.widths = {name: len(edges) + 1 for name, edges in self.edges.items()} | {
            name: len(levels) + 1 for name, levels in self.levels.items()
        }

    def codes(self, frame: pl.DataFrame) -> dict[str, Integers]:
        """Every column's codes; levels that the table does not hold are one more."""
        found = {name: np.searchsorted(e, frame[name].to_numpy()) for name, e in self.edges.items()}
        for name, levels in self.levels.items():
            own = frame[name]
            if own.dtype.is_numeric():  # a release may write 1 as 1.0
                own, kinds = own.cast(pl.Float64), [float(level) for level in levels]
                found[name] = _places(own.to_list(), kinds)
            else:
                found[name] = _places(own.cast(pl.String).to_list(), levels)
        return found


def _places(cells: list[object] | list[str], levels: list[float] | list[str]) -> Integers:
    place = {level: number for number, level in enumerate(levels)}
    return np.array([place.get(cell, len(levels)) for cell in cells], np.int64)


def distances(coding: Coding, before: pl.DataFrame, after: pl.DataFrame) -> dict[str, float]:
    """Mean total variation of pairs and of columns, and the mean difference of Cramér's V, of the coded columns."""
    one, other = coding.codes(before), coding.codes(after)
    pairs, links, single = [], [], []
    for name in one:
        counts = [np.bincount(c[name], minlength=coding.widths[name]) / len(c[name]) for c in (one, other)]
        single.append(np.abs(counts[0] - counts[1]).sum() / 2)
    for first, second in combinations(one, 2):
        width, shape = coding.widths[second], (coding.widths[first], coding.widths[second])
        tables = [
            np.bincount(c[first] * width + c[second], minlength=shape[0] * width).reshape(shape)
            / len(c[first])
            for c in (one, other)
        ]
        pairs.append(np.abs(tables[0] - tables[1]).sum() / 2)
        links.append(abs(cramers_v(tables[0]) - cramers_v(tables[1])))
    return {
        "pair_tv": float(np.mean(pairs)),
        "one_way_tv": float(np.mean(single)),
        "association_error": float(np.mean(links)),
    }


def auc(coding: Coding, train: pl.DataFrame, test: pl.DataFrame) -> float | None:
    """AUC of a boosted forest trained on one table and tried on people of neither; None for a numeric class."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    if coding.target in coding.edges:
        return None
    inputs = [name for name in train.columns if name != coding.target]
    given = []
    for frame in (train, test):
        codes = coding.codes(frame)
        raw = [
            frame[name].cast(pl.Float64).to_numpy() if name in coding.edges else codes[name]
            for name in inputs
        ]
        given.append((np.column_stack(raw), codes[coding.target]))
    model = HistGradientBoostingClassifier(random_state=0).fit(*given[0])
    shares = np.zeros((len(given[1][0]), coding.widths[coding.target] - 1))
    for place, label in enumerate(model.classes_):
        if label < shares.shape[1]:
            shares[:, label] = model.predict_proba(given[1][0])[:, place]
    return float(macro_auc(shares, given[1][1]))


def overlap(before: pl.DataFrame, after: pl.DataFrame, target: str) -> dict[str, float] | None:
    """Of one regression in both tables: coefficients whose 95 % intervals meet, and those whose estimate is inside."""
    if not before[target].dtype.is_numeric() and before[target].n_unique() != 2:
        return None
    fits = [_fitted(frame, before, target) for frame in (before, after)]
    (old, error), (new, other) = fits
    meets = np.abs(old - new) <= NORMAL_95 * (error + other)
    inside = np.abs(old - new) <= NORMAL_95 * error
    signs = np.abs(old) > NORMAL_95 * error
    kept = signs & (np.sign(old) == np.sign(new)) & (np.abs(new) > NORMAL_95 * other)
    return {
        "terms": float(len(old)),
        "intervals_meet": float(np.mean(meets)),
        "estimate_inside": float(np.mean(inside)),
        "significant": float(signs.sum()),
        "significant_kept": float(kept.sum()),
    }


def _fitted(frame: pl.DataFrame, usual: pl.DataFrame, target: str) -> tuple[Floats, Floats]:
    """Coefficients and standard errors, the intercept aside: logistic for two classes, linear for a number."""
    terms = np.column_stack([np.ones(frame.height), *_terms(frame, usual, target)])
    if frame[target].dtype.is_numeric():
        y = frame[target].cast(pl.Float64).to_numpy()
        known = usual[target].cast(pl.Float64).to_numpy()
        y = (y - known.mean()) / known.std()
        inverse = np.linalg.pinv(terms.T @ terms + RIDGE * np.eye(terms.shape[1]))
        weights = inverse @ (terms.T @ y)
        inverse *= np.sum((y - terms @ weights) ** 2) / (len(y) - len(weights))
    else:
        y = (frame[target] == usual[target].unique().sort()[1]).to_numpy().astype(float)
        weights, inverse = np.zeros(terms.shape[1]), np.eye(terms.shape[1])
        for _ in range(STEPS):
            chance = 1 / (1 + np.exp(-np.clip(terms @ weights, -30, 30)))
            spread = (terms * (chance * (1 - chance))[:, None]).T @ terms
            inverse = np.linalg.pinv(spread + RIDGE * np.eye(len(weights)))
            weights = weights + inverse @ (terms.T @ (y - chance) - RIDGE * weights)
    return weights[1:], np.sqrt(np.maximum(np.diag(inverse)[1:], 0.0))


def _terms(frame: pl.DataFrame, usual: pl.DataFrame, target: str) -> list[Floats]:
    """Numbers in standard deviations of the usual table; a flag for every common level but the commonest."""
    found = []
    for name in usual.columns:
        if name == target:
            continue
        if usual[name].dtype.is_numeric():
            known = usual[name].cast(pl.Float64).to_numpy()
            found.append((frame[name].cast(pl.Float64).to_numpy() - known.mean()) / known.std())
            continue
        counts = usual[name].value_counts(sort=True)
        common = counts.filter(pl.col("count") >= COMMON_LEVEL * usual.height)[name].to_list()[1:]
        found += [(frame[name].cast(pl.String) == str(level)).to_numpy().astype(float) for level in common]
    return found
