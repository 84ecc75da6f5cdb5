"""Links as plain data, for schema files and plan.json: a kind and its columns; missing has no name there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.tables.links.links import (
    MOST_POWER,
    MOST_SHIFT,
    Combinations,
    Condition,
    Constant,
    Determines,
    Link,
    Order,
    Quotient,
    Sum,
)

KINDS: Mapping[str, type[Link]] = {
    "determines": Determines,
    "combinations": Combinations,
    "order": Order,
    "sum": Sum,
    "quotient": Quotient,
    "condition": Condition,
    "constant": Constant,
}
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
