"""Texts written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.whole_files import check_other_file, write_whole


def test_a_text_replaces_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    write_whole("né\n", tmp_path / "a")

    assert (tmp_path / "a").read_text(encoding="utf-8") == "né\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="could not be written: No such file or directory; give another file"
    ):
        write_whole("x", tmp_path / "no" / "a")


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "link").symlink_to(tmp_path / "t.csv")

    check_other_file(tmp_path / "new", [tmp_path / "t.csv"])
    with pytest.raises(InputError, match="is the table itself"):
        check_other_file(tmp_path / "link", [tmp_path / "gone", tmp_path / "t.csv"])


def test_a_private_text_is_for_the_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0o022)
    try:
        write_whole("x", tmp_path / "shared")
        (tmp_path / "private").touch(mode=0o666)
        write_whole("x", tmp_path / "private", 0o600)
    finally:
        os.umask(old)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("shared", "private")]
    assert modes == [0o644, 0o600]


def test_a_link_that_somebody_laid_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can foresee the name that is written to first, and a file by that name is not written over."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "f" * 2 * size)
    (tmp_path / "victim").write_text("kept")
    (tmp_path / f".hushwood-{'f' * 16}").symlink_to("victim")
    with pytest.raises(InputError, match="a could not be written: File exists"):
        write_whole("x", tmp_path / "a")
    assert (tmp_path / "victim").read_text() == "kept"


def test_the_disk_has_the_text_before_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")
    synced: list[str] = []
    sync = os.fsync

    def noted(file: int) -> None:
        synced.append((tmp_path / "a").read_text())
        sync(file)

    monkeypatch.setattr(os, "fsync", noted)
    write_whole("new", tmp_path / "a")
    assert synced == ["old", "new"]  # the file, and then the folder


def test_a_full_disk_leaves_the_old_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_text("old")

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="a could not be written: No space left on device"):
        write_whole("new", tmp_path / "a")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a", "old")]


def test_a_link_leads_to_the_file_and_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    (tmp_path / "link").symlink_to("a")
    write_whole("new", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "a").read_text() == "new"
    for path in (Path("/dev/null"), Path("/"), tmp_path):
        with pytest.raises(InputError, match="is not a file that can be replaced"):
            write_whole("x", path)
