from __future__ import annotations

import errno
import os
import signal
import subprocess
import threading
from collections.abc import Collection
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.folder import exchange, whole_folders
from hushwood.jobs.folder.exchange import Parts, held_signals, stop_signals
from hushwood.jobs.folder.whole_folders import check_finished, check_free
from support.people_files import contents
from support.release_parts import part_of
from support.tiny_releases import read_release, write_release

pytestmark = pytest.mark.usefixtures("heeded_signals")

WAYS = ["whole", "by parts"]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Replace as this system can, and as one that cannot exchange folders has to."""
    if request.param == "by parts":
        without_exchange(monkeypatch)
    return str(request.param)


each_change = pytest.mark.parametrize(
    ("old", "new"), [("share", "share"), ("share", "not-cleared"), ("not-cleared", "share")]
)


def without_exchange(monkeypatch: pytest.MonkeyPatch, number: int = errno.EINVAL) -> None:
    def impossible(one: Path, other: Path) -> None:
        raise OSError(number, "impossible")

    monkeypatch.setattr(exchange, "exchange", impossible)


def test_what_is_not_listed_is_kept_as_it_is(tmp_path: Path, way: str) -> None:
    del way
    target = tmp_path / "out"
    write_release(target, "old")
    target.chmod(0o2750)
    (target / "mine").write_text("kept", "utf-8")
    (target / "deep" / "deeper").mkdir(parents=True)
    (target / "deep" / "file").write_text("kept", "utf-8")
    (target / "deep" / "deeper").chmod(0o555)
    (target / "private" / "link").symlink_to("nowhere")
    os.mkfifo(target / "share" / "pipe")
    inode, before = (target / "mine").stat().st_ino, contents(target / "deep")
    write_release(target, "new", force=True)
    assert read_release(target) == "new"
    assert (target / "mine").stat().st_ino == inode
    assert contents(target / "deep") == before
    assert (target / "deep" / "deeper").stat().st_mode & 0o777 == 0o555
    assert (target / "private" / "link").is_symlink()
    assert (target / "share" / "pipe").is_fifo()
    assert target.stat().st_mode & 0o7777 == 0o2750
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_keeps_its_mode(tmp_path: Path, way: str) -> None:
    del way
    (tmp_path / "out").mkdir(mode=0o711)
    write_release(tmp_path / "out", "new")
    assert read_release(tmp_path / "out") == "new"
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o711


def test_a_link_to_the_folder_stays(tmp_path: Path, way: str) -> None:
    del way
    write_release(tmp_path / "real", "old")
    (tmp_path / "out").symlink_to("real")
    write_release(tmp_path / "out", "new", force=True)
    assert (tmp_path / "out").is_symlink()
    assert read_release(tmp_path / "real") == "new"


def test_the_folder_that_the_command_is_called_from_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the shell would stand in a folder that is gone."""
    target = tmp_path / "out"
    target.mkdir()
    monkeypatch.chdir(target)
    inode = target.stat().st_ino
    for word in ("old", "new"):
        write_release(Path(), word, force=True)
    assert (read_release(Path()), target.stat().st_ino) == ("new", inode)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_mounted_folder_is_replaced_from_within(tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "out").mkdir()
    mount = ["mount", "--bind", str(tmp_path / "disk"), str(tmp_path / "out")]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a folder can be mounted by root only")
    try:
        for word in ("old", "new"):
            write_release(tmp_path / "out", word, force=True)
        assert read_release(tmp_path / "disk") == "new"
        assert {path.name for path in (tmp_path / "disk").iterdir()} == {"share", "private"}
    finally:
        subprocess.run(["umount", str(tmp_path / "out")], check=True)


@pytest.mark.parametrize("inside", ["backup", "share/backup"])
def test_a_disk_mounted_inside_the_release_is_never_emptied(tmp_path: Path, inside: str) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / inside).mkdir()
    mount = ["mount", "-t", "tmpfs", "none", str(target / inside)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a folder can be mounted by root only")
    try:
        (target / inside / "mine").write_text("kept", "utf-8")
        if inside == "backup":
            write_release(target, "new", force=True)
        else:
            with pytest.raises(InputError, match=r"another disk is mounted at .*backup; nothing was left"):
                write_release(target, "new", force=True)
        assert (target / inside / "mine").read_text("utf-8") == "kept"
    finally:
        subprocess.run(["umount", str(target / inside)], check=True)
    assert read_release(target) == ("new" if inside == "backup" else "old")


@pytest.mark.parametrize("part", ["share", "private"])
def test_a_file_in_the_place_of_a_part_is_not_lost(tmp_path: Path, part: str, way: str) -> None:
    del way
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "share" / "table.csv").unlink()
    (target / "share" / "table.csv").mkdir()
    (target / "share" / "table.csv" / "mine").touch()
    before = contents(tmp_path)
    with pytest.raises(InputError, match="would be lost"):
        write_release(target, "new", force=True)
    assert contents(tmp_path) == before
    if part == "private":
        (target / "private" / "key").unlink()
        (target / "private").rmdir()
        (target / "private").write_text("mine", "utf-8")
        with pytest.raises(InputError, match="private is a file, which is not replaced"):
            write_release(target, "new", force=True)
        assert (target / "private").read_text("utf-8") == "mine"


