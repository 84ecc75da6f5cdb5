"""What generalising cells costs: Iyengar's loss metric LM, Xiao and Tao's ILoss, minimal distortion MD (survey;
errata S2-S4, S7); `column_losses` has the loss of one column.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_losses import ColumnLoss, category_levels, column_loss, numeric_levels
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.tables.recoding.taxonomies import Taxonomy, automatic_taxonomy
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels

_NUMERIC_HEIGHT = 2  # a number, a range, anything


@dataclass(frozen=True, slots=True)
class GeneralisationLoss(Measure):
    """Mean LM of the release's cells: 0 if every cell holds one value, 1 if every cell could be anything.

    `weights` are the weights of attributes in ILoss, 1 by default.
    """

    name = "generalisation_loss"
    title = "Loss by generalisation"
    question = "What share of an attribute's domain does a released cell cover, on average?"
    meaning = (
        "On average, a released cell covers this share of its column's possible values; 0 means that "
        "every cell names one value."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    by_groups = True
    best = 0.0
    marked = False

    weights: Mapping[str, float] = field(default_factory=dict)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Mean over the attributes of each one's mean loss; the class counts only if it is generalised itself."""
        found = {
            a.name: column_loss(
                a, original.columns[a.name], released.columns[a.name], context.cells_of(a.name)
            )
            for a in released.schema.kept
            if a.role != "class" or context.cells_of(a.name)
        }
        losses = [loss.lm for loss in found.values() if loss.cells]
        if not losses:
            return NotComputable("The release has no readable cell.")
        value = float(np.mean(losses))
        if context.value_only:
            return Measurement(value)
        rows = [self._row(name, loss, original, released, context) for name, loss in found.items()]
        details = {
            "none_generalised": not any(row["generalised"] + row["newly_missing"] for row in rows),
            "lm": float(np.sum(losses)),
            "iloss": sum(row["weight"] * row["iloss"] for row in rows),
            "iloss_total": sum(row["weight"] * row["iloss"] * row["cells"] for row in rows),
            "md": sum(row["md"] for row in rows),
            "columns": rows,
        }
        return Measurement(value, details)

    def _row(
        self, name: str, loss: ColumnLoss, original: Table, released: Table, context: Context
    ) -> dict[str, Any]:
        taxonomy = context.taxonomies.get(name)
        source = "given" if taxonomy else _SOURCES[original.schema[name].kind]
        return {
            "name": name,
            "lm": loss.lm,
            "iloss": loss.iloss,
            "md": _distortion(name, loss, original, released, context),
            "weight": float(self.weights.get(name, 1.0)),
            "cells": loss.cells,
            "generalised": int((loss.open > 0).sum()),
            "suppressed": loss.suppressed,
            "newly_missing": loss.newly_missing,
            "unknown": loss.unknown,
            "taxonomy": source,
        }

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The losses of every column, if any cell was generalised."""
        if not details or details["none_generalised"]:
            return ()
        keys = ("name", "lm", "iloss", "md", "generalised", "suppressed")
        table = DetailTable.of(
            "What generalising cost, by column",
            "LM and ILoss are shares of a column's possible values that a cell may stand for, 0 for the untouched "
            "table; MD counts the levels by which cells were generalised.",
            {
                "Column": "text",
                "LM": "share",
                "ILoss": "share",
                "MD": "count",
                "generalised": "count",
                "suppressed": "count",
            },
            (tuple(column[key] for key in keys) for column in details["columns"]),
        )
        return (table,)


_SOURCES = {"numeric": "intervals", "categorical": "automatic"}


def _distortion(name: str, loss: ColumnLoss, original: Table, released: Table, context: Context) -> int:
    """MD of a column: the levels by which its cells were generalised; all levels for cells that became missing."""
    attribute, cells = original.schema[name], context.cells_of(name)
    if cells is None and not loss.newly_missing:
        return 0
    taxonomy = context.taxonomies.get(name)
    if attribute.kind == "numeric":
        climbed = 0 if cells is None else int(numeric_levels(cells, taxonomy).sum())
        height = taxonomy.height if taxonomy else _NUMERIC_HEIGHT
        return climbed + height * loss.newly_missing
    covers = None if cells is None else cells.covers
    known = attribute.categories if covers is None else attribute.categories[: covers.shape[1]]
    taxonomy = taxonomy or _automatic(replace(attribute, categories=known), original)
    height = taxonomy.height * loss.newly_missing
    if covers is None:
        return height
    codes = released.columns[name]
    levels = category_levels(attribute.categories, covers, taxonomy)
    return height + int(levels[codes[codes >= 0]].sum())


def _automatic(attribute: Attribute, original: Table) -> Taxonomy:
    # Without a class, categories are put together by nothing but their order.
    known_class = original.schema.class_attribute is not None
    labels, classes = class_labels(original) if known_class else (np.zeros(original.rows, np.int32), ("",))
    codes = original.columns[attribute.name]
    known = (codes >= 0) & (codes < len(attribute.categories)) & (labels >= 0)
    size = len(attribute.categories) * len(classes)
    counts = np.bincount(codes[known].astype(np.int64) * len(classes) + labels[known], minlength=size)
    return automatic_taxonomy(attribute, counts.reshape(len(attribute.categories), len(classes)))
