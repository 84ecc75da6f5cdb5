"""Frozen dataclasses as plain JSON data and back: the keys are the names of the fields, in their order.

Three kinds of fields deviate from that and say so in their annotation: `Annotated[int, Key("from")]`,
`Annotated[str, OPTIONAL]`, `Annotated[Part | None, INLINED]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")
OPTIONAL = "optional"  # no key is written while the field has its default
INLINED = "inlined"  # the keys of the inner dataclass are written in the place of a key for it


@dataclass(frozen=True, slots=True)
class Key:
    """The JSON key of a field, where that cannot be a Python name."""

    name: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """How a field is written: its name, key, type (but for None), default and deviations."""

    name: str
    key: str
    kind: Any
    default: Any
    marks: tuple[Any, ...]


def to_plain(value: object) -> Any:
    """A value of dataclasses, mappings, tuples and plain values as JSON data."""
    if is_dataclass(value) and not isinstance(value, type):
        plain: dict[str, Any] = {}
        for entry in _entries(type(value)):
            inside = getattr(value, entry.name)
            if INLINED in entry.marks:
                plain |= {} if inside is None else to_plain(inside)
            elif OPTIONAL not in entry.marks or inside != entry.default:
                plain[entry.key] = to_plain(inside)
        return plain
    if isinstance(value, Mapping):
        return {key: to_plain(inside) for key, inside in value.items()}
    return [to_plain(inside) for inside in value] if isinstance(value, tuple | list) else value


def from_plain(kind: type[T], plain: Mapping[str, Any]) -> T:
    """The dataclass that JSON data describe; unknown keys are ignored, missing ones need a default.

    >>> @dataclass(frozen=True)
    ... class Band:
    ...     low: Annotated[int, Key("from")]
    ...     records: Annotated[int | None, OPTIONAL] = None
    >>> from_plain(Band, {"from": 1, "other": 2}), to_plain(Band(5, 7))
    (Band(low=1, records=None), {'from': 5, 'records': 7})
    """
    found: dict[str, Any] = {}
    entries: tuple[_Entry, ...] = _entries(kind)  # type: ignore[arg-type]  # mypy: a type[T] may be unhashable
    for entry in entries:
        if INLINED in entry.marks:
            if _entries(entry.kind)[0].key in plain:
                found[entry.name] = from_plain(entry.kind, plain)
        elif entry.key in plain or entry.default is MISSING:
            found[entry.name] = _parsed(entry.kind, plain[entry.key])
    return kind(**found)


def _parsed(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    origin, inside = get_origin(hint), get_args(hint)
    if origin is tuple:
        return tuple(_parsed(_without_none(inside[0]), each) for each in value)
    if origin is Mapping:
        return {key: _parsed(inside[1], each) for key, each in value.items()}
    if isinstance(hint, type) and is_dataclass(hint) and isinstance(value, Mapping):
        return from_plain(hint, value)
    return value


@cache
def _entries(kind: Any) -> tuple[_Entry, ...]:
    hints = get_type_hints(kind, include_extras=True)
    found = []
    for part in fields(kind):
        hint = hints[part.name]
        hint, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        key = next((mark.name for mark in marks if isinstance(mark, Key)), part.name)
        # A default that is made by a function is never asked for.
        default = part.default if part.default_factory is MISSING else None
        found.append(_Entry(part.name, key, _without_none(hint), default, tuple(marks)))
    return tuple(found)


def _without_none(hint: Any) -> Any:
    """The type of a field that may also be None."""
    if get_origin(hint) is not UnionType:
        return hint
    return next(option for option in get_args(hint) if option is not type(None))
