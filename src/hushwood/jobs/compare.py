"""Compare releases of one table: their folders read, checked to be about the same table, and put side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.evaluation.evaluation import Evaluation
from hushwood.jobs.folder.release_folder import ReleaseFolder, is_source, release_folder
from hushwood.json_texts import parsed_json
from hushwood.reports.comparison import (
    MOST,
    Comparison,
    ReleaseSeen,
    comparison_of,
    different_table,
)

ASSUMED = (
    "Nothing in the evaluations shows that the tables differ; that they are the same is certain only with "
    "--original FILE."
)
_PARAMETERS = ("grown", "settings", "rare_levels")  # of the manifest that are not single numbers or words


def compare(folders: Sequence[Path], original: Path | None = None) -> Comparison:
    """Read the releases and compare them; folders of different tables are refused."""
    if not 2 <= len(folders) <= MOST:
        raise InputError(f"Give from 2 to {MOST} release folders to compare; {len(folders)} were given.")
    opened = [_folder(path) for path in folders]
    seen = [_seen(path, folder) for path, folder in zip(folders, opened, strict=True)]
    for one in seen[1:]:
        difference = different_table(seen[0].evaluation, one.evaluation)
        if difference is not None:
            raise InputError(
                f"{seen[0].name} and {one.name} were made from different tables ({difference}); compare releases of "
                "one table."
            )
    if original is None:
        return comparison_of(seen, (ASSUMED,))
    for path, folder in zip(folders, opened, strict=True):
        if is_source(folder, original) is not True:
            raise InputError(f"{path} was not made from {original}, or its key is gone; give that table.")
    return comparison_of(seen)


def _folder(path: Path) -> ReleaseFolder:
    folder = release_folder(path)
    if folder is None:
        raise InputError(f"{path} is not the folder of a release; give one that hushwood release made.")
    return folder


def _seen(path: Path, folder: ReleaseFolder) -> ReleaseSeen:
    evaluation = Evaluation.from_json(_private(path, folder, "evaluation.json"))
    verdict = _private(path, folder, "verdict.json")
    parameters = {
        name: value
        for name, value in folder.manifest["parameters"].items()
        if name not in _PARAMETERS and value is not None
    }
    settings = folder.manifest["parameters"].get("settings", {})
    flat = {f"{name}.{key}": value for name, given in settings.items() for key, value in given.items()}
    if not isinstance(verdict.get("checks"), list) or not {"status", "policy"} <= verdict.keys():
        raise InputError(f"{path} has a damaged verdict; make the release again.")
    return ReleaseSeen(str(path), folder.manifest["technique"], parameters | flat, evaluation, verdict)


def _private(path: Path, folder: ReleaseFolder, name: str) -> dict[str, Any]:
    file = folder.private_file(name)
    if file is None:
        raise InputError(
            f"{path} has no private/{name}, so nothing is known to compare; make the release with evidence, and keep "
            "its private part."
        )
    try:
        found = parsed_json(file.read_text("utf-8"))
    except ValueError as fault:
        raise InputError(f"{file} is damaged; make the release again.") from fault
    if not isinstance(found, dict):
        raise InputError(f"{file} is damaged; make the release again.")
    return found
