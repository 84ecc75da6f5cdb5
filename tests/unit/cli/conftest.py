"""What the tests of commands share: the command, a table, and a temporary folder that is watched."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from support.command_line import Command
from support.people_files import write_people


@pytest.fixture
def hushwood(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """The command, working in a folder of its own; temporary files go below that folder and are seen."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return Command(capsys)


@pytest.fixture
def people_csv(hushwood: Command, tmp_path: Path) -> Path:
    del hushwood
    return write_people(tmp_path / "work")
