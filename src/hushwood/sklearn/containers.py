"""X and y in one frame, and released columns back in the containers of X and y.

Arrays keep their data type; frames and series stay in their library.
"""

# ruff: noqa: N803  X is what scikit-learn calls its first argument

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.sklearn.inputs import as_frame, free_name
from hushwood.tables.frames.any_frame import like, to_polars


@dataclass(frozen=True, slots=True)
class Joined:
    """One frame of the features and, last, the class; and the original X and y."""

    frame: pl.DataFrame
    class_name: str
    features: Any
    classes: Any

    def features_like(self, released: pl.DataFrame) -> Any:
        """The released features in the container of X."""
        columns = pl.DataFrame({c.name: c for c in released if c.name != self.class_name})
        if isinstance(self.features, np.ndarray):
            return np.column_stack([column.to_numpy() for column in columns]).astype(self.features.dtype)
        return like(self.features, columns)

    def classes_like(self, released: pl.DataFrame) -> Any:
        """The released classes in the container of y."""
        column = released[self.class_name]
        if isinstance(self.classes, np.ndarray):
            values = column.to_list() if self.classes.dtype.kind == "O" else column.to_numpy()
            return np.array(values, dtype=self.classes.dtype)
        made = like(_one_column(self.classes, self.class_name), column.to_frame())
        series = nw.from_native(made, eager_only=True)[self.class_name].to_native()
        if nw.dependencies.is_pandas_series(series):
            return series.rename(self.classes.name)
        return series.alias(self.classes.name) if isinstance(series, pl.Series) else series


def join(estimator: Any, X: Any, y: Any) -> Joined:
    """Put X and y into one frame and set the estimator's `n_features_in_` and names."""
    if y is None:
        raise InputError(
            "It requires y to be passed, but the target y is None; a release keeps the rules that predict it."
        )
    frame, features = as_frame(X), X
    if frame is None:
        features = validate_data(estimator, X, ensure_all_finite="allow-nan")
        frame = pl.DataFrame(features, schema=[f"x{i}" for i in range(features.shape[1])], orient="row")
    else:
        given = X if nw.dependencies.is_pandas_dataframe(X) else frame
        validate_data(estimator, given, skip_check_array=True)
    class_name = free_name(getattr(y, "name", None), frame.columns)
    series = nw.from_native(y, series_only=True, pass_through=True)
    classes = y if isinstance(series, nw.Series) else column_or_1d(y, warn=True)
    column = _class_column(classes, class_name)
    check_consistent_length(frame, column)
    return Joined(frame.with_columns(column), class_name, features, classes)


def _class_column(classes: Any, name: str) -> pl.Series:
    if not isinstance(classes, np.ndarray):
        return to_polars(_one_column(classes, name)).to_series()
    known: Array = classes.copy()
    if known.dtype.kind == "O":
        known[known != known] = None  # NaN is the only value that differs from itself
    return pl.Series(known.tolist()).alias(name)


def _one_column(classes: Any, name: str) -> Any:
    return nw.from_native(classes, series_only=True).alias(name).to_frame().to_native()
