"""`hushwood audit` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from support.command_line import Command, refused, released
from support.foreign_releases import FOREIGN, people
from support.release_parts import files_in

WORDS = ("--class", "ill", "--identifier", "name")
ONLY = ("--only", "unchanged_cells,linkage")


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    frame = people()
    frame.write_csv(tmp_path / "people.csv")
    FOREIGN["with_noise"](frame).write_parquet(tmp_path / "noisy.parquet")
    return tmp_path / "people.csv", tmp_path / "noisy.parquet"


def test_a_foreign_release_is_judged(hushwood: Command, tables: tuple[Path, Path]) -> None:
    before = tables[0].read_bytes()

    done = hushwood("audit", *tables, *WORDS, *ONLY, "--json", "found.json", "--report", "found.html")

    assert done.code == 0, done.err
    document = json.loads(Path("found.json").read_text())
    assert (document["format"], document["pairing"]) == ("hushwood-evaluation", "rows")
    assert [m["name"] for m in document["measures"]] == ["unchanged_cells"]
    assert "linkage" in done.out
    assert "</html>" in Path("found.html").read_text()
    assert [Path(f"found.{kind}").stat().st_mode & 0o777 for kind in ("json", "html")] == [0o600, 0o600]
    assert tables[0].read_bytes() == before


def test_a_limit_that_is_passed_is_exit_code_1_with_the_number(
    hushwood: Command, tables: tuple[Path, Path]
) -> None:
    done = hushwood(
        "audit", *tables, *WORDS, *ONLY, "--fail-if", "linkage>0.05", "--json", "found.json", "--quiet"
    )

    found = json.loads(Path("found.json").read_text())
    worst = max(a["interval"][1] for a in found["attacks"])
    assert done.code == 1
    assert done.out == ""
    assert f"linkage is {worst:.4g}, the upper end of its interval, which the limit linkage>0.05" in done.err
    assert hushwood("audit", *tables, *WORDS, *ONLY, "--fail-if", "linkage>1", "-q").code == 0


def test_a_limit_is_measured_even_if_not_asked_for(hushwood: Command, tables: tuple[Path, Path]) -> None:
    done = hushwood("audit", *tables, *WORDS, "--only", "linkage", "--fail-if", "unchanged_cells>0.9")

    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--class", "nothing"), "nothing"),
        (("--class", "ill", "--only", "linkagee"), "linkage"),
        (("--class", "ill", "--fail-if", "linkage"), "A limit is"),
        (("--class", "ill", "--match", "shoe"), "shoe"),
        (("--class", "ill", "--holdout", "gone.csv"), "There is no file gone.csv"),
        (("--class", "ill", "--hierarchy", "town"), "COLUMN=FILE"),
    ],
)
def test_wrong_requests_are_one_sentence(
    hushwood: Command, tables: tuple[Path, Path], words: tuple[str, ...], says: str
) -> None:
    refused(hushwood("audit", *tables, *words, "--quiet"), says)


def test_tables_that_share_nothing_are_refused(hushwood: Command, tables: tuple[Path, Path]) -> None:
    pl.DataFrame({"x": [1, 2]}).write_csv("other.csv")
    pl.read_parquet(tables[1]).drop("ill").write_csv("no_class.csv")

    refused(hushwood("audit", tables[0], "other.csv", *WORDS, "-q"), "have no column in common")
    refused(hushwood("audit", tables[0], "no_class.csv", *WORDS, "-q"), "The class 'ill' cannot be compared")


def test_the_tables_are_never_written_over(hushwood: Command, tables: tuple[Path, Path]) -> None:
    for option in ("--json", "--report"):
        refused(hushwood("audit", *tables, *WORDS, *ONLY, option, tables[0], "-q"), "is the table itself")


def test_a_release_folder_brings_its_class_and_its_laws(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--redraw", 0)

    done = hushwood("audit", people_csv, "out", "--only", "reidentification_entropy", "--json", "found.json")

    assert done.code == 0, done.err
    document = json.loads(Path("found.json").read_text())
    assert document["release"]["plan"]
    assert document["release"]["certificate"]["claimed"]
    assert document["pairing"] == "rows"


def test_a_release_of_another_table_is_not_taken_for_this_one(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)
    other = Path("other.csv")
    other.write_text(people_csv.read_text().replace("yes", "no", 1))

    refused(hushwood("audit", other, "out", "-q"), "was not made from")
    done = hushwood(
        "audit", other, "out", "--class", "ill", "--only", "unchanged_cells", "--json", "found.json"
    )
    assert done.code == 0, done.err
    assert any(
        "another version" in w for w in json.loads(Path("found.json").read_text())["release"]["warnings"]
    )


def test_nothing_is_written_into_the_release(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)
    for option, place in (("--json", "out/private/key"), ("--report", files_in("out") / "audit.html")):
        refused(hushwood("audit", people_csv, "out", *ONLY, option, place, "-q"), "lies in the release out")


def test_names_given_one_by_one_all_count(hushwood: Command, tables: tuple[Path, Path]) -> None:
    words = ("--only", "sers", "--only", "linkage,unchanged_cells", "--json", "found.json", "-q")

    done = hushwood("audit", *tables, *WORDS, *words)

    assert done.code == 0, done.err
    document = json.loads(Path("found.json").read_text())
    assert {m["name"] for m in document["measures"]} == {"sers", "unchanged_cells"}
    assert {a["name"] for a in document["attacks"]} == {"linkage"}
