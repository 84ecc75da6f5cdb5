"""A finished folder put in the place of an old one in one step that no interrupt can split.

Where the system can exchange two folders, that is one call, and the old or the new one is there at every moment.
Elsewhere the parts are moved one by one; what is left to move then lies in the work folder, and the next run moves it.
A part may have one of several names, and a new part replaces an old one under any of them. Signals wait while the disk
is between two states.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from hushwood.errors import InputError
from hushwood.jobs.folder.work_folders import NEW, OLD, READY

_AT_FDCWD, _EXCHANGE = -100, 2
# The system, the file system or the place knows no exchange; or a file may not be linked.
_IMPOSSIBLE = {
    errno.ENOSYS,
    errno.EINVAL,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.EXDEV,
    errno.EBUSY,
    errno.EPERM,
    errno.EACCES,
    errno.EMLINK,
}
# The file system keeps folders by itself, or we may write to a folder and not look into it.
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EACCES}
Parts = Sequence[Sequence[str]]  # every part of a folder, as the names that it may have


def make_durable(folder: Path) -> None:
    """Have the disk keep every file and folder below this one, and itself."""
    for inner, _, names in os.walk(folder, topdown=False, onerror=_refused):
        for path in (*(Path(inner, name) for name in names), Path(inner)):
            sync(path)


def _refused(fault: OSError) -> None:
    raise fault  # a folder that cannot be listed would count as an empty one


def sync(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder."""
    if sys.platform == "win32":
        return  # it opens no folders, and files only for writing
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as fault:
        if fault.errno not in _NO_SYNC:
            raise


def put_in_place(work: Path, target: Path, parts: Parts, own: Collection[Path]) -> None:
    """Let the durable folder `work/NEW` become the target; of an old one, everything that is not its own is kept."""
    new = work / NEW
    if not target.exists():
        _rename_durably(new, target)
        return
    for names in parts:
        for old in (target / name for name in names if os.path.lexists(target / name)):
            _check_folder(old)
            _carry(old, _part(new, names), own, _link_or_copy)
    if _stays(work, target) or not _exchange_whole(work, target, parts):
        _exchange_parts(work, target, parts)


def _part(folder: Path, names: Sequence[str]) -> Path:
    """A part in a folder, by the name that it has there; by its first name if it is not there."""
    return next((folder / name for name in names if (folder / name).is_dir()), folder / names[0])


def _check_folder(path: Path) -> None:
    if path.is_symlink() or not path.is_dir():
        what = "link" if path.is_symlink() else "file"
        raise InputError(f"{path} is a {what}, which is not replaced; choose another folder.")


def _rename_durably(source: Path, goal: Path) -> None:
    source.rename(goal)
    try:
        sync(goal.parent)
    except OSError:
        goal.rename(source)
        raise


def _stays(work: Path, target: Path) -> bool:
    """Whether the folder itself must stay: a mounted one, or the one from which the command was called."""
    with suppress(OSError):
        if Path.cwd().is_relative_to(target):
            return True
    return work.is_relative_to(target)


def _exchange_whole(work: Path, target: Path, parts: Parts) -> bool:
    new = work / NEW
    ours = {name for names in parts for name in names}
    try:
        others = [path for path in target.iterdir() if path.name not in ours]
        for path in others:
            _carry_one(path, new / path.name, (), _link)
        _take_after(target, new)
        _sync_folders(new)
        exchange(new, target)
    except OSError as fault:
        if fault.errno in _IMPOSSIBLE:
            return False
        raise
    try:
        sync(target.parent)
        sync(work)
    except OSError:
        exchange(new, target)
        raise
    return True


def exchange(one: Path, other: Path) -> None:
    """Let two folders change places in one step."""
    if sys.platform == "win32":
        raise OSError(errno.ENOSYS, "Windows cannot exchange folders")
    import ctypes  # only here: every command imports this module

    system = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    try:
        if sys.platform == "darwin":
            failed = system.renamex_np(*names, _EXCHANGE)
        else:
            failed = system.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE)
    except AttributeError as fault:
        raise OSError(errno.ENOSYS, "the C library cannot exchange folders") from fault
    if failed:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(other))


def _exchange_parts(work: Path, target: Path, parts: Parts) -> None:
    _sync_folders(work / NEW)
    (work / OLD).mkdir()
    (work / NEW).rename(work / READY)
    try:
        sync(work)
        finish(work, target, parts)
    except OSError:
        _roll_back(work, target, parts)
        raise


