"""Which of several possible ways a column is written in: decided where the file leaves no doubt, else asked for.

`1,234` is one thousand or a little more than one, `03/04/2020` is in March or in April. A decimal sign is decided by
the column, or else by the other columns of the file; the order of a date by the column alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from hushwood.errors import InputError
from hushwood.tables.csv.dates import ISO, in_words, order_of
from hushwood.tables.csv.dialect import TextForm, is_time
from hushwood.tables.csv.ways import NUMBERS, Way

Ways = Mapping[str, Sequence[Way]]


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
        if column is not None and column in possible and not _is_time_way(found.get(column)):
            raise InputError(
                f"Column {column!r} does not hold dates in the format that --date-format gives for it. Correct one of "
                "the two."
            )
    return found


def _is_time_way(way: Way | None) -> bool:
    return way is not None and is_time(way)


def _one(
    name: str, ways: Sequence[Way], decimal: str | None, form: TextForm, texts: Mapping[str, pl.Series]
) -> Way | None:
    times = [way for way in ways if is_time(way)]
    if times:
        return _order(name, times, form, texts)
    numbers = [way for way in ways if way.kind in NUMBERS]
    if numbers:
        return _number(name, numbers, decimal, form, texts)
    if ways and ways[0].kind == "mixed":
        raise InputError(
            f"Column {name!r} mixes decimal points and decimal commas ({_examples(texts[name])}). Write all its "
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
    """Whether the numbers have no signs at all."""
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


def _examples(texts: pl.Series) -> str:
    return f"{_example(texts, '.')}, {_example(texts, ',')}"
