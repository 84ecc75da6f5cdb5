"""Input of scikit-learn users, as arrays that trees read: numeric arrays, and frames with categories.

Columns are matched by position, as everywhere in scikit-learn, which checks their names. Every refusal is a ValueError.
"""

# ruff: noqa: N803  X is what scikit-learn calls its first argument

from __future__ import annotations

import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, validate_data

from hushwood.arrays import Array, Floats, Integers
from hushwood.errors import InputError
from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.columns.precision import decimals
from hushwood.tables.frames.any_frame import to_polars
from hushwood.tables.frames.storage import (
    codes_of,
    default_kind,
    literal,
    numbers_of,
    storage_name,
    texts_of,
    unusable,
)
from hushwood.tables.schema import Attribute
from hushwood.trees.training import MOST_BRANCHES

_BLOCK = 1 << 15  # rows
_TIMES = frozenset({"Date", "Datetime", "Duration", "Time"})


@dataclass(frozen=True, slots=True)
class Features:
    """The attributes that a tree may test, and their positions among the columns of X."""

    attributes: tuple[Attribute, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TrainingData:
    """Columns of the features, and the class of every record as a code into `classes`."""

    features: Features
    columns: list[Array]
    codes: Integers
    classes: Array
    class_name: str


def read_training(estimator: Any, X: Any, y: Any, threads: int = 1) -> TrainingData:
    """Check X and y, set the estimator's `n_features_in_` and names, and infer what the columns are."""
    frame = as_frame(X)
    if frame is None:
        values, labels = validate_data(
            estimator, X, as_labels(y), dtype=np.float64, ensure_all_finite="allow-nan"
        )
        values = _by_column(values, threads)
        found = tuple(_numeric(f"x{i}", column) for i, column in enumerate(values.T))
    else:
        labels = validate_data(estimator, y=as_labels(y))
        values = _named(estimator, X, frame, reset=True)
        check_consistent_length(values, labels)
        found = infer_schema(values, by_type=True)[0].attributes
    labels = _complete(labels)
    check_classification_targets(labels)
    features = _learnable(found)
    classes, codes = _coded(labels)
    class_name = free_name(getattr(y, "name", None), [a.name for a in found])
    return TrainingData(features, _columns(values, features), codes, classes, class_name)


def read_columns(estimator: Any, X: Any, features: Features) -> list[Array]:
    """The features' columns of new records; categories not seen in training count as missing."""
    frame = as_frame(X)
    if frame is not None:
        return _columns(_named(estimator, X, frame, reset=False), features)
    categorical = [a.name for a in features.attributes if a.kind == "categorical"]
    if categorical:
        raise InputError(
            f"An array cannot hold the categories of column {categorical[0]!r}. Give a frame with the columns of the "
            "training data."
        )
    values = validate_data(estimator, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
    return _columns(values, features)


def weights_of(sample_weight: Any, class_weight: Any, data: TrainingData) -> Floats | None:
    """What every record counts; None if all count the same."""
    if sample_weight is None and class_weight is None:
        return None
    weights: Floats = _check_sample_weight(
        sample_weight, data.codes, dtype=np.float64, ensure_non_negative=True, copy=True
    )
    if class_weight is not None:
        weights *= compute_sample_weight(class_weight, data.classes[data.codes])
    if not (weights > 0).any():
        raise InputError("No record has a weight above 0. Give some that have, or omit the weights.")
    return weights


def as_frame(X: Any) -> pl.DataFrame | None:
    """The frame in Polars if X is a frame of any library, else None."""
    known = nw.from_native(X, pass_through=True)
    return to_polars(X) if isinstance(known, nw.DataFrame | nw.LazyFrame) else None


def as_labels(y: Any) -> Any:
    """Series of libraries other than pandas as arrays; anything else unchanged, for scikit-learn to check."""
    series = nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series) or nw.dependencies.is_pandas_series(y):
        return y
    return series.to_numpy()


def class_texts(classes: Array) -> tuple[str, ...]:
    """The classes as they are written in files: whole numbers without a decimal point, booleans in lower case.

    >>> class_texts(np.array([1.0, 2.0])), class_texts(np.array([False, True]))
    (('1', '2'), ('false', 'true'))
    """
    return tuple(texts_of(pl.Series("class", classes.tolist())).to_list())


def free_name(wanted: Any, taken: Sequence[str]) -> str:
    """The wanted name of the class column, or "class", with underscores added until it is unique."""
    name = wanted if isinstance(wanted, str) and wanted else "class"
    while name in taken:
        name += "_"
    return name


def _named(estimator: Any, X: Any, frame: pl.DataFrame, *, reset: bool) -> pl.DataFrame:
    """The frame in plain numbers and categories, its names checked by scikit-learn."""
    # Labels of pandas columns may not be texts, and scikit-learn checks them itself.
    validate_data(
        estimator, X if nw.dependencies.is_pandas_dataframe(X) else frame, reset=reset, skip_check_array=True
    )
    if frame.is_empty():
        raise InputError("The frame has no records (0 sample(s)). Give at least one.")
    return pl.DataFrame({column.name: _plain(column) for column in frame})


def _plain(column: pl.Series) -> pl.Series:
    """Singles and decimals as doubles, so that later values are not rounded to the training data's decimals."""
    if isinstance(column.dtype, pl.Float32 | pl.Decimal):
        column = column.cast(pl.Float64)
    if column.dtype.is_float() and literal(column).is_infinite().any():
        raise InputError(
            f"Column {column.name!r} contains infinite numbers. Correct them, or set them to missing."
        )
    return column


def _by_column(values: Floats, threads: int) -> Floats:
    """The same numbers, every column in one piece of memory: copied block by block, which fits the caches."""
    if values.flags.f_contiguous:
        return values
    copied = np.empty(values.shape, order="F")

    def copy(start: int) -> None:
        copied[start : start + _BLOCK] = values[start : start + _BLOCK]

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(copy, range(0, len(values), _BLOCK)))
    return copied


