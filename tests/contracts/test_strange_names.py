"""Columns may be called anything: every reader and writer takes the name as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.jobs.audited_release import holdout_notes
from hushwood.random_streams import Streams
from hushwood.reports.charts.altair_charts import vega_script
from hushwood.sklearn import Anonymizer, C45Classifier
from hushwood.tables.formats.schema_file import read_schema_file, write_schema_file
from hushwood.tables.pairs.pairing import pair_up
from hushwood.tables.reading import read
from support.release_parts import files_in

PATTERNS = ("*", "^a.*$", "^.*$")
OTHERS = (
    "a|b",
    "a\nb",
    'a"b',
    "a'b",
    "[bold]",
    "\x1b[31m",
    "\u202eevil",
    "<b>",
    "$.x",
    "=1+1",
    "len",
    "records",
)
NASTY = "<b>\u202e\u2066[bold]\u200b\x9b1m\u200f"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
KINDS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "csv": lambda frame, folder: _written(frame.write_csv, folder / "in.csv"),
    "parquet": lambda frame, folder: _written(frame.write_parquet, folder / "in.parquet"),
    "arrow": lambda frame, folder: _written(frame.write_ipc, folder / "in.arrow"),
    "pandas": lambda frame, folder: frame.to_pandas(),
    "polars": lambda frame, folder: frame,
    "lazy": lambda frame, folder: frame.lazy(),
    "pyarrow": lambda frame, folder: frame.to_arrow(),
}


def _written(write: Callable[[Path], Any], path: Path) -> Path:
    write(path)
    return path


def people(names: tuple[str, str, str, str]) -> pl.DataFrame:
    """Sixty people; the columns are an age with gaps, a date of birth, a town and the class."""
    row = np.arange(60)
    age = (20 + row * 7 % 40).astype(float)
    columns = (
        np.where(row % 11 == 0, np.nan, age),
        np.datetime64("1970-01-01") + row * 97 % 400,
        np.where(row % 3 == 0, "Oslo", "Bergen"),
        np.where(age > 35, "yes", "no"),
    )
    return pl.DataFrame(
        [pl.Series(values, nan_to_null=True).alias(name) for name, values in zip(names, columns, strict=True)]
    )


def names_with(name: str, place: int) -> tuple[str, str, str, str]:
    """Names of the four columns, one of them given; patterns would take in others too."""
    plain = ["a", "ab", "abc", "ill"]
    plain[place] = name
    return plain[0], plain[1], plain[2], plain[3]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PATTERNS[:2])
def test_every_kind_of_table_is_released_and_read_back(name: str, kind: str, tmp_path: Path) -> None:
    place = list(KINDS).index(kind) % 4
    names = names_with(name, place)
    source = KINDS[kind](people(names), tmp_path)
    out, target = tmp_path / "out", names[3]
    done = hw.release(
        source, target=target, roles={names[1]: "ignored"}, redraw=0, output=out, evidence="none"
    )
    frame = done.frame.collect() if kind == "lazy" else done.frame
    assert tuple(getattr(frame, "column_names", frame.columns)) == names
    if isinstance(source, Path):
        assert hw.verify(out, source).holds
    found = hw.audit(source, out, target=target, only=["unchanged_cells"], evidence="quick")
    assert 0 < found["unchanged_cells"].value < 1
    assert found.to_html()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PATTERNS[:2])
def test_every_kind_of_table_is_published_with_its_tree(name: str, kind: str, tmp_path: Path) -> None:
    place = (list(KINDS).index(kind) + 1) % 4
    names = names_with(name, place)
    frame = people(names)[:, ::-1].fill_null(30)
    source, out = KINDS[kind](frame, tmp_path), tmp_path / "out"
    done = hw.publish_tree(source, target=names[3], sensitive=names[2], k=2, output=out)
    assert hw.verify_tree(done.frame, done.forest)
    assert hw.verify_tree(out, out / "share" / "tree.json")
    assert next((out / "share").glob("released.*")).exists()


@pytest.mark.parametrize("name", (*PATTERNS, *OTHERS))
def test_any_name_goes_through_the_reports_and_the_schema_file(name: str, tmp_path: Path) -> None:
    names = names_with(name, 2)
    source = KINDS["csv"](people(names), tmp_path)
    out = tmp_path / "out"
    done = hw.release(source, target="ill", output=out, evidence="none")
    assert done.frame.columns == list(names)
    assert hw.read_table(files_in(out) / "released.csv").schema.names == names
    schema = read(source, target="ill").table.schema
    write_schema_file(schema, tmp_path / "schema.toml")
    assert list(read_schema_file(tmp_path / "schema.toml")) == list(names)


def test_reports_show_what_hides_and_what_turns_around(tmp_path: Path) -> None:
    names = names_with(NASTY, 2)
    frame = people(names).with_columns(pl.Series("note", [NASTY, "plain"] * 30))
    source = KINDS["parquet"](frame, tmp_path)
    hw.release(source, target="ill", output=tmp_path / "out")
    tree = tmp_path / "tree"
    hw.publish_tree(source, target="ill", k=2, missing_numbers="suppress", output=tree)
    pages = [*(tmp_path / "out").rglob("report.html"), *tree.rglob("report.html")]
    assert len(pages) == 3
    for page in pages:
        text = page.read_text(encoding="utf-8").replace(vega_script(), "")
        assert not HIDDEN.search(text)
        assert r"\u202e" in text
        charts = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)
        assert not any(HIDDEN.search(json.dumps(json.loads(chart), ensure_ascii=False)) for chart in charts)


@pytest.mark.parametrize("name", PATTERNS)
def test_whatever_else_works_on_columns_by_name(name: str) -> None:
    names = names_with(name, 0)
    frame = people(names)
    features, classes = frame[list(names[:3])], frame["ill"].to_numpy()
    released, _ = Anonymizer(seed="1" * 64).fit_resample(features, classes)
    assert released.columns == list(names[:3])
    assert C45Classifier().fit(features, classes).predict(features).shape == (60,)
    table = read(frame, target="ill").table
    pair = pair_up(table, frame, Streams(bytes(32)), match="rows", holdout=frame[:20])
    assert "20 of 20 different held-out records" in next(iter(holdout_notes(pair)))
