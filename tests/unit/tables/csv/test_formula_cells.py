"""Which texts a spreadsheet would run, and that the mark before them comes and goes without a trace."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hushwood.tables.csv.file import escaped, formulas, unescaped
from hushwood.tables.formats.files import read_frame, write_frame
from hushwood.tables.reading import read

RUN = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "＝A1",
    "-inf",
    "--",
    "'=1",
    "''@a",
]
HARMLESS = ["", "-", "+", "=", "-5", "+3.5", "-1e9", "a=b", "<=50K", "'", "'a", "'-5", "x@y", "3-4"]
NAMES = st.lists(
    st.text("=-'a5*^$", min_size=1, max_size=4).filter(str.strip), min_size=2, max_size=3, unique=True
)
CELLS = st.text("=+-@'a5. \t", max_size=4) | st.none()


@pytest.mark.parametrize("text", RUN)
def test_texts_that_would_run(text: str) -> None:
    assert formulas(pl.Series([text])).to_list() == [True]
    assert escaped(pl.DataFrame({text: [text]})).to_dict(as_series=False) == {f"'{text}": [f"'{text}"]}


@pytest.mark.parametrize("text", HARMLESS)
def test_texts_that_would_not(text: str) -> None:
    assert formulas(pl.Series([text, None])).to_list() == [False, False]
    frame = pl.DataFrame({text: [text]})
    assert escaped(frame).equals(frame)


@settings(max_examples=200)
@given(NAMES, st.lists(CELLS, min_size=1, max_size=5))
def test_the_marks_come_off_again(names: list[str], cells: list[str | None]) -> None:
    frame = pl.DataFrame([pl.Series(cells, dtype=pl.String).alias(name) for name in names])
    marked = escaped(frame)
    assert unescaped(marked).equals(frame)
    for column in (pl.Series(marked.columns), *marked):
        plain = column.alias("").drop_nulls()
        assert plain.filter(formulas(plain)).str.starts_with("'").all()


def test_numbers_and_other_types_are_not_touched() -> None:
    frame = pl.DataFrame({"n": [-5, 3], "x": [-1.5, None], "b": [True, False]})
    assert escaped(frame).equals(frame)


def test_files(tmp_path: Path) -> None:
    kinds = pl.Series(["=a", "b", "=a"], dtype=pl.Categorical)
    frame = pl.DataFrame({"=t": ["=x", "-5", None], "c": kinds, "n": [-1, -2, -3]})
    for suffix in (".csv", ".csv.gz"):
        path = tmp_path / f"t{suffix}"
        write_frame(frame, path, escape_formulas=True)
        assert read_frame(path).columns == ["'=t", "c", "n"]
        back = read_frame(path, as_text=["=t", "c"], escaped_formulas=True)
        assert back.equals(frame.with_columns(pl.col("c").cast(pl.String)))
    write_frame(frame, tmp_path / "t.parquet", escape_formulas=True)
    assert read_frame(tmp_path / "t.parquet", escaped_formulas=True).equals(frame)


def test_csv_files_are_warned_of_and_others_not(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "=name": [1, 2, 3],
            "cell": ["@x", "a", "a"],
            "note": ["+x", "b", "c"],
            "badge": ["=a", "=b", "=c"],
            "plain": [-1, -2, -3],
            "y": ["u", "v", "u"],
        }
    )
    frame.write_csv(tmp_path / "t.csv")
    roles = {"note": "ignored", "badge": "identifier"}
    warned = [w for w in read(tmp_path / "t.csv", target="y", roles=roles).warnings if w.code == "formula"]
    assert [w.column for w in warned] == ["=name", "cell", "note"]
    assert "for example '@x'. Use --escape-formulas" in warned[1].sentence
    assert not [w for w in read(frame, target="y", roles=roles).warnings if w.code == "formula"]
