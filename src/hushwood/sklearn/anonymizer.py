"""A release as a resampling step, as in imbalanced-learn: X and y in, released X and y out.

The release is the same job that the command runs, without a folder. X and y become one frame, and released columns go
back into their containers: arrays keep their data type; frames and series stay in their library.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import narwhals as nw
import numpy as np
import polars as pl
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from hushwood.arrays import Array
from hushwood.errors import InputError
from hushwood.jobs.release import ReleaseRequest, checked, release
from hushwood.jobs.resolve import resolve
from hushwood.python_words import speaking_python
from hushwood.releasing.noise_texts import noise_arguments
from hushwood.releasing.options import PerturbOptions
from hushwood.sklearn.inputs import as_frame, free_name
from hushwood.tables.frames.any_frame import like, to_polars
from hushwood.tables.reading import Reading, read

# ruff: noqa: N803  X is what scikit-learn calls its first argument


_DEFAULTS = PerturbOptions()


_OPTIONS = {field.name for field in fields(PerturbOptions)} - {"noise", "settings"}


class Anonymizer(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Releases the training data of a pipeline: the rules stay, the people do not show.

    The keywords are those of `hushwood.release` with the same defaults, but nothing is measured unless `evidence` asks
    for it. "segment-shuffle" draws the people, and then the counts of segments with noise of `redraw` (None is 1; 0
    draws nobody and keeps counts exact). `k` is its smallest segment; None is what the counts need. `blur` says how far
    numbers move that few people share, `rare` what becomes of levels that fewer than `rare_below` people have; None is
    a twentieth of the records and "group" where counts are drawn, else 5 and "keep".
    `trees=None` grows as many trees as the technique is made for (three for "forest-framework"), or as the table has
    good splits for; a number must be met. `min_leaf=None` is k, or 4.5 % of the records, from 10 to 200. `seed` is a
    secret of 64 hex digits or 32 bytes; None draws a fresh one. `keep` says why columns go out although they look as
    if they identify people, such as `{"x0": "a rank, not a record number"}`; without a reason they are refused, and so
    are rows that evidently repeat people without `rows_are_people`, which says why each is another person. `fit` only
    checks, as in imbalanced-learn. After `fit_resample`: `release_` with the certificate, the verdict (whose
    `changes.keywords` are for `set_params`) and all warnings, `forest_`, `n_features_in_`, `feature_names_in_`.

    >>> import numpy as np
    >>> X = np.arange(60).reshape(30, 2)
    >>> released, classes = Anonymizer(seed="1" * 64, redraw=0).fit_resample(X, np.arange(30) // 15)
    >>> released.shape, released.dtype == X.dtype, sorted(classes.tolist()) == [0] * 15 + [1] * 15
    ((30, 2), True, True)
    """

    def __init__(
        self,
        *,
        technique: str = _DEFAULTS.technique,
        k: int | None = None,
        blur: int | None = _DEFAULTS.blur,
        redraw: float | None = _DEFAULTS.redraw,
        noise: float | Mapping[str, float] = _DEFAULTS.noise,
        trees: int | None = None,
        min_leaf: int | None = None,
        variant: str = _DEFAULTS.variant,
        rare: str | None = _DEFAULTS.rare,
        rare_below: int | None = _DEFAULTS.rare_below,
        coarsen: Mapping[str, Any] | Sequence[str] = (),
        top_code: Mapping[str, Any] | Sequence[str] = (),
        bottom_code: Mapping[str, Any] | Sequence[str] = (),
        suppress: Sequence[str] = (),
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        evidence: str = "none",
        seed: str | bytes | None = None,
        keep: Mapping[str, str] | None = None,
        rows_are_people: str | None = None,
    ) -> None:
        self.technique = technique
        self.k = k
        self.blur = blur
        self.redraw = redraw
        self.noise = noise
        self.trees = trees
        self.min_leaf = min_leaf
        self.variant = variant
        self.rare = rare
        self.rare_below = rare_below
        self.coarsen = coarsen
        self.top_code = top_code
        self.bottom_code = bottom_code
        self.suppress = suppress
        self.settings = settings
        self.evidence = evidence
        self.seed = seed
        self.keep = keep
        self.rows_are_people = rows_are_people

    def fit(self, X: Any, y: Any) -> Self:
        """Check the settings, X and y, and change nothing."""
        with speaking_python():
            reading, request = self._asked(join(self, X, y))
            checked(reading, resolve(request, reading).request)
        return self

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The released records in the containers and data types of those given, in random order by segment-shuffle."""
        with speaking_python():
            joined = join(self, X, y)
            done = release(*self._asked(joined))
        self.release_ = done
        self.forest_ = done.forest
        return joined.features_like(done.frame), joined.classes_like(done.frame)

    def _asked(self, joined: Joined) -> tuple[Reading, ReleaseRequest]:
        chosen = {name: value for name, value in self.get_params(deep=False).items() if name in _OPTIONS}
        options = PerturbOptions(**chosen, **noise_arguments(self.noise), settings=self.settings or {})
        request = ReleaseRequest(
            options,
            seed=self.seed,
            evidence=self.evidence,
            keep=self.keep or {},
            rows_are_people=self.rows_are_people,
        )
        return read(joined.frame, target=joined.class_name), request

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = True
        return tags


# ruff: noqa: N803  X is what scikit-learn calls its first argument


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
