"""`hushwood web`: what it refuses; the running server is tested in tests/unit/web/test_server.py."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from support.command_line import Command, refused
from support.people_files import write_people


def test_a_table_must_be_below_the_folder(hushwood: Command, tmp_path: Path) -> None:
    refused(hushwood("web", "nowhere.csv", "--no-browser", "--port", "0"), "nowhere.csv")
    refused(hushwood("web", write_people(tmp_path), "--no-browser", "--port", "0"), "is not below")


def test_a_port_that_is_taken_is_named(hushwood: Command) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused(hushwood("web", "--no-browser", "--port", port), f"Port {port} is not free")


def test_without_its_libraries_it_says_how_to_get_them(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "uvicorn" or name == "hushwood.web.server"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)

    refused(hushwood("web"), "pip install '.[web]'")
