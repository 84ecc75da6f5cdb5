"""Output folders that appear whole or not at all: written aside, then renamed.

An old release is replaced only when asked, and then only the files that its manifest lists.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hushwood.errors import InputError

MANIFEST = Path("share") / "manifest.json"
PRIVATE_MODE = 0o700
SHARED_MODE = 0o755


@contextmanager
def whole_folder(target: Path | None, force: bool) -> Iterator[Path]:
    """A folder with share/ and private/ to write to; it becomes `target` when the block ends without an error.

    Without a target everything is thrown away in the end.
    """
    if target is not None:
        check_free(target, force)
    try:
        if target is not None:
            target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".hushwood-", dir=None if target is None else target.parent))
    except OSError as fault:
        raise InputError(
            f"Nothing can be written at {target}: {fault.strerror}; choose another folder."
        ) from fault
    try:
        (aside / "share").mkdir(mode=SHARED_MODE)
        (aside / "private").mkdir(mode=PRIVATE_MODE)
        yield aside
        if target is not None:
            aside.chmod(SHARED_MODE)
            _move(aside, target)
    except OSError as fault:
        where = target or aside
        raise InputError(
            f"{where} could not be written: {fault.strerror or fault}; nothing was left there."
        ) from fault
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def check_free(target: Path, force: bool) -> None:
    """Refuse a folder that holds anything, unless it is an old release and may be replaced."""
    if not target.exists():
        return
    if not target.is_dir():
        raise InputError(f"{target} is a file; give a folder that does not exist yet.")
    if not any(target.iterdir()):
        return
    if not force:
        raise InputError(
            f"The folder {target} is not empty; choose another one, or replace a release with --force."
        )
    if not (target / MANIFEST).is_file():
        raise InputError(f"The folder {target} holds no release (no {MANIFEST}), so --force leaves it alone.")


def listed_files(folder: Path) -> list[Path]:
    """The files that a release's manifest calls its own, relative to the folder."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return [MANIFEST, *(Path(name) for name in (*manifest["files"], *manifest["private_files"]))]
    except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError) as fault:
        raise InputError(
            f"The manifest in {folder} is damaged, so --force cannot tell what to replace."
        ) from fault


def _move(aside: Path, target: Path) -> None:
    if not target.exists():
        aside.rename(target)
        return
    if any(target.iterdir()):
        _keep_foreign_files(aside, target)
        old = Path(tempfile.mkdtemp(prefix=".hushwood-old-", dir=target.parent))
        target.rename(old / "release")
        aside.rename(target)
        shutil.rmtree(old)
    else:
        target.rmdir()
        aside.rename(target)


def _keep_foreign_files(aside: Path, target: Path) -> None:
    """Copy over what the old manifest does not list; it was never ours to remove."""
    own = set(listed_files(target))
    for path in sorted(target.rglob("*")):
        relative = path.relative_to(target)
        if path.is_dir() or relative in own:
            continue
        if (aside / relative).exists():
            raise InputError(
                f"{path} is not listed by the old release and would be overwritten; move it away."
            )
        (aside / relative).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, aside / relative)
