"""Types of the columns of a delimited file: whole numbers, decimals, booleans, dates, or just text.

A column gets a type only if every one of its values has it, all written in one way.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

import polars as pl

from hushwood.tables.columns.names import literal
from hushwood.tables.csv.dates import parsed_times, time_ways
from hushwood.tables.csv.numbers import parsed_numbers
from hushwood.tables.csv.ways import TIMES, Way, number_ways

_SAMPLE_ROWS = 1000
_WORDS = {"true": "false", "True": "False", "TRUE": "FALSE"}
# Everything else is in the signs of the usual numbers: 1e5, .5, inf.
_MARKED_NUMBER = re.compile(r"[+-]?\d[\d.,'\u2019 \u00a0\u202f]*")


@dataclass(slots=True)
class Possible:
    """The ways in which all texts of a column can be read, the narrowest first, and what was `parsed` by some of them.

    Nothing is `known` of a column of blanks.
    """

    ways: tuple[Way, ...] = ()
    parsed: dict[Way, pl.Series] = field(default_factory=dict)
    known: bool = True


def typed_column(
    texts: pl.Series, missing: Sequence[str] = (), only: Collection[str] | None = None
) -> pl.Series:
    """The column in the narrowest type that all its values have in a usual way, `only` some types if they are named."""
    column = _prepared(texts, missing)
    for way in possible_ways(column).ways:
        if way.usual and (only is None or way.kind in only):
            parsed = parsed_as(column, way)
            if parsed is not None:
                return parsed.alias(texts.name)
    return column.alias(texts.name)


def possible_ways(
    texts: pl.Series,
    among: Iterable[Way] | None = None,
    missing: Sequence[str] = (),
    asked: Sequence[Way] = (),
) -> Possible:
    """The ways in which every text can be read, of those `among`; `asked` are ways to try before all others."""
    column = _prepared(texts, missing)
    known = column.drop_nulls()
    sample = _bare(known.head(_SAMPLE_ROWS)).drop_nulls()
    if sample.is_empty():  # blanks only, up to here
        sample = _bare(known).drop_nulls().head(_SAMPLE_ROWS)
    if sample.is_empty():
        return Possible(tuple(among or ()), known=among is not None)
    candidates = [*asked, *_ways(str(sample[0]))] if among is None else list(among)
    likely = _fitting(sample, candidates)
    found: dict[Way, pl.Series] = {}
    fitting: list[Way] = []
    for way in likely:
        if any(narrower.implies(way) for narrower in fitting):
            fitting.append(way)
            continue
        parsed = parsed_as(column, way)
        if parsed is not None:
            fitting.append(way)
            found[way] = parsed.alias(texts.name)
    return Possible(tuple(fitting), found)


def typed_as(texts: pl.Series, way: Way | None, missing: Sequence[str] = ()) -> pl.Series | None:
    """The column in a way that other parts of it have; None if some value does not have it. No way is for texts."""
    column = _prepared(texts, missing)
    if way is None:
        return column.alias(texts.name)
    parsed = parsed_as(column, way)
    if parsed is None and (empty := _bare(column)).null_count() == len(column):
        parsed = _parse(empty, way)
    return None if parsed is None else parsed.alias(texts.name)


def parsed_as(texts: pl.Series, way: Way) -> pl.Series | None:
    """The column in a way; blanks around values may be removed for that."""
    parsed = _all_parsed(texts, way)
    return _all_parsed(_bare(texts), way) if parsed is None else parsed


def _ways(first: str) -> Iterator[Way]:
    """All ways of which a text may be the first."""
    ways = number_ways(first)
    yield from ways if _MARKED_NUMBER.fullmatch(first) else (way for way in ways if way.usual)
    yield from (Way("boolean", pattern=word) for word, other in _WORDS.items() if first in (word, other))
    yield Way("boolean")
    yield from time_ways(first)


def _fitting(sample: pl.Series, ways: Iterable[Way]) -> list[Way]:
    """The ways in which some texts can all be read."""

    def with_next(found: list[Way], way: Way) -> list[Way]:
        fits = any(narrower.implies(way) for narrower in found) or _all_parsed(sample, way) is not None
        return [*found, way] if fits else found

    return reduce(with_next, ways, [])


def _prepared(texts: pl.Series, missing: Sequence[str]) -> pl.Series:
    """The texts without those that mean missing, under a name that is no pattern."""
    texts = literal(texts)
    if not missing or not texts.str.contains(r"^\s|\s$").any():
        return texts
    value = pl.col(texts.name)
    known = pl.when(~value.str.strip_chars().is_in(list(missing))).then(value)
    return texts.to_frame().select(known.alias(texts.name)).to_series()


def _bare(texts: pl.Series) -> pl.Series:
    """Texts without surrounding blanks; a quoted empty field is missing, except in a text column."""
    stripped = texts.str.strip_chars()
    value = pl.col(texts.name)
    return stripped.to_frame().select(pl.when(value != "").then(value).alias(texts.name)).to_series()


def _all_parsed(texts: pl.Series, way: Way) -> pl.Series | None:
    parsed = _parse(texts, way)
    complete = parsed.null_count() == texts.null_count() and parsed.null_count() < len(texts)
    return parsed if complete else None


def _parse(texts: pl.Series, way: Way) -> pl.Series:
    if way.kind == "boolean":
        return _boolean(texts, way)
    return parsed_times(texts, way) if way.kind in TIMES else parsed_numbers(texts, way)


def _boolean(texts: pl.Series, way: Way) -> pl.Series:
    words = {way.pattern: _WORDS[way.pattern]} if way.pattern else _WORDS
    value = pl.col(texts.name)
    truth = pl.when(value.is_in(list(words))).then(True).when(value.is_in(list(words.values()))).then(False)
    return texts.to_frame().select(truth.alias(texts.name)).to_series()
