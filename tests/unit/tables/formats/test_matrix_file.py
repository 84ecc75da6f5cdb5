"""Matrices from CSV files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.matrix_file import matrices_from_texts, read_matrix


def written(folder: Path, text: str) -> Path:
    path = folder / "matrix.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("separator", [",", ";"])
def test_names_and_numbers(tmp_path: Path, separator: str) -> None:
    path = written(tmp_path, 'from,"a b",\n"a b", 0.25,0.75\n,0,1\n'.replace(",", separator))
    assert read_matrix(path) == {"a b": {"a b": 0.25, "": 0.75}, "": {"a b": 0.0, "": 1.0}}


def test_a_column_and_its_file(tmp_path: Path) -> None:
    path = written(tmp_path, ",a\na,1\n")
    assert matrices_from_texts([f"x=y={path}"]) == {"x=y": {"a": {"a": 1.0}}}
    assert matrices_from_texts([]) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no matrix"),
        (",a,b\n", "holds no matrix"),
        (",a,a\na,1,0\n", "names 'a' twice"),
        (",a,b\na,1,0\na,1,0\n", "two lines for 'a'"),
        (",a,b\na,1\nb,0,1\n", "has 1 numbers, but the header names 2 values"),
        (",a,b\na,x,0\nb,0,1\n", "'x' in the line of 'a'"),
        (",a,b\na,nan,0\nb,0,1\n", "'nan' in the line of 'a'"),
    ],
)
def test_what_is_no_matrix(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_matrix(written(tmp_path, text))


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["job"], "given as COLUMN=FILE; 'job' was given"),
        (["job="], "given as COLUMN=FILE"),
        (["job=nowhere.csv"], r"There is no matrix file nowhere\.csv"),
    ],
)
def test_what_is_no_file(texts: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        matrices_from_texts(texts)


def test_one_matrix_for_a_column(tmp_path: Path) -> None:
    given = f"job={written(tmp_path, ',a' + chr(10) + 'a,1' + chr(10))}"
    with pytest.raises(InputError, match="Two matrices are given for column 'job'"):
        matrices_from_texts([given, given])
