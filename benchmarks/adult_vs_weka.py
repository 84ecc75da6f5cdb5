"""The tree of the complete Adult records, min leaf 2, against Weka's J48 in a warm Java machine.

Weka comes with the extra `weka` (python-weka-wrapper3) and needs Java; without it ours is measured alone.
"""

from __future__ import annotations

import csv
import importlib.util
import sys
import tempfile
from pathlib import Path

from attacks_vs_anonymeter import adult_file
from lines import Limit, Line, faster, without_peer
from measuring import contender, report, timed

WHAT = "J48 tree of Adult, 30,162 × 14, against Weka warm"
AT_LEAST = 5.0
NUMERIC = {"age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week"}
MIN_LEAF = 2


def compare() -> list[Line]:
    if not adult_file().exists():
        print(
            "adult_vs_weka is left out: set HUSHWOOD_DATA to the folder that holds adult/adult.csv.",
            file=sys.stderr,
        )
        return []
    ours = contender(__file__, "ours")
    if importlib.util.find_spec("weka") is None:
        why = "Weka is not installed here: pip install '.[weka]' (and Java)."
        return [without_peer(WHAT, ours, Limit("at least", AT_LEAST), why)]
    return [faster(WHAT, ours, contender(__file__, "weka"), AT_LEAST)]


def complete_records() -> tuple[list[str], list[list[str]]]:
    """Column names and the records without an empty field."""
    with adult_file().open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return names, [row for row in rows if all(row)]


def categories(names: list[str], rows: list[list[str]]) -> dict[str, list[str]]:
    """The values of every categorical column, in code-point order."""
    return {name: sorted({row[j] for row in rows}) for j, name in enumerate(names) if name not in NUMERIC}


def ours() -> None:
    import numpy as np

    from hushwood.tables.schema import Attribute
    from hushwood.trees.grow import grow_tree
    from hushwood.trees.options import GrowOptions
    from hushwood.trees.training import TrainingSet

    names, rows = complete_records()
    values = categories(names, rows)
    attributes, columns = [], []
    for j, name in enumerate(names):
        column = [row[j] for row in rows]
        if name in NUMERIC:
            attributes.append(Attribute(name, "numeric", precision=0))
            columns.append(np.array(column, dtype=np.float64))
        else:
            attributes.append(Attribute(name, "categorical", categories=tuple(values[name])))
            columns.append(np.searchsorted(values[name], column).astype(np.int32))
    options = GrowOptions(variant="j48", min_leaf=MIN_LEAF)

    def fit() -> int:
        training = TrainingSet.from_columns(
            tuple(attributes[:-1]), columns[:-1], columns[-1], tuple(values[names[-1]])
        )
        return len(grow_tree(training, options, threads=2))

    report(timed(fit, warm_ups=2), nodes=fit())


def weka() -> None:
    from weka.classifiers import Classifier
    from weka.core import jvm
    from weka.core.converters import Loader

    jvm.start(max_heap_size="2g", logging_level=40)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "adult.arff"
        file.write_text(arff(), "utf-8")
        data = Loader(classname="weka.core.converters.ArffLoader").load_file(str(file))
    data.class_is_last()

    def fit() -> Classifier:
        model = Classifier(
            classname="weka.classifiers.trees.J48", options=["-C", "0.25", "-M", str(MIN_LEAF)]
        )
        model.build_classifier(data)
        return model

    report(timed(fit, warm_ups=2), nodes=int(fit().jobject.measureTreeSize()))
    jvm.stop()


def arff() -> str:
    """The same records as text that Weka reads, with the same order of values."""
    names, rows = complete_records()
    values = categories(names, rows)
    head = ["@relation adult"]
    for name in names:
        kind = "numeric" if name in NUMERIC else "{" + ",".join(f"'{value}'" for value in values[name]) + "}"
        head.append(f"@attribute '{name}' {kind}")
    body = [
        ",".join(v if name in NUMERIC else f"'{v}'" for name, v in zip(names, row, strict=True))
        for row in rows
    ]
    return "\n".join([*head, "@data", *body, ""])


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        ours()
    else:
        weka()
