"""A text written to a file of its own: whole or not at all, and never over what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from hushwood.errors import InputError


def write_whole(text: str, path: Path) -> None:
    """Write aside, then rename."""
    aside = path.with_name(f".{path.name}.part")
    try:
        aside.write_text(text, encoding="utf-8")
        aside.replace(path)
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
