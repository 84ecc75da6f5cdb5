"""The document of a published tree: everything its report and its summary say, as plain data.

`publish_tree` makes it from what was published and checked; `reports.tree_page` shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.jobs.forest_routes import leaves_reached
from hushwood.jobs.release_files import released_suffix
from hushwood.jobs.tree_columns import column_entries
from hushwood.jobs.verify_tree import TreeVerdict, closed_leaves
from hushwood.tables.reading import Reading
from hushwood.tables.table import Table
from hushwood.tables.value_texts import limit_text
from hushwood.trees.model_file import forest_to_json

if TYPE_CHECKING:
    from hushwood.tree_publishing.options import PublishOptions
    from hushwood.tree_publishing.publish import Published

FORMAT = "hushwood-tree-publication"
MOST_GROUPS = 500


def publication_document(
    reading: Reading,
    published: Published,
    options: PublishOptions,
    checked: TreeVerdict,
    accuracy: Mapping[str, Any],
    warnings: Sequence[str],
) -> dict[str, Any]:
    """All that is known about a published tree and its table."""
    from hushwood.version import __version__

    forest = published.forest
    return {
        "format": FORMAT,
        "version": 1,
        "hushwood": __version__,
        # The original's name may tell whose data it is, and the page goes out with the release.
        "table": f"released{released_suffix(reading)}",
        "records": reading.table.rows,
        "class": forest.class_name,
        "classes": list(forest.classes),
        "regression": not forest.classes,
        "options": described(options),
        "forest": forest_to_json(forest),
        "privacy": _privacy(reading.table, published),
        **_groups(published),
        "columns": column_entries(reading.table, published),
        "growth": {
            "leaves": [len(tree.leaves) for tree in forest.trees],
            "closed": closed_leaves(forest),
            "tried": published.tried,
            "barred": published.barred,
            "stopped": published.stopped,
        },
        "verified": {"same": bool(checked), "sentence": checked.sentence},
        "accuracy": dict(accuracy),
        "warnings": list(warnings),
    }


def described(options: PublishOptions) -> dict[str, Any]:
    """The options that decide what is published, as the document and the manifest say them."""
    return {
        "k": options.k,
        "l": options.l,
        "mode": options.mode,
        "criteria": [plan.criterion for plan in options.trees],
        "columns": [list(plan.columns) for plan in options.trees],
        "min_leaf": options.min_leaf,
        "max_leaves": options.max_leaves,
        "max_depth": options.max_depth,
        "thresholds": options.thresholds,
        "stop_at_first_failure": options.stop_at_first_failure,
        "class_in_groups": options.class_in_groups,
        "missing_numbers": options.missing_numbers,
    }


def _privacy(table: Table, published: Published) -> dict[str, Any]:
    from hushwood.tree_publishing.anonymity import dense_values, groups_by, sensitive_codes

    names = table.schema.quasi_identifiers
    before = groups_by([dense_values(table.columns[name]) for name in names], {}, table.rows)
    whole = groups_by([], sensitive_codes(table), table.rows)
    return {
        "k": published.k,
        "k_with_class": published.k_with_class,
        "original_k": before.k,
        "groups": len(published.groups.sizes),
        "quasi_identifiers": list(names),
        "sensitive": [
            {"name": name, "l": float(found), "whole_table": float(whole.l[name][0])}
            for name, found in published.l.items()
        ],
    }


def _groups(published: Published) -> dict[str, Any]:
    """The groups, smallest first, by the tested quasi-identifiers that tell them apart."""

    groups, table = published.groups, published.table
    order = np.argsort(groups.sizes, kind="stable")[:MOST_GROUPS]
    first = np.unique(groups.ids, return_index=True)[1][order]
    tested = {column.name for column in published.columns if column.tested}
    names = [name for name in table.schema.quasi_identifiers if name in tested]
    values = {name: _texts(table, name, first) for name in names}
    leaves = _leaves_of_groups(published)
    entries = [
        {
            "values": {name: texts[place] for name, texts in values.items()},
            "records": int(groups.sizes[group]),
            "l": {name: float(found[group]) for name, found in groups.l.items()},
            "leaves": leaves[group],
        }
        for place, group in enumerate(order.tolist())
    ]
    return {"groups": entries, "groups_left_out": len(groups.sizes) - len(entries)}


def _texts(table: Table, name: str, rows: np.ndarray[Any, Any]) -> list[str]:
    attribute, values = table.schema[name], table.columns[name][rows].tolist()
    if attribute.kind == "numeric":
        return ["missing" if value != value else limit_text(value, attribute.storage) for value in values]
    return ["missing" if code < 0 else attribute.categories[code] for code in values]


def _leaves_of_groups(published: Published) -> list[list[int]]:
    """The leaves that each group's records reach, tree after tree; one a tree unless other columns are tested too."""
    found: list[list[int]] = [[] for _ in published.groups.sizes]
    for leaves in leaves_reached(published.forest, published.table):
        pairs = np.unique(np.column_stack([published.groups.ids, leaves]), axis=0)
        for group, leaf in pairs.tolist():
            found[group].append(leaf)
    return found
