from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.tables.formats.schema_file import read_schema_file
from support.command_line import Command, refused
from support.people_files import contents


def test_a_saved_schema_can_be_used(hushwood: Command, people_csv: Path) -> None:
    saved = hushwood("inspect", people_csv, "--class", "ill", "--save", "people.toml")
    assert saved.out.splitlines()[-1].startswith("The schema is in people.toml; ")
    assert read_schema_file(Path("people.toml"))["ill"]["role"] == "class"
    done = hushwood("inspect", people_csv, "--schema", "people.toml")
    assert done.out == saved.out.rpartition("The schema")[0]


def test_noise_in_a_schema_is_shown_and_saved_again(
    hushwood: Command, people_csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    Path("noise.toml").write_text('[[attribute]]\nname = "age"\nnoise = 0.1\n', "utf-8")
    done = hushwood("inspect", people_csv, "--schema", "noise.toml", "--save", "again.toml")
    assert "18 to 80 (whole numbers), noise 0.1" in " ".join(done.out.split())
    assert read_schema_file(Path("again.toml"))["age"]["noise"] == 0.1
    assert "noise" not in read_schema_file(Path("again.toml"))["score"]
    Path("noise.toml").write_text('[[attribute]]\nname = "group"\nnoise = 0.1\n', "utf-8")
    refused(
        hushwood("inspect", people_csv, "--schema", "noise.toml"),
        "'group' is declared with noise, but it is cat",
    )


def test_nothing_is_overwritten_unasked(hushwood: Command, people_csv: Path, tmp_path: Path) -> None:
    Path("people.toml").write_text("edited by hand", "utf-8")
    before = contents(tmp_path)
    assert "already exists" in hushwood("inspect", people_csv, "--save", "people.toml").err
    for words in (["--save", people_csv], ["--save", people_csv, "--force"]):
        assert "is the table itself" in hushwood("inspect", people_csv, *words).err
    assert contents(tmp_path) == before
    assert hushwood("inspect", people_csv, "--save", "people.toml", "--force").code == 0
    assert "[[attribute]]" in Path("people.toml").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nowhere.csv"], "no file nowhere.csv"),
        (["people.csv", "--identifier", "aeg"], "Did you mean 'age'?"),
        (["people.csv", "--class-bins", "3"], "Name the class column with --class"),
    ],
    ids=["file", "identifier", "bins"],
)
def test_bad_requests(hushwood: Command, people_csv: Path, words: list[str], says: str) -> None:
    assert people_csv.name == "people.csv"
    refused(hushwood("inspect", *words), says)


def test_a_table_may_not_unpack_to_more_than_allowed(hushwood: Command, people_csv: Path) -> None:
    refused(hushwood("inspect", people_csv, "--max-bytes", "100"), "allow more with --max-bytes")
    refused(hushwood("inspect", people_csv, "--max-bytes", "0"), "1 or more")
    assert hushwood("inspect", people_csv).code == 0
