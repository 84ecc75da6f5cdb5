"""Singling out: properties, found in the release, that only one person in the original has (docs/attacks.md).

`predicate_search` finds them, `predicates` counts who has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np

from hushwood.arrays import Array
from hushwood.attacks.protocol import Attack, Guesses, Knowledge, PredicateGuesses
from hushwood.attacks.search.predicates import control_factor, ranked
from hushwood.random_streams import Streams
from hushwood.tables.domains import evenly_drawn
from hushwood.tables.frames.storage import on_grid
from hushwood.tables.table import Table

Mode = Literal["multivariate", "univariate"]
# Enough for a baseline rate; to rank a shuffled table costs more than to look for predicates in it.
NAIVE_PREDICATES = 500


@dataclass(frozen=True, slots=True)
class SinglingOut(Attack):
    """Predicates that one released row satisfies: of single attributes, or of `columns` attributes of a random row.

    It stops after `tries` candidates for each wanted predicate. If the known attributes are named, predicates use no
    others.
    """

    mode: Mode = "multivariate"
    columns: int = 3
    tries: int = 500

    name = "singling_out"
    title = "Singling out"
    question = "Does the release describe a person so closely that only one person fits?"
    goal = "predicate"
    family = "singling out"
    headline = 3
    quick = True
    naive_repeats = 4

    def variants(self) -> tuple[SinglingOut, ...]:
        """Several attributes together, and each alone."""
        return replace(self, mode="multivariate"), replace(self, mode="univariate")

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> PredicateGuesses:
        """Predicates that exactly one of the distinct released rows satisfies, at most as many as asked for."""
        return self._found(_usable(knowledge, released), knowledge, streams)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> PredicateGuesses:
        """The same predicates from rows that belong to nobody.

        Several attributes: every released column shuffled on its own. One attribute: values made up from the domain,
        because shuffling a column changes nothing about it. The reference's naive
        guesser, random columns, operators and values, hardly ever singles out a person, so that even pure noise would
        look bad.
        """
        usable = _usable(knowledge, released)
        if self.mode == "univariate":
            schema = knowledge.schema
            nobody = {name: evenly_drawn(schema[name], released.rows, streams, self.name) for name in usable}
        else:
            rows = range(released.rows)
            nobody = {
                name: values[streams.order("singling out", f"shuffled {name}", rows)]
                for name, values in usable.items()
            }
        return self._found(nobody, replace(knowledge, count=min(knowledge.count, NAIVE_PREDICATES)), streams)

    def control_factor(self, guesses: Guesses, control: Table, rows: int) -> float:
        """How much more or less often one person alone fits in a group of another size."""
        return control_factor(cast(PredicateGuesses, guesses), control.columns, rows)

    def _found(
        self, columns: Mapping[str, Array], knowledge: Knowledge, streams: Streams
    ) -> PredicateGuesses:
        from hushwood.attacks.search.predicates import multivariate, univariate

        table = ranked(distinct_rows(columns))
        numeric = np.array([values.dtype.kind == "f" for values in columns.values()])
        if self.mode == "univariate":
            return univariate(table, numeric, knowledge.count, streams)
        return multivariate(
            table,
            numeric,
            knowledge.count,
            streams,
            columns=self.columns,
            candidates=self.tries * knowledge.count,
            threads=knowledge.threads,
        )


def distinct_rows(columns: Mapping[str, Array]) -> dict[str, Array]:
    """The columns without repeated rows."""
    import polars as pl

    frame = pl.DataFrame({str(place): values for place, values in enumerate(columns.values())})
    first = frame.with_row_index("row").unique(frame.columns, keep="first", maintain_order=True)
    rows = first["row"].to_numpy()
    return {name: values[rows] for name, values in columns.items()}


def _usable(knowledge: Knowledge, released: Table) -> dict[str, Array]:
    """The columns in which to look for predicates, with as many decimals as the original's numbers.

    Where noise made whole numbers fractions, "at least 5.003" would miss the person who has 5.
    """
    named = knowledge.columns or released.columns
    return {
        name: _with_decimals(values, knowledge.schema[name].precision)
        for name, values in released.columns.items()
        if name in named
    }


def _with_decimals(values: Array, precision: int | None) -> Array:
    return values if precision is None or values.dtype.kind != "f" else on_grid(values, precision)
