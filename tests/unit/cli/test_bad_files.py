"""Files that leave a doubt, or cannot be read: one sentence each, exit code 2, and nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

from support.command_line import Command, frame, refused, released

DAYS = "".join(f"{day:02d}/{1 + day % 12:02d}/2020;{day}\n" for day in range(1, 13))
BAD_TEXTS: dict[str, tuple[bytes, str]] = {
    "a date that fits two orders": (
        f"day;ill\n{DAYS}".encode(),
        "--date-format dd/mm/yyyy or --date-format mm/dd",
    ),
    "years of two digits": (b"day;ill\n31.12.19;1\n01.02.20;2\n", "--date-format dd.mm.yy"),
    "mixed decimals": (b"pay;ill\n1,5;1\n1.5;2\n", "Column 'pay' mixes decimal points and decimal commas"),
    "a comma that may be two things": (b"pay;ill\n1,234;1\n999;2\n", "--decimal , or --decimal ."),
    "bytes that mean nothing": (b"pay;ill\n\x81;1\n", "line 2 is not UTF-8, UTF-16 or Windows-1252 text"),
    "damaged UTF-8": (
        "city;ill\nKöln;1\nDüren;2\n".encode() + b"\xfc;3\n",
        "line 4 is not UTF-8 text like the rest",
    ),
}


@pytest.mark.parametrize("case", BAD_TEXTS)
def test_text_files(hushwood: Command, case: str) -> None:
    data, says = BAD_TEXTS[case]
    Path("t.csv").write_bytes(data)
    refused(hushwood("inspect", "t.csv"), says)
    refused(hushwood("release", "t.csv", "--class", "ill", "-o", "out"), says)
    refused(
        hushwood("release", "t.csv", "--class", "ill", "-o", "out", "--engine", "streaming", "--quiet"), says
    )
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--decimal", "x"], "'x' cannot be a decimal sign"),
        (["--date-format", "dd.mm"], "must name day, month and year"),
        (["--date-format", "ill=dd.mm.yyyy"], "Column 'ill' does not hold dates"),
        (["--encoding", "utf-9"], "There is no encoding 'utf-9'"),
    ],
)
def test_words_that_cannot_be_meant(hushwood: Command, words: list[str], says: str) -> None:
    Path("t.csv").write_text("pay;ill\n1;a\n2;b\n", "utf-8")
    refused(hushwood("inspect", "t.csv", *words), says)


def test_what_was_asked_for_can_be_said(hushwood: Command) -> None:
    rows = "".join(
        f"{1 + n % 12:02d}/{1 + n % 11:02d}/2020;1,{200 + n};{'yes' if n % 3 else 'no'}\n" for n in range(60)
    )
    Path("t.csv").write_text("day;pay;ill\n" + rows, "utf-8")
    words = ("--date-format", "day=mm/dd/yyyy", "--decimal", ",", "--technique", "linnapt", "--noise", "0")
    released(hushwood, "t.csv", *words)
    assert frame(separator=";")["pay"].to_list() == [f"1,{200 + n}" for n in range(60)]
    assert hushwood("verify", "out", "t.csv").code == 0
    audited = hushwood("audit", "t.csv", "out", "--only", "unchanged_cells")
    assert audited.code == 0, audited.err


def test_files_of_other_programs(hushwood: Command) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter", reason="needs the extra files")
    pyreadstat = pytest.importorskip("pyreadstat", reason="needs the extra files")
    with xlsxwriter.Workbook("merged.xlsx") as book:
        page = book.add_worksheet("one")
        page.write_row(0, 0, ["a", "ill"])
        page.merge_range(1, 0, 2, 0, "x")
    with xlsxwriter.Workbook("several.xlsx") as book:
        for name in ("one", "two"):
            book.add_worksheet(name).write_row(0, 0, ["a", "ill"])
    Path("locked.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    pyreadstat.write_dta(pl.DataFrame({"a": [1, 2], "ill": ["x", "y"]}), "future.dta", version=15)
    path = Path("future.dta")
    path.write_bytes(re.sub(rb"<release>11.<", b"<release>199<", path.read_bytes()))
    for table, says in {
        "merged.xlsx": "has merged cells",
        "several.xlsx": "Name one with --sheet",
        "locked.xlsx": "is protected by a password",
        "future.dta": "Save it in an older version",
    }.items():
        refused(hushwood("release", table, "--class", "ill", "-o", "out"), says)
    assert not Path("out").exists()
