"""`hushwood release` with techniques that generalise: new labels go through files, certificate, evidence and audit."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from support.command_line import Command, refused
from support.people_files import people
from support.release_parts import files_in

INPUTS = ["age", "born", "smoker", "score", "group", "job"]


def odd_people() -> pl.DataFrame:
    """Numbers with gaps, dates, booleans with gaps, a category with a comma, a job and the class."""
    rows = people(200)
    return pl.DataFrame(
        {
            "age": [None if i % 11 == 0 else int(row[0]) for i, row in enumerate(rows)],
            "born": [date(2020, 1, 1) - timedelta(days=365 * int(row[0]) + i) for i, row in enumerate(rows)],
            "smoker": [None if i % 13 == 0 else i % 3 == 0 for i in range(200)],
            "score": [float(row[1]) for row in rows],
            "group": [{"x": "x, y", "y": "y", "z": "z"}[row[2]] for row in rows],
            "job": [f"job {i % 7}" for i in range(200)],
            "ill": [row[3] for row in rows],
        }
    )


def smallest_group(frame: pl.DataFrame, names: list[str]) -> int:
    return min(Counter(frame.select(names).iter_rows()).values())


@pytest.mark.parametrize(
    ("technique", "ending", "evidence"),
    [
        ("mondrian", "csv", "quick"),
        ("mondrian", "parquet", "full"),
        ("tds", "parquet", "quick"),
    ],
)
def test_release_audit_and_verify(hushwood: Command, technique: str, ending: str, evidence: str) -> None:
    table = odd_people()
    name = f"people.{ending}"
    table.write_csv(name) if ending == "csv" else table.write_parquet(name)
    told = ["--class", "ill"]
    done = hushwood(
        *("release", name, *told, "--technique", technique, "--set", f"{technique}.k=8", "-o", "out"),
        *("--evidence", evidence, "--keep", "born=invented"),
    )
    assert done.code == 1, done.err
    assert "copied without any change: ill" in done.out
    path = files_in("out") / f"released.{ending}"
    out = pl.read_csv(path, try_parse_dates=True) if ending == "csv" else pl.read_parquet(path)
    assert out.columns == table.columns
    assert out.schema["born"] == pl.Date
    assert out["age"].dtype == pl.Int64
    assert smallest_group(out, INPUTS) >= 8
    assert out["ill"].to_list() == table["ill"].to_list()
    evaluation = json.loads(Path("out/private/evaluation.json").read_text("utf-8"))
    measures = {entry["name"]: entry for entry in evaluation["measures"]}
    assert measures["generalisation_loss"]["value"] > 0
    assert measures["reidentification_entropy"]["details"]["likelihood"] == "laws"
    assert measures["reidentification_entropy"]["value"] >= 3  # bits: one of eight
    assert hushwood("verify", "out", name).code == 0
    audited = hushwood(
        *("audit", name, "out", *told, "--only", "reidentification_entropy", "--json", "audit.json"),
    )
    assert audited.code == 0, audited.err
    again = json.loads(Path("audit.json").read_text("utf-8"))
    assert again["measures"][0]["value"] == pytest.approx(measures["reidentification_entropy"]["value"])


@pytest.mark.parametrize("technique", ["mondrian", "tds"])
def test_a_pandas_frame(technique: str) -> None:
    table = odd_people()
    how: Any = {"technique": technique, "keep": {"born": "invented"}, "evidence": "none"}
    made: Any = hw.release(table.to_pandas(), target="ill", **how)
    assert type(made.frame) is type(table.to_pandas())
    back = pl.from_pandas(made.frame[["score", "group"]])
    assert smallest_group(back, ["score", "group"]) >= 5
    assert made.certificate["claimed"] is False


def test_sets_are_named_and_read(hushwood: Command) -> None:
    odd_people().write_csv("people.csv")
    done = hushwood(
        *("release", "people.csv", "--class", "ill", "--technique", "mondrian", "-o", "out"),
        *("--set", "mondrian.max_parts=3", "--evidence", "none", "--quasi-identifier", "group"),
        *("--quasi-identifier", "smoker", "--keep", "born=invented"),
    )
    assert done.code == 1, done.err
    out = pl.read_csv(files_in("out") / "released.csv")
    labels = set(out["group"].unique()) - {"x, y", "y", "z"}
    assert labels <= {"ALL", "{x, y; y}", "{x, y; z}", "{y, z}"}
    assert labels
    audited = hushwood(
        "audit", "people.csv", "out", "--class", "ill", "--only", "generalisation_loss", "--json", "a"
    )
    assert audited.code == 0, audited.err
    found = json.loads(Path("a").read_text("utf-8"))["measures"][0]
    columns = {column["name"]: column for column in found["details"]["columns"]}
    assert columns["group"]["unknown"] == columns["smoker"]["unknown"] == 0
    assert columns["group"]["generalised"] == out["group"].is_in(list(labels)).sum()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mondrian", "--set", "mondrian.k=1"), "k of mondrian must be 2 or more"),
        (("mondrian", "--set", "mondrian.l=0.5"), "l of mondrian must be 1 or more"),
        (("mondrian", "--set", "mondrian.release=mode"), "Known: mean, median, range"),
        (("tds", "--set", "tds.score=best"), "Known: igpl, ratio"),
        (("tds", "--set", "tds.k=x"), "not a value of that parameter"),
    ],
)
def test_wrong_settings(hushwood: Command, people_csv: Path, words: tuple[str, ...], message: str) -> None:
    refused(hushwood("release", people_csv, "--class", "ill", "-o", "out", "--technique", *words), message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mondrian", "--set", "mondrian.k=500"), "k = 500 records cannot be made of 120"),
        (("mondrian", "--set", "mondrian.l=2"), "none is declared as confidential"),
        (("tds", "--set", "tds.k=121"), "k = 121 records cannot be made of 120"),
    ],
)
def test_what_the_table_cannot_give(
    hushwood: Command, people_csv: Path, words: tuple[str, ...], message: str
) -> None:
    done = hushwood("release", people_csv, "--class", "ill", "-o", "out", "-q", "--technique", *words)
    refused(done, message)
    assert not Path("out").exists()
