"""Files of other programs: what is read, what comes back, and what is refused in one sentence."""

from __future__ import annotations

import re
import zipfile
from datetime import date, datetime, time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import hushwood as hw
from hushwood.errors import InputError
from hushwood.tables.formats import input_files
from hushwood.tables.formats.files import read_frame, read_other, write_frame
from hushwood.tables.formats.program_files import Labels, read_statistics, write_statistics

pytest.importorskip("fastexcel", reason="needs the extra files")
pyreadstat = pytest.importorskip("pyreadstat", reason="needs the extra files")
xlsxwriter = pytest.importorskip("xlsxwriter", reason="needs the extra files")

ROWS = 90
ENDINGS = [".jsonl", ".ndjson", ".xlsx", ".dta", ".sav", ".zsav", ".xpt", ".csv.zst", ".csv.zip", ".csv.gz"]


def people(rows: int = ROWS) -> pl.DataFrame:
    number = np.arange(rows)
    return pl.DataFrame(
        {
            "age": 20 + number * 7 % 60,
            "pay": (1000 + number * 37 % 900) / 4,
            "visit": [date(1950 + n % 50, 1 + n % 12, 1 + n % 28) for n in range(rows)],
            "city": pl.Series([None if n % 17 == 0 else "ABC"[n % 3] for n in range(rows)]),
            "zip": [f"0{1000 + 13 * n % 900}" for n in range(rows)],
            "ill": ["yes" if n % 3 else "no" for n in range(rows)],
        }
    )


