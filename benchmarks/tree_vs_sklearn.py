"""A C4.5 tree of a million records against scikit-learn's DecisionTreeClassifier, fitting only.

Ours is given float64 columns and includes the making of its training set; scikit-learn is given the float32
matrix it works on, so that it need not convert.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from measuring import Line, contender, faster, report, timed

from hushwood.arrays import Array

if TYPE_CHECKING:
    pass

ROWS, COLUMNS, MIN_LEAF, MAX_DEPTH = 1_000_000, 10, 200, 12


def compare() -> list[Line]:
    sklearn = contender(__file__, "sklearn")
    one, two = contender(__file__, "ours", "1"), contender(__file__, "ours", "2")
    what = f"tree of {ROWS:,} × {COLUMNS} floats, {{}}, against scikit-learn"
    return [
        faster(what.format("1 thread"), one, sklearn, 10),
        faster(what.format("2 threads"), two, sklearn, 20),
    ]


def data() -> tuple[Array, Array]:
    """Ten columns of which six carry a pattern of boxes and a slope; 15 % of the classes are noise."""
    import numpy as np

    generator = np.random.default_rng(20)
    x = generator.normal(size=(ROWS, COLUMNS))
    boxes = ((x[:, 0] > 0.3) & (x[:, 1] < 0.8)) | ((x[:, 2] < -0.5) & (x[:, 3] > 0))
    slope = x[:, 4] + 0.5 * x[:, 5] > 1
    noise = generator.random(ROWS) < 0.15
    return x, ((boxes ^ slope) ^ noise).astype(np.int32)


def ours(threads: int) -> None:
    from hushwood.tables.schema import Attribute
    from hushwood.trees.grow import grow_tree
    from hushwood.trees.options import GrowOptions
    from hushwood.trees.training import TrainingSet

    x, y = data()
    columns = [x[:, j].copy() for j in range(COLUMNS)]
    attributes = tuple(Attribute(f"x{j}", "numeric") for j in range(COLUMNS))
    options = GrowOptions(variant="c45", min_leaf=MIN_LEAF, max_depth=MAX_DEPTH)

    def fit() -> int:
        training = TrainingSet.from_columns(attributes, columns, y, ("0", "1"), threads)
        return len(grow_tree(training, options, threads=threads))

    report(timed(fit), nodes=fit())


def sklearn() -> None:
    import numpy as np
    from sklearn.tree import DecisionTreeClassifier

    x, y = data()
    x32 = np.ascontiguousarray(x, dtype=np.float32)
    model = DecisionTreeClassifier(
        criterion="entropy", max_depth=MAX_DEPTH, min_samples_leaf=MIN_LEAF, random_state=0
    )
    report(timed(lambda: model.fit(x32, y), warm_ups=0), nodes=model.tree_.node_count)


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        ours(int(sys.argv[2]))
    else:
        sklearn()
