"""A text written to a file of its own: whole or not at all, and never over what it is about."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hushwood.errors import InputError
from hushwood.jobs.folder_exchange import sync


def write_whole(text: str, path: Path, mode: int = 0o666) -> None:
    """Write aside under a name that nobody can foresee, see that the disk has it, then rename.

    The umask may take more from the mode.
    """
    place = Path(os.path.realpath(path))
    aside = place.parent / f".hushwood-{secrets.token_hex(8)}"
    try:
        if place.exists() and not place.is_file():
            raise InputError(f"{path} is not a file that can be replaced; give another file.")
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(place)
        sync(place.parent)
    except OSError as fault:
        raise InputError(f"{path} could not be written: {fault.strerror}; give another file.") from fault
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def check_outside_release(path: Path, folder: Path) -> None:
    """Refuse to write into a release: its files are listed in its manifest, and one part of it is handed out."""
    if folder.is_dir() and path.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{path} lies in the release {folder}; give a file outside of it.")


def check_other_file(path: Path, inputs: Iterable[Path]) -> None:
    """Refuse to write over a table that was read."""
    if path.exists() and any(other.exists() and path.samefile(other) for other in inputs):
        raise InputError(f"{path} is the table itself; give another file to write to.")
