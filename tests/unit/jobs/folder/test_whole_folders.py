from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import BrokenCertificate, InputError
from hushwood.jobs.folder import exchange, whole_folders, work_folders
from hushwood.jobs.folder.whole_folders import (
    check_free,
    check_outside,
    leftover_warnings,
    listed_files,
    shared_part,
    whole_folder,
)
from support.people_files import contents
from support.release_parts import part_of
from support.tiny_releases import read_release, write_files, write_release


def names(folder: Path) -> set[str]:
    return set(contents(folder))


def test_the_folder_appears_when_all_is_written(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    with whole_folder(target, False) as aside:
        (aside / "share" / "x").touch()
        assert not target.exists()
    assert names(tmp_path) == {"a", "a/b", "a/b/share", "a/b/share/x", "a/b/private"}
    assert (target / "private").stat().st_mode & 0o777 == 0o700


def test_the_folder_is_as_open_as_the_umask_says(tmp_path: Path) -> None:
    old = os.umask(0o077)
    try:
        write_release(tmp_path / "out", "1")
    finally:
        os.umask(old)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError, InputError, BrokenCertificate])
@pytest.mark.parametrize("there", [False, True], ids=["new", "replaced"])
def test_a_fault_leaves_what_was_there(tmp_path: Path, fault: type[BaseException], there: bool) -> None:
    target = tmp_path / "a" / "b"
    if there:
        write_release(target, "old")
    before = contents(tmp_path)
    with pytest.raises(fault), whole_folder(target, True) as aside:
        (aside / "share" / "x").touch()
        raise fault("no")
    assert contents(tmp_path) == before


def test_a_fault_of_the_disk_names_the_folder_that_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "out"
    raising = pytest.raises(InputError, match="out could not be written: No space left")
    with raising as raised, whole_folder(target, False):
        raise OSError(28, "No space left on device", "somewhere")
    assert ".hushwood" not in str(raised.value)
    raising = pytest.raises(InputError, match=r"out/share/t could not be written\. Nothing was left")
    with raising, whole_folder(target, False) as aside:
        raise InputError(f"{aside / 'share' / 't'} could not be written.")
    assert names(tmp_path) == set()


def test_without_a_target_all_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with whole_folder(None, False) as aside:
        assert aside.parent.parent == tmp_path
        assert aside.parent.stat().st_mode & 0o777 == 0o700
    assert names(tmp_path) == set()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="No temporary folder can be made"), whole_folder(None, False):
        pass


def test_files_and_full_folders_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for target in (tmp_path / "file", tmp_path / "file" / "x" / "y"):
        with pytest.raises(InputError, match="is a file"):
            check_free(target, True)
    with pytest.raises(InputError, match="not empty"):
        check_free(tmp_path, False)
    with pytest.raises(InputError, match="holds no release"):
        check_free(tmp_path, True)
    (tmp_path / "empty").mkdir()
    check_free(tmp_path / "empty", False)
    check_free(tmp_path / "new" / "new", False)


def test_a_folder_that_must_not_be_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def barred(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", barred)
    with pytest.raises(InputError, match="cannot be looked into: Permission denied"):
        check_free(tmp_path, False)


def test_replacing_keeps_what_is_not_listed(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "mine").write_text("kept", "utf-8")
    (target / "share" / "deep").mkdir()
    (target / "share" / "deep" / "mine").write_text("kept", "utf-8")
    (target / "private" / "empty").mkdir()
    (target / "share" / "link").symlink_to("nowhere")
    write_release(target, "new", force=True)
    assert (target / "share" / "table.csv").read_text("utf-8") == "new"
    assert (target / "private" / "key").read_text("utf-8") == "new"
    assert (target / "share" / "deep" / "mine").read_text("utf-8") == "kept"
    assert (target / "mine").read_text("utf-8") == "kept"
    assert (target / "private" / "empty").is_dir()
    assert (target / "share" / "link").is_symlink()
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    assert {path.name for path in target.iterdir()} == {"mine", "share", "private"}


def test_what_would_be_lost_stops_the_replacement(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "share" / "extra").write_text("mine", "utf-8")
    before = contents(tmp_path)
    with pytest.raises(InputError, match="would be lost; move it away"), whole_folder(target, True) as aside:
        (aside / "share" / "extra").touch()
    assert contents(tmp_path) == before


def test_a_folder_that_is_a_link_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "private").rename(tmp_path / "safe")
    (target / "private").symlink_to(tmp_path / "safe")
    with pytest.raises(InputError, match="is a link"):
        write_release(target, "new", force=True)
    assert (tmp_path / "safe" / "key").read_text("utf-8") == "old"