def _numeric(name: str, column: Floats) -> Attribute:
    known = column[~np.isnan(column)] if np.isnan(column.min(initial=0.0)) else column
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return Attribute(name, "numeric", low=low, high=high, precision=decimals(known))


def _coded(labels: Array) -> tuple[Array, Integers]:
    """The classes, sorted, and the class of every record; whole numbers that are close together are looked up."""
    kind = labels.dtype
    if kind.kind not in "iu" or int(labels.max()) - int(labels.min()) > len(labels):
        classes, codes = np.unique(labels, return_inverse=True)
        return classes, codes
    low = labels.min()
    # The difference of two numbers of a kind always fits its unsigned kind.
    above = (labels - low).view(f"u{kind.itemsize}").astype(np.int64)
    seen = np.bincount(above) > 0
    return (np.flatnonzero(seen).astype(kind) + low).astype(kind), (np.cumsum(seen) - 1)[above]


def _learnable(found: Sequence[Attribute]) -> Features:
    kept = []
    for place, attribute in enumerate(found):
        if len(attribute.categories) <= MOST_BRANCHES:
            kept.append((attribute, place))
            continue
        warnings.warn(
            f"Column {attribute.name!r} has {len(attribute.categories)} categories, more than {MOST_BRANCHES}, so it "
            "is not used.",
            UserWarning,
            stacklevel=4,
        )
    if not kept:
        raise InputError(f"Every column has more than {MOST_BRANCHES} categories. Group them.")
    attributes, places = zip(*kept, strict=True)
    return Features(attributes, places)


def _complete(labels: Any) -> Array:
    known: Array = np.asarray(labels)
    if known.dtype.kind == "O" and np.equal(known, np.array(None)).any():
        raise InputError("Some records have no class (y is None). Drop these records.")
    return known


def _columns(values: Floats | pl.DataFrame, features: Features) -> list[Array]:
    if isinstance(values, np.ndarray):
        return [values[:, place] for place in features.places]
    return [
        _array(values.to_series(place), attribute)
        for attribute, place in zip(features.attributes, features.places, strict=True)
    ]


def _array(column: pl.Series, attribute: Attribute) -> Array:
    if column.null_count() == len(column):
        missing = np.nan if attribute.kind == "numeric" else -1
        return np.full(len(column), missing)
    if default_kind(column.dtype) is None:
        raise unusable(column.name, column.dtype)
    given, learnt = _family(storage_name(column.dtype)), _family(attribute.storage)
    if given != learnt and attribute.storage != "Null":
        raise InputError(
            f"Column {column.name!r} holds {given}, but the tree was trained on {learnt}. Convert it."
        )
    if attribute.kind == "numeric":
        return numbers_of(column, attribute.precision)
    texts = texts_of(column).to_frame("text")
    seen = pl.col("text").is_in(list(attribute.categories))
    return codes_of(texts.select(pl.when(seen).then(pl.col("text"))).to_series(), attribute.categories)


def _family(storage: str) -> str:
    """What a storage holds, as far as a tree's test is concerned."""
    plain = storage.partition("[")[0]
    if plain in _TIMES:
        return f"{plain} values"
    return "categories" if plain in {"Boolean", "Categorical", "Enum", "Null", "String"} else "numbers"
