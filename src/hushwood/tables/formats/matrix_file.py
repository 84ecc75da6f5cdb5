"""Transition matrices from CSV files: the new values in the header, an old value and its probabilities in every line.

An empty name stands for a missing value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path

from hushwood.errors import InputError

NamedRows = Mapping[str, Mapping[str, float]]  # old value -> new value -> probability


def matrices_from_texts(texts: Sequence[str]) -> dict[str, dict[str, dict[str, float]]]:
    """The matrix of every column named as COLUMN=FILE."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for text in texts:
        column, sign, file = text.rpartition("=")
        if not sign or not column or not file:
            raise InputError(f"A matrix is given as COLUMN=FILE; {text!r} was given.")
        if column in found:
            raise InputError(f"Two matrices are given for column {column!r}; give one.")
        found[column] = read_matrix(Path(file))
    return found


def read_matrix(path: Path) -> dict[str, dict[str, float]]:
    """Read a matrix; its numbers are checked with the column that it is for."""
    from hushwood.tables.csv.source import CsvSource, records, sniff_separator
    from hushwood.tables.formats.input_files import check_ordinary

    check_ordinary(path, "matrix file")
    source = CsvSource(path, "utf-8")
    source.check_text()
    text = source.data.decode("utf-8")
    lines = [[cell.strip() for cell in record] for record in records(text, sniff_separator(text))]
    if len(lines) < 2:
        raise InputError(f"{path} holds no matrix: it needs a header and a line for every value.")
    names = lines[0][1:]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"The header of {path} names {twice!r} twice; name every value once.")
    rows: dict[str, dict[str, float]] = {}
    for name, *cells in lines[1:]:
        if name in rows:
            raise InputError(f"{path} has two lines for {name!r}; keep one.")
        if len(cells) != len(names):
            raise InputError(
                f"The line of {name!r} in {path} has {len(cells)} numbers, but the header names {len(names)} values."
            )
        rows[name] = dict(zip(names, (_number(cell, name, path) for cell in cells), strict=True))
    return rows


def _number(text: str, name: str, path: Path) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not isfinite(found):
        raise InputError(
            f"{text!r} in the line of {name!r} in {path} is not a number; give a probability from 0 to 1."
        )
    return found