@pytest.mark.usefixtures("heeded_signals")
def test_an_interrupt_during_the_exchange_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is delivered when the release is complete, and the folder is tidy."""
    target = tmp_path / "out"
    write_release(target, "old")
    put = exchange.put_in_place

    def interrupted(*given: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        put(*given)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(whole_folders, "put_in_place", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_release(target, "new", force=True)
    assert read_release(target) == "new"
    assert whole_folders.completed == [target]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("there", [False, True], ids=["new", "replaced"])
def test_the_second_of_two_runs_to_one_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr(work_folders, "_PAUSE", 0.0)
    target = tmp_path / "out"
    if there:
        write_release(target, "old")
    with whole_folder(target, True) as aside:
        with pytest.raises(InputError, match=r"Another run is writing .*out now; wait until it has ended"):
            write_release(target, "second", force=True)
        write_release(tmp_path / "other", "its own")
        write_files(aside, "first")
    assert read_release(target) == "first"
    assert {path.name for path in tmp_path.iterdir()} == {"out", "other"}


def test_a_disk_that_fails_at_the_last_moment_leaves_the_old_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    write_release(target, "old")

    def full(folder: Path) -> None:
        raise OSError(28, "No space left on device", str(folder))

    monkeypatch.setattr(whole_folders, "make_durable", full)
    with pytest.raises(InputError, match="No space left on device; nothing was left there"):
        write_release(target, "new", force=True)
    assert read_release(target) == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("text", ["old", "new"])
def test_what_cannot_be_removed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def stuck(folder: Path, lock: int) -> None:
        os.close(lock)
        raise OSError(5, "Input/output error", str(folder))

    monkeypatch.setattr(whole_folders, "give_back", stuck)
    state = "is complete" if text == "new" else "was not written"
    says = rf"out {state}, but .*\.hushwood-out could not be removed: Input/output error; remove it yourself"
    with pytest.raises(InputError, match=says), whole_folder(tmp_path / "out", False) as aside:
        write_files(aside, text)
        if text == "old":
            raise MemoryError
    monkeypatch.undo()
    write_release(tmp_path / "out", "next", force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_leftovers_of_earlier_versions_are_named(tmp_path: Path) -> None:
    (tmp_path / ".hushwood-abc" / "private").mkdir(parents=True)
    (tmp_path / ".hushwood-b").mkdir()
    assert leftover_warnings(tmp_path / "out") == [
        f"{tmp_path / '.hushwood-abc'} was left by a run that was killed; remove it, for it may hold a key."
    ]
    assert leftover_warnings(None) == []


TWICE = '{"files": [], "files": ["mine"], "private_files": []}'


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"files": 3, "private_files": []}', "\xff", TWICE])
def test_a_damaged_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / whole_folders.MANIFEST).write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match="is damaged"):
        listed_files(tmp_path / "share")


def test_a_table_inside_the_old_release(tmp_path: Path) -> None:
    write_release(tmp_path / "out", "old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "out" / "share" / "table.csv")
    for table in (tmp_path / "out" / "share" / "table.csv", tmp_path / "link.csv"):
        with pytest.raises(InputError, match="belongs to the release"):
            check_outside(table, tmp_path / "out")
    check_outside(tmp_path / "out" / "table.csv", tmp_path / "out")


def test_a_release_must_not_lie_among_the_files_of_its_table(tmp_path: Path) -> None:
    """Next time it would be read as a part of the table."""
    files = tmp_path / "files"
    files.mkdir()
    for target in (files, files / "out", files / "deeper" / "out"):
        with pytest.raises(InputError, match=r"would lie in .*/files, whose files are the table"):
            check_outside(files, target)
    check_outside(files, tmp_path / "out")
    check_outside(files, tmp_path / "files-out")


def test_a_table_that_was_held_back_lies_inside_too(tmp_path: Path) -> None:
    write_release(tmp_path / "out", "old", part="not-cleared")
    with pytest.raises(InputError, match="belongs to the release"):
        check_outside(tmp_path / "out" / "not-cleared" / "table.csv", tmp_path / "out")


def test_one_kind_of_release_replaces_the_other(tmp_path: Path) -> None:
    """What else lies in share/ goes where the release goes; nothing else ever comes into share/."""
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "mine").write_text("kept", "utf-8")
    (target / "share" / "mine").write_text("kept", "utf-8")
    with pytest.raises(InputError, match="not empty"):
        check_free(target, False)

    write_release(target, "new", force=True, part="not-cleared")
    assert (read_release(target), part_of(target)) == ("new", "not-cleared")
    assert {path.name for path in target.iterdir()} == {"mine", "not-cleared", "private"}
    assert (target / "not-cleared" / "mine").read_text("utf-8") == "kept"

    before = contents(tmp_path)
    with pytest.raises(InputError, match="mine is not listed by the release and would be handed out with it"):
        write_release(target, "newest", force=True)
    assert contents(tmp_path) == before

    (target / "not-cleared" / "mine").unlink()
    check_free(target, True)
    write_release(target, "newest", force=True)
    assert (read_release(target), part_of(target)) == ("newest", "share")
    assert (target / "mine").read_text("utf-8") == "kept"


def test_the_same_files_under_another_manifest(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_release(target, "old", part="not-cleared")
    inode = (target / "not-cleared" / "table.csv").stat().st_ino
    with whole_folder(target, True, same_files=True) as aside:
        (aside / "share" / "manifest.json").write_text("{}", "utf-8")
    assert {path.name for path in target.iterdir()} == {"share", "private"}
    assert (target / "share" / "table.csv").stat().st_ino == inode
    assert (target / "share" / "manifest.json").read_text("utf-8") == "{}"
    assert (target / "private" / "key").read_text("utf-8") == "old"


@pytest.mark.parametrize("part", ["share", "not-cleared"])
def test_a_folder_with_both_is_damaged(tmp_path: Path, part: str) -> None:
    target = tmp_path / "out"
    write_release(target, "old", part=part)
    assert shared_part(target) == part
    (target / ("not-cleared" if part == "share" else "share")).mkdir()
    before = contents(tmp_path)
    with pytest.raises(InputError, match="damaged: it has both share and not-cleared; move the one"):
        shared_part(target)
    with pytest.raises(InputError, match="has both"):
        check_free(target, True)
    with pytest.raises(InputError, match="has both"):
        write_release(target, "new", force=True)
    assert contents(tmp_path) == before


def test_folders_of_these_names_without_a_manifest_are_no_release(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "not-cleared").mkdir()
    assert shared_part(tmp_path) is None
    with pytest.raises(InputError, match="holds no release"):
        check_free(tmp_path, True)
