from __future__ import annotations

import importlib
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import hushwood as hw
from hushwood.frameworks.recipes import RECIPES
from people_files import SEED, write_people


@pytest.fixture
def people_csv(tmp_path: Path) -> Path:
    return write_people(tmp_path)


def test_public_names() -> None:
    assert set(dir(hw)) == set(hw.__all__)
    assert hw.techniques() == tuple(RECIPES)
    assert importlib.import_module("hushwood.techniques.registry").TECHNIQUES
    assert issubclass(hw.HushwoodError, Exception)
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        hw.no_such_name  # noqa: B018


def test_a_table_from_a_file(people_csv: Path) -> None:
    table = hw.read_table(people_csv, target="ill")
    done = hw.release(table, technique="forest-framework", noise=1 / 3, seed=None, evidence="none")
    assert isinstance(done.frame, pl.DataFrame)
    assert done.certificate["kept"] == done.certificate["records"] == 120
    assert done.manifest["technique"] == "forest-framework"
    assert len(done.forest.trees) == 3


def test_the_same_seed_in_every_dress(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv)
    first = hw.release(people_csv, target="ill", seed=SEED, evidence="none").frame
    assert hw.release(str(people_csv), target="ill", seed=SEED, evidence="none").frame.equals(first)
    for threads, chunk_rows in ((1, 1), (2, 7), (2, 120)):
        done = hw.release(
            frame,
            target="ill",
            seed=bytes.fromhex(SEED),
            evidence="none",
            threads=threads,
            chunk_rows=chunk_rows,
        )
        assert done.frame.equals(first)


def test_pandas_comes_back_as_pandas(people_csv: Path) -> None:
    frame = pd.read_csv(people_csv).astype({"group": "category", "age": "int16"})
    frame.index = pd.Index(range(500, 620), name="row")
    frame.loc[505, "score"] = None
    done = hw.release(frame, target="ill", evidence="none").frame
    assert isinstance(done, pd.DataFrame)
    assert done.dtypes.equals(frame.dtypes)
    assert done.index.tolist() == list(range(120))
    assert done["score"].isna().sum() == 1


def test_polars_and_arrow_come_back_as_they_are(people_csv: Path) -> None:
    frame = pl.read_csv(people_csv).with_columns(pl.col("group").cast(pl.Enum(["z", "y", "x"])))
    eager = hw.release(frame, target="ill", evidence="none").frame
    assert eager.schema == frame.schema
    lazy = hw.release(frame.lazy(), target="ill", evidence="none").frame
    assert isinstance(lazy, pl.LazyFrame)
    arrow = pa.table({"age": pa.array([1, 2, 3] * 20, pa.int8()), "ill": ["no", "yes", "no"] * 20})
    done = hw.release(arrow, target="ill", evidence="none").frame
    assert isinstance(done, pa.Table)
    assert done.schema == arrow.schema


def test_output_roles_and_bins(people_csv: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(people_csv).with_columns(pay=pl.int_range(120) * 7 % 120, name=pl.int_range(120))
    done = hw.release(
        frame,
        target="pay",
        class_bins=3,
        roles={"name": "identifier"},
        output=str(tmp_path / "out"),
        evidence="none",
        shuffle_rows=True,
        trees=2,
    )
    assert done.folder == tmp_path / "out"
    assert "name" not in done.frame.columns
    assert done.frame["pay"].sort().to_list() == list(range(120))
    assert pl.read_parquet(tmp_path / "out" / "share" / "released.parquet").equals(done.frame)
    halves = hw.release(frame, target="pay", class_threshold=60, evidence="none")
    assert halves.forest.classes == ("<= 60", "> 60")
    again = hw.release(
        frame, target="pay", class_bins=3, forest=tmp_path / "out/private/forest.json", evidence="none"
    )
    assert len(again.forest.trees) == 2


def test_misspelt_words_are_refused(people_csv: Path) -> None:
    with pytest.raises(hw.HushwoodError, match="Did you mean 'boundary'"):
        hw.release(people_csv, target="ill", boundaryx="wrap")
    with pytest.raises(hw.HushwoodError, match="Did you mean 'age'"):
        hw.release(people_csv, target="ill", roles={"agee": "identifier"})
    with pytest.raises(hw.HushwoodError, match="No class column"):
        hw.release(people_csv)
    with pytest.raises(hw.HushwoodError, match="not a table"):
        hw.release([1, 2, 3], target="ill")
