"""Tables that look odd and that `hushwood release` takes all the same."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from support.bad_requests import BODY
from support.command_line import Command, frame, refused, released
from support.people_files import HEADER, SEED, as_text, people
from support.release_parts import files_in


def test_two_records(hushwood: Command) -> None:
    Path("two.csv").write_text("age,group,ill\n30,x,yes\n50,y,no\n", "utf-8")
    given = ("release", "two.csv", "--class", "ill", "-o", "out", "-q")
    refused(hushwood(*given), "release more records together, or choose --technique forest-framework")
    assert not Path("out").exists()
    done = released(hushwood, "two.csv", "--technique", "forest-framework")
    assert "whole table is one segment" in done.err
    assert frame().height == 2


def test_twenty_records_are_one_segment(hushwood: Command) -> None:
    for count in (19, 20):
        Path(f"{count}.csv").write_text(as_text(people(count)), "utf-8")
    refused(hushwood("release", "19.csv", "--class", "ill", "-o", "out", "-q"), "the table has 19")
    done = released(hushwood, "20.csv", "--k", 15, "--redraw", 0)
    assert "whole table is one segment" in done.err
    assert frame()["group"].sort().to_list() == sorted(row[2] for row in people(20))


def test_constant_and_empty_columns(hushwood: Command) -> None:
    rows = [(*record, "5", "", "same") for record in people()]
    Path("odd.csv").write_text(as_text(rows, (*HEADER, "five", "void", "text")), "utf-8")
    done = released(hushwood, "odd.csv")
    assert "'void' is empty" in done.err
    out = frame()
    assert out["five"].unique().to_list() == [5]
    assert out["text"].unique().to_list() == ["same"]
    assert out["void"].null_count() == 120


def test_infinities_can_be_missing(hushwood: Command) -> None:
    Path("inf.csv").write_text(BODY + "40,inf,x,yes\n", "utf-8")
    released(hushwood, "inf.csv", "--infinite", "missing", "--redraw", 0)
    assert frame()["score"].null_count() == 1


def test_a_hundred_thousand_categories(hushwood: Command) -> None:
    age = 18 + np.arange(100_000) * 37 % 63
    table = pl.DataFrame(
        {
            "name": [f"n{i:06d}" for i in range(100_000)],
            "age": age,
            "ill": np.where(age > 50, "yes", "no"),
        }
    )
    table.write_csv("many.csv")
    released(hushwood, "many.csv", "-q", "--keep", "name=invented", "--redraw", 0)
    out = frame()
    assert out["name"].n_unique() == 100_000
    assert (out["name"] != table["name"]).mean() > 0.99  # type: ignore[operator]


def test_a_byte_order_mark_and_quoted_line_ends(hushwood: Command) -> None:
    Path("bom.csv").write_bytes(b"\xef\xbb\xbf" + BODY.encode() + b'40,2.5,"two\nlines",yes\n')
    released(hushwood, "bom.csv", "--redraw", 0)
    out = frame()
    assert out.columns == list(HEADER)
    assert sorted(out["group"].unique()) == ["two\nlines", "x", "y", "z"]


def test_strange_column_names(hushwood: Command) -> None:
    names = ("my age", "a,b", "gr|oup", "[/red] ü名")
    Path("names.csv").write_text(as_text(people(), ("my age", '"a,b"', "gr|oup", "[/red] ü名")), "utf-8")
    done = hushwood("release", "names.csv", "--class", names[3], "-o", "out")
    assert done.code == 1, done.err
    assert frame().columns == list(names)
    page = (files_in("out") / "dictionary.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if "|" in line]
    assert {row.replace("\\|", "").count("|") for row in rows} == {5}


def test_missing_values_of_several_spellings(hushwood: Command) -> None:
    Path("gaps.csv").write_text(BODY + "?,NA,NA,yes\n,,,no\n", "utf-8")
    released(hushwood, "gaps.csv", "--missing", "?,NA", "--redraw", 0)
    out = frame()
    assert out.schema["age"] == pl.Int64
    assert out["age"].null_count() == 2
    assert out["group"].null_count() == 2


def test_dates_and_booleans_come_back(hushwood: Command) -> None:
    rows = [
        (f"19{20 + i % 80}-0{1 + i % 9}-1{i % 10}", f"2020-01-01T10:{i % 60:02d}:00", "true", ill)
        for i, (_, _, _, ill) in enumerate(people())
    ]
    rows[0] = (rows[0][0], rows[0][1], "false", rows[0][3])
    Path("dates.csv").write_text(as_text(rows, ("born", "seen", "member", "ill")), "utf-8")
    released(hushwood, "dates.csv", "--keep", "born=invented", "--seed", SEED)
    drawn = frame(try_parse_dates=True)  # type: ignore[arg-type]
    released(
        hushwood,
        "dates.csv",
        "--keep",
        "born=invented",
        "--seed",
        SEED,
        "--redraw",
        0,
        "--force",
        "--reuse-key",
    )
    out = frame(try_parse_dates=True)  # type: ignore[arg-type]
    assert drawn.schema == out.schema
    assert [str(t) for t in out.dtypes[:3]] == ["Date", "Datetime(time_unit='us', time_zone=None)", "Boolean"]
    assert out["member"].sum() == 119
    assert out["born"].min() >= pl.Series(["1920-01-10"]).str.to_date()[0]


@pytest.mark.parametrize("words", [("--class-bins", 3), ("--class-threshold", 5000)], ids=str)
def test_a_numeric_class_comes_back_permuted_within_segments(
    hushwood: Command, words: tuple[object, object]
) -> None:
    rows = [(age, score, group, str(int(age) * 100 + i)) for i, (age, score, group, _) in enumerate(people())]
    Path("pay.csv").write_text(as_text(rows, ("age", "score", "group", "pay")), "utf-8")
    refused(
        hushwood("release", "pay.csv", "--class", "pay", "--response", "class", "-o", "out", "-q"),
        "--class-bins N (equally frequent bins)",
    )
    released(hushwood, "pay.csv", *words, "--seed", SEED, "--redraw", 0, name="pay")
    pay = pl.read_csv("pay.csv")["pay"]
    assert frame()["pay"].sort().to_list() == pay.sort().to_list()
    assert frame()["pay"].to_list() != pay.to_list()
    plan = json.loads(Path("out/private/plan.json").read_text("utf-8"))
    assert plan["sub_domains"]["segments"] > 1


def test_other_separators_keep_theirs(hushwood: Command) -> None:
    Path("semicolons.csv").write_text(as_text(people(), separator=";"), "utf-8")
    released(hushwood, "semicolons.csv")
    assert frame(separator=";").columns == list(HEADER)
    Path("tabs.tsv").write_text(as_text(people(), separator="\t"), "utf-8")
    released(hushwood, "tabs.tsv", "--force")
    assert frame(".tsv", separator="\t").columns == list(HEADER)
    assert not (files_in("out") / "released.csv").exists()


def test_gzip_goes_out_as_gzip(hushwood: Command) -> None:
    Path("people.csv.gz").write_bytes(gzip.compress(BODY.encode()))
    released(hushwood, "people.csv.gz")
    text = gzip.decompress((files_in("out") / "released.csv.gz").read_bytes()).decode()
    assert text.count("\n") == 121


@pytest.mark.parametrize("suffix", ["parquet", "arrow"])
def test_binary_tables_keep_their_types(hushwood: Command, suffix: str) -> None:
    table = pl.read_csv(BODY.encode()).with_columns(
        pl.col("age").cast(pl.UInt8), pl.col("score").cast(pl.Float32), pl.col("group").cast(pl.Categorical)
    )
    getattr(table, "write_parquet" if suffix == "parquet" else "write_ipc")(f"people.{suffix}")
    released(hushwood, f"people.{suffix}")
    out = (pl.read_parquet if suffix == "parquet" else pl.read_ipc)(files_in("out") / f"released.{suffix}")
    assert out.schema == table.schema
