"""All columns of texts with their types, each in the one way that it is written in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor

import polars as pl

from hushwood.parameters import available_threads
from hushwood.tables.columns.names import literal
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.settling import settled
from hushwood.tables.csv.types import Possible, possible_ways, typed_as
from hushwood.tables.csv.ways import Way


def with_types(
    frame: pl.DataFrame, *, missing: Sequence[str], as_text: Collection[str], form: TextForm | None = None
) -> tuple[pl.DataFrame, dict[str, Way]]:
    """Give every column of texts its type, except the columns in `as_text`; also the way that each is written in."""
    form = form or TextForm()
    found = {column.name: column for column in frame if column.name not in as_text}

    def tried(column: pl.Series) -> Possible:
        return possible_ways(column, missing=missing, asked=form.ways_of(column.name))

    # The library works on one column with one thread.
    with ThreadPoolExecutor(available_threads()) as pool:
        possible = dict(zip(found, pool.map(tried, found.values()), strict=True))
    ways = settled(
        {name: each.ways for name, each in possible.items()},
        form,
        {column.name: literal(column) for column in frame},
    )
    typed = []
    for name, each in possible.items():
        way = ways.get(name)
        parsed = None if way is None else each.parsed.get(way)
        if parsed is None:
            parsed = typed_as(frame[name], way, missing)
        if parsed is not None:
            typed.append(parsed)
    return frame.with_columns(typed), {name: way for name, way in ways.items() if not way.plain}
