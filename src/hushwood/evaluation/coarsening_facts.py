"""What coarsening took from a table before it was released, measured against the table as it was read."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array
from hushwood.measures.columns.column_losses import column_loss
from hushwood.tables.coarse.columns import CoarseColumns
from hushwood.tables.coarse.recodings import Groups, Recoding
from hushwood.tables.generalised.columns import Generalised
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, missing_values


@dataclass(frozen=True, slots=True)
class CoarsenedColumn:
    """A column that was coarsened: how, the share of its known values that became others, and the loss LM of its cells.

    `moved` is the root of the mean squared distance by which numbers moved, in standard deviations of the column; None
    for categories, and for numbers that are all the same.
    """

    column: str
    says: str
    changed: float
    loss: float
    moved: float | None = None


def coarsening_facts(coarse: CoarseColumns, original: Table) -> tuple[CoarsenedColumn, ...]:
    """What coarsening takes from every column of the table as it was read."""
    return tuple(
        _facts(name, coarse.says(name), how, original.schema[name], original.columns[name])
        for name, how in coarse.recodings.items()
    )


def _facts(name: str, says: str, how: Recoding, attribute: Attribute, values: Array) -> CoarsenedColumn:
    known = values[~missing_values(values)]
    codes, moved = np.asarray(how.recode(known)), None
    if isinstance(how, Groups):
        covers = np.array(how.code_of[:-1])[None, :] == np.arange(len(how.categories))[:, None]
        cells = Generalised(np.zeros(len(known), bool), covers=covers)
    else:
        cells, moved = Generalised.of_ends(*how.ends(known), attribute), _moved(known, codes)
    changed = np.count_nonzero(codes != known) / len(known) if len(known) else 0.0
    return CoarsenedColumn(name, says, changed, column_loss(attribute, known, codes, cells).lm, moved)


def _moved(before: Array, after: Array) -> float | None:
    spread = float(before.std()) if len(before) else 0.0
    return float(np.sqrt(np.mean((after - before) ** 2)) / spread) if spread > 0 else None
