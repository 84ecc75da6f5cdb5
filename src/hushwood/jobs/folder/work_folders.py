"""The hidden folder in which a run writes until its output is whole: one for each output, locked while its run lives.

A killed run leaves it unlocked. The next run there recognises it as a leftover and clears it, because it may hold a
key.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hushwood.errors import InputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

PREFIX = ".hushwood-"
# What such a folder holds: its lock, the output as it is written, and, while parts are exchanged one by one, the
# finished output and what it replaces.
LOCK, NEW, READY, OLD = "lock", "new", "ready", "old"
_LONGEST_NAME = 200  # bytes; file systems take 255
_TRIES, _PAUSE = 20, 0.05  # another run may look at a lock for a moment to see whether its owner lives


class InUse(Exception):
    """Another run holds the folder."""


def work_folder_for(target: Path) -> Path:
    """The work folder of an output folder: its neighbour, or inside it where it is another disk or all we may write."""
    name = target.name if len(os.fsencode(target.name)) <= _LONGEST_NAME else _digest(target.name)
    inside = target.is_dir() and (_is_mount_point(target) or not os.access(target.parent, os.W_OK | os.X_OK))
    return (target if inside else target.parent) / f"{PREFIX}{name}"


def _digest(name: str) -> str:
    from hashlib import sha256  # only here: every command imports this module

    return sha256(os.fsencode(name)).hexdigest()


def _is_mount_point(folder: Path) -> bool:
    """Also for a folder of the same disk that is mounted a second time, which os.path does not see."""
    if os.path.ismount(folder):
        return True
    with suppress(OSError):
        mounts = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
        return any(line.split()[4] == str(folder) for line in mounts.splitlines())
    return False


def take(folder: Path) -> int:
    """Make a work folder or take over that of a dead run, and lock it; the lock is given to `give_back`."""
    for _ in range(_TRIES):
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not _is_ours(folder):
            raise InputError(f"{folder} is in the way and belongs to another user; choose another folder.")
        try:
            lock = _locked(folder, os.O_CREAT)
        except OSError:
            _remove_empty(folder)
            raise
        if lock is not None:
            return lock
        time.sleep(_PAUSE)
    raise InUse(folder)


def give_back(folder: Path, lock: int) -> None:
    """Remove a work folder, and then release it; an exchange that is not finished stays for the next run."""
    try:
        if not (folder / READY).exists():
            clear(folder)
            (folder / LOCK).unlink()  # last, and while it is held: no other run works here until all is gone
            _remove_empty(folder)
    finally:
        os.close(lock)


def clear(folder: Path) -> None:
    """Remove everything but the lock."""
    for path in list(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            _remove(path)
        elif path.name != LOCK:
            path.unlink()


def _remove(folder: Path) -> None:
    for inner, _, _ in os.walk(folder):
        with suppress(OSError):
            Path(inner).chmod(0o700)  # foreign folders may be closed to writing
    shutil.rmtree(folder)


def clear_leftovers(around: Path, but: Path) -> None:
    """Clear the work folders of dead runs in a folder, except those with an exchange to finish."""
    for folder in _hidden_folders(around):
        with suppress(OSError):
            if folder == but or not _is_ours(folder) or (folder / READY).exists():
                continue
            lock = _locked(folder)
            if lock is not None:
                give_back(folder, lock)


def nameless_leftovers(*around: Path) -> list[Path]:
    """What killed runs of versions before 0.2 left: it is unknown whether their process still lives."""
    found = (folder for place in around for folder in _hidden_folders(place))
    return [folder for folder in found if (folder / "private").is_dir()]


def is_work_folder(path: Path) -> bool:
    """Whether a path is such a folder, of any run."""
    return path.name.startswith(PREFIX) and (path / LOCK).is_file()


def _hidden_folders(around: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from sorted(
            path for path in around.glob(f"{PREFIX}*") if path.is_dir() and not path.is_symlink()
        )


def _is_ours(folder: Path) -> bool:
    """Whether only we can look into the folder; in a shared place others may have made one of that name."""
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return True  # gone again, to be made again
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def _locked(folder: Path, create: int = 0) -> int | None:
    """Lock the folder; None if another run holds it, or has just removed it."""
    try:
        lock = os.open(folder / LOCK, os.O_RDWR | create, 0o600)
    except FileNotFoundError:
        return None
    try:
        _lock(lock)
        if os.path.samestat(os.fstat(lock), (folder / LOCK).stat()):
            return lock
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(lock)
        raise
    os.close(lock)
    return None


def _lock(file: int) -> None:
    if sys.platform == "win32":
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as fault:
            raise BlockingIOError from fault
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError as fault:
        if fault.errno not in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT):  # the next run has begun here
            raise
