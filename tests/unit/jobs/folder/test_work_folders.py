from __future__ import annotations

import os
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.folder import work_folders
from hushwood.jobs.folder.work_folders import (
    LOCK,
    NEW,
    READY,
    InUse,
    clear_leftovers,
    give_back,
    is_work_folder,
    take,
    work_folder_for,
)


def left_by_a_killed_run(folder: Path, inner: str = NEW) -> None:
    os.close(take(folder))
    (folder / inner / "private").mkdir(parents=True)
    (folder / inner / "private" / "key").write_text("secret", "utf-8")


def test_one_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_folders, "_PAUSE", 0.0)
    folder = tmp_path / ".hushwood-out"
    lock = take(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert is_work_folder(folder)
    with pytest.raises(InUse):
        take(folder)
    give_back(folder, lock)
    assert list(tmp_path.iterdir()) == []
    give_back(folder, take(folder))


def test_a_lock_that_was_removed_while_it_was_waited_for_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".hushwood-out"
    seen: list[int] = []
    lock = take(folder)
    original = work_folders._lock

    def slow(file: int) -> None:
        if not seen:
            seen.append(file)
            give_back(folder, lock)  # after the file was opened and before it is locked
        original(file)

    monkeypatch.setattr(work_folders, "_lock", slow)
    taken = take(folder)
    assert os.path.samestat(os.fstat(taken), (folder / LOCK).stat())
    give_back(folder, taken)


def test_leftovers_of_dead_runs_are_cleared(tmp_path: Path) -> None:
    left_by_a_killed_run(tmp_path / ".hushwood-dead")
    left_by_a_killed_run(tmp_path / ".hushwood-own")
    left_by_a_killed_run(tmp_path / ".hushwood-half", READY)
    (tmp_path / ".hushwood-other").mkdir()
    (tmp_path / ".hushwood-link").symlink_to(tmp_path / ".hushwood-own")
    lock = take(tmp_path / ".hushwood-alive")
    clear_leftovers(tmp_path, but=tmp_path / ".hushwood-own")
    left = {path.name.removeprefix(".hushwood-") for path in tmp_path.iterdir()}
    assert left == {"own", "half", "other", "link", "alive"}
    os.close(lock)


def test_an_exchange_to_finish_is_never_removed(tmp_path: Path) -> None:
    folder = tmp_path / ".hushwood-out"
    left_by_a_killed_run(folder, READY)
    give_back(folder, take(folder))
    assert (folder / READY / "private" / "key").is_file()


def test_folders_closed_to_writing_are_removed_too(tmp_path: Path) -> None:
    folder = tmp_path / ".hushwood-out"
    left_by_a_killed_run(folder)
    (folder / NEW / "private").chmod(0o500)
    give_back(folder, take(folder))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("how", ["open", "link", "file"])
def test_what_others_may_look_into_is_not_written_to(tmp_path: Path, how: str) -> None:
    """In a shared folder anybody can foresee the name."""
    folder = tmp_path / ".hushwood-out"
    if how == "open":
        folder.mkdir()
        folder.chmod(0o777)
    elif how == "link":
        (tmp_path / "theirs").mkdir(mode=0o700)
        folder.symlink_to(tmp_path / "theirs")
    else:
        folder.touch(mode=0o600)
    with pytest.raises(InputError, match="is in the way"):
        take(folder)


def test_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    assert work_folder_for(target) == tmp_path / ".hushwood-out"
    assert work_folder_for(Path("/proc")) == Path("/proc/.hushwood-proc")
    long = work_folder_for(tmp_path / ("n" * 255))
    long.mkdir()
    assert long != work_folder_for(tmp_path / ("n" * 254))
    target.mkdir()
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    assert work_folder_for(target) == target / ".hushwood-out"
