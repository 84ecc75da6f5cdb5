"""A release as a resampling step, as in imbalanced-learn: X and y in, released X and y out.

The release is the same job that the command runs, without a folder; `containers` splits X and y into columns and puts
the released columns back together.
"""

# ruff: noqa: N803  X is what scikit-learn calls its first argument

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Self

from sklearn.base import BaseEstimator

from hushwood.jobs.release import ReleaseRequest, checked, release
from hushwood.jobs.resolve import resolve
from hushwood.python_words import speaking_python
from hushwood.releasing.noise_texts import noise_arguments
from hushwood.releasing.options import PerturbOptions
from hushwood.sklearn.containers import Joined, join
from hushwood.tables.reading import Reading, read

_DEFAULTS = PerturbOptions()


_OPTIONS = {field.name for field in fields(PerturbOptions)} - {"noise", "settings"}


class Anonymizer(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Releases the training data of a pipeline: the rules stay, the people do not show.

    The keywords are those of `hushwood.release` with the same defaults, but nothing is measured unless `evidence` asks
    for it. `k` is the smallest segment of "segment-shuffle"; None is 50, or a tenth of a small table. `blur` says how
    far numbers move that few records share, `rare` what becomes of levels that fewer than `rare_below` records have.
    `trees=None` grows as many trees as the technique is made for (three for "forest-framework"), or as the table has
    good splits for; a number must be met. `min_leaf=None` is k, or 4.5 % of the records, from 10 to 200. `seed` is a
    secret of 64 hex digits or 32 bytes; None draws a fresh one. `keep` says why columns go out although they look as
    if they identify people, such as `{"x0": "a rank, not a record number"}`; without a reason they are refused, and so
    are rows that evidently repeat people without `rows_are_people`, which says why each is another person. `fit` only
    checks, as in imbalanced-learn. After `fit_resample`: `release_` with the certificate, the verdict (whose
    `changes.keywords` are for `set_params`) and all warnings, `forest_`, `n_features_in_`, `feature_names_in_`.

    >>> import numpy as np
    >>> X = np.arange(60).reshape(30, 2)
    >>> released, classes = Anonymizer(seed="1" * 64).fit_resample(X, np.arange(30) // 15)
    >>> released.shape, released.dtype == X.dtype, sorted(classes.tolist()) == [0] * 15 + [1] * 15
    ((30, 2), True, True)
    """

    def __init__(
        self,
        *,
        technique: str = _DEFAULTS.technique,
        k: int | None = None,
        blur: int = _DEFAULTS.blur,
        noise: float | Mapping[str, float] = _DEFAULTS.noise,
        trees: int | None = None,
        min_leaf: int | None = None,
        variant: str = _DEFAULTS.variant,
        rare: str = _DEFAULTS.rare,
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
