"""DRSWAP: data swapping after Dalenius and Reiss (1982): a column is permuted within the cells of control columns.

All frequency tables of the swapped column by the controls stay exactly as they were. SWAP is the same within segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.errors import unknown_name
from hushwood.parameters import Between
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.control_cells import ControlCells
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.permutation import permutation_law
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.protocol import Target, Technique, Within


@dataclass(frozen=True, slots=True)
class DaleniusReiss(Technique):
    """A random permutation of a column among records with the same controls; None stands for the class.

    A record takes part with probability `share`. The controls themselves are copied.
    """

    controls: tuple[str, ...] | None = None
    share: Annotated[float, Between(0, 1, open_low=True)] = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "DRSWAP"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = (
        "Do not rely on single values. Counts by the control columns, and so in the whole table, are exact."
    )

    @property
    def promise(self) -> Promise:
        """Control cells lie inside segments or the table, so the counts there stay too."""
        return dealt(self.within)

    def says(self) -> str:
        names = "the same class" if self.controls is None else f"the same {', '.join(self.controls)}"
        like = f" with {names}" if self.controls != () else ""
        where = " of the same segment" if self.keeps_segment else ""
        some = "" if self.share == 1 else f"For {self.share:.0%} of the records p"
        return f"{some or 'P'}ermuted among records{where}{like}, so the counts of its values there are kept."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Find the cells of the controls."""
        controls = self._controls(original)
        names = tuple(name for name in attributes if name not in controls)
        cells = ControlCells.of_table(original, controls, segments.ids, self.within)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return by_column(
            names,
            lambda name: permutation_law(original, name, segments, self.acronym, cells, self.share),
            None if len(names) == len(attributes) else covered,
        )

    def _controls(self, original: Table) -> tuple[str, ...]:
        if self.controls is None:
            return original.schema.in_role("class")
        for name in self.controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
        return self.controls
