"""Output folders that appear whole or not at all: written in a work folder, then put in place in one step.

An old release is replaced only when asked, and then only the files that its manifest lists. A release is to be handed
out (share/) or held back (not-cleared/): it never has both folders, and one takes the place of the other in that step.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hushwood.errors import HushwoodError, InputError
from hushwood.jobs.folder.exchange import finish, held_signals, make_durable, put_in_place, sync
from hushwood.jobs.folder.work_folders import (
    NEW,
    PREFIX,
    READY,
    InUse,
    clear,
    clear_leftovers,
    give_back,
    is_work_folder,
    nameless_leftovers,
    take,
    work_folder_for,
)
from hushwood.json_texts import parsed_json

SHARE, NOT_CLEARED, PRIVATE = "share", "not-cleared", "private"
SHARED = (SHARE, NOT_CLEARED)  # what the released files lie in: to hand out, or held back
PARTS = ((PRIVATE,), SHARED)
MANIFEST = "manifest.json"
MANIFEST_FORMAT = "hushwood-manifest"
# Files of the private part that are read again.
KEY, PLAN, FOREST, SCHEMA, ROW_ORDER = "key", "plan.json", "forest.json", "schema.toml", "row_order.npy"
EVALUATION, VERDICT, SIGN_OFF = "evaluation.json", "verdict.json", "signoff.json"
PRIVATE_MODE = 0o700
SHARED_MODE = 0o755


# What this process has put in place, so that a command that is stopped afterwards can say so.
completed: list[Path] = []


@contextmanager
def whole_folder(target: Path | None, force: bool, *, same_files: bool = False) -> Iterator[Path]:
    """A folder with share/ and private/ to write to; it becomes `target` when the block ends without an error.

    Without a target everything is removed in the end. With `same_files` only what is written is replaced, and all
    other files of the old release stay; those of not-cleared/ then lie in share/.
    """
    where = "The temporary folder" if target is None else str(target)
    new = None
    try:
        with _work_folder(target) as work:
            if target is not None:
                _check_free(target, force)
            new = work / NEW
            for folder, mode in (
                (new, SHARED_MODE),
                (new / SHARE, SHARED_MODE),
                (new / PRIVATE, PRIVATE_MODE),
            ):
                folder.mkdir(mode=mode)
            yield new
            if target is not None:
                _show(work, target, same_files)
    except OSError as fault:
        raise InputError(
            f"{where} could not be written: {_reason(fault)}; nothing was left there."
        ) from fault
    except HushwoodError as fault:
        if new is None or str(new) not in str(fault):
            raise
        raise type(fault)(f"{fault} Nothing was left there.".replace(str(new), where)) from fault


@contextmanager
def _work_folder(target: Path | None) -> Iterator[Path]:
    """The work folder of a target, or a temporary one: locked here, and removed in the end with all it still holds."""
    completed.clear()
    taken: list[tuple[Path, int, list[Path]]] = []
    try:
        with held_signals():
            taken.append(_taken(target))
            work = taken[0][0]
            if target is not None:
                _finish(work, target)
            clear(work)
        yield work
    finally:
        with held_signals():
            for folder, lock, made in taken:
                _remove(target, folder, lock, made)


def _taken(target: Path | None) -> tuple[Path, int, list[Path]]:
    """A locked work folder, its lock, and the folders that had to be made around it, the innermost first."""
    made: list[Path] = []
    try:
        if target is None:
            folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        else:
            folder = work_folder_for(_place(target))
            around = folder.parent
            made = [missing for missing in (around, *around.parents) if not missing.exists()]
            around.mkdir(parents=True, exist_ok=True)
            for missing in made:
                sync(missing.parent)
        clear_leftovers(folder.parent, but=folder)
        return folder, take(folder), made
    except InUse as fault:
        raise InputError(
            f"Another run is writing {target} now; wait until it has ended, or choose another folder."
        ) from fault
    except OSError as fault:
        _remove_empty(made)
        where = "No temporary folder can be made" if target is None else f"Nothing can be written at {target}"
        raise InputError(f"{where}: {_reason(fault)}; choose another folder.") from fault


def _remove(target: Path | None, folder: Path, lock: int, made: list[Path]) -> None:
    try:
        give_back(folder, lock)
    except FileNotFoundError:
        pass
    except OSError as fault:
        state = "is complete" if completed else "was not written"
        raise InputError(
            f"{target or 'The release'} {state}, but {folder} could not be removed: {_reason(fault)}; "
            "remove it yourself, for it may hold a key."
        ) from fault
    _remove_empty(made)


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()


def _place(target: Path) -> Path:
    return Path(os.path.realpath(target))


def _reason(fault: OSError) -> str:
    return fault.strerror or str(fault)


def _show(work: Path, target: Path, same_files: bool) -> None:
    """Make the new folder durable and put it in the place of the target."""
    from hushwood.tables.formats.files import parts_of

    place, new = _place(target), work / NEW
    part = shared_part(place)
    own: set[Path] = set()
    if part is not None:
        manifest = place / part / MANIFEST
        files = [place / name for name in listed_files(place / part)]
        if part == NOT_CLEARED and (new / SHARE).is_dir():
            _check_nothing_else(place / part, files)
        own = {manifest, *files, *(i for path in files for i in parts_of(path))}
        if same_files:
            own = {place / part / path.name for path in (new / SHARE).iterdir()}
            own |= {place / PRIVATE / path.name for path in (new / PRIVATE).iterdir()}
    make_durable(new)
    with held_signals():
        put_in_place(work, place, PARTS, own)
        completed.append(target)


def _check_nothing_else(folder: Path, files: Iterable[Path]) -> None:
    """Refuse to bring files into share/ that are not the release's own: they may say why it was held back."""
    for path in unlisted(folder, (path.name for path in files)):
        raise InputError(
            f"{path} is not listed by the release and would be handed out with it; move it away."
        )


