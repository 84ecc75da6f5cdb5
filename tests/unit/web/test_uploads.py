"""Forms with files, as browsers and attackers send them."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.web.uploads import Received, received
from support.asgi import in_pieces

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
