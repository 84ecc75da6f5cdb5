"""Whether a value is of the type that a declaration names, and that type in words, for messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

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
        return fits(value, parts[0])
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return value in parts
    if origin is Mapping:
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
    if len(parts) == 2 and parts[1] is not ...:
        return len(items) == 2 and all(map(fits, items, parts))
    return all(fits(item, parts[0]) for item in items)


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
