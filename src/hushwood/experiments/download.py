"""Gets a table of the papers from the UCI repository and writes it in the form of the folder of tables.

The only place that reaches over the network, and only when it is asked to. The package `ucimlrepo` does the fetching;
here columns get the names and order of our files, and what came is counted before anything is written. What the files
are is in `paper_tables`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.experiments.paper_tables import GENERATED, paper_table

ADDRESS = "https://archive.ics.uci.edu/dataset"
_MISSING = ("?", "")


@dataclass(frozen=True, slots=True)
class UciTable:
    """A dataset's number in the repository, our columns in their order, and how many records there must be.

    `complete` records lack nothing. `renamed` gives the repository's names where they are not ours. Where it has more
    records than our file, `offered` is their number, and the first ones are kept.
    """

    number: int
    columns: tuple[str, ...]
    records: int
    complete: int
    renamed: Mapping[str, str] = field(default_factory=dict)
    offered: int | None = None


UCI_TABLES: Mapping[str, UciTable] = {
    "abalone": UciTable(
        1,
        (
            *("Sex", "Length", "Diameter", "Height", "Whole_weight"),
            *("Shucked_weight", "Viscera_weight", "Shell_weight", "Rings"),
        ),
        records=4177,
        complete=4177,
    ),
    # The repository puts the records for training and for testing together, in this order.
    "adult": UciTable(
        2,
        (
            *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
            *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
            *("native-country", "income"),
        ),
        records=32561,
        complete=30162,
        offered=48842,
    ),
    "bupa": UciTable(
        60,
        ("mcv", "alkphos", "sgpt", "sgot", "gammagt", "drinks", "selector"),
        records=345,
        complete=345,
    ),
    "cmc": UciTable(
        30,
        (
            *("wife_age", "wife_edu", "husband_edu", "num_children", "wife_religion", "wife_working"),
            *("husband_occupation", "standard_of_living_index", "media_exposure", "contraceptive_method"),
        ),
        records=1473,
        complete=1473,
    ),
    "crx": UciTable(27, tuple(f"A{i}" for i in range(1, 17)), records=690, complete=653),
    "iris": UciTable(
        53,
        ("sepal_length", "sepal_width", "petal_length", "petal_width", "class"),
        records=150,
        complete=150,
        renamed={
            "sepal length": "sepal_length",
            "sepal width": "sepal_width",
            "petal length": "petal_length",
            "petal width": "petal_width",
        },
    ),
    "mushroom": UciTable(
        73,
        (
            *("poisonous", "cap-shape", "cap-surface", "cap-color", "bruises", "odor", "gill-attachment"),
            *("gill-spacing", "gill-size", "gill-color", "stalk-shape", "stalk-root"),
            *("stalk-surface-above-ring", "stalk-surface-below-ring", "stalk-color-above-ring"),
            *("stalk-color-below-ring", "veil-type", "veil-color", "ring-number", "ring-type"),
            *("spore-print-color", "population", "habitat"),
        ),
        records=8124,
        complete=5644,
    ),
    "wbc": UciTable(
        15,
        (
            *("Sample_code_number", "Clump_thickness", "Uniformity_of_cell_size", "Uniformity_of_cell_shape"),
            *("Marginal_adhesion", "Single_epithelial_cell_size", "Bare_nuclei", "Bland_chromatin"),
            *("Normal_nucleoli", "Mitoses", "Class"),
        ),
        records=699,
        complete=683,
    ),
    "wine": UciTable(
        109,
        (
            *("class", "Alcohol", "Malicacid", "Ash", "Alcalinity_of_ash", "Magnesium", "Total_phenols"),
            *("Flavanoids", "Nonflavanoid_phenols", "Proanthocyanins", "Color_intensity", "Hue"),
            *("OD280_OD315_of_diluted_wines", "Proline"),
        ),
        records=178,
        complete=178,
        renamed={"0D280_0D315_of_diluted_wines": "OD280_OD315_of_diluted_wines"},  # zeros for the letter O
    ),
}


def download(name: str, folder: Path, say: Callable[[str], None] = lambda text: None) -> Path:
    """Write the table's file into the folder, whole or not at all; `say` is told what comes from where."""
    from hushwood.jobs.whole_files import write_whole

    if name in GENERATED:
        raise InputError(f"{name} is generated, there is nothing to download.")
    path = folder / paper_table(name).file
    if name not in UCI_TABLES:
        raise InputError(
            f"The table {name!r} is no longer in the UCI repository; put it into {path} yourself, separated by commas, "
            "with the names of its columns in the first line."
        )
    wanted = UCI_TABLES[name]
    say(f"Getting {name} from the UCI repository, {ADDRESS}/{wanted.number} ...")
    frame = in_our_form(name, _fetched(name, wanted.number), wanted)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(
            f"{path.parent} could not be made: {fault.strerror}; give another folder with --data."
        ) from fault
    # Twelve digits are more than any value has, and hide that decimals are rounded on the way.
    write_whole(frame.to_csv(index=False, lineterminator="\n", float_format="%.12g"), path)
    say(f"Wrote {path}: {len(frame):,} records, {len(frame.columns)} columns.")
    return path


def in_our_form(name: str, frame: Any, wanted: UciTable) -> Any:
    """A pandas frame as the repository has it, with our columns and records; refused if it is not what we know."""
    frame = frame.rename(columns=lambda column: wanted.renamed.get(column.strip(), column.strip()))
    lacking = [column for column in wanted.columns if column not in frame.columns]
    if lacking:
        raise _unexpected(name, f"it has no column {', '.join(map(repr, lacking))}")
    offered = wanted.offered or wanted.records
    if len(frame) != offered:
        raise _unexpected(name, f"it has {len(frame):,} records instead of {offered:,}")
    frame = frame[list(wanted.columns)].head(wanted.records).copy()
    for column in frame.select_dtypes(exclude="number"):
        # The records for testing have a full stop after the class, and a copy may keep the blanks after commas.
        text = frame[column].astype("string").str.strip().str.removesuffix(".")
        frame[column] = text.mask(text.isin(_MISSING))
    complete = int(frame.notna().all(axis=1).sum())
    if complete != wanted.complete:
        raise _unexpected(name, f"{complete:,} of its records are complete instead of {wanted.complete:,}")
    return frame


def _fetched(name: str, number: int) -> Any:
    """All columns of a dataset as a pandas frame."""
    try:
        from ucimlrepo import DatasetNotFoundError, fetch_ucirepo
    except ImportError as fault:
        raise InputError(
            "To download tables the package ucimlrepo is needed, which is not installed; install it with "
            "pip install 'hushwood[reproduce]', or name a folder that holds the tables with --data DIR."
        ) from fault
    try:
        return fetch_ucirepo(id=number).data.original
    except (OSError, HTTPException, DatasetNotFoundError, LookupError, TypeError, ValueError) as fault:
        raise InputError(
            f"The table {name!r} could not be had from the UCI repository ({fault}); try again later, or name a folder "
            "that holds it with --data DIR."
        ) from fault


def _unexpected(name: str, what: str) -> InputError:
    return InputError(
        f"What the UCI repository sent as {name!r} is not the table of the papers: {what}. Nothing was written; "
        f"put the file {paper_table(name).file} into the folder yourself."
    )
