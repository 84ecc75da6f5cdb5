"""Sixty files of all formats, encodings and locales, read and released without noise: they come back.

Text files come back byte by byte, other formats with the same values and types.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from hushwood.jobs.release import release_any
from hushwood.jobs.requests import ReleaseRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.formats.files import read_frame, write_frame
from hushwood.tables.formats.input_files import unpacked

ROWS = 40
ENCODINGS = {
    "utf-8": ("utf-8", b""),
    "utf-8 with a mark": ("utf-8", codecs.BOM_UTF8),
    "utf-16 little": ("utf-16-le", codecs.BOM_UTF16_LE),
    "utf-16 big": ("utf-16-be", codecs.BOM_UTF16_BE),
    "windows-1252": ("cp1252", b""),
}


@dataclass(frozen=True)
class Locale:
    """How a country writes tables."""

    separator: str
    decimal: str
    thousands: str
    day: str
    moment: str
    line_end: str = "\n"
    truth: tuple[str, str] = ("true", "false")

    def number(self, value: float) -> str:
        plain = f"{value:,.2f}".replace(",", "T").replace(".", self.decimal).replace("T", self.thousands)
        return f'"{plain}"' if self.separator in plain else plain


LOCALES = {
    "plain": Locale(",", ".", "", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"),
    "german": Locale(";", ",", ".", "%d.%m.%Y", "%d.%m.%Y %H:%M:%S", "\r\n"),
    "american": Locale(",", ".", ",", "%m/%d/%Y", "%m/%d/%Y %I:%M:%S %p", truth=("TRUE", "FALSE")),
    "swiss": Locale(";", ".", "'", "%d.%m.%Y", "%d.%m.%Y %H:%M:%S"),
    "french": Locale("\t", ",", "\u00a0", "%d/%m/%Y", "%Y-%m-%dT%H:%M:%S+02:00", "\r\n"),
    "asian": Locale("|", ".", "", "%Y/%m/%d", "%Y/%m/%d %H:%M:%S", truth=("True", "False")),
}


def records() -> pl.DataFrame:
    begin = datetime(2020, 1, 1, 8, 30, 15)
    return pl.DataFrame(
        {
            "age": [20 + n * 7 % 60 for n in range(ROWS)],
            "Größe": [(900 + n * 37 % 9000) * 1.5 for n in range(ROWS)],
            "day": [date(2019, 1, 1) + timedelta(days=n * 17) for n in range(ROWS)],
            "moment": [begin + timedelta(hours=n * 29, seconds=n) for n in range(ROWS)],
            "zip": [f"0{1000 + 13 * n % 90}" for n in range(ROWS)],
            "city": [None if n % 13 == 5 else ("Köln", "Nîmes", "Bern")[n % 3] for n in range(ROWS)],
            "smokes": [n % 4 == 0 for n in range(ROWS)],
            "ill": ["yes" if n % 3 else "no" for n in range(ROWS)],
        }
    )


def text_of(locale: Locale) -> str:
    table = records()
    lines = [locale.separator.join(table.columns)]
    for age, pay, day, moment, code, city, smokes, ill in table.rows():
        fields = [str(age), locale.number(pay), day.strftime(locale.day), moment.strftime(locale.moment)]
        fields += [code, city or "", locale.truth[0 if smokes else 1], ill]
        lines.append(locale.separator.join(fields))
    return locale.line_end.join([*lines, ""])


def released(source: Path, folder: Path, engine: str = "auto") -> Path:
    """The released table, with noise that moves nothing."""
    options = PerturbOptions(technique="linnapt", noise=0.0, min_leaf=4, engine=engine)
    request = ReleaseRequest(options, folder, {"zip": "a test"}, evidence="none", seed="ab" * 32)
    release_any(source, {"target": "ill"}, request)
    return next(folder.glob("*/released*"))


def check_text(tmp_path: Path, name: str, encoding: str, locale: str, engine: str = "auto") -> None:
    codec, mark = ENCODINGS[encoding]
    data = mark + text_of(LOCALES[locale]).encode(codec)
    plain = tmp_path / "plain.csv"
    plain.write_bytes(data)
    source = (
        plain.rename(tmp_path / name) if Path(name).suffix in (".csv", ".tsv", ".txt") else tmp_path / name
    )
    if not source.exists():
        from hushwood.tables.formats.input_files import packing

        with packing(source) as file:
            file.write(data)
    out = released(source, tmp_path / "out", engine)
    assert "".join(out.suffixes) == "".join(source.suffixes)
    with unpacked(out) as file:
        assert file.read() == data


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_text_files(tmp_path: Path, encoding: str, locale: str) -> None:
    check_text(tmp_path, "t.csv", encoding, locale)


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv.zst", "t.csv.zip"])
@pytest.mark.parametrize("encoding", ["utf-16 little", "windows-1252"])
@pytest.mark.parametrize("locale", ["german", "american"])
def test_packed_text_files(tmp_path: Path, name: str, encoding: str, locale: str) -> None:
    check_text(tmp_path, name, encoding, locale)


@pytest.mark.parametrize(
    ("name", "encoding", "locale", "engine"),
    [
        ("t.tsv", "utf-8", "french", "auto"),
        ("t.txt", "windows-1252", "asian", "auto"),
        ("t.csv", "windows-1252", "german", "streaming"),
        ("t.csv", "utf-16 big", "american", "streaming"),
        ("t.csv.gz", "utf-8 with a mark", "swiss", "streaming"),
    ],
)
def test_other_endings_and_batches(
    tmp_path: Path, name: str, encoding: str, locale: str, engine: str
) -> None:
    check_text(tmp_path, name, encoding, locale, engine)


OTHERS = (
    ".parquet",
    ".arrow",
    ".feather",
    ".ipc",
    ".jsonl",
    ".ndjson",
    ".xlsx",
    ".dta",
    ".sav",
    ".zsav",
    ".xpt",
)


@pytest.mark.parametrize("ending", OTHERS)
def test_other_formats(tmp_path: Path, ending: str) -> None:
    if ending in (".xlsx", ".dta", ".sav", ".zsav", ".xpt"):
        pytest.importorskip("pyreadstat", reason="needs the extra files")
        pytest.importorskip("fastexcel", reason="needs the extra files")
    table = records().rename({"Größe": "size"})
    if ending in (".dta", ".sav", ".zsav", ".xpt", ".xlsx"):
        table = table.drop("smokes")  # they know no truth values
    source = tmp_path / f"t{ending}"
    write_frame(table, source)
    out = released(source, tmp_path / "out")
    assert out.suffix == ending
    assert_frame_equal(read_frame(out), read_frame(source))


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_folders(tmp_path: Path, ending: str) -> None:
    folder, whole = tmp_path / "parts", records()
    folder.mkdir()
    for place in range(2):
        write_frame(whole[place * 20 : place * 20 + 20], folder / f"part{place}{ending}")
    out = released(folder, tmp_path / "out")
    assert_frame_equal(read_frame(out, as_text=["zip"]), whole)


def test_there_are_sixty() -> None:
    texts, packed, others = len(LOCALES) * len(ENCODINGS), 3 * 2 * 2, 5
    assert texts + packed + others + len(OTHERS) + 2 == 60
