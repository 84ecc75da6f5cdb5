"""People drawn with replacement: by a loop over people, whole with all their rows, the same on disk as in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from hushwood.random_streams import Streams
from hushwood.tables import resampling
from hushwood.tables.persons.units import outermost, units_of
from hushwood.tables.reading import read
from hushwood.tables.resampling import (
    COPIES,
    copied_rows,
    drawn_on_disk,
    people_behind,
    resampled,
    times_drawn,
)
from hushwood.tables.table import Table
from oracles import drawn_counts as oracle
from support.long_releases import differing, examples
from support.mixed_tables import mixed_table
from support.visits import table_of_visits, visits

STREAMS = Streams(bytes(range(32)))


def chances(people: int) -> list[float]:
    return list(map(float, STREAMS.uniform("people drawn", "", 0, range(people))))


@pytest.mark.parametrize("people", [1, 2, 7, 260])
def test_people_are_those_of_the_oracle(people: int) -> None:
    table = mixed_table(3, people)
    found, ids = resampled(table, STREAMS)
    wanted = oracle.drawn_rows(chances(people), range(people), COPIES)
    assert ids.tolist() == [number for _, number in wanted]
    assert people_behind(ids).tolist() == [row for row, _ in wanted]
    assert found.rows == people
    assert differing(found, table.take(np.array([row for row, _ in wanted]))) == []


@given(st.lists(st.integers(0, 4), max_size=30), st.integers(0, 1000))
def test_numbers_ascend_and_tell_whose_copy_a_row_is(times: list[int], first: int) -> None:
    places, ids = copied_rows(np.array(times, np.uint8), first)
    assert (np.diff(ids) > 0).all()
    assert (people_behind(ids) == places + first).all()
    assert np.bincount(places, minlength=len(times)).tolist() == times
    # A block of the table gives what the whole table gives there.
    cut = len(times) // 2
    parts = (
        copied_rows(np.array(times[:cut], np.uint8), first),
        copied_rows(np.array(times[cut:], np.uint8), first + cut),
    )
    assert np.concatenate([numbers for _, numbers in parts]).tolist() == ids.tolist()


def test_every_person_is_as_likely_as_another() -> None:
    """Over 400 keys, 50 people: counts of draws, and the share of people who are not drawn."""
    times = np.array([times_drawn(50, Streams(key.to_bytes(32, "big"))) for key in range(400)])
    assert (times.sum(axis=1) == 50).all()
    assert chisquare(times.sum(axis=0)).pvalue > 0.001
    missing = 0.98**50
    assert (times == 0).mean() == pytest.approx(missing, abs=4 * np.sqrt(missing * (1 - missing) / 20_000))


def test_people_are_drawn_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = times_drawn(1000, STREAMS).tolist()
    monkeypatch.setattr(resampling, "_AT_ONCE", 37)
    assert times_drawn(1000, STREAMS).tolist() == wanted


def rows_of_people(table: Table, column: str) -> dict[str, list[tuple[object, ...]]]:
    """The rows of every person, without the person's name."""
    frame = pl.DataFrame(dict(table.columns)).fill_nan(None)
    found: dict[str, list[tuple[object, ...]]] = {}
    for name, row in zip(table.carried[column].to_list(), frame.rows(), strict=True):
        found.setdefault(name, []).append(row)
    return found


def test_persons_stay_whole_and_every_copy_is_a_person_of_its_own() -> None:
    table = table_of_visits()
    units = outermost(table)
    assert units is not None
    found, ids = resampled(table, STREAMS)
    wanted = oracle.drawn_rows(chances(units.count), units.of_row.tolist(), COPIES)
    assert ids.tolist() == [number for _, number in wanted]
    drawn = outermost(found)
    assert drawn is not None
    assert drawn.count == units.count, "as many people as there were"
    before, after = rows_of_people(table, "patient"), rows_of_people(found, "patient")
    names = list(before)
    behind = dict(zip(found.carried["patient"].to_list(), people_behind(ids).tolist(), strict=True))
    of_whom = {name: names[units.of_row[row]] for name, row in behind.items()}
    assert {name: before[of_whom[name]] for name in after} == after
    assert set(found.carried["patient"]).isdisjoint(table.carried["patient"]), "names are not handed on"


def test_a_household_takes_its_persons_along() -> None:
    frame = visits(60).with_columns(
        home=pl.col("patient").str.slice(1).cast(pl.Int64) // 3,
        rent=pl.col("patient").str.slice(1).cast(pl.Int64) // 3 * 10,
    )
    table = read(frame, target="ill", roles={"patient": "person", "home": "household"}).table
    found, ids = resampled(table, STREAMS)
    homes, people = units_of(found.carried["home"]), units_of(found.carried["patient"])
    units = outermost(table)
    assert units is not None
    assert homes.count == units.count == 20
    wanted = oracle.drawn_rows(chances(20), units.of_row.tolist(), COPIES)
    assert ids.tolist() == [number for _, number in wanted]
    assert (np.unique(homes.of_row[people.first][people.of_row] == homes.of_row)).tolist() == [True]
    size = {rent: len(rows["patient"].unique()) for (rent,), rows in frame.group_by("rent")}
    drawn = pl.DataFrame({"home": homes.of_row, "patient": people.of_row, "rent": found.columns["rent"]})
    for (_, rent), rows in drawn.group_by("home", "rent"):
        assert rows["patient"].n_unique() == size[rent]


def test_a_row_without_a_person_stays_a_person_of_its_own() -> None:
    frame = visits(30).with_columns(patient=pl.when(pl.int_range(pl.len()) % 9 > 0).then(pl.col("patient")))
    table = table_of_visits(frame)
    units = outermost(table)
    assert units is not None
    found, _ = resampled(table, STREAMS)
    drawn = outermost(found)
    assert drawn is not None
    assert drawn.count == units.count
    alone = found.carried["patient"].is_null().to_numpy()
    assert alone.any()
    assert (drawn.rows[drawn.of_row[alone]] == 1).all()


@pytest.mark.parametrize("size", [1, 37, 1000])
def test_a_table_on_disk_is_drawn_as_one_in_memory(size: int, tmp_path: Path) -> None:
    given = examples(tmp_path)["mixed"]
    table, ids = resampled(given.table, STREAMS)
    drawn = drawn_on_disk(given.long, STREAMS, tmp_path, size)
    assert drawn.rows == table.rows
    assert drawn.keyed is not None
    assert drawn.keyed.ids_at(0, drawn.rows).tolist() == ids.tolist()
    read_back = drawn.records(0, drawn.rows)
    assert differing(read_back, table) == []
    assert read_back.carried["note"].to_list() == table.carried["note"].to_list()


def test_another_key_draws_other_people() -> None:
    one, other = (times_drawn(100, Streams(bytes([key] * 32))) for key in (1, 2))
    assert (one != other).mean() > 0.3
