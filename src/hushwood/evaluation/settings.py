"""Parameters of measures given as text: "reidentification_entropy.threshold_bits=6".

What a parameter may be is what the measure declares; `levels` hands the values on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from hushwood.errors import InputError, unknown_name
from hushwood.measures.registry import MEASURES

Settings = Mapping[str, Mapping[str, Any]]


def settings_from_texts(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The settings of every measure named.

    >>> settings_from_texts(["l_diversity.c=2", "generalisation_loss.weights=age:2,town:0.5"])
    {'l_diversity': {'c': 2.0}, 'generalisation_loss': {'weights': {'age': 2.0, 'town': 0.5}}}
    """
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        path, sign, value = text.partition("=")
        name, dot, field = path.strip().partition(".")
        if not (sign and dot):
            raise InputError(
                f'A setting is given as MEASURE.PARAMETER=VALUE, such as "l_diversity.c=2"; {text!r} was given.'
            )
        declared = parameters_of(name)
        if field not in declared:
            raise unknown_name(f"parameter of {name}", field, tuple(declared))
        found.setdefault(name, {})[field] = _value(text, declared[field], value.strip())
    return found


def parameters_of(name: str) -> dict[str, str]:
    """The parameters of a measure and what they may be."""
    if name not in MEASURES:
        raise unknown_name("measure", name, tuple(MEASURES))
    return {field.name: str(field.type) for field in fields(MEASURES[name])}  # type: ignore[arg-type]


def check_settings(settings: Settings) -> None:
    """Refuse parameters that a measure does not have."""
    for name, given in settings.items():
        declared = parameters_of(name)
        for field in given:
            if field not in declared:
                raise unknown_name(f"parameter of {name}", field, tuple(declared))


def _value(text: str, kind: str, value: str) -> Any:
    try:
        return _reader(kind)(value)
    except ValueError:
        raise InputError(f"{value!r} is no value for that parameter ({kind}); {text!r} was given.") from None


def _reader(kind: str) -> Callable[[str], Any]:
    readers: dict[str, Callable[[str], Any]] = {
        "int": int,
        "float": float,
        "bool": _truth,
        "tuple": lambda value: tuple(part.strip() for part in value.split(",") if part.strip()),
        "Mapping": _numbers,
    }
    return next((read for start, read in readers.items() if kind.startswith(start)), str)


def _truth(value: str) -> bool:
    if value.lower() not in {"true", "false"}:
        raise ValueError(value)
    return value.lower() == "true"


def _numbers(value: str) -> dict[str, float]:
    pairs = [part.rpartition(":") for part in value.split(",")]
    return {name.strip(): float(number) for name, _, number in pairs}
