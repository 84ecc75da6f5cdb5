"""Parameters of techniques and measures given as text: "gadp.rho=0.5".

What a parameter may be is what the dataclass declares: numbers, truth values, words, lists of words, weights.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hushwood.errors import InputError, unknown_name

Settings = Mapping[str, Mapping[str, Any]]
Reader = Callable[[str], Any]
LARGEST_WHOLE = 2**31 - 1  # no count here is larger, and compiled loops know no larger ones


def settings_from_texts(
    texts: Sequence[str], declared: Mapping[str, Any], what: str, example: str
) -> dict[str, dict[str, Any]]:
    """The settings of every thing named; `declared` are the dataclasses by name, `what` says what they are."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        path, sign, value = text.partition("=")
        name, dot, field = path.strip().partition(".")
        if not (sign and dot):
            raise InputError(
                f'A setting is given as {what.upper()}.PARAMETER=VALUE, such as "{example}"; {text!r} was given.'
            )
        found.setdefault(name, {})[field] = _value(
            text, value.strip(), _reader_of(name, field, declared, what)
        )
    return found


def check_settings(settings: Settings, declared: Mapping[str, Any], what: str) -> None:
    """Refuse things and parameters that are not there; values may be any, also what no text can say."""
    for name, given in settings.items():
        if name not in declared:
            raise unknown_name(what, name, tuple(declared))
        known = [field.name for field in fields(declared[name])]
        for parameter in given:
            if parameter not in known:
                raise unknown_name(f"parameter of {name}", parameter, known)


def _reader_of(name: str, field: str, declared: Mapping[str, Any], what: str) -> Reader:
    if name not in declared:
        raise unknown_name(what, name, tuple(declared))
    readers = parameters_of(declared[name])
    if field not in readers:
        raise unknown_name(f"parameter of {name}", field, tuple(readers))
    return readers[field]


def parameters_of(declared: Any) -> dict[str, Reader]:
    """The parameters of a dataclass that can be given as text, and how each is read."""
    hints = get_type_hints(declared)
    found = {field.name: _reader(hints[field.name]) for field in fields(declared)}
    return {name: reader for name, reader in found.items() if reader is not None}


def _reader(hint: Any) -> Reader | None:
    """How a value of a declared type is read from text; None if it cannot be."""
    simple: dict[Any, Reader] = {int: _whole, float: float, str: str, bool: _truth}
    if hint in simple:
        return simple[hint]
    origin, parts = get_origin(hint), [part for part in get_args(hint) if part is not type(None)]
    if origin is Literal:
        return lambda value: _one_of(value, parts)
    if origin is tuple and parts[0] is str:
        return lambda value: tuple(part.strip() for part in value.split(",") if part.strip())
    if origin is tuple:
        return _matrix
    if hint == Mapping[str, float]:
        return _weights
    if origin is Union or type(hint).__name__ == "UnionType":
        return _reader(parts[0]) if len(parts) == 1 else None
    return None


def _value(text: str, value: str, reader: Reader) -> Any:
    try:
        return reader(value)
    except ValueError:
        raise InputError(f"{value!r} is no value for that parameter; {text!r} was given.") from None


def _one_of(value: str, allowed: Sequence[Any]) -> Any:
    if value not in allowed:
        raise unknown_name("value", value, tuple(str(word) for word in allowed))
    return value


def _whole(value: str) -> int:
    number = int(value)
    if abs(number) > LARGEST_WHOLE:
        raise ValueError(value)
    return number


def _truth(value: str) -> bool:
    if value.lower() not in {"true", "false"}:
        raise ValueError(value)
    return value.lower() == "true"


def _matrix(value: str) -> tuple[tuple[float, ...], ...]:
    """Rows between semicolons, numbers between commas."""
    return tuple(tuple(float(number) for number in row.split(",")) for row in value.split(";"))


def _weights(value: str) -> dict[str, float]:
    pairs = [part.rpartition(":") for part in value.split(",")]
    return {name.strip(): float(number) for name, _, number in pairs}