def as_floats(frame: pl.DataFrame, ending: str) -> pl.DataFrame:
    """SPSS and SAS know no whole numbers."""
    spss_or_sas = ending in (".sav", ".zsav", ".xpt")
    return frame.with_columns(pl.col("age").cast(pl.Float64)) if spss_or_sas else frame


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_frame_comes_back_and_equal_frames_give_equal_bytes(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "a" / f"t{ending}", tmp_path / "b" / f"t{ending}"
    for minute, path in enumerate((first, second)):
        path.parent.mkdir()
        monkeypatch.setattr("time.time", lambda minute=minute: 1.8e9 + 60 * minute)
        write_frame(people(), path)
    found = read_frame(first, as_text=["zip"])
    assert_frame_equal(found, as_floats(people(), ending))
    assert first.read_bytes() == second.read_bytes()
    if ending == ".dta":  # its clock is not Python's
        assert b"<timestamp>\x1101 Jan 2000 00:00</timestamp>" in first.read_bytes()


@pytest.mark.parametrize("ending", [*ENDINGS, ".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("technique", ["framework", "segment-shuffle"])
def test_a_release_has_the_format_of_its_table(tmp_path: Path, ending: str, technique: str) -> None:
    path, out = tmp_path / f"people{ending}", tmp_path / "out"
    write_frame(people(), path)
    schema = {"zip": "identifier"}
    done = hw.release(
        path,
        target="ill",
        roles=schema,  # type: ignore[arg-type]
        technique=technique,
        output=out,
        evidence="none",
        ledger=tmp_path / "l",
    )
    released = out / "not-cleared" / f"released{ending}"
    assert done.certificate["kept"] == ROWS
    assert read_frame(released).schema == as_floats(people().drop("zip"), ending).schema
    assert hw.verify(out, path).holds


def test_value_labels_are_categories_and_their_codes_come_back(tmp_path: Path) -> None:
    path, out = tmp_path / "survey.dta", tmp_path / "out"
    number = np.arange(ROWS)
    codes = pl.DataFrame({"sex": 1 + number % 2, "trust": number * 7 % 5, "ill": number % 3 % 2})
    labels = {
        "sex": {1: "female", 2: "male"},
        "trust": {0: "none", 1: "little", 2: "some"},  # 3 and 4 have no label, so it stays a number
        "ill": {0: "no", 1: "yes"},
    }
    pyreadstat.write_dta(
        codes, path, variable_value_labels=labels, column_labels={"sex": "What is your sex?"}
    )
    table = hw.read_table(path, target="ill")
    assert table.schema["sex"].categories == ("female", "male")
    assert table.schema["trust"].kind == "numeric"
    hw.release(path, target="ill", output=out, redraw=0, evidence="none", ledger=tmp_path / "l")
    frame, about = pyreadstat.read_dta(out / "not-cleared" / "released.dta", output_format="polars")
    assert about.variable_value_labels["sex"] == labels["sex"]
    assert about.column_names_to_labels["sex"] == "What is your sex?"
    assert sorted(frame["sex"].to_list()) == sorted(codes["sex"].to_list())


def test_texts_without_a_code_are_written_as_texts(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    labels = Labels(codes={"sex": {"f": 1.0, "m": 2.0}})
    write_statistics(pl.DataFrame({"sex": ["f", "other", None]}), path, labels)
    frame, _ = read_statistics(path, path.read_bytes())
    assert frame["sex"].to_list() == ["f", "other", None]


def test_cells_keep_their_types_and_no_text_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    frame = pl.DataFrame(
        {
            "text": ["=1+1", "00017", None],
            "flag": [True, None, False],
            "at": [datetime(2020, 1, 2, 3, 4, 5)] * 3,
            "clock": [time(1, 2, 3)] * 3,
            "number": [0.1 + 0.2, 1e-300, -1e300],
        }
    )
    write_frame(frame, path)
    found = read_other(path, path.read_bytes())
    assert found.sheet == "released"
    assert_frame_equal(found.frame, frame, check_dtypes=False)
    with zipfile.ZipFile(path) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def workbook(path: Path, sheets: dict[str, list[list[object]]], merged: str = "") -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            page = book.add_worksheet(name)
            for place, row in enumerate(rows):
                page.write_row(place, 0, row)
            if merged and rows:
                page.merge_range(merged, "x")
    return path


DATA: list[list[object]] = [["a", "b"], [1, 2], [3, 4]]


def test_one_of_several_sheets(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", {"First": DATA, "Empty": [], "Other & more": [["c"], [5], [6]]})
    with pytest.raises(InputError, match=r"several sheets \('First', 'Other & more'\). Name one with sheet"):
        hw.read_table(path)
    assert hw.read_table(path, sheet="Other & more").schema.names == ("c",)
    with pytest.raises(InputError, match=r"There is no sheet in .* 'Firsst'\. Did you mean 'First'"):
        hw.read_table(path, sheet="Firsst")
    alone = workbook(tmp_path / "alone.xlsx", {"Empty": [], "Data": DATA})
    assert hw.read_table(alone).rows == 2


def refused(path: Path) -> str:
    with pytest.raises(InputError) as fault:
        hw.read_table(path)
    return str(fault.value)


def test_merged_cells_are_refused_where_they_are(tmp_path: Path) -> None:
    path = workbook(tmp_path / "t.xlsx", {"Data": DATA}, merged="A2:A3")
    assert "sheet 'Data' has merged cells" in refused(path)


def test_what_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    locked, broken, future = (tmp_path / name for name in ("locked.xlsx", "broken.xlsx", "future.dta"))
    locked.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(1000))
    assert refused(locked) == f"{locked} is protected by a password. Save it without one, or as CSV."
    broken.write_bytes(b"no spreadsheet")
    assert "is not a spreadsheet, or a damaged one" in refused(broken)
    write_frame(people(), future)
    future.write_bytes(re.sub(rb"<release>\d+", b"<release>140", future.read_bytes()))
    assert "cannot be read as a Stata file (This version of the file format is not supported)" in refused(
        future
    )
    unnamed = workbook(tmp_path / "unnamed.xlsx", {"Data": [["a", None, "b"], [1, 2, 3]]})
    assert "column 2 of sheet 'Data' has no name" in refused(unnamed)
    empty = workbook(tmp_path / "empty.xlsx", {"Data": [["a", "b"]]})
    assert "has no records" in refused(empty)
    lines = tmp_path / "t.jsonl"
    lines.write_text('{"a": 1}\n{"a": \n')
    assert "is not a file of JSON lines" in refused(lines)
    with pytest.raises(InputError, match="sheet names a sheet of a spreadsheet, but"):
        hw.read_table(future, sheet="x")


def test_a_spreadsheet_that_expands_like_a_bomb_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(input_files, "_SMALL", 1 << 20)
    bomb = tmp_path / "t.xlsx"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(5 << 20))
    with pytest.raises(InputError, match="expands to more than 200 times its size"):
        read_other(bomb, bomb.read_bytes(), None)


def test_archives_hold_one_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "x\n1\n")
        archive.writestr("b.csv", "x\n1\n")
    assert "holds 2 files. Unpack it" in refused(path)
    for name in ("t.csv.zip", "t.csv.zst", "t.csv.gz"):
        (tmp_path / name).write_bytes(b"damaged" * 20)
        assert "is a damaged" in refused(tmp_path / name)


def test_a_format_that_can_only_be_read_has_a_substitute(tmp_path: Path) -> None:
    path, out = tmp_path / "people.xlsm", tmp_path / "out"
    write_frame(people().drop("zip"), tmp_path / "people.xlsx")
    (tmp_path / "people.xlsx").rename(path)
    with pytest.warns(
        hw.HushwoodWarning, match=".xlsm files can only be read, so the release is an .xlsx file"
    ):
        hw.release(path, target="ill", output=out, evidence="none", ledger=tmp_path / "l")
    assert (out / "not-cleared" / "released.xlsx").is_file()


def test_batches_are_for_formats_that_have_some(tmp_path: Path) -> None:
    path = tmp_path / "people.xlsx"
    write_frame(people(), path)
    with pytest.raises(
        InputError, match=r"A .xlsx file is read whole, not in batches. Use engine=.auto. or memory"
    ):
        hw.release(path, target="ill", engine="streaming", evidence="none", ledger=tmp_path / "l")


@pytest.mark.parametrize("ending", [".csv.zst", ".csv.zip"])
def test_packed_text_is_also_read_and_written_in_batches(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"people{ending}"
    write_frame(people().drop("zip"), path)
    found = []
    for engine in ("memory", "streaming"):
        out = tmp_path / engine
        hw.release(
            path,
            target="ill",
            technique="framework",
            engine=engine,
            seed="5a" * 32,
            reuse_key=True,
            output=out,
            evidence="none",
            ledger=tmp_path / "l",
        )
        found.append(read_frame(out / "not-cleared" / f"released{ending}"))
    assert_frame_equal(*found)


def test_a_header_that_claims_too_much_is_refused_before_room_is_made(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    write_frame(people(), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hushwood.tables.formats.program_files._MOST_CELLS_PER_BYTE", 0)
        assert f"claims to hold {6 * ROWS} values" in refused(path)


def open_document(path: Path, spanned: str = "") -> Path:
    """A small .ods file, as LibreOffice writes it."""

    def text(value: str) -> str:
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'

    def number(value: float) -> str:
        return f'<table:table-cell office:value-type="float" office:value="{value}" {spanned}/>'

    cells = [text("a") + text("b"), *(number(row + 0.5) + text("xy"[row % 2]) for row in range(5))]
    names = " ".join(
        f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text")
    )
    rows = "".join(f"<table:table-row>{row}</table:table-row>" for row in cells)
    sheet = f'<table:table table:name="Data">{rows}</table:table>'
    content = f"<office:document-content {names}><office:body><office:spreadsheet>{sheet}"
    content += "</office:spreadsheet></office:body></office:document-content>"
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    entry = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
    space = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("META-INF/manifest.xml", f"<manifest:manifest {space}>{entry}</manifest:manifest>")
        archive.writestr("content.xml", content)
    return path


def test_an_open_document(tmp_path: Path) -> None:
    found = read_other(*_with_bytes(open_document(tmp_path / "t.ods")))
    assert found.sheet == "Data"
    assert found.frame.to_dict(as_series=False) == {"a": [0.5, 1.5, 2.5, 3.5, 4.5], "b": list("xyxyx")}
    merged = open_document(tmp_path / "merged.ods", 'table:number-rows-spanned="2"')
    assert "sheet 'Data' has merged cells" in refused(merged)


def _with_bytes(path: Path) -> tuple[Path, bytes]:
    return path, path.read_bytes()