def finish(work: Path, target: Path, parts: Parts) -> None:
    """Move the parts that are ready to the target, from whatever state an interrupted exchange was left in."""
    for names in parts:
        ready = _part(work / READY, names)
        if ready.is_dir():
            for name in names:
                if (target / name).is_dir():
                    (target / name).rename(work / OLD / name)
            ready.rename(target / ready.name)
    for folder in (target, work / OLD, work / READY):
        sync(folder)
    (work / READY).rename(work / NEW)
    sync(work)


def _roll_back(work: Path, target: Path, parts: Parts) -> None:
    try:
        if (work / NEW).is_dir():
            (work / NEW).rename(work / READY)
        for names in parts:
            if not _part(work / READY, names).is_dir():
                moved = _part(target, names)
                moved.rename(work / READY / moved.name)
            for name in names:
                if (work / OLD / name).is_dir():
                    (work / OLD / name).rename(target / name)
        (work / READY).rename(work / NEW)
    except OSError as fault:
        raise InputError(
            f"{target} could be neither replaced nor restored: {fault.strerror}; the old and the new files are safe "
            f"there and in {work}, and the next release to this folder with --force finishes the exchange."
        ) from fault


def _carry(source: Path, goal: Path, own: Collection[Path], keep: Callable[[Path, Path], None]) -> None:
    """Bring over what lies in a folder and is not listed as the old release's own: it was never ours to remove."""
    for path in sorted(source.iterdir()):
        _carry_one(path, goal / path.name, own, keep)


def _carry_one(path: Path, copy: Path, own: Collection[Path], keep: Callable[[Path, Path], None]) -> None:
    is_folder = path.is_dir() and not path.is_symlink()
    if path in own and (not is_folder or all(inner in own for inner in path.iterdir())):
        return
    if os.path.lexists(copy) and not (is_folder and copy.is_dir()):
        raise _would_be_lost(path)
    if not is_folder:
        keep(path, copy)
        return
    if path.stat().st_dev != path.parent.stat().st_dev:
        raise OSError(errno.EXDEV, f"another disk is mounted at {path}")
    copy.mkdir(exist_ok=True)
    _carry(path, copy, own, keep)
    _take_after(path, copy)


def _would_be_lost(path: Path) -> InputError:
    return InputError(f"{path} is not listed by the old release and would be lost; move it away.")


def _link(path: Path, copy: Path) -> None:
    os.link(path, copy, follow_symlinks=False)


def _link_or_copy(path: Path, copy: Path) -> None:
    """A second name for the same file costs nothing and stays in step with it; some disks have none."""
    try:
        _link(path, copy)
    except OSError as fault:
        if fault.errno not in _IMPOSSIBLE:
            raise
        if not (path.is_symlink() or path.is_file()):
            raise _would_be_lost(path) from fault
        shutil.copy2(path, copy, follow_symlinks=False)
        if not copy.is_symlink():
            sync(copy)


def _take_after(old: Path, new: Path) -> None:
    """Give a folder the mode, times and, where we may, the owner of the one it stands for."""
    found, made = old.stat(), new.stat()
    if (found.st_uid, found.st_gid) != (made.st_uid, made.st_gid):
        with suppress(OSError):
            os.chown(new, found.st_uid, found.st_gid)
    shutil.copystat(old, new)


def _sync_folders(folder: Path) -> None:
    for inner, _, _ in os.walk(folder, topdown=False, onerror=_refused):
        sync(Path(inner))


def stop_signals() -> list[signal.Signals]:
    """The signals that ask a program to end, where the system has them.

    SIGINT comes last: when handlers are put back, the one that usually raises must not keep the others from it.
    """
    return [signal.Signals[name] for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]


@contextmanager
def held_signals() -> Iterator[None]:
    """Keep requests to stop until the block has ended, and deliver them then.

    Handlers are exchanged instead of masking signals: Python runs a handler in the main thread even if the signal
    reached another one. Only the main thread is ever interrupted, so that the others need no protection.
    """
    came: list[int] = []
    heeded = {}
    if threading.current_thread() is threading.main_thread():
        handlers = {number: signal.getsignal(number) for number in stop_signals()}
        heeded = {n: handler for n, handler in handlers.items() if handler not in (None, signal.SIG_IGN)}
    try:
        for number in heeded:
            signal.signal(number, lambda number, frame: came.append(number))
        yield
    finally:
        for number, handler in heeded.items():
            signal.signal(number, handler)
        for late in came:
            signal.raise_signal(late)