@each_change
def test_a_fault_at_any_step_leaves_one_release_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, old: str, new: str
) -> None:
    """Every rename and every sync of the exchange fails once."""
    target = tmp_path / "out"
    rename, sync, put = Path.rename, exchange.sync, exchange.put_in_place
    calls: list[Path] = []
    broken_at = 0

    def count(path: Path) -> Path:
        calls.append(path)
        if len(calls) == broken_at:
            raise OSError(errno.EIO, "Input/output error")
        return path

    def fragile_put(work: Path, target: Path, parts: Parts, own: Collection[Path]) -> None:
        calls.clear()
        with monkeypatch.context() as patched:
            patched.setattr(Path, "rename", lambda path, goal: rename(count(path), goal))
            patched.setattr(exchange, "sync", lambda path: sync(count(path)))
            put(work, target, parts, own)

    write_release(target, "old", part=old)
    monkeypatch.setattr(whole_folders, "put_in_place", fragile_put)
    while len(calls) >= broken_at:
        broken_at += 1
        try:
            write_release(target, "new", force=True, part=new)
        except InputError as fault:
            assert "out could not be written: Input/output error; nothing was left there" in f"{fault}"
            assert (read_release(target), part_of(target)) == ("old", old)
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (read_release(target), part_of(target)) == ("new", new)
    assert broken_at - 1 == {"whole": 5, "by parts": 17}[way]  # every step was tried


@each_change
@pytest.mark.parametrize("killed_at", range(6))
def test_the_next_run_finishes_what_a_killed_one_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed_at: int, old: str, new: str
) -> None:
    """Whichever of the six renames the run did not come to."""
    target, work = tmp_path / "out", tmp_path / ".hushwood-out"
    write_release(target, "old", part=old)
    without_exchange(monkeypatch)
    rename = Path.rename
    done: list[Path] = []

    def killed(path: Path, goal: Path) -> Path:
        if len(done) == killed_at:
            raise SystemExit("killed")  # is not undone, as an error would be
        done.append(path)
        return rename(path, goal)

    monkeypatch.setattr(Path, "rename", killed)
    monkeypatch.setattr(whole_folders, "give_back", lambda folder, lock: os.close(lock))
    with pytest.raises(SystemExit):
        write_release(target, "new", force=True, part=new)
    monkeypatch.undo()
    if killed_at > 0:
        with pytest.raises(InputError, match=r"killed while it replaced the release in .*out; give the same"):
            check_finished(target)
    check_free(target, True)
    assert (read_release(target), part_of(target)) == (("old", old) if killed_at == 0 else ("new", new))
    write_release(target, "next", force=True)
    assert read_release(target) == "next"
    assert not work.exists()


def test_an_exchange_that_can_be_neither_finished_nor_undone_keeps_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, work = tmp_path / "out", tmp_path / ".hushwood-out"
    write_release(target, "old")
    without_exchange(monkeypatch)
    rename = Path.rename
    done: list[Path] = []

    def broken(path: Path, goal: Path) -> Path:
        done.append(path)
        if len(done) > 3:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, goal)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises(InputError, match="neither replaced nor restored: Input/output error; the old and"):
        write_release(target, "new", force=True)
    with pytest.raises(InputError, match="cannot be finished: Input/output error"):
        check_free(target, True)
    monkeypatch.undo()
    keys = {path.read_text("utf-8") for path in (*target.rglob("key"), *work.rglob("key"))}
    assert keys == {"old", "new"}
    write_release(target, "next", force=True)
    assert read_release(target) == "next"
    assert not work.exists()


def test_a_file_that_cannot_be_linked_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out"
    write_release(target, "old")
    (target / "share" / "mine").write_text("kept", "utf-8")
    (target / "mine").write_text("kept", "utf-8")

    def impossible(path: Path, copy: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(exchange, "_link", impossible)
    write_release(target, "new", force=True)
    assert read_release(target) == "new"
    assert [(target / name).read_text("utf-8") for name in ("mine", "share/mine")] == ["kept", "kept"]


def test_a_folder_that_cannot_be_listed_is_not_taken_for_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_more_files(path: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "scandir", no_more_files)
    with pytest.raises(OSError, match="Too many open files"):
        exchange.make_durable(tmp_path)


def test_an_interrupt_comes_when_the_block_has_ended() -> None:
    steps = []
    with pytest.raises(KeyboardInterrupt):
        with held_signals():
            with held_signals():
                os.kill(os.getpid(), signal.SIGINT)
                steps.append("inner")
            steps.append("outer")
        steps.append("after")
    assert steps == ["inner", "outer"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_handlers_are_put_back_and_ignored_signals_stay_ignored() -> None:
    before = {number: signal.getsignal(number) for number in stop_signals()}
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with pytest.raises(ZeroDivisionError), held_signals():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not before[signal.SIGTERM]
            raise ZeroDivisionError
    finally:
        signal.signal(signal.SIGHUP, old)
    assert {number: signal.getsignal(number) for number in stop_signals()} == before


def test_other_threads_need_no_protection() -> None:
    entered = []

    def work() -> None:
        with held_signals():
            entered.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert entered == [signal.default_int_handler]
