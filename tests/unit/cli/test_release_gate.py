"""The command refuses columns that identify people, and says which options settle it."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from support.command_line import Command
from support.planted_identifiers import people_with_mail


@pytest.fixture
def frame() -> pl.DataFrame:
    return people_with_mail()


def test_the_command_ends_with_2_and_writes_nothing(hushwood: Command, frame: pl.DataFrame) -> None:
    frame.write_csv("people.csv")
    done = hushwood("release", "people.csv", "--class", "ill", "-o", "out")
    assert done.code == 2
    assert done.err.strip() == (
        "hushwood: A column looks as if it identifies people and is not declared: 'my mail' (e-mail addresses); drop "
        "it with --identifier 'my mail', or keep one with --keep COLUMN=\"reason\"."
    )
    assert not Path("out").exists()
    kept = hushwood(
        "release",
        "people.csv",
        "--class",
        "ill",
        "-o",
        "out",
        "--evidence",
        "none",
        "--keep",
        "my mail=made up = no one's",
    )
    assert kept.code == 1, kept.err  # released, but without evidence nothing is proven
    manifest = json.loads(Path("out/not-cleared/manifest.json").read_text("utf-8"))
    assert manifest["kept_columns"] == {"my mail": "made up = no one's"}
    assert hushwood("verify", "out", "people.csv").code == 0


def test_inspect_names_the_option_that_settles_it(hushwood: Command, frame: pl.DataFrame) -> None:
    frame.write_csv("people.csv")
    shown = " ".join(hushwood("inspect", "people.csv").out.split())
    assert "Column 'my mail' looks like e-mail addresses" in shown
    assert "--identifier 'my mail'" in shown


def test_a_schema_file_can_declare_them(hushwood: Command, frame: pl.DataFrame) -> None:
    frame.write_csv("people.csv")
    hushwood("inspect", "people.csv", "--class", "ill", "--save", "as-found.toml")
    hushwood("inspect", "people.csv", "--class", "ill", "--identifier", "my mail", "--save", "declared.toml")
    words = ("release", "people.csv", "--class", "ill", "--dry-run", "--evidence", "none", "--schema")
    assert hushwood(*words, "as-found.toml").code == 2
    assert hushwood(*words, "declared.toml").code == 1  # past the gate, and not proven
