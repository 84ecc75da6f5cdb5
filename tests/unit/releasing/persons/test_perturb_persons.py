from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.allowed_recipes import check_rows_together
from hushwood.releasing.persons.perturb_persons import made_again, overlapping
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.planning import techniques_of
from hushwood.tables.frames.table_frames import released_frame
from hushwood.tables.links.links import Order
from hushwood.tables.schema import Schema
from hushwood.trees.forest import Forest
from oracles.persons import constant, counts_by_unit, rows_of, split_units
from support.visits import CONSTANT, PERSON, STREAMS, table_of_visits, visits

SHUFFLE, NOISE = "segment-shuffle", "forest-framework"


def released(
    frame: pl.DataFrame, technique: str = SHUFFLE, redraw: float | None = None, **more: Any
) -> tuple[Perturbed, pl.DataFrame]:
    options = PerturbOptions(technique, redraw=redraw, threads=1)
    done = perturb(table_of_visits(frame, **more), options, STREAMS)
    return done, released_frame(done.table)


@pytest.mark.parametrize("technique", [SHUFFLE, NOISE, "framework", "extended-framework", "rpt", "gadp"])
def test_rows_of_a_person_stay_together(technique: str) -> None:
    frame = visits()
    done, after = released(frame, technique)
    people, new = rows_of(frame["patient"].to_list()), rows_of(after["patient"].to_list())
    assert sorted(set(after["patient"].to_list()), key=int) == [str(n + 1) for n in range(len(people))]
    segments = done.segments.ids.tolist()
    assert split_units(people, segments) == split_units(new, segments) == 0
    for name in CONSTANT:
        assert constant(after[name].to_list(), new)
    assert not set(after["patient"]) & set(frame["patient"])


def test_a_segment_keeps_the_counts_of_its_persons() -> None:
    frame = visits()
    done, after = released(frame, redraw=0)
    segments = done.segments.ids.tolist()
    people, new = rows_of(frame["patient"].to_list()), rows_of(after["patient"].to_list())
    for name in ("sex", "ill"):
        before, now = frame[name].to_list(), after[name].to_list()
        assert counts_by_unit(before, people, segments) == counts_by_unit(now, new, segments)


def test_segments_have_k_persons_not_k_rows() -> None:
    frame = visits(200)
    done = perturb(table_of_visits(frame), PerturbOptions(k=40), STREAMS)
    units = done.units
    assert units is not None
    assert done.segments.count > 1
    assert np.bincount(done.segments.ids[units.original.first]).min() >= 40


@pytest.mark.parametrize("technique", [SHUFFLE, NOISE])
def test_a_person_column_of_different_values_changes_nothing(technique: str) -> None:
    frame = visits().with_row_index("visit").with_columns(pl.col("visit").cast(pl.String))
    alone, plain = (
        perturb(table_of_visits(frame.drop("patient"), {"visit": role}), PerturbOptions(technique), STREAMS)
        for role in ("person", "identifier")
    )
    for name, values in plain.table.columns.items():
        np.testing.assert_array_equal(alone.table.columns[name], values)


def test_a_row_without_a_person_is_a_person() -> None:
    frame = visits().with_columns(patient=pl.when(pl.int_range(pl.len()) % 7 > 0).then("patient"))
    after = released(frame)[1]
    assert after["patient"].null_count() == 0
    assert after["patient"].n_unique() == len(rows_of(frame["patient"].to_list()))


def test_households_hold_persons_together() -> None:
    frame = visits().with_columns(home=pl.col("patient").str.slice(1).cast(pl.Int64) // 3)
    roles = {"patient": "person", "home": "household"}
    done, after = released(frame, roles=roles)
    homes = rows_of(after["home"].to_list())
    assert split_units(rows_of(after["patient"].to_list()), after["home"].to_list()) == 0
    assert after["home"].n_unique() == frame["home"].n_unique()
    assert after["patient"].n_unique() == frame["patient"].n_unique()
    assert split_units(homes, done.segments.ids.tolist()) == 0
    for name in CONSTANT:
        assert constant(after[name].to_list(), rows_of(after["patient"].to_list()))


def test_a_class_that_varies_is_handed_out_to_rows() -> None:
    frame = visits()
    done, after = released(frame, redraw=0, target="ward")
    assert done.forest.predicts[0].name == "ward"
    assert sorted(after["ward"]) == sorted(frame["ward"])


def test_rows_identified_by_a_key_get_the_same_values_in_any_order() -> None:
    table = table_of_visits()
    options = PerturbOptions(NOISE)
    ids = np.arange(table.rows) * 2 + 5
    once, again = (perturb(table, options, STREAMS, row_ids=ids) for _ in range(2))
    other = perturb(table, options, STREAMS, row_ids=ids + 1)
    assert once.table.columns["age"].tolist() == pytest.approx(
        again.table.columns["age"].tolist(), nan_ok=True
    )
    assert not np.array_equal(once.table.columns["pressure"], other.table.columns["pressure"], equal_nan=True)


def test_a_forest_must_not_split_persons() -> None:
    frame = visits()
    rowwise = table_of_visits(frame.drop("age"), {"patient": "identifier"})
    by_rows = perturb(rowwise, PerturbOptions("framework"), STREAMS).forest
    with pytest.raises(InputError, match="tests 'pressure', which differs between rows of one 'patient'"):
        perturb(table_of_visits(frame), PerturbOptions("framework"), STREAMS, by_rows)
    own = perturb(table_of_visits(frame), PerturbOptions("framework"), STREAMS)
    again = perturb(table_of_visits(frame), PerturbOptions("framework"), STREAMS, own.forest)
    np.testing.assert_array_equal(again.table.columns["age"], own.table.columns["age"])


def test_links_hold_between_columns_of_one_level() -> None:
    frame = visits().with_columns(
        later=pl.col("pressure") + pl.col("ward").cast(pl.Categorical).to_physical()
    )
    table = table_of_visits(frame)
    linked = Schema(
        table.schema.attributes, table.schema.main, (Order(("pressure", "later")), Order(("age", "pressure")))
    )
    for technique in (SHUFFLE, NOISE):
        done = perturb(
            type(table)(linked, table.columns, table.carried, table.rows), PerturbOptions(technique), STREAMS
        )
        after = released_frame(done.table)
        assert after.filter(pl.col("pressure") > pl.col("later")).is_empty()
        assert any("link between age, pressure cannot be kept" in sentence for sentence in done.warnings)


def test_how_a_release_was_made_is_known_without_the_key() -> None:
    table = table_of_visits()
    done = perturb(table, PerturbOptions(), STREAMS)
    forest: Forest = done.forest
    again = made_again(table, done.table, done.options, forest)
    assert again.plan.promises(table.schema) == done.plan.promises(table.schema)
    assert again.segments.ids.tolist() == done.segments.ids.tolist()
    assert not again.laws_hold


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


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (PerturbOptions(technique="cart-synthesis"), "makes up one record after the other"),
        (PerturbOptions(technique="mondrian"), "treats rows, not persons"),
        (PerturbOptions(technique="mdav"), "treats rows, not persons"),
        (PerturbOptions(suppress=("age >= 80",)), "blanks single rows"),
    ],
    ids=["synthesis", "mondrian", "mdav", "suppress"],
)
def test_what_works_on_rows_is_refused(options: PerturbOptions, says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_rows_together(options, techniques_of(options))