def unlisted(folder: Path, names: Iterable[str]) -> list[Path]:
    """What lies in share/ or not-cleared/ and is neither the manifest nor one of the files that it names."""
    own = {MANIFEST, *names}
    return sorted(path for path in folder.iterdir() if path.name not in own)


def _finish(work: Path, target: Path) -> None:
    """Finish an exchange in which a run was killed; the new release was whole by then."""
    if not (work / READY).is_dir():
        return
    try:
        finish(work, _place(target), PARTS)
    except OSError as fault:
        raise InputError(
            f"A run was killed while it replaced the release in {target}, and the exchange cannot be finished: "
            f"{_reason(fault)}; the old and the new files are there and in {work}."
        ) from fault


def check_finished(target: Path) -> None:
    """Refuse a folder in which a run was killed while it exchanged two releases."""
    work = work_folder_for(_place(target))
    if (work / READY).is_dir():
        raise InputError(
            f"A run was killed while it replaced the release in {target}; give the same command again (a release with "
            "--force), which finishes the exchange first."
        )


def finish_exchange(target: Path) -> None:
    """Finish the exchange in which a run was killed, if there is one."""
    if (work_folder_for(_place(target)) / READY).is_dir():
        with _work_folder(target):
            pass


def check_free(target: Path, force: bool) -> None:
    """Refuse a folder that holds anything, unless it is an old release and may be replaced."""
    try:
        finish_exchange(target)
        _check_free(target, force)
    except OSError as fault:
        raise InputError(
            f"{target} cannot be looked into: {fault.strerror}; choose another folder."
        ) from fault


def _check_free(target: Path, force: bool) -> None:
    nearest = next(folder for folder in (target, *target.parents, Path("/")) if folder.exists())
    if not nearest.is_dir():
        raise InputError(f"{nearest} is a file; give a folder that does not exist yet.")
    if nearest != target or all(is_work_folder(path) for path in target.iterdir()):
        return
    if not force:
        raise InputError(
            f"The folder {target} is not empty; choose another one, or replace a release with --force."
        )
    if shared_part(target) is None:
        raise InputError(f"The folder {target} holds no release (no {MANIFEST}), so --force leaves it alone.")


def shared_part(folder: Path) -> str | None:
    """The folder that the files of a release lie in, share or not-cleared; None if there is no manifest."""
    there = [part for part in SHARED if os.path.lexists(folder / part)]
    found = [part for part in there if (folder / part / MANIFEST).is_file()]
    if found and len(there) > 1:
        raise InputError(
            f"The release in {folder} is damaged: it has both {SHARE} and {NOT_CLEARED}; move the one that does not "
            "belong to it away."
        )
    return found[0] if found else None


def check_outside(path: Path, target: Path) -> None:
    """Refuse a table that lies in the release it would replace, and a release in a folder of files that are the table.

    The input is never written to.
    """
    place = path.resolve()
    if path.is_dir() and target.resolve().is_relative_to(place):
        raise InputError(
            f"The release in {target} would lie in {path}, whose files are the table, and be taken for a part of it; "
            "choose a folder outside."
        )
    if any(place.is_relative_to((target / part).resolve()) for part in (*SHARED, PRIVATE)):
        raise InputError(
            f"The table {path} belongs to the release in {target}, which would be replaced; "
            "choose another folder for the new release."
        )


def listed_files(share: Path) -> list[Path]:
    """The files that the manifest in share/ or not-cleared/ calls its own, relative to the folder of the release."""
    try:
        manifest = parsed_json((share / MANIFEST).read_text(encoding="utf-8"))
        return [Path(name) for name in (*manifest["files"], *manifest["private_files"])]
    except (KeyError, TypeError, ValueError, RecursionError) as fault:
        raise InputError(
            f"The manifest in {share} is damaged, so nothing says which files are its own; "
            "make the release again in another folder."
        ) from fault


def leftover_warnings(target: Path | None) -> list[str]:
    """A sentence about every folder that a killed run of an earlier version left at the target."""
    if target is None:
        return []
    found = nameless_leftovers(_place(target).parent, _place(target))
    return [
        f"{folder} was left by a run that was killed; remove it, for it may hold a key." for folder in found
    ]
