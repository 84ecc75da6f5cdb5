"""Output folders that appear whole or not at all: written aside, then renamed.

An old release is replaced only when asked, and then only the files that its manifest lists.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hushwood.errors import HushwoodError, InputError

SHARE, PRIVATE = "share", "private"
MANIFEST = Path(SHARE) / "manifest.json"
MANIFEST_FORMAT = "hushwood-manifest"
# Files of the private part that are read again.
KEY, PLAN, FOREST, SCHEMA, ROW_ORDER = "key", "plan.json", "forest.json", "schema.toml", "row_order.npy"
PRIVATE_MODE = 0o700
SHARED_MODE = 0o755


@contextmanager
def whole_folder(target: Path | None, force: bool) -> Iterator[Path]:
    """A folder with share/ and private/ to write to; it becomes `target` when the block ends without an error.

    Without a target everything is thrown away in the end.
    """
    if target is not None:
        check_free(target, force)
    aside, made = _make_aside(target)
    try:
        (aside / SHARE).mkdir(mode=SHARED_MODE)
        (aside / PRIVATE).mkdir(mode=PRIVATE_MODE)
        yield aside
        if target is not None:
            _show(aside, Path(os.path.realpath(target)))
        made = []
    except OSError as fault:
        where = target or "The temporary folder"
        raise InputError(
            f"{where} could not be written: {fault.strerror or fault}; nothing was left there."
        ) from fault
    except HushwoodError as fault:
        if str(aside) not in str(fault):
            raise
        sentence = str(fault).replace(str(aside), str(target or "the temporary folder"))
        raise type(fault)(f"{sentence} Nothing was left there.") from fault
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        for folder in made:
            with suppress(OSError):
                folder.rmdir()


def _make_aside(target: Path | None) -> tuple[Path, list[Path]]:
    """A hidden folder on the same disk, and the folders that had to be made around it, the innermost first."""
    made: list[Path] = []
    try:
        if target is None:
            return Path(tempfile.mkdtemp(prefix=".hushwood-")), made
        place = Path(os.path.realpath(target))
        around = place if place.is_dir() else place.parent
        made = [folder for folder in (around, *around.parents) if not folder.exists()]
        around.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=".hushwood-", dir=around)), made
    except OSError as fault:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        where = f"Nothing can be written at {target}" if target else "No temporary folder can be made"
        raise InputError(f"{where}: {fault.strerror or fault}; choose another folder.") from fault


def check_free(target: Path, force: bool) -> None:
    """Refuse a folder that holds anything, unless it is an old release and may be replaced."""
    try:
        _check_free(target, force)
    except OSError as fault:
        raise InputError(
            f"{target} cannot be looked into: {fault.strerror}; choose another folder."
        ) from fault


def _check_free(target: Path, force: bool) -> None:
    nearest = next(folder for folder in (target, *target.parents, Path("/")) if folder.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file; give a folder that does not exist yet.")
    if nearest != target or not any(target.iterdir()):
        return
    if not force:
        raise InputError(
            f"The folder {target} is not empty; choose another one, or replace a release with --force."
        )
    if not (target / MANIFEST).is_file():
        raise InputError(f"The folder {target} holds no release (no {MANIFEST}), so --force leaves it alone.")


def check_outside(path: Path, target: Path) -> None:
    """Refuse a table that lies in the release it would replace: the input is never written to."""
    place = path.resolve()
    if any(place.is_relative_to((target / part).resolve()) for part in (SHARE, PRIVATE)):
        raise InputError(
            f"The table {path} belongs to the release in {target}, which would be replaced; "
            "choose another folder for the new release."
        )


def listed_files(folder: Path) -> list[Path]:
    """The files that a release's manifest calls its own, relative to the folder."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return [MANIFEST, *(Path(name) for name in (*manifest["files"], *manifest["private_files"]))]
    except (KeyError, TypeError, ValueError, RecursionError) as fault:
        raise InputError(
            f"The manifest in {folder} is damaged, so --force cannot tell what to replace."
        ) from fault


def _show(aside: Path, target: Path) -> None:
    if not target.exists():
        aside.chmod((aside / SHARE).stat().st_mode & 0o777)
        aside.rename(target)
        return
    if (target / MANIFEST).is_file():
        _keep_foreign_files(aside, target)
    _exchange(aside, target)


def _keep_foreign_files(aside: Path, target: Path) -> None:
    """Copy over what the old manifest does not list; it was never ours to remove."""
    own = set(listed_files(target))
    for part in (SHARE, PRIVATE):
        if (target / part).is_symlink():
            raise InputError(f"{target / part} is a link, which is not replaced; choose another folder.")
        for path in sorted((target / part).rglob("*")):
            relative = path.relative_to(target)
            if relative not in own:
                _keep(path, aside / relative)


def _keep(path: Path, copy: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        copy.mkdir(exist_ok=True)
        shutil.copystat(path, copy)
        return
    if copy.exists() or not (path.is_symlink() or path.is_file()):
        raise InputError(f"{path} is not listed by the old release and would be lost; move it away.")
    shutil.copy2(path, copy, follow_symlinks=False)


def _exchange(aside: Path, target: Path) -> None:
    """Put the new share/ and private/ in the place of the old ones, or leave all as it was."""
    old = aside / "old"
    old.mkdir()
    moved: list[tuple[Path, Path]] = []
    try:
        for part in (PRIVATE, SHARE):
            for source, goal in ((target / part, old / part), (aside / part, target / part)):
                if source.exists():
                    source.rename(goal)
                    moved.append((source, goal))
    except BaseException:
        for source, goal in reversed(moved):
            goal.rename(source)
        raise
