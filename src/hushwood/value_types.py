"""Whether a value is of the type that a declaration names, and that type in words, for messages.

This is the one check of values: of options (`parameters`), and of JSON and TOML, whose objects are declared as
TypedDict. The sentences are those of whoever asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

CLOSED = "closed"  # of an object that has no other entries: Annotated[Entry, CLOSED]

_PLAIN: Mapping[Any, tuple[type, str, str]] = {
    float: (Real, "a number", "numbers"),
    int: (Integral, "a whole number", "whole numbers"),
    str: (str, "a text", "texts"),
    bool: (bool, "True or False", "True or False"),
    NoneType: (NoneType, "None", "None"),
}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a type; a list will do for a tuple, and numpy's numbers for Python's.

    >>> fits([1, 2.5], tuple[float, ...]), fits("age", tuple[str, ...]), fits(True, int)
    (True, False, False)
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return fits(value, parts[0]) and all(_allowed(value, parts[0], extra) for extra in parts[1:])
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if is_typeddict(hint):
        return entries_fit(value, *_entries(hint))
    if origin is list:
        return isinstance(value, list) and all(fits(item, parts[0]) for item in value)
    if origin in (Mapping, dict):
        return isinstance(value, Mapping) and all(
            fits(key, parts[0]) and fits(item, parts[1]) for key, item in value.items()
        )
    if origin in (tuple, Sequence):
        return isinstance(value, tuple | list) and _items_fit(value, parts)
    if hint in _PLAIN:
        return isinstance(value, _PLAIN[hint][0]) and (hint is bool or not isinstance(value, bool))
    plain_class = isinstance(hint, type) and hint is not Any and not getattr(hint, "_is_protocol", False)
    return not plain_class or isinstance(value, hint)


def _items_fit(items: Sequence[Any], parts: Sequence[Any]) -> bool:
    if len(parts) > 1 and parts[1] is not ...:
        return len(items) == len(parts) and all(map(fits, items, parts))
    return all(fits(item, parts[0]) for item in items)


def entries_fit(value: Any, entries: Mapping[str, Any], required: Collection[str] = ()) -> bool:
    """Whether a value is an object with the required entries, and those that are declared are of their types.

    >>> entries_fit({"age": 3, "other": None}, {"age": int, "name": str}), entries_fit({}, {"age": int}, ["age"])
    (True, False)
    """
    return (
        isinstance(value, Mapping)
        and all(name in value for name in required)
        and all(fits(value[name], hint) for name, hint in entries.items() if name in value)
    )


@cache
def _entries(declared: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The entries of a TypedDict with their types, and the required ones; annotations that are texts hide these."""
    hints = get_type_hints(declared, include_extras=True)
    optional = {name for name, hint in hints.items() if get_origin(hint) is NotRequired}
    plain = {name: get_args(hint)[0] if name in optional else hint for name, hint in hints.items()}
    return plain, tuple(name for name in hints if declared.__total__ and name not in optional)


def _allowed(value: Any, hint: Any, extra: Any) -> bool:
    """Whether a constraint that is written into a type allows the value."""
    if extra == CLOSED:
        return bool(value.keys() <= _entries(hint)[0].keys())
    allows = getattr(extra, "allows", None)
    return value is None or allows is None or bool(allows(value))


def in_words(hint: Any, *, several: bool = False) -> str:
    """A type as a message names it.

    >>> in_words(tuple[str, ...] | None), in_words(Mapping[str, float])
    ('a list of texts or None', 'a mapping from texts to numbers')
    """
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return in_words(parts[0], several=several)
    if origin in (Union, UnionType):
        return " or ".join(in_words(part, several=several) for part in parts)
    if origin is Literal:
        return " or ".join(map(repr, parts))
    if origin is Mapping:
        key, item = (in_words(part, several=True) for part in parts)
        return f"{'mappings' if several else 'a mapping'} from {key} to {item}"
    if origin in (tuple, Sequence):
        return f"{'lists' if several else 'a list'} of {in_words(parts[0], several=True)}"
    if hint in _PLAIN:
        one, more = _PLAIN[hint][1:]
        return more if several else one
    return str(getattr(hint, "__name__", "something else"))
