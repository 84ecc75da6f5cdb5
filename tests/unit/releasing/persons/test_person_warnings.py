from __future__ import annotations

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from support.visits import PERSON, STREAMS, table_of_visits, visits


def said(frame: pl.DataFrame, target: str | None = "ill", technique: str = "framework") -> str:
    return " ".join(
        perturb(table_of_visits(frame, PERSON, target), PerturbOptions(technique), STREAMS).warnings
    )


def test_numbers_of_rows_are_released_by_noise() -> None:
    assert "How many rows each 'patient' has is released as it is" in said(visits())
    assert "How many rows" not in said(visits(), technique="segment-shuffle")


def test_a_person_with_most_rows_is_named() -> None:
    frame = visits(40)
    many = frame.with_columns(
        patient=pl.Series(["P00000"] * (frame.height - 30) + list(frame["patient"][-30:]))
    )
    assert f"of the {frame.height:,} rows, so most of what the rows say" in said(many)


def test_without_a_constant_column_there_is_one_segment() -> None:
    frame = visits().select(
        "patient", "pressure", "ward", pl.Series("ill", ["y", "n"] * 1000).head(visits().height)
    )
    assert "No column is the same in all rows of every 'patient'" in said(frame)
    with pytest.raises(InputError, match="nothing to learn rules from"):
        said(frame, None)


def test_persons_that_stay_as_they_are_are_counted() -> None:
    assert "are released unchanged in every row and column" in said(visits().select("patient", "sex", "ill"))
