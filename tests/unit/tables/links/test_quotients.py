"""Quotients are found where they hold in every record, with their power and unit, and nowhere else."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import schema_to_toml
from hushwood.tables.links.arithmetic import quotients
from hushwood.tables.links.counting import violations
from hushwood.tables.links.finding import search_links
from hushwood.tables.links.links import Quotient, link_from_plain, link_to_plain, says
from hushwood.tables.links.scan import Scan
from hushwood.tables.reading import read
from oracles.links import broken
from support.real_data import data_folder

BMI = Quotient("bmi", "weight", "height", 2, 4)


def people(count: int = 400, seed: int = 1) -> pl.DataFrame:
    draw = np.random.default_rng(seed)
    height = np.round(draw.normal(172, 9, count))
    weight = np.round(draw.normal(75, 12, count), 1)
    frame = pl.DataFrame(
        {
            "age": draw.integers(18, 90, count),
            "height": height,
            "weight": weight,
            "bmi": np.round(weight / (height / 100) ** 2, 1),
            "ill": draw.choice(["yes", "no"], count),
        }
    )
    gone = pl.Series(draw.random(count) < 0.1)
    return frame.with_columns(pl.when(~gone).then("weight").alias("weight"))


def test_a_body_mass_index_is_found_in_any_unit() -> None:
    frame = people()
    assert search_links(read(frame, target="ill").table).links == (BMI,)
    metres = frame.with_columns(pl.col("height") / 100)
    assert search_links(read(metres, target="ill").table).links == (Quotient("bmi", "weight", "height", 2),)
    assert says(BMI) == "bmi = weight / height² × 10^4"
    price = frame.select("age", "weight", (pl.col("weight") / pl.col("age")).round(2).alias("rate"))
    assert Quotient("rate", "weight", "age") in search_links(read(price).table).links


def test_what_holds_in_all_records_but_one_is_not_found() -> None:
    frame = people().with_columns(bmi=pl.when(pl.int_range(pl.len()) == 7).then(60.0).otherwise("bmi"))
    assert search_links(read(frame, target="ill").table).links == ()


@pytest.mark.parametrize("name", ["abalone", "adult", "boston", "bupa", "cmc", "crx", "iris", "wbc", "wine"])
def test_there_is_none_in_the_tables_of_the_papers(name: str) -> None:
    folder = data_folder()
    file = tomllib.loads((folder / "tables.toml").read_text("utf-8"))[name]["file"]
    table = read(folder / file).table
    assert quotients(Scan.of(table)).found == ()


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-framework", "cart-synthesis"])
def test_a_release_keeps_it(technique: str) -> None:
    frame = people()
    done = hw.release(frame, target="ill", technique=technique, evidence="none", seed="5b" * 32)
    (link,) = done.certificate["links"]
    assert link["kind"] == "quotient"
    assert link["kept"]
    assert link["broken_after"] == broken(BMI, done.frame.to_dicts(), step=0.1) == 0
    apart = hw.release(
        frame, target="ill", technique=technique, evidence="none", links="none", seed="5c" * 32
    )
    assert broken(BMI, apart.frame.to_dicts(), step=0.1) > 100


def test_breaks_are_counted_as_one_by_one() -> None:
    frame = people(60).with_columns(
        bmi=pl.col("bmi").shuffle(3), height=pl.when(pl.col("age") > 80).then(0.0).otherwise("height")
    )
    table = read(frame, target="ill").table
    assert violations([BMI], table) == {BMI: broken(BMI, frame.to_dicts(), step=0.1)}


def test_it_is_declared_and_turned_off_in_a_schema_file(tmp_path: Path) -> None:
    frame = people()
    schema = read(frame, target="ill").table.schema
    path = tmp_path / "people.toml"
    path.write_text(schema_to_toml(schema), "utf-8")
    assert link_from_plain(link_to_plain(BMI), "here") == BMI
    path.write_text(
        path.read_text("utf-8")
        + '\n[[link]]\nkind = "quotient"\nresult = "bmi"\nof = "weight"\nby = "height"\nkeep = false\n',
        "utf-8",
    )
    with pytest.warns(hw.HushwoodWarning):
        done = hw.release(frame, schema=path, evidence="none", seed="5d" * 32)
    assert "links" not in done.certificate
    for wrong in ({"power": 3}, {"shift": "4"}, {"power": True}):
        with pytest.raises(InputError, match="Use a whole number from"):
            link_from_plain({**link_to_plain(BMI), **wrong}, "here")
