"""The options that make a table coarser, rid it of rare levels or blank cells; and hierarchy files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hushwood.errors import InputError
from hushwood.parameters import AtLeast, OneOf, Option

if TYPE_CHECKING:
    from hushwood.tables.recoding.taxonomies import Taxonomy
else:  # it loads numpy, which takes longer than `hushwood release --help`
    Taxonomy = object

_PANEL, _NOISE = "Coarsening", "Noise"
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


Rare = Annotated[
    str | None,
    OneOf(("keep", "group", "suppress")),
    Option(
        "What to do with category levels that few records have: keep them, group them as one level, or suppress "
        "(blank) them. The class is never changed.",
        metavar="keep|group|suppress",
        panel=_NOISE,
        default="group where counts are drawn, else keep",
    ),
]
RareBelow = Annotated[
    int | None,
    AtLeast(1),
    Option(
        "A level is rare if fewer records have it.",
        metavar="N",
        panel=_NOISE,
        default="15 where counts are drawn, k in segment-shuffle without, else 5",
    ),
]
Suppress = Annotated[
    tuple[str, ...],
    Option(
        'Cells to blank: "age >= 90", "city = Arm : city, rent", or "rent > 500 : *" for whole records. '
        "May be repeated.",
        metavar="RULE",
        panel=_NOISE,
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


Hierarchies = Annotated[
    Mapping[str, Taxonomy | Path | str],
    Option(
        "Hierarchy of a categorical column for mondrian or tds, as ARX writes it (CSV). May be repeated.",
        spelling=("--hierarchy",),
        metavar="COLUMN=FILE",
        panel=_NOISE,
        reads=hierarchy_files,
    ),
]
