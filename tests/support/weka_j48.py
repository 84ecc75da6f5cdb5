"""Grow a J48 tree with Weka and print its nodes as JSON; run as a script, in a process of its own.

`python weka_j48.py TABLE.arff [J48 options]` needs python-weka-wrapper3 and Java. The nodes have the form of
`forest.json`, without `missing_to` and `label`. `write_arff` makes the file it reads.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oracles.small_table import Table


def write_arff(table: Table, path: Path) -> None:
    """Write a table, the class last, in Weka's own format."""
    kinds = [("numeric" if values is None else _quoted(values)) for _, values in table.columns]
    lines = ["@relation table"]
    lines += [f"@attribute '{column.name}' {kind}" for column, kind in zip(table.columns, kinds, strict=True)]
    lines += [f"@attribute 'the class' {_quoted(table.classes)}", "@data"]
    for row, label in zip(table.rows, table.labels, strict=True):
        cells = [_cell(value, column.values) for value, column in zip(row, table.columns, strict=True)]
        lines.append(",".join([*cells, _cell(label, table.classes)]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _quoted(values: Sequence[str]) -> str:
    return "{" + ",".join(f"'{value}'" for value in values) + "}"


def _cell(value: float | None, values: Sequence[str] | None) -> str:
    if value is None:
        return "?"
    return repr(value) if values is None else f"'{values[int(value)]}'"


def grow(path: str, options: Sequence[str]) -> list[dict[str, Any]]:
    """The nodes of Weka's tree; starts the Java machine, once a process."""
    from weka.classifiers import Classifier
    from weka.core import jvm
    from weka.core.converters import Loader

    jvm.start(logging_level=40)
    data = Loader(classname="weka.core.converters.ArffLoader").load_file(path)
    data.class_is_last()
    j48 = Classifier(classname="weka.classifiers.trees.J48", options=list(options))
    j48.build_classifier(data)
    root = j48.jobject.getClass().getDeclaredField("m_root")
    root.setAccessible(True)
    nodes: list[dict[str, Any]] = []
    _visit(root.get(j48.jobject), data, nodes)
    jvm.stop()
    return nodes


def _visit(tree: Any, data: Any, nodes: list[dict[str, Any]]) -> int:
    model = tree.getLocalModel()
    counts = [float(model.distribution().perClass(c)) for c in range(data.class_attribute.num_values)]
    form: dict[str, Any] = {"id": len(nodes), "counts": counts}
    nodes.append(form)
    if not tree.isLeaf():
        attribute = data.attribute(int(model.attIndex()))
        form["test"] = {"attribute": attribute.name}
        keys = ["le", "gt"] if attribute.is_numeric else list(attribute.values)
        if attribute.is_numeric:
            form["test"]["threshold"] = float(model.splitPoint())
        form["children"] = {
            key: _visit(son, data, nodes) for key, son in zip(keys, list(tree.getSons()), strict=True)
        }
    return int(form["id"])


if __name__ == "__main__":
    sys.stdout.write(json.dumps(grow(sys.argv[1], sys.argv[2:])))
