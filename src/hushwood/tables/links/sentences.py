"""Links in plain English: for `inspect` with the values they are about, for everybody else with columns alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hushwood.tables.links.links import (
    Combinations,
    Condition,
    Constant,
    Determines,
    Link,
    Order,
    Quotient,
    Sum,
)

_SHOWN = 4  # values of a list
_POWERS = {1: "", 2: "²"}


def says(link: Link) -> str:
    """What holds, in a sentence without its stop.

    >>> says(Determines("city", ("state",))), says(Sum("pay", ("net", "tax")))
    ('city determines state', 'pay = net + tax')
    """
    match link:
        case Condition(when, values, column, allowed):
            then = "is missing" if allowed == (None,) else f"is {_values(allowed)}"
            return f"if {when} is {_values(values)}, {column} {then}"
        case _:
            return publicly(link)


def publicly(link: Link) -> str:
    """The same without any value of the table.

    >>> publicly(Condition("sex", ("male",), "pregnant", ("no",)))
    'pregnant depends on sex'
    """
    match link:
        case Determines(given, follows):
            return f"{given} determines {listed(follows)}"
        case Combinations(columns):
            return f"only some combinations of {listed(columns)} occur"
        case Order(columns):
            return " <= ".join(columns)
        case Sum(total, parts):
            return f"{total} = {' + '.join(parts)}"
        case Quotient(result, of, by, power, shift):
            unit = f" × 10^{shift}" if shift else ""
            return f"{result} = {of} / {by}{_POWERS.get(power, f'^{power}')}{unit}"
        case Condition(when, _, column):
            return f"{column} depends on {when}"
        case Constant(within, same):
            return f"one value of {listed(same)} within {within}"


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence."""
    *most, end = names
    return f"{', '.join(most)} {last} {end}" if most else end


def _values(names: Sequence[str | None]) -> str:
    shown = ["missing" if name is None else name for name in names]
    if len(shown) > _SHOWN:
        shown = [*shown[: _SHOWN - 1], f"{len(shown) - _SHOWN + 1} others"]
    return listed(shown, "or")
