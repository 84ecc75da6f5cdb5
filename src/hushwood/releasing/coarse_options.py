"""The options that coarsen a table before it is released, shared by releasing and tuning; and hierarchy files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from hushwood.errors import InputError
from hushwood.parameters import Option

_PANEL = "Coarsening"
Coarsen = Annotated[
    tuple[str, ...],
    Option(
        "Coarsen a column before anything is learnt from it, with any technique: age=5 rounds, visit=year, quarter or "
        "month, zip=2digits keeps the first characters, city=FILE.csv:2 is level 2 of a hierarchy as ARX writes it. "
        "May be repeated.",
        metavar="COLUMN=HOW",
        panel=_PANEL,
    ),
]
TopCode = Annotated[
    tuple[str, ...],
    Option(
        "The largest value of a column to release, also for everything above: age=90, or a percentile: income=99%. "
        "May be repeated.",
        metavar="COLUMN=LIMIT",
        panel=_PANEL,
    ),
]
BottomCode = Annotated[
    tuple[str, ...],
    Option(
        "The smallest value of a column to release, also for everything below: age=18. May be repeated.",
        metavar="COLUMN=LIMIT",
        panel=_PANEL,
    ),
]


@dataclass(frozen=True, slots=True)
class CoarseOptions:
    """All three, as keywords of a Python function."""

    coarsen: Coarsen = ()
    top_code: TopCode = ()
    bottom_code: BottomCode = ()


# What Python says about them, which takes mappings too.
IN_PYTHON = {
    "coarsen": 'Columns to coarsen before anything is learnt: ["age=5", "visit=year"], or by name: {"age": 5}. Ways '
    "are 5 (multiples), year, quarter, month, 3digits (first characters) and FILE.csv:2 (a level of a hierarchy).",
    "top_code": 'The largest value to release, also for everything above: {"age": 90, "income": "99%"}.',
    "bottom_code": 'The smallest value to release, also for everything below: {"age": 18}.',
}


def rule_texts(given: object, option: str) -> tuple[str, ...]:
    """Rules as Python gives them: a list of texts, or what becomes of every column by its name.

    >>> rule_texts({"age": 5, "zip": "3digits"}, "coarsen")
    ('age=5', 'zip=3digits')
    """
    if isinstance(given, Mapping):
        given = [f"{name}={how}" for name, how in given.items()]
    if (
        isinstance(given, str)
        or not isinstance(given, Sequence)
        or not all(isinstance(x, str) for x in given)
    ):
        raise InputError(
            f'{option} takes a list such as ["age=5"] or a mapping such as {{"age": 5}}; {given!r} was given.'
        )
    return tuple(given)


def hierarchy_files(texts: Sequence[str]) -> dict[str, Path]:
    """The hierarchy file of every column named as COLUMN=FILE."""
    return dict(_column_and_file(text) for text in texts)


def _column_and_file(text: str) -> tuple[str, Path]:
    column, sign, file = text.rpartition("=")
    if not sign or not column or not file:
        raise InputError(f"A hierarchy is given as COLUMN=FILE; {text!r} was given.")
    return column, Path(file)
