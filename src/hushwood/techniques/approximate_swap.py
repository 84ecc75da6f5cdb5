"""REISS: the approximate data swap (Reiss 1984): a new table is drawn value by value from the t-way counts of the old.

Columns are drawn one after the other. A value's weight is what remains of its t-way counts with the columns before it;
the value drawn is then taken off them. Every column keeps its values exactly, tables of t columns nearly.
`dalenius_reiss` keeps some tables exactly and loses the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod
from typing import Annotated, Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers, check_indices
from hushwood.errors import InputError, unknown_name
from hushwood.parameters import AtLeast
from hushwood.random_streams import Rows, Streams, group_order, keyed_order
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import coded, groups_within
from hushwood.techniques.laws.joint import JointLaw, LawPerturber
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.protocol import Columns, Law, Target, Technique, Within

MOST_CELLS = 25_000_000  # of all tables together; four bytes each


@dataclass(frozen=True, slots=True)
class ApproximateSwap(Technique):
    """Categories drawn from the tables of `order` columns, with the controls among them; None stands for the class.

    The controls themselves are copied.
    """

    order: Annotated[int, AtLeast(1)] = 2
    controls: tuple[str, ...] | None = None
    within: Within = "table"
    acronym: ClassVar[str] = "REISS"
    perturbs: ClassVar[Target] = "categorical"
    jointly: ClassVar[bool] = True
    trust: ClassVar[str] = (
        "Do not rely on single values. Counts of the column's values are exact, and its tables with other categories "
        "nearly so."
    )

    @property
    def promise(self) -> Promise:
        """Every value is handed out as often as it was there, missing ones too."""
        return dealt(self.within)

    def says(self) -> str:
        where = "its segment" if self.keeps_segment else "the table"
        if self.order == 1:
            return f"Drawn from the values of {where}, each as often as it was there."
        return (
            f"Drawn from what remains of the {self.order}-way counts in {where}: these stay nearly as they were, and "
            "the counts of its values exactly."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Code the columns and the controls."""
        controls = self._controls(original)
        names = tuple(name for name in attributes if name not in controls)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        widths = tuple(len(original.schema[name].categories) + 1 for name in (*controls, *names))
        check_tables(widths, len(controls), self.order)
        shape = controls, names, widths, self.order, self.within
        codes = coded_columns(original.columns, original.columns, controls, names, widths)
        groups = groups_within(self.within)(original.columns, segments.ids)
        law = ApproximateSwapLaw(*shape, codes, groups, self.acronym)
        laws: tuple[Law, ...] = (law,) if names else ()
        return LawPerturber(names, JointLaw(laws), None if len(names) == len(attributes) else covered)

    def _controls(self, original: Table) -> tuple[str, ...]:
        schema = original.schema
        if self.controls is None:
            return tuple(n for n in schema.in_role("class") if schema[n].kind == "categorical")
        for name in self.controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
            if schema[name].kind != "categorical":
                raise InputError(
                    f"Column {name!r} is numeric and cannot be a control of REISS; name categorical columns."
                )
        return self.controls


