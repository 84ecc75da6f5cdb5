"""What generalising cells costs: Iyengar's loss metric LM, Xiao and Tao's ILoss, minimal distortion MD (survey;
errata S2-S4, S7).

The loss of one column is in `column_losses`, the levels that MD counts are in `levels_climbed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility.column_losses import ColumnLoss, column_loss
from hushwood.measures.utility.levels_climbed import category_levels, numeric_levels
from hushwood.tables.automatic_taxonomies import automatic_taxonomy
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.tables.taxonomies import Taxonomy

_NUMERIC_HEIGHT = 2  # a number, a range, anything


@dataclass(frozen=True, slots=True)
class GeneralisationLoss:
    """Mean LM of the release's cells: 0 if every cell holds one value, 1 if all could be anything.

    `weights` are what ILoss multiplies attributes with; one where none is given.
    """

    name: ClassVar[str] = "generalisation_loss"
    question: ClassVar[str] = "How much of an attribute's domain does a released cell stand for, on average?"
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "lower"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = 0.0

    weights: Mapping[str, float] = field(default_factory=dict)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Mean over the attributes of each one's mean loss; the class counts only if it is generalised itself."""
        found = {
            a.name: column_loss(
                a, original.columns[a.name], released.columns[a.name], context.generalised.get(a.name)
            )
            for a in released.schema.kept
            if a.role != "class" or a.name in context.generalised
        }
        losses = [loss.lm for loss in found.values() if loss.cells]
        if not losses:
            return NotComputable("The release has no cell that can be read.")
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


_SOURCES = {"numeric": "intervals", "categorical": "automatic"}


def _distortion(name: str, loss: ColumnLoss, original: Table, released: Table, context: Context) -> int:
    """MD of a column: the levels that its cells were lifted, all the way for those that went missing."""
    attribute, cells = original.schema[name], context.generalised.get(name)
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
    labels, classes = class_labels(original)
    codes = original.columns[attribute.name]
    known = (codes >= 0) & (codes < len(attribute.categories)) & (labels >= 0)
    size = len(attribute.categories) * len(classes)
    counts = np.bincount(codes[known].astype(np.int64) * len(classes) + labels[known], minlength=size)
    return automatic_taxonomy(attribute, counts.reshape(len(attribute.categories), len(classes)))
