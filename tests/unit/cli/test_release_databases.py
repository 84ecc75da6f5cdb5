"""`hushwood release` from and to databases: one sentence for every refusal, and never a password in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Command, refused
from support.sql_tables import in_duckdb, in_sqlite, people

SECRET = "hidden-5f21"
NOBODY = f"postgresql://ann:{SECRET}@127.0.0.1:1/x?table=t"


@pytest.mark.parametrize(
    "words", [["--no-such-option"], ["--class"], ["extra"], ["--k", "x"], ["--to", NOBODY], []]
)
def test_a_refusal_does_not_repeat_the_password(hushwood: Command, words: list[str]) -> None:
    done = hushwood("release", NOBODY, "--row-key", "id", f"--to={NOBODY}", "-o", "out", *words)
    assert done.code == 2
    assert SECRET not in done.out + done.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "address",
    [
        NOBODY,
        f"postgresql://ann@127.0.0.1:1/x?table=t&password={SECRET}",
        f"postgresql://ann@127.0.0.1:1/x?table=t&pasword={SECRET}",
        f"postgresql://ann:{SECRET}@127.0.0.1:port/x?table=t",
        f"postgresql://ann:a/{SECRET}@127.0.0.1/x?table=t",
        f"postgresql://ann:a?{SECRET}@127.0.0.1/x?table=t",
        f"postgres://ann:a@{SECRET}@127.0.0.1:1/x?table=t",
        f"postgresql:/ann:{SECRET}@127.0.0.1:1/x?table=t",
        f"postgresql:///ann:{SECRET}@127.0.0.1:1/x?table=t",
        f"postgres:ann:{SECRET}@127.0.0.1:1/x?table=t",
        f"./postgresql:/ann:{SECRET}@127.0.0.1:1/x?table=t",
    ],
)
def test_no_address_is_repeated_with_its_password(hushwood: Command, address: str) -> None:
    done = hushwood("release", address, "--row-key", "id", "--class", "c", "-o", "out", "-q")
    refused(done, "")
    assert SECRET not in done.err


def test_a_table_is_released_from_a_file_of_a_database(hushwood: Command, tmp_path: Path) -> None:
    address = in_duckdb(people(), tmp_path / "people.duckdb")
    words = ["--row-key", "person", "--class", "ill", "-o", "out", "--evidence", "none", "-q"]
    assert hushwood("release", address, *words).code == 1
    assert (Path("out") / "not-cleared" / "released.parquet").is_file()
    refused(
        hushwood("release", address, "--class", "ill", "-o", "out2"),
        "name a unique column with --row-key COLUMN",
    )
    refused(hushwood("release", address, *words[:4], "--tune", "-o", "out2"), "--tune searches on a file")


def test_what_the_tables_lack_is_said(hushwood: Command, tmp_path: Path) -> None:
    address = in_sqlite(people(), tmp_path / "people.db")
    plain = address.partition("?")[0]
    words = ["--row-key", "person", "--class", "ill", "-o", "out", "-q"]
    refused(hushwood("release", plain, *words), "Say which table to read")
    refused(hushwood("release", f"{plain}?table=nowhere", *words), "Check the name of the table.")
    refused(hushwood("release", f"sqlite:///{tmp_path}/none.db?table=t", *words), "There is no file")
    refused(hushwood("release", address, *words, "--to", "out.db"), "--to takes the address of a table")
    refused(hushwood("release", address, "--row-key", "no", "--class", "ill", "-o", "out", "-q"), "'no'")
    assert not Path("out").exists()