@dataclass(frozen=True, slots=True)
class ApproximateSwapLaw(Law):
    """The law of the record that is drawn first in its group; later ones depend on the draws before them.

    It is exact for all records if there are no more columns, controls included, than the order of the tables. `codes`
    are the table's, as [record, control or column], and `groups` its records' groups.
    """

    controls: tuple[str, ...]
    attributes: tuple[str, ...]
    widths: tuple[int, ...]
    order: int
    within: Within
    codes: Codes
    groups: Integers
    purpose: str
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log probability of the released values, given the controls and nothing else of the record."""
        from hushwood.techniques.kernels.approximate_swap import log_of_first

        asked = coded_columns(original, released, self.controls, self.attributes, self.widths)
        groups = groups_within(self.within)(original, segment_ids)
        most = int(max(self.groups.max(initial=0), groups.max(initial=0))) + 1
        logs = np.zeros(len(asked))
        rows, asked_rows = group_order(self.groups), group_order(groups)
        start, asked_start = starts(self.groups, most), starts(groups, most)
        log_of_first(self.codes, rows, start, asked, asked_rows, asked_start, self._tables(), logs)
        return logs

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Every column has an order of its own, so that no record is last in all of them."""
        from hushwood.techniques.kernels.approximate_swap import swap_approximately

        codes = coded_columns(original, original, self.controls, self.attributes, self.widths)
        groups = groups_within(self.within)(original, segment_ids)
        orders = [keyed_order(streams.words(self.purpose, n, 0, row_ids), groups) for n in self.attributes]
        u = [streams.uniform(self.purpose, name, 1, row_ids) for name in self.attributes]
        out, start = codes.copy(), starts(groups, int(groups.max(initial=0)) + 1)
        swap_approximately(codes, np.stack(orders), start, self._tables(), np.stack(u, axis=1), out)
        last, fixed = np.array(self.widths) - 1, len(self.controls)
        values = np.where(out == last, -1, out)
        return {name: np.ascontiguousarray(values[:, fixed + j]) for j, name in enumerate(self.attributes)}

    def _tables(self) -> Any:
        return tables_of(self.widths, len(self.controls), self.order)

    def described(self) -> dict[str, Any]:
        return {
            "form": "drawn from remaining counts; the law of the first record",
            "attributes": list(self.attributes),
            "controls": list(self.controls),
            "order": self.order,
            "within": self.within,
        }


def coded_columns(
    given: Columns, own: Columns, controls: Sequence[str], names: Sequence[str], widths: Sequence[int]
) -> Codes:
    """The controls of one table and the columns of another as [record, column], missing as the last code."""
    columns = [*(given[name] for name in controls), *(own[name] for name in names)]
    out = np.empty((len(columns[0]) if columns else 0, len(columns)), np.int32)
    for j, (column, width) in enumerate(zip(columns, widths, strict=True)):
        out[:, j] = coded(column, width)
        check_indices(f"Codes of column {(*controls, *names)[j]!r}", out[:, j], width)
    return out


def starts(groups: Integers, count: int) -> Integers:
    """Where every group begins among the rows in order of their groups."""
    return np.concatenate([[0], np.cumsum(np.bincount(groups, minlength=count))])


def table_columns(widths: Sequence[int], fixed: int, order: int) -> list[tuple[int, tuple[int, ...]]]:
    """The tables: for every swapped column, each choice of `order` - 1 columns before it, or all if there are fewer."""
    return [
        (j, chosen)
        for j in range(fixed, len(widths))
        if (size := min(order - 1, j))
        for chosen in combinations(range(j), size)
    ]


def check_tables(widths: Sequence[int], fixed: int, order: int) -> None:
    """Refuse tables that are too large."""
    cells = sum(prod(widths[i] for i in (*chosen, j)) for j, chosen in table_columns(widths, fixed, order))
    if cells > MOST_CELLS:
        raise InputError(
            f"Tables of {order} of the {len(widths)} columns have {cells:,} cells, more than {MOST_CELLS:,}; "
            "set a lower order, or group rare categories with --rare group."
        )


def tables_of(widths: Sequence[int], fixed: int, order: int) -> Any:
    """The tables as the kernels read them."""
    from hushwood.techniques.kernels.approximate_swap import Tables

    chosen = table_columns(widths, fixed, order)
    sizes = [prod(widths[i] for i in (*before, j)) for j, before in chosen]
    subsets = np.full((len(chosen), max(order - 1, 1)), -1, np.int64)
    for s, (_, before) in enumerate(chosen):
        subsets[s, : len(before)] = before
    of_column = np.array([j for j, _ in chosen], np.int64)
    first = np.searchsorted(of_column, np.arange(len(widths) + 1))
    # A column before j is in comb(j - 1, size - 1) of j's tables; all of them together are to count it once.
    power = [1 / comb(j - 1, min(order - 1, j) - 1) if j and order > 1 else 1.0 for j in range(len(widths))]
    offset = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return Tables(np.array(widths), first, subsets, offset[:-1], np.array(power), fixed, int(offset[-1]))
