"""How much noise, as people write it: a number or a fraction, for all columns or for one ("age=0.1")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

from hushwood.errors import InputError
from hushwood.parameters import Between
from hushwood.tables.schema import LARGEST_NOISE

NOISE = Between(0, LARGEST_NOISE, meaning="a share of the range or the value")
USUAL_NOISE = 1 / 3
# What techniques that add noise call it among their options.
INFLUENTIAL, INNOCENT = "noise_influential", "noise_innocent"
ADDED = frozenset({INFLUENTIAL, INNOCENT})


def share_from_text(text: str, option: str = "--noise") -> float:
    """A number or a fraction.

    >>> share_from_text("1/4"), share_from_text("0.1")
    (0.25, 0.1)
    """
    numerator, _, denominator = text.partition("/")
    try:
        return float(numerator) / float(denominator or 1)
    except (ValueError, ZeroDivisionError) as fault:
        raise InputError(
            f"{option} must be a number or a fraction such as 1/3; {text!r} was given."
        ) from fault


def plain_noise(texts: Sequence[str]) -> float:
    """The noise of all columns that have none of their own.

    >>> plain_noise(["age=0.1", "1/4"]), plain_noise([])
    (0.25, 0.3333333333333333)
    """
    plain = [text for text in texts if "=" not in text]
    if len(plain) > 1:
        raise InputError(
            f"--noise is given {len(plain)} times without a column: {', '.join(plain)}. Keep one, and name a column "
            "in the others, such as --noise age=0.1."
        )
    return share_from_text(plain[0]) if plain else USUAL_NOISE


def column_noise(texts: Sequence[str]) -> dict[str, float]:
    """The noise of single columns; a column's name may have an equals sign in it.

    >>> column_noise(["age=0.1", "1/3", "a=b=1/2"])
    {'age': 0.1, 'a=b': 0.5}
    """
    found: dict[str, float] = {}
    for text in texts:
        column, sign, share = text.rpartition("=")
        if not sign:
            continue
        if column in found:
            raise InputError(f"--noise is given twice for column {column!r}; keep one.")
        found[column] = share_from_text(share)
    return found


def noise_arguments(noise: float | Mapping[str, float], columns: object = None) -> dict[str, Any]:
    """A number for all columns, or numbers by column, as options; `columns` is what else was given by column."""
    if not isinstance(noise, Mapping):
        return {"noise": noise} | ({} if columns is None else {"noise_by_column": columns})
    if columns is not None:
        raise InputError("noise and noise_by_column both give noise by column; omit one of them.")
    shares: Mapping[str, Any] = noise
    # numpy's numbers do not go into a JSON file
    return {"noise_by_column": {n: float(v) if isinstance(v, Real) else v for n, v in shares.items()}}
