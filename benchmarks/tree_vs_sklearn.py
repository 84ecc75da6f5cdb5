"""A C4.5 tree of a million records against scikit-learn's DecisionTreeClassifier, `fit` alone.

Ours is given a matrix of float64; scikit-learn is given the float32 matrix it works on, so that it need not convert.
The records are new in every run: a seed is drawn, and reported with the result.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace

from measuring import Line, contender, faster, report, timed

from hushwood.arrays import Array

ROWS, COLUMNS, MIN_LEAF = 1_000_000, 10, 200
DEPTHS = {"12": "depth ≤ 12", "any": "any depth"}
AT_LEAST = {"1": 15, "2": 25}


def compare() -> list[Line]:
    seed = str(secrets.randbelow(2**32))
    lines = []
    for depth, named in DEPTHS.items():
        peer = contender(__file__, "sklearn", seed, depth)
        for threads, least in AT_LEAST.items():
            ours = contender(__file__, "ours", seed, depth, threads)
            what = f"tree of {ROWS:,} × {COLUMNS} floats, {named}, {threads} thread{'s' * (threads != '1')}"
            line = faster(f"{what}, against scikit-learn", ours, peer, least)
            sizes = f"{ours.facts['nodes']} nodes, scikit-learn's {peer.facts['nodes']}"
            lines.append(replace(line, note=f"records of seed {ours.facts['seed']}; {sizes}"))
    return lines


def data(seed: int) -> tuple[Array, Array]:
    """Ten columns of which six carry a pattern of boxes and a slope; 15 % of the classes are noise."""
    import numpy as np

    generator = np.random.default_rng(seed)
    x = generator.normal(size=(ROWS, COLUMNS))
    boxes = ((x[:, 0] > 0.3) & (x[:, 1] < 0.8)) | ((x[:, 2] < -0.5) & (x[:, 3] > 0))
    slope = x[:, 4] + 0.5 * x[:, 5] > 1
    noise = generator.random(ROWS) < 0.15
    return x, ((boxes ^ slope) ^ noise).astype(np.int32)


def ours(seed: int, max_depth: int | None, threads: int) -> None:
    from hushwood.sklearn import C45Classifier

    x, y = data(seed)
    model = C45Classifier(min_leaf=MIN_LEAF, max_depth=max_depth, n_jobs=threads)
    report(timed(lambda: model.fit(x, y)), seed=seed, nodes=len(model.forest_.trees[0]))


def sklearn(seed: int, max_depth: int | None) -> None:
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier

    x, y = data(seed)
    x32 = np.ascontiguousarray(x, dtype=np.float32)
    model = DecisionTreeClassifier(
        criterion="entropy", max_depth=max_depth, min_samples_leaf=MIN_LEAF, random_state=0
    )
    report(timed(lambda: model.fit(x32, y), warm_ups=0), seed=seed, nodes=model.tree_.node_count)


if __name__ == "__main__":
    deepest = None if sys.argv[3] == "any" else int(sys.argv[3])
    if sys.argv[1] == "ours":
        ours(int(sys.argv[2]), deepest, int(sys.argv[4]))
    else:
        sklearn(int(sys.argv[2]), deepest)
