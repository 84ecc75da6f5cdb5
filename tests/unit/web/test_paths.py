"""Names from a browser that try to leave the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.files import FORMATS
from hushwood.web.paths import (
    ENDINGS,
    free_name,
    inside,
    new_folder,
    plain_name,
    releases_below,
    stem_of,
    tables_below,
)

ESCAPES = (
    "",
    ".",
    "..",
    "../secret.csv",
    "a/../../secret.csv",
    "a/..",
    "./people.csv",
    "/etc/passwd",
    "//server/share/x.csv",
    "~/people.csv",
    "~root/.ssh",
    "a//people.csv",
    "a/./people.csv",
    "people.csv\x00.png",
    "\x00",
    "..\\secret.csv",
    "a\\..\\..\\secret.csv",
    "C:\\secret.csv",
    "C:secret.csv",
    "\\\\server\\share\\x.csv",
    "people.csv:stream",
    "CON",
    "nul.csv",
    "a/com1.csv",
    "people.csv.",
    "people.csv ",
    ".hidden/people.csv",
    "a\n.csv",
    "\u202evsc.elpoep",
    "link.csv",
    "linked/secret.csv",
    "loop/x.csv",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with a table, and links that lead out of it."""
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "people.csv").write_text("x\n1\n")
    (root / "a" / "more.csv").write_text("x\n1\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.csv").write_text("x\n1\n")
    (root / "link.csv").symlink_to(outside / "secret.csv")
    (root / "linked").symlink_to(outside)
    (root / "loop").symlink_to(root / "loop")
    (root / "same.csv").symlink_to(root / "people.csv")
    return root


@pytest.mark.parametrize("name", ESCAPES)
def test_no_name_leads_out(root: Path, name: str) -> None:
    with pytest.raises(InputError):
        inside(root, name)


def test_names_below_are_found(root: Path) -> None:
    for name in ("people.csv", "a/more.csv", "same.csv", "not there.csv", "Größe (2).csv"):
        assert inside(root, name) == root / name


def test_a_new_folder_is_new_and_directly_below(root: Path) -> None:
    assert new_folder(root, "release") == root / "release"
    for name in ("a", "people.csv", "b/c", "linked", "../b", ".b", ""):
        with pytest.raises(InputError):
            new_folder(root, name)


def test_free_names(root: Path) -> None:
    (root / "people-2.csv").touch()

    assert free_name(root, "people.csv") == "people-3.csv"
    assert free_name(root, "fresh") == "fresh"
    assert free_name(root, "linked") == "linked-2"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("people.csv", "people.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\people.csv", "people.csv"),
        ("..", "table.csv"),
        (".bashrc", "bashrc"),
        ("a\x00\n.csv", "a__.csv"),
        ("con.csv", "_con.csv"),
        ("x" * 300 + ".csv", "x" * 116 + ".csv"),
        ("Größe <b>.csv", "Größe _b_.csv"),
    ],
)
def test_uploaded_files_get_plain_names(given: str, kept: str) -> None:
    assert plain_name(given) == kept


def test_tables_and_releases_below(root: Path) -> None:
    release = root / "old"
    for part in ("not-cleared", "private"):
        (release / part).mkdir(parents=True)
    (release / "not-cleared" / "manifest.json").write_text("{}")
    (release / "not-cleared" / "released.csv").touch()
    (root / "notes.txt").touch()
    (root / ".hidden.csv").touch()

    assert tables_below(root) == ["a/more.csv", "people.csv"]
    assert releases_below(root) == ["old"]
    assert tables_below(root / "nowhere") == []


def test_stems() -> None:
    assert [stem_of(name) for name in ("people.csv.gz", "people", ".x")] == ["people", "people", "table"]


def test_every_kind_of_table_is_offered() -> None:
    assert set(ENDINGS) == {ending for ending in FORMATS if not ending.startswith(".txt")}
