"""The public tables, and the trees the original programs grew on them, for the tests that need them.

They are found through the environment variable HUSHWOOD_DATA (the folder with `tables.toml`); the trees are
in `expected` beside it. Without the variable a test is skipped; with it and CI=true, a missing file fails.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Array, Codes
from hushwood.tables.schema import Attribute

Loaded = tuple[tuple[Attribute, ...], list[Array], Codes, tuple[str, ...]]


def data_folder() -> Path:
    """The folder of the tables, or skip the test that asks."""
    named = os.environ.get("HUSHWOOD_DATA")
    if not named:
        pytest.skip("HUSHWOOD_DATA does not name the folder of the public tables")
    return existing(Path(named))


def expected_folder() -> Path:
    """The folder of the trees that the original programs grew."""
    return existing(data_folder().resolve().parent / "expected")


def existing(path: Path) -> Path:
    """The path itself; without it the test is skipped, under CI it fails."""
    if not path.exists():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{path} is missing although HUSHWOOD_DATA is set")
        pytest.skip(f"{path} is missing")
    return path


def expected_forest(program: str, name: str) -> dict[str, Any]:
    """A `forest.json` of one of the original programs."""
    packed = existing(expected_folder() / program / f"{name}.json.gz").read_bytes()
    forest: dict[str, Any] = json.loads(gzip.decompress(packed))
    return forest


def load(name: str, complete: bool = False) -> Loaded:
    """Attributes, columns, class codes and classes of a table, identifiers left out.

    With `complete`, only the records without any missing value.
    """
    folder = data_folder()
    described = tomllib.loads(existing(folder / "tables.toml").read_text(encoding="utf-8"))[name]
    with existing(folder / described["file"]).open(encoding="utf-8", newline="") as file:
        records = list(csv.DictReader(file))
    wanted = [key for key in records[0] if key in {*described["numeric"], *described["categorical"]}]
    classes = in_order([r[described["class"]] for r in records])
    categories = {key: in_order([r[key] for r in records]) for key in described["categorical"]}
    if complete:
        records = [r for r in records if all(r[key] for key in wanted)]
    attributes, columns = [], []
    for key in wanted:
        texts = [r[key] for r in records]
        if key in categories:
            attributes.append(Attribute(key, "categorical", storage="String", categories=categories[key]))
            columns.append(codes(texts, categories[key]))
        else:
            numbers = np.array([float(text) if text else np.nan for text in texts])
            low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
            attributes.append(Attribute(key, "numeric", low=low, high=high))
            columns.append(numbers)
    return tuple(attributes), columns, codes([r[described["class"]] for r in records], classes), classes


def in_order(texts: Sequence[str]) -> tuple[str, ...]:
    """The distinct values: in numeric order if all are numbers, else by code points."""
    values = {text for text in texts if text}
    if all(value.replace(".", "", 1).isdigit() for value in values):
        return tuple(sorted(values, key=float))
    return tuple(sorted(values))


def codes(texts: Sequence[str], values: Sequence[str]) -> Codes:
    """Positions among the values, -1 where missing."""
    place = {value: i for i, value in enumerate(values)}
    return np.array([place.get(text, -1) for text in texts], dtype=np.int32)
