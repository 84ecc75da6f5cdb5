"""Singling out: properties read off the release that one person alone in the original has (algorithms 7).

`predicate_search` finds them, `predicates` counts who has them, `control_size` corrects for a control group of another
size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, cast

import numpy as np

from hushwood.attacks.guesses import Guesses, PredicateGuesses
from hushwood.attacks.predicates import ranked
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.even_draws import evenly_drawn
from hushwood.tables.storage import on_grid
from hushwood.tables.table import Array, Table

Mode = Literal["multivariate", "univariate"]
# Enough for a rate that others are compared with.
NAIVE_PREDICATES = 200


@dataclass(frozen=True, slots=True)
class SinglingOut:
    """Predicates that one released row fulfils: of single attributes, or of `columns` attributes of a random row.

    After `tries` candidates for each predicate that is wanted it makes do with those found. If the intruder's known
    attributes are named, predicates use no others.
    """

    mode: Mode = "multivariate"
    columns: int = 3
    tries: int = 500

    name: ClassVar[str] = "singling_out"
    question: ClassVar[str] = "Does the release describe somebody so closely that only one person fits?"
    goal: ClassVar[Goal] = "predicate"

    def variants(self) -> tuple[SinglingOut, ...]:
        """Several attributes together, and each alone."""
        return replace(self, mode="multivariate"), replace(self, mode="univariate")

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> PredicateGuesses:
        """Predicates that exactly one of the distinct released rows fulfils, at most as many as asked for."""
        return self._found(_usable(knowledge, released), knowledge, streams)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> PredicateGuesses:
        """The same predicates from rows that belong to nobody.

        Several attributes: every released column shuffled on its own. One attribute: values made up from the domain,
        because shuffling a column changes nothing about it. Random columns, operators and values, the reference's naive
        guesser, hardly ever single out anybody, and beside it every release looks bad, even pure noise.
        """
        usable = _usable(knowledge, released)
        if self.mode == "univariate":
            schema = knowledge.schema
            nobody = {name: evenly_drawn(schema[name], released.rows, streams, self.name) for name in usable}
        else:
            nobody = {name: _shuffled(values, name, streams) for name, values in usable.items()}
        return self._found(nobody, replace(knowledge, count=min(knowledge.count, NAIVE_PREDICATES)), streams)

    def control_factor(self, guesses: Guesses, control: Table, rows: int) -> float:
        """By what to multiply the successes on a control group to have those on one of so many rows."""
        from hushwood.attacks.control_size import control_factor

        return control_factor(cast(PredicateGuesses, guesses), control.columns, rows)

    def _found(
        self, columns: Mapping[str, Array], knowledge: Knowledge, streams: Streams
    ) -> PredicateGuesses:
        from hushwood.attacks.predicate_search import multivariate, univariate

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
    """The columns without rows that occurred before."""
    import polars as pl

    frame = pl.DataFrame({str(place): values for place, values in enumerate(columns.values())})
    first = frame.with_row_index("row").unique(frame.columns, keep="first", maintain_order=True)
    rows = first["row"].to_numpy()
    return {name: values[rows] for name, values in columns.items()}


def _usable(knowledge: Knowledge, released: Table) -> dict[str, Array]:
    """The columns to read predicates off, numbers with the decimals that people's own have.

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


def _shuffled(values: Array, name: str, streams: Streams) -> Array:
    return np.asarray(values[streams.order("singling out", f"shuffled {name}", range(len(values)))])
