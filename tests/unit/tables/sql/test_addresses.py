from __future__ import annotations

from pathlib import Path

import pytest

import hushwood as hw
from hushwood.errors import InputError, without_passwords
from hushwood.tables.sql.addresses import (
    address_of,
    has_password,
    hide_passwords,
    is_address,
)


@pytest.mark.parametrize(
    "text", ["postgresql://a/b", "postgres://a/b", "duckdb:///a", "sqlite:////a/b?table=c", "SQLite:///x"]
)
def test_addresses_are_recognised(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text", ["a.csv", "mysql://a/b", "C:\\people.csv", "sqlite.csv", "", Path("sqlite:///a"), 3]
)
def test_other_things_are_no_addresses(text: object) -> None:
    assert not is_address(text)


def test_a_table_on_a_server() -> None:
    found = address_of("postgresql://ann:p%40ss@db.example:6000/clinic?sslmode=require&table=care.people")
    assert (found.scheme, found.place, found.table) == (
        "postgresql",
        "ann@db.example:6000/clinic",
        "care.people",
    )
    assert found.uri == "postgresql://ann:p%40ss@db.example:6000/clinic?sslmode=require"
    assert found.path is None
    assert set(found.secrets) == {"p%40ss", "p@ss"}


def test_nothing_that_is_shown_of_an_address_holds_the_password() -> None:
    for text in ("postgresql://ann:hidden-1@a/b", "postgresql://ann@a/b?password=hidden-1&sslmode=require"):
        found = address_of(text)
        assert "hidden-1" not in repr(found)
        assert "hidden-1" not in found.place
        assert found.without_secrets("no\n  hidden-1 here") == "no … here"
        assert "hidden-1" not in without_passwords(f"in {text} there")


@pytest.mark.parametrize(
    "text",
    [
        "postgresql:/ann:hidden-1@a/b?table=t",
        "postgres:ann:hidden-1@a/b",
        "postgresql:////ann:hidden-1@a/b",
        Path("postgresql://ann:hidden-1@a/b?table=t"),
        Path("postgresql://ann@a/b?table=t&password=hidden-1"),
    ],
)
def test_an_address_with_a_slash_too_few_is_refused_without_its_password(text: str | Path) -> None:
    """As a path it is the name of a file that is not there."""
    words = ["release", str(text)]
    hide_passwords(words)
    assert "hidden-1" not in words[1] or isinstance(text, Path)
    with pytest.raises(InputError) as refused:
        hw.release(text, output="out")
    assert "hidden-1" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "path"),
    [("sqlite:///a%20b.db?table=t", "a b.db"), ("duckdb:////data/x.duckdb?table=t", "/data/x.duckdb")],
)
def test_a_table_in_a_file(text: str, path: str) -> None:
    found = address_of(text)
    assert (found.path, found.table) == (Path(path), "t")


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ann:se/cret@server/clinic",
        "postgresql://ann:se?cret@server/clinic",
        "postgresql://ann:secret@server:port/clinic",
        "sqlite://people-secret.db",
        "sqlite:///",
        "duckdb:///a.duckdb?mode=secret",
    ],
)
def test_what_cannot_be_read_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(InputError, match="The address of the database") as fault:
        address_of(text)
    assert "cret" not in str(fault.value)


def test_passwords_are_taken_out_of_a_command_and_still_known() -> None:
    words = [
        "release",
        "postgresql://ann:hidden-2@a/b?table=t",
        "--to=postgresql://bob:hidden-3@c/d",
        "--k",
        "5",
    ]
    hide_passwords(words)
    assert words == ["release", "postgresql://ann:…@a/b?table=t", "--to=postgresql://bob:…@c/d", "--k", "5"]
    assert has_password(words[1])
    assert address_of(words[1]).uri == "postgresql://ann:hidden-2@a/b"
    assert not has_password("postgresql://ann@a/b")


def test_a_password_with_an_at_sign_is_hidden_whole() -> None:
    assert address_of("postgresql://ann:a@b@server/clinic").uri == "postgresql://ann:a%40b@server/clinic"
    assert without_passwords("postgresql://ann:p@ss/w@server/clinic") == "postgresql://ann:…@server/clinic"
