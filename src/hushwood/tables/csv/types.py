"""Types of the columns of a delimited file: whole numbers, decimals, booleans, dates, or just text.

A column gets a type only if every one of its values has it, all written in one way. `1,234` is one thousand or a little
more than one, `03/04/2020` is in March or in April: a decimal sign is decided by the column, or else by the other
columns of the file; the order of a date by the column alone. What stays open is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import reduce

import polars as pl

from hushwood.errors import InputError
from hushwood.parameters import available_threads
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.csv.ways import (
    ISO,
    NUMBERS,
    TIMES,
    Way,
    in_words,
    number_ways,
    order_of,
    parsed_numbers,
    parsed_times,
    time_ways,
)
from hushwood.tables.frames.storage import literal

_SAMPLE_ROWS = 1000
_WORDS = {"true": "false", "True": "False", "TRUE": "FALSE"}
# Everything else is in the characters of the usual numbers: 1e5, .5, inf.
_MARKED_NUMBER = re.compile(r"[+-]?\d[\d.,'\u2019 \u00a0\u202f]*")
Ways = Mapping[str, Sequence[Way]]


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
    """The texts without those that mean missing, under a name that is not a pattern."""
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


def settled(possible: Ways, form: TextForm, texts: Mapping[str, pl.Series]) -> dict[str, Way]:
    """One way for every column that has some; `texts` are values of the columns, to show."""
    decimal = form.decimal or _decimal_of_file(possible)
    found: dict[str, Way] = {}
    for name, ways in possible.items():
        known = form.known.get(name)
        if known is not None and known in ways:
            found[name] = known
            continue
        way = _one(name, ways, decimal, form, texts)
        if way is not None:
            found[name] = way
    for column in form.formats:
        if column is not None and column in possible and not _is_time(found.get(column)):
            raise InputError(
                f"Column {column!r} does not hold dates in the format that --date-format gives for it. Correct one of "
                "the two."
            )
    return found


def _is_time(way: Way | None) -> bool:
    return way is not None and way.kind in TIMES


def _one(
    name: str, ways: Sequence[Way], decimal: str | None, form: TextForm, texts: Mapping[str, pl.Series]
) -> Way | None:
    times = [way for way in ways if way.kind in TIMES]
    if times:
        return _order(name, times, form, texts)
    numbers = [way for way in ways if way.kind in NUMBERS]
    if numbers:
        return _number(name, numbers, decimal, form, texts)
    if ways and ways[0].kind == "mixed":
        raise InputError(
            f"Column {name!r} mixes decimal points and decimal commas ({_example(texts[name], '.')}, "
            f"{_example(texts[name], ',')}). Write all its "
            "numbers in one way, or declare it as categorical in a schema."
        )
    return ways[0] if ways else None


def _number(
    name: str,
    ways: Sequence[Way],
    decimal: str | None,
    form: TextForm,
    texts: Mapping[str, pl.Series],
) -> Way | None:
    """The first way, unless another decimal sign makes other numbers of the same texts."""
    if _is_unmarked(ways[0]):
        return ways[0]
    by_sign = {sign: next((way for way in ways if way.decimal == sign), None) for sign in (".", ",")}
    point, comma = by_sign["."], by_sign[","]
    if point is None or comma is None:
        only = point or comma
        refused = only is not None and form.decimal not in (None, only.decimal) and not only.usual
        return None if refused else only
    if decimal is not None:
        return by_sign[decimal]
    if point.usual or point.thousands == comma.thousands:
        return point
    raise InputError(
        f"The commas in column {name!r} can stand before decimals or between thousands "
        f"({_example(texts[name], ',')}). Say which with --decimal , or --decimal ."
    )


def _is_unmarked(way: Way) -> bool:
    """Whether the numbers are digits alone."""
    return way.kind in ("whole", "wide") and not way.thousands


def _decimal_of_file(possible: Ways) -> str | None:
    """The decimal sign of all columns that leave no doubt, if it is the same."""
    signs = set()
    for ways in possible.values():
        numbers = [way for way in ways if way.kind in NUMBERS]
        if numbers and not _is_unmarked(numbers[0]):
            own = {way.decimal for way in numbers}
            signs |= own if len(own) == 1 else set()
    return signs.pop() if len(signs) == 1 else None


def _order(name: str, ways: Sequence[Way], form: TextForm, texts: Mapping[str, pl.Series]) -> Way:
    known = form.known.get(name)
    given = form.formats.get(name, form.formats.get(None)) or (known.pattern if known is not None else None)
    wanted = [way for way in ways if given is not None and order_of(way.pattern or ISO) == order_of(given)]
    if wanted:
        return wanted[0]
    orders: dict[str, Way] = {}
    for way in ways:
        orders.setdefault(order_of(way.pattern or ISO), way)
    short = [way for way in ways if "%y" in way.pattern]
    shown = _example(texts[name])
    if short:
        raise InputError(
            f"Column {name!r} has dates with years of two digits ({shown}). Write all four digits, or give the order "
            f"with --date-format {in_words(short[0].pattern)}."
        )
    if len(orders) > 1:
        choices = " or ".join(f"--date-format {in_words(way.pattern)}" for way in orders.values())
        raise InputError(
            f"Day and month of column {name!r} cannot be told apart: every date fits two orders, such as {shown}. Say "
            f"which with {choices}."
        )
    return ways[0]


def _example(texts: pl.Series, sign: str = "") -> str:
    known = texts.drop_nulls()
    with_sign = known.filter(known.str.contains(sign, literal=True))
    return str((with_sign if len(with_sign) else known)[0]).strip()


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
