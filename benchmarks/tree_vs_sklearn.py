"""A C4.5 tree of a million records, min leaf 200, against scikit-learn's and LightGBM's, `fit` alone.

Ours is given a matrix of float64 and its time includes coding the columns and pruning; scikit-learn is given the
float32 matrix it works on, so that it need not convert. LightGBM's single tree tries only the borders of 255 bins, and
its time includes the binning: it shows how fast an approximate tree is, and sets no limit. It comes with the extra
`bench`, or HUSHWOOD_LIGHTGBM names the interpreter of an environment that has it. The records are new in every run: a
seed is drawn, and reported with the result.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from generated import new_seed
from lines import Line, faster, stated, within, without_peer
from measuring import Measured, contender, report, timed

if TYPE_CHECKING:
    from hushwood.arrays import Array

ROWS, QUICK_ROWS, COLUMNS, MIN_LEAF = 1_000_000, 100_000, 10, 200
DEPTHS = {"12": "depth ≤ 12", "any": "any depth"}
AT_LEAST = {"1": 15, "2": 25}


def compare() -> list[Line]:
    return _lines(ROWS)


def quick() -> list[Line]:
    return [stated(line) for line in _lines(QUICK_ROWS)]


def _lines(rows: int) -> list[Line]:
    given = str(rows), str(new_seed())
    lines = []
    for depth, named in DEPTHS.items():
        peer = contender(__file__, "sklearn", *given, depth)
        for threads, least in AT_LEAST.items():
            ours = contender(__file__, "ours", *given, depth, threads)
            what = f"tree of {rows:,} × {COLUMNS} floats, {named}, {threads} thread{'s' * (threads != '1')}"
            line = faster(f"{what}, against scikit-learn", ours, peer, least)
            sizes = f"{ours.facts['nodes']} nodes, scikit-learn's {peer.facts['nodes']}."
            lines += [replace(line, note=sizes), _beside_lightgbm(what, ours, *given, depth, threads)]
    return lines


def _beside_lightgbm(what: str, ours: Measured, *arguments: str) -> Line:
    what = f"{what}, against LightGBM's histogram tree"
    named = os.environ.get("HUSHWOOD_LIGHTGBM")
    interpreter = named or (sys.executable if importlib.util.find_spec("lightgbm") else None)
    if interpreter is None:
        return without_peer(what, ours, None, "LightGBM is not installed here: pip install '.[bench]'.")
    peer = contender(__file__, "lightgbm", *arguments, interpreter=interpreter)
    note = f"LightGBM {peer.facts['version']}, {peer.facts['leaves']} leaves."
    return replace(stated(within(what, ours, peer, 1)), note=note)


def data(seed: int, rows: int = ROWS) -> tuple[Array, Array]:
    """Ten columns of which six carry a pattern of boxes and a slope; 15 % of the classes are noise."""
    import numpy as np

    generator = np.random.default_rng(seed)
    x = generator.normal(size=(rows, COLUMNS))
    boxes = ((x[:, 0] > 0.3) & (x[:, 1] < 0.8)) | ((x[:, 2] < -0.5) & (x[:, 3] > 0))
    slope = x[:, 4] + 0.5 * x[:, 5] > 1
    noise = generator.random(rows) < 0.15
    return x, ((boxes ^ slope) ^ noise).astype(np.int32)


def ours(rows: int, seed: int, max_depth: int | None, threads: int) -> None:
    from hushwood.sklearn import C45Classifier

    x, y = data(seed, rows)
    model = C45Classifier(min_leaf=MIN_LEAF, max_depth=max_depth, n_jobs=threads)
    report(timed(lambda: model.fit(x, y)), seed=seed, nodes=len(model.forest_.trees[0]))


def sklearn(rows: int, seed: int, max_depth: int | None) -> None:
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier

    x, y = data(seed, rows)
    x32 = np.ascontiguousarray(x, dtype=np.float32)
    model = DecisionTreeClassifier(
        criterion="entropy", max_depth=max_depth, min_samples_leaf=MIN_LEAF, random_state=0
    )
    report(timed(lambda: model.fit(x32, y), warm_ups=0), seed=seed, nodes=model.tree_.node_count)


def lightgbm(rows: int, seed: int, max_depth: int | None, threads: int) -> None:
    import lightgbm

    x, y = data(seed, rows)
    settings = {
        "objective": "binary",
        "num_leaves": rows // MIN_LEAF,  # no tree has more
        "max_depth": max_depth or -1,
        "min_data_in_leaf": MIN_LEAF,
        "min_sum_hessian_in_leaf": 0.0,
        "num_threads": threads,
        "verbosity": -1,
    }

    def fit() -> lightgbm.Booster:
        return lightgbm.train(settings, lightgbm.Dataset(x, y), num_boost_round=1)

    leaves = fit().dump_model()["tree_info"][0]["num_leaves"]
    report(timed(fit), version=lightgbm.__version__, leaves=leaves)


if __name__ == "__main__":
    _, chosen, count, drawn, depth, *cores = sys.argv
    contenders: dict[str, Callable[..., None]] = {"ours": ours, "sklearn": sklearn, "lightgbm": lightgbm}
    deepest = None if depth == "any" else int(depth)
    contenders[chosen](int(count), int(drawn), deepest, *map(int, cores))
