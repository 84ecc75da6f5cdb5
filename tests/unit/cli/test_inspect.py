from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hushwood.tables.formats.schema_file import read_schema_file
from support.command_line import Command, refused
from support.people_files import as_text, contents, people


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


def test_columns_are_shown(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("inspect", people_csv, "--class", "ill")
    assert done.code == 0
    lines = {
        line.split()[1]: " ".join(line.split())
        for line in done.out.partition("Why")[0].splitlines()
        if line.startswith("│")
    }
    assert done.out.startswith("120 records")
    assert lines["age"] == "│ age │ numeric │ ordinary │ 18 to 80 (whole numbers) │ 0 │"
    assert "(1 decimal)" in lines["score"]
    assert lines["ill"] == "│ ill │ categorical │ class │ 2: no, yes │ 0 │"


def test_dates_empty_and_carried_columns(hushwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    rows = [(f"2020-01-{1 + i % 28:02d}", f"2020-01-01T10:{i % 60:02d}:00", "", f"p{i}") for i in range(40)]
    Path("odd.csv").write_text(as_text(rows, ("day", "moment", "void", "name")), "utf-8")
    done = hushwood("inspect", "odd.csv", "--identifier", "name")
    text = " ".join(done.out.replace("│", " ").split())
    assert "2020-01-01 to 2020-01-28 (days)" in text
    assert "(seconds)" in text
    assert "void categorical ordinary none known 40" in text
    assert "! Column 'void' is empty; nothing can be learnt from it." in done.out


def test_brackets_in_names_are_only_brackets(hushwood: Command) -> None:
    Path("names.csv").write_text(as_text(people(), ("[/red]", "[bold]x", "g", "ill")), "utf-8")
    done = hushwood("inspect", "names.csv")
    assert done.code == 0
    assert "[/red]" in done.out
    assert "[bold]x" in done.out


def test_the_weight_is_shown_and_saved(hushwood: Command, people_csv: Path) -> None:
    done = hushwood("inspect", people_csv, "--weight", "score", "--save", "schema.toml")
    line = next(line for line in done.out.splitlines() if line.startswith("│ score"))
    assert line.split()[5] == "weight"
    assert "weight = true" in Path("schema.toml").read_text("utf-8")
    again = hushwood("inspect", people_csv, "--schema", "schema.toml", "--confidential", "score")
    assert "│ weight, confidential │" in again.out


def test_inspect_shows_persons(hushwood: Command) -> None:
    frame = pl.DataFrame(
        {"patient": list("aaabbc"), "age": [40, 40, 40, 50, 50, 60], "stay": [1, 2, 3, 4, 5, 6]}
    )
    frame.write_csv("stays.csv")
    shown = hushwood("inspect", "stays.csv", "--person", "patient").out
    assert "3 persons (patient) with 6 rows" in shown
    assert "The same in all rows of a person: age." in shown


ROWS = [(f"{10115 + i % 3}", str(i % 2), f"p{i}@x.org", ("low", "medium", "high")[i % 3]) for i in range(60)]


@pytest.mark.parametrize("width", ["80", "120"])
def test_every_column_has_a_reason_and_a_line(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    Path("t.csv").write_text(as_text(ROWS, ("zip", "smoker", "mail", "mood")), "utf-8")
    done = hushwood("inspect", "t.csv", "--class", "smoker")
    block = done.out.partition("Why, and which line of a schema changes it")[2]
    lines = [" ".join(line.split()) for line in block.splitlines() if line.startswith("│")]
    assert "│ zip │ codes: five digits each, named 'zip' │ kind = \"numeric\" │" in lines
    assert '│ smoker │ the class │ role = "ordinary" │' in lines
    assert '│ mail │ texts; looks like e-mail addresses │ role = "identifier" │' in lines
    assert "│ mood │ ordered: a scale, low < medium < high │ ordered = false │" in lines
    assert max(map(len, done.out.splitlines())) <= int(width)
