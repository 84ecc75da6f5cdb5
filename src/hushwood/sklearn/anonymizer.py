"""A release as a resampling step, in the manner of imbalanced-learn: X and y in, released X and y out.

The release itself is the job that the command runs, without a folder; `containers` takes X and y apart and puts
the released columns together again.
"""

# ruff: noqa: N803  X is what scikit-learn calls its first argument

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from hushwood.frameworks.perturb import PerturbOptions
from hushwood.jobs.release import ReleaseRequest, release
from hushwood.sklearn.containers import join
from hushwood.sklearn.inputs import refused_as_value_error
from hushwood.tables.reading import read


class Anonymizer(BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Releases the training data of a pipeline: the rules stay, the people do not show.

    `trees=None` takes as many as the technique is made for (three for "forest-framework"), or as the table has good
    splits for; a number is a demand. `min_leaf=None` is 4.5 % of the records, from 10 to 200. `seed` is a secret of
    64 hex digits or 32 bytes; None takes a fresh one. After `fit_resample`: `release_` with the certificate and
    all warnings, `forest_`, `n_features_in_`, `feature_names_in_`.

    >>> import numpy as np
    >>> X = np.arange(60).reshape(30, 2)
    >>> released, classes = Anonymizer(seed="1" * 64).fit_resample(X, np.arange(30) // 15)
    >>> released.shape, released.dtype == X.dtype, sorted(classes.tolist()) == [0] * 15 + [1] * 15
    ((30, 2), True, True)
    """

    def __init__(
        self,
        *,
        technique: str = "forest-framework",
        noise: float = 1 / 3,
        trees: int | None = None,
        min_leaf: int | None = None,
        variant: str = "c45",
        seed: str | bytes | None = None,
    ) -> None:
        self.technique = technique
        self.noise = noise
        self.trees = trees
        self.min_leaf = min_leaf
        self.variant = variant
        self.seed = seed

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The released records, in the containers, data types and order of those given."""
        with refused_as_value_error():
            options = PerturbOptions(
                technique=self.technique,
                noise=self.noise,
                trees=self.trees,
                min_leaf=self.min_leaf,
                variant=self.variant,
            )
            joined = join(self, X, y)
            reading = read(joined.frame, target=joined.class_name)
            done = release(reading, ReleaseRequest(options, seed=self.seed, evidence="none"))
        self.release_ = done
        self.forest_ = done.forest
        return joined.features_like(done.frame), joined.classes_like(done.frame)
