"""The kinds of links between columns: as data, in plain English, and as plain data for schema files and plan.json.

`finding` looks for them in a table, `counting` counts the records that break them, and `linked_columns` changes linked
columns as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hushwood.errors import InputError, unknown_name

# What a quotient may be like: up to the square, and units a million million apart.
MOST_POWER, MOST_SHIFT = 2, 12
_SHOWN = 4  # values of a list
_POWERS = {1: "", 2: "²"}
# The keys of every kind, with the least number of names in a list; a key of 0 is one name.
_KEYS: Mapping[str, Mapping[str, int]] = {
    "determines": {"given": 0, "follows": 1},
    "combinations": {"columns": 2},
    "order": {"columns": 2},
    "sum": {"total": 0, "parts": 1},
    "quotient": {"result": 0, "of": 0, "by": 0},
    "condition": {"when": 0, "column": 0},
    "constant": {"within": 0, "same": 1},
}
_QUOTIENT = {"power": (1, MOST_POWER), "shift": (-MOST_SHIFT, MOST_SHIFT)}
_CONDITION = {
    **dict.fromkeys(("values", "allowed"), "a list of texts"),
    **dict.fromkeys(("when_missing", "or_missing"), "true or false"),
}
_MORE: Mapping[str, Mapping[str, Any]] = {"condition": _CONDITION, "quotient": _QUOTIENT}


@dataclass(frozen=True, slots=True)
class Determines:
    """Whoever knows `given` knows `follows`: the city determines the state. Missing counts as a value of its own."""

    given: str
    follows: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.given, *self.follows)


@dataclass(frozen=True, slots=True)
class Combinations:
    """Only combinations of values that occur in the table are possible; missing counts as a value of its own."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Each column is at most the next one, where both are known: the start is never after the end."""

    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """A column is the sum of others wherever all are known, up to half a unit of the last decimal.

    A difference is a sum too: net = gross - tax says that gross = net + tax. Dates count in days.
    """

    total: str
    parts: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.total, *self.parts)


@dataclass(frozen=True, slots=True)
class Condition:
    """If the category of `when` is one of `values`, then `column` has one of the categories `allowed`.

    None among `values` or `allowed` stands for missing. A numeric `column` has no categories: `allowed` is then
    (None,), so that it is known only for other values of `when`.
    """

    when: str
    values: tuple[str | None, ...]
    column: str
    allowed: tuple[str | None, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.when, self.column)


@dataclass(frozen=True, slots=True)
class Constant:
    """The columns have one value in all records of a person, a household or another group."""

    within: str
    same: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.within, *self.same)


@dataclass(frozen=True, slots=True)
class Quotient:
    """A number is another divided by a power of a third, times 10 to the power of `shift`, wherever all are known.

    A body mass index is the weight divided by the square of the height.
    """

    result: str
    of: str
    by: str
    power: int = 1
    shift: int = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are linked."""
        return (self.result, self.of, self.by)


Link = Determines | Combinations | Order | Sum | Condition | Constant | Quotient


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


KINDS: Mapping[str, type[Link]] = {
    "determines": Determines,
    "combinations": Combinations,
    "order": Order,
    "sum": Sum,
    "quotient": Quotient,
    "condition": Condition,
    "constant": Constant,
}


def kind_of(link: Link) -> str:
    """What its kind is called in files."""
    return type(link).__name__.lower()


def link_to_plain(link: Link) -> dict[str, Any]:
    """A link as plain data.

    >>> link_to_plain(Condition("smoker", ("never", None), "brand", (None,)))["when_missing"]
    True
    """
    kind = kind_of(link)
    plain: dict[str, Any] = {"kind": kind}
    for key, least in _KEYS[kind].items():
        value = getattr(link, key)
        plain[key] = list(value) if least else value
    if isinstance(link, Quotient):
        plain |= {"power": link.power, "shift": link.shift}
    if isinstance(link, Condition):
        plain["values"] = [value for value in link.values if value is not None]
        plain["when_missing"] = None in link.values
        plain["allowed"] = [value for value in link.allowed if value is not None]
        plain["or_missing"] = None in link.allowed
    return plain


def link_from_plain(plain: Any, where: str) -> Link:
    """A link from plain data; a mistake is reported with its place.

    >>> link_from_plain({"kind": "order", "columns": ["came", "went"]}, "here")
    Order(columns=('came', 'went'))
    """
    if not isinstance(plain, dict) or not isinstance(plain.get("kind"), str):
        raise InputError(f"{where}: every [[link]] needs a kind: {', '.join(KINDS)}.")
    kind = plain["kind"]
    if kind not in KINDS:
        raise InputError(f"{where}: {unknown_name('kind of link', kind, KINDS)}")
    where = f"{where}, link of kind {kind!r}"
    allowed = {"kind", *_KEYS[kind], *_MORE.get(kind, ())}
    for key in plain:
        if key not in allowed:
            raise InputError(f"{where}: {unknown_name('key', key, sorted(allowed))}")
    fields = {key: _names(plain.get(key), least, f"{where}, {key}") for key, least in _KEYS[kind].items()}
    if kind == "condition":
        fields |= _condition(plain, where)
    if kind == "quotient":
        fields |= _quotient(plain, where)
    make: Callable[..., Link] = KINDS[kind]
    link = make(**fields)
    if len(set(link.columns)) < len(link.columns):
        raise InputError(f"{where}: a column is named twice. Name every column once.")
    return link


def _names(value: Any, least: int, where: str) -> Any:
    if not least:
        if not isinstance(value, str):
            raise InputError(f"{where}: the name of a column is needed, in quotes.")
        return value
    good = isinstance(value, list) and all(isinstance(name, str) for name in value)
    if not good or len(value) < least:
        raise InputError(f"{where}: a list of {least} or more names of columns is needed.")
    return tuple(value)


def _quotient(plain: Mapping[str, Any], where: str) -> dict[str, Any]:
    found = {key: value for key, value in plain.items() if key in _QUOTIENT}
    for key, value in found.items():
        low, high = _QUOTIENT[key]
        if type(value) is not int or not low <= value <= high:
            raise InputError(
                f"{where}, {key}: {value!r} is not allowed. Use a whole number from {low} to {high}."
            )
    return found


def _condition(plain: Mapping[str, Any], where: str) -> dict[str, Any]:
    for key, what in _CONDITION.items():
        value = plain.get(key)
        texts = isinstance(value, list) and all(isinstance(v, str) for v in value)
        if value is not None and not (texts if what == "a list of texts" else isinstance(value, bool)):
            raise InputError(f"{where}, {key}: {value!r} is not allowed. Use {what}.")
    values = ((None,) if plain.get("when_missing") else ()) + tuple(plain.get("values", ()))
    # Whoever names no categories means that the column must be missing.
    missing = plain.get("or_missing", not plain.get("allowed"))
    allowed = ((None,) if missing else ()) + tuple(plain.get("allowed", ()))
    if not values:
        raise InputError(
            f"{where}: name the values of {plain['when']!r} that decide, or when_missing = true."
        )
    if not allowed:
        raise InputError(f"{where}: name the values of {plain['column']!r} that are allowed.")
    return {"values": values, "allowed": allowed}
