"""Names from a browser that try to leave the folder."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.files import FORMATS
from hushwood.web.paths import (
    ENDINGS,
    Received,
    free_name,
    inside,
    new_folder,
    plain_name,
    received,
    releases_below,
    stem_of,
    tables_below,
)
from support.asgi import in_pieces

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


TYPE = "multipart/form-data; boundary=xyz"


def part(name: str, value: bytes, filename: str | None = None) -> bytes:
    file = "" if filename is None else f'; filename="{filename}"'
    return f'--xyz\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'.encode() + value + b"\r\n"


def send(folder: Path, *parts: bytes, end: bytes = b"--xyz--\r\n", size: int = 7) -> Received:
    body = b"".join(parts) + end
    pieces = [body[i : i + size] for i in range(0, len(body), size)]
    return asyncio.run(received(TYPE, in_pieces(pieces), folder))


def test_fields_and_files_arrive_whole_in_pieces_of_any_size(tmp_path: Path) -> None:
    table = b"age,ill\r\n" + b"1,no\r\n" * 5000
    for size in (1, 7, 1 << 16):
        found = send(tmp_path, part("class", b"ill"), part("file", table, "people.csv"), size=size)
        assert found.fields == {"class": "ill"}
        assert found.files["file"].name == "people.csv"
        assert found.files["file"].read_bytes() == table


def test_only_the_user_can_look_at_the_file(tmp_path: Path) -> None:
    path = send(tmp_path, part("file", b"x", "people.csv")).files["file"]

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "/etc/cron.d/evil", "..\\\\..\\\\evil.csv", "evil\x00.csv"]
)
def test_a_name_cannot_choose_the_place(tmp_path: Path, name: str) -> None:
    path = send(tmp_path, part("file", b"x", name)).files["file"]

    assert path.parent.parent == tmp_path
    assert path.resolve().is_relative_to(tmp_path)


def test_a_form_without_a_chosen_file_has_none(tmp_path: Path) -> None:
    assert send(tmp_path, part("file", b"", "")).files == {}


@pytest.mark.parametrize("end", [b"", b"--xyz", b"--other--\r\n"])
def test_a_file_that_is_cut_off_is_removed(tmp_path: Path, end: bytes) -> None:
    with pytest.raises(InputError, match="did not arrive whole"):
        send(tmp_path, part("file", b"x" * 100, "people.csv"), end=end)
    assert list(tmp_path.iterdir()) == []


def test_a_form_of_another_kind_is_refused(tmp_path: Path) -> None:
    for kind in ("", "application/json", "multipart/form-data", "multipart/form-data; boundary="):
        with pytest.raises(InputError):
            asyncio.run(received(kind, in_pieces([b"x"]), tmp_path))


def test_fields_are_short_and_parts_few(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="too long"):
        send(tmp_path, part("class", bytes(70_000)), size=1 << 16)
    with pytest.raises(InputError, match="too many"):
        send(tmp_path, *(part(f"f{i}", b"x", "a.csv") for i in range(60)), size=1 << 16)
    assert list(tmp_path.iterdir()) == []


def test_a_fault_on_the_way_removes_what_arrived(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield part("file", b"x" * 100, "people.csv")
        raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(received(TYPE, pieces(), tmp_path))
    assert list(tmp_path.iterdir()) == []
