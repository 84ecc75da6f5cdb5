"""Downloads a table of the papers from the UCI repository into the folder of tables, only when asked to.

The package `ucimlrepo` does the fetching; here columns get our names and order, and the content is checked before
anything is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood_papers.paper_tables import GENERATED, differences, paper_table

ADDRESS = "https://archive.ics.uci.edu/dataset"
_MISSING = ("?", "")


# The repository's column names that differ from ours; Wine has zeros for the letter O.
RENAMED: Mapping[str, Mapping[str, str]] = {
    "iris": {
        "sepal length": "sepal_length",
        "sepal width": "sepal_width",
        "petal length": "petal_length",
        "petal width": "petal_width",
    },
    "wine": {"0D280_0D315_of_diluted_wines": "OD280_OD315_of_diluted_wines"},
}
# Number of records in the repository if it is not ours: Adult has training records, which are ours, then test records.
OFFERED: Mapping[str, int] = {"adult": 48842}


def download(name: str, folder: Path, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write the table's file into the folder, whole or not at all; `say` reports what is fetched."""
    from hushwood.jobs.folder.release_files import write_whole

    if name in GENERATED:
        raise InputError(f"{name} is generated, there is nothing to download.")
    path = folder / paper_table(name).file
    number = paper_table(name).uci
    if number is None:
        raise InputError(
            f"The table {name!r} is no longer in the UCI repository; put it into {path} yourself, separated by commas, "
            "with the names of its columns in the first line."
        )
    say(f"Getting {name} from the UCI repository, {ADDRESS}/{number} ...")
    frame = in_our_form(name, _fetched(name, number))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"{path.parent} could not be made: {fault.strerror}; give another folder with --data."
        ) from fault
    # Twelve digits are more than any value has, and hide rounding errors.
    write_whole(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"), path)
    say(f"Wrote {path}: {len(frame):,} records, {len(frame.columns)} columns.")
    return path


def in_our_form(name: str, frame: Any) -> Any:
    """The repository's pandas frame with our columns and records; refused if it is not the table we know."""
    described, renamed = paper_table(name), RENAMED.get(name, {})
    frame = frame.rename(columns=lambda column: renamed.get(column.strip(), column.strip()))
    offered = OFFERED.get(name)
    if offered is not None and len(frame) != offered:
        raise _unexpected(name, f"it has {len(frame):,} records instead of {offered:,}")
    frame = frame.head(described.records if offered else len(frame)).copy()
    for column in frame.select_dtypes(exclude="number"):
        # Test records have a full stop after the class, and a copy may keep blanks after commas.
        text = frame[column].astype("string").str.strip().str.removesuffix(".")
        frame[column] = text.mask(text.isin(_MISSING))
    ours = [column for column in described.columns if column in frame.columns]
    complete = int(frame[ours].notna().all(axis=1).sum())
    differs = differences(list(frame.columns), len(frame), complete, described)
    if differs:
        raise _unexpected(name, differs)
    return frame[ours]


def _fetched(name: str, number: int) -> Any:
    """All columns of a dataset as a pandas frame."""
    try:
        from ucimlrepo import DatasetNotFoundError, fetch_ucirepo
    except ImportError as fault:
        raise InputError(
            "Downloading tables needs the package ucimlrepo, which is not installed; install it with: pip install "
            "ucimlrepo, or name a folder that holds the tables with --data DIR."
        ) from fault
    try:
        return fetch_ucirepo(id=number).data.original
    except (OSError, HTTPException, DatasetNotFoundError, LookupError, TypeError, ValueError) as fault:
        raise InputError(
            f"The table {name!r} could not be fetched from the UCI repository ({fault}); try again later, or name a "
            "folder that holds it with --data DIR."
        ) from fault


def _unexpected(name: str, what: str) -> InputError:
    return InputError(
        f"What the UCI repository sent as {name!r} is not the table of the papers: {what}. Nothing was written; "
        f"put the file {paper_table(name).file} into the folder yourself."
    )
