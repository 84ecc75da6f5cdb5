from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.perturb_persons import overlapping
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


def test_rows_that_overlap_are_counted_as_by_hand() -> None:
    draw = np.random.default_rng(2)
    units = draw.integers(0, 20, 200)
    start = draw.integers(0, 60, 200).astype(float)
    end = start + draw.integers(0, 5, 200)
    start[::17], end[::23] = np.nan, np.nan
    found = 0
    for unit in range(20):
        stays = sorted(
            (s, e) for s, e, u in zip(start, end, units, strict=True) if u == unit and s + e == s + e
        )
        found += sum(s < max(e for _, e in stays[:place]) for place, (s, _) in enumerate(stays) if place)
    assert found > 20
    assert overlapping(start, end, units) == found
    assert overlapping(start[:0], end[:0], units[:0]) == 0


def test_stays_that_overlap_and_stays_after_death_are_counted() -> None:
    frame = stays_in_turn()
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(frame, target="back", person="patient", evidence="none", seed="7a" * 32)
    out = done.frame
    late = out.filter(pl.col("discharged") > pl.col("died")).height
    turn = out.sort("patient", "admitted", "discharged").with_columns(
        last=pl.col("discharged").cum_max().shift().over("patient")
    )
    overlap = turn.filter(pl.col("admitted") < pl.col("last")).height
    assert overlap
    assert any(
        one.startswith(f"{overlap} rows begin (admitted)") and "in the original 0 do" in one
        for one in done.warnings
    )
    links = {tuple(link["columns"]): link for link in done.certificate["links"]}
    assert links["admitted", "discharged"]["kept"]
    assert links["admitted", "discharged"]["broken_after"] == 0
    assert not links["discharged", "died"]["kept"]
    assert links["discharged", "died"]["newly_broken"] == late > 0


def stays_in_turn() -> pl.DataFrame:
    """One to five stays of each patient, one after the other, and the death of some."""
    draw = np.random.default_rng(1)
    counts = draw.integers(1, 6, 200)
    patient = np.repeat(np.arange(200), counts)
    begin = np.concatenate([np.sort(draw.choice(70, n, replace=False)) * 10 for n in counts])
    end = begin + draw.integers(0, 10, len(begin))
    died = np.array([end[patient == one].max() + draw.integers(0, 30) for one in range(200)])
    gone = draw.random(200) < 0.4
    first = date(2020, 1, 1)
    return pl.DataFrame(
        {
            "patient": patient,
            "age": draw.integers(18, 90, 200)[patient],
            "admitted": [first + timedelta(int(day)) for day in begin],
            "discharged": [first + timedelta(int(day)) for day in end],
            "died": [first + timedelta(int(died[one])) if gone[one] else None for one in patient],
            "back": draw.choice(["yes", "no"], len(patient)),
        }
    )


def test_persons_that_stay_as_they_are_are_counted() -> None:
    assert "are released unchanged in every row and column" in said(visits().select("patient", "sex", "ill"))
