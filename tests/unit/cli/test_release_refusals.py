"""What `hushwood release` refuses: one sentence, exit code 2 (3 for a broken promise), nothing left on disk."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from support.bad_requests import BAD_FORESTS, BAD_TABLES, BAD_WORDS
from support.command_line import Command, Outcome, refused, released
from support.people_files import OTHER_SEED, SEED, as_text, contents, people


@pytest.mark.parametrize(("table", "says"), BAD_TABLES.values(), ids=BAD_TABLES)
def test_bad_tables_are_refused_and_leave_nothing(
    hushwood: Command, tmp_path: Path, table: bytes, says: str
) -> None:
    Path("table.csv").write_bytes(table)
    before = contents(tmp_path)
    refused(hushwood("release", "table.csv", "--class", "ill", "-o", "out", "--quiet"), says)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(("words", "says"), BAD_WORDS.values(), ids=BAD_WORDS)
def test_bad_words_are_refused_and_leave_nothing(
    hushwood: Command, people_csv: Path, tmp_path: Path, words: list[str], says: str
) -> None:
    before = contents(tmp_path)
    given = ["release", people_csv.name, "--class", "ill", "-o", "new/out", "-q"]
    refused(hushwood(*given, *words), says)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(("model", "says"), BAD_FORESTS.values(), ids=BAD_FORESTS)
def test_bad_forests_are_refused(
    hushwood: Command, people_csv: Path, tmp_path: Path, model: dict[str, object], says: str
) -> None:
    Path("forest.json").write_text(json.dumps(model), "utf-8")
    before = contents(tmp_path)
    given = ["release", people_csv, "--class", "ill", "-o", "out", "-q"]
    refused(hushwood(*given, "--forest", "forest.json"), says)
    assert contents(tmp_path) == before


def test_files_that_are_not_there_or_no_tables(hushwood: Command, people_csv: Path) -> None:
    given = ["--class", "ill", "-o", "out"]
    refused(hushwood("release", "nowhere.csv", *given), "no file nowhere.csv")
    refused(hushwood("release", people_csv.parent, *given), "would lie in")
    people_csv.rename("people.docx")
    refused(hushwood("release", "people.docx", *given), "is unknown. File names must end in")
    Path("people.parquet").write_bytes(b"PAR1 but not really")
    refused(hushwood("release", "people.parquet", *given), "is a damaged Parquet file")


def test_the_output_must_be_named_unless_dry(hushwood: Command, people_csv: Path) -> None:
    refused(hushwood("release", people_csv, "--class", "ill"), "-o DIR")


@pytest.mark.parametrize("where", ["people.csv", "people.csv/out", "people.csv/deeper/out"])
def test_a_folder_cannot_be_made_in_a_file(hushwood: Command, people_csv: Path, where: str) -> None:
    refused(hushwood("release", people_csv, "--class", "ill", "-o", where, "-q"), "people.csv is a file")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place that nobody can write to")
def test_a_folder_that_cannot_be_written(hushwood: Command, people_csv: Path) -> None:
    outcome = hushwood("release", people_csv, "--class", "ill", "-o", "/proc/hushwood/out", "-q")
    refused(outcome, "Nothing can be written at /proc/hushwood/out")


def test_a_folder_with_something_in_it(hushwood: Command, people_csv: Path, tmp_path: Path) -> None:
    Path("out").mkdir()
    Path("out/thesis.txt").write_text("ten years of work", "utf-8")
    before = contents(tmp_path)
    given = ["release", people_csv, "--class", "ill", "-o", "out", "-q"]
    refused(hushwood(*given), "not empty")
    refused(hushwood(*given, "--force"), "holds no release")
    assert contents(tmp_path) == before


@pytest.mark.parametrize("most_bytes", [1 << 10, 100 << 10], ids=["in the table", "in the report"])
def test_a_full_disk_leaves_nothing(people_csv: Path, tmp_path: Path, most_bytes: int) -> None:
    before = contents(tmp_path)

    def few_bytes() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    words = ["release", people_csv, "--class", "ill", "-o", "new/out", "-q", "--teacher", "tree"]
    done = subprocess.run(
        [sys.executable, "-m", "support.few_releases", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=few_bytes,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    refused(Outcome(done.returncode, done.stdout, done.stderr), "could not be written: File too large")
    assert "othing was left there" in done.stderr
    assert ".hushwood-" not in done.stderr
    assert contents(tmp_path) == before


def test_a_broken_certificate_stops_the_release(
    hushwood: Command, people_csv: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hushwood.tables.formats import files

    def careless(frame: pl.DataFrame, path: Path, **how: Any) -> None:
        moved = frame.with_columns(pl.col("age", "score").max())
        honest(moved, path, **how)

    honest = files.write_frame
    monkeypatch.setattr(files, "write_frame", careless)
    before = contents(tmp_path)
    done = hushwood("release", people_csv, "--class", "ill", "--redraw", 0, "-o", "out", "-q")
    assert done.code == 3
    assert "left their segment" in done.err
    assert "nothing was released" in done.err
    assert contents(tmp_path) == before


def test_a_key_is_not_used_for_a_changed_table(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv, "--seed", SEED)
    people_csv.write_text(as_text(people(119)), "utf-8")
    given = [
        "release",
        people_csv,
        "--class",
        "ill",
        "-o",
        "second",
        "--seed",
        SEED,
        "-q",
        "--evidence",
        "none",
    ]
    refused(hushwood(*given), "--reuse-key")
    assert hushwood(*given, "--reuse-key").code == 1


def test_a_key_is_known_wherever_its_release_went(
    hushwood: Command, people_csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HUSHWOOD_LEDGER")
    monkeypatch.setenv("XDG_STATE_HOME", str(Path("state").absolute()))
    released(hushwood, people_csv, "--seed", SEED)
    Path("out").rename("gone")
    assert Path("state/hushwood/ledger.json").stat().st_mode & 0o777 == 0o600
    given = ["release", people_csv, "--class", "ill", "-o", "far/out", "-q", "--evidence", "none"]
    refused(hushwood(*given, "--seed", SEED, "--k", 30), "the same table with other settings")
    assert not Path("far").exists()
    assert "released before" not in released(hushwood, people_csv, "-o", "tried").err
    Path("gone").rename("out")
    hushwood("accept", "out", "--reason", "for trials", "--by", "the office")
    warned = released(hushwood, people_csv, "-o", "second")
    assert "! This table has been released before under another key." in warned.err
    again = released(hushwood, people_csv, "--seed", OTHER_SEED, "--force", "--ledger", "mine.json")
    assert "released before" not in again.err
    assert Path("mine.json").stat().st_mode & 0o777 == 0o600
    refused(hushwood(*given, "--ledger", people_csv), "is not a ledger")


@pytest.mark.parametrize(
    ("words", "other"),
    [(["--technique", "forest-framework"], ["--noise", "1/6"]), ([], ["--k", 30]), ([], ["--blur", 0])],
)
def test_a_key_is_not_used_with_other_settings(
    hushwood: Command, people_csv: Path, words: list[object], other: list[object]
) -> None:
    released(hushwood, people_csv, "--seed", SEED, *words)
    given = ["release", people_csv, "--class", "ill", "-q", "--evidence", "none", *words, *other]
    refused(hushwood(*given, "-o", "second", "--seed", SEED), "other settings")
    refused(hushwood(*given, "-o", "far/second", "--seed-file", "out/private/key"), "other settings")
    assert not Path("far").exists()
    assert hushwood(*given, "-o", "second", "--seed", SEED, "--reuse-key").code == 1
