"""The tables of the papers by name: read from a folder, taken from scikit-learn, or generated.

`download` gets missing files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hushwood.errors import InputError, unknown_name
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

GENERATED = ("CR", "CS")


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A file in the folder of tables: columns, class, number of records, and number of complete records.

    `categories` are integer columns that are categorical; `identifiers` are dropped. `uci` is the number of the dataset
    in the UCI repository, if it is there.
    """

    file: str
    target: str
    columns: tuple[str, ...]
    records: int
    complete: int
    uci: int | None = None
    categories: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()


PAPER_TABLES: Mapping[str, PaperTable] = {
    "abalone": PaperTable(
        "abalone/abalone.csv",
        "Rings",
        (
            *("Sex", "Length", "Diameter", "Height", "Whole_weight"),
            *("Shucked_weight", "Viscera_weight", "Shell_weight", "Rings"),
        ),
        records=4177,
        complete=4177,
        uci=1,
    ),
    "adult": PaperTable(
        "adult/adult.csv",
        "income",
        (
            *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
            *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
            *("native-country", "income"),
        ),
        records=32561,
        complete=30162,
        uci=2,
    ),
    "boston": PaperTable(
        "boston/boston.csv",
        "MEDV",
        (
            *("CRIM", "ZN", "INDUS", "CHAS", "NOX", "RM", "AGE", "DIS", "RAD", "TAX", "PTRATIO", "B"),
            *("LSTAT", "MEDV"),
        ),
        records=506,
        complete=506,
        categories=("CHAS",),
    ),
    "bupa": PaperTable(
        "bupa/bupa.csv",
        "selector",
        ("mcv", "alkphos", "sgpt", "sgot", "gammagt", "drinks", "selector"),
        records=345,
        complete=345,
        uci=60,
    ),
    "cmc": PaperTable(
        "cmc/cmc.csv",
        "contraceptive_method",
        (
            *("wife_age", "wife_edu", "husband_edu", "num_children", "wife_religion", "wife_working"),
            *("husband_occupation", "standard_of_living_index", "media_exposure", "contraceptive_method"),
        ),
        records=1473,
        complete=1473,
        uci=30,
        categories=(
            *("wife_edu", "husband_edu", "wife_religion", "wife_working"),
            *("husband_occupation", "standard_of_living_index", "media_exposure"),
        ),
    ),
    "crx": PaperTable(
        "crx/crx.csv", "A16", tuple(f"A{i}" for i in range(1, 17)), records=690, complete=653, uci=27
    ),
    "iris": PaperTable(
        "iris/iris.csv",
        "class",
        ("sepal_length", "sepal_width", "petal_length", "petal_width", "class"),
        records=150,
        complete=150,
        uci=53,
    ),
    "mushroom": PaperTable(
        "mushroom/mushroom.csv",
        "poisonous",
        (
            *("poisonous", "cap-shape", "cap-surface", "cap-color", "bruises", "odor", "gill-attachment"),
            *("gill-spacing", "gill-size", "gill-color", "stalk-shape", "stalk-root"),
            *("stalk-surface-above-ring", "stalk-surface-below-ring", "stalk-color-above-ring"),
            *("stalk-color-below-ring", "veil-type", "veil-color", "ring-number", "ring-type"),
            *("spore-print-color", "population", "habitat"),
        ),
        records=8124,
        complete=5644,
        uci=73,
    ),
    "wbc": PaperTable(
        "wbc/wbc.csv",
        "Class",
        (
            *("Sample_code_number", "Clump_thickness", "Uniformity_of_cell_size", "Uniformity_of_cell_shape"),
            *("Marginal_adhesion", "Single_epithelial_cell_size", "Bare_nuclei", "Bland_chromatin"),
            *("Normal_nucleoli", "Mitoses", "Class"),
        ),
        records=699,
        complete=683,
        uci=15,
        identifiers=("Sample_code_number",),
    ),
    "wine": PaperTable(
        "wine/wine.csv",
        "class",
        (
            *("class", "Alcohol", "Malicacid", "Ash", "Alcalinity_of_ash", "Magnesium", "Total_phenols"),
            *("Flavanoids", "Nonflavanoid_phenols", "Proanthocyanins", "Color_intensity", "Hue"),
            *("OD280_OD315_of_diluted_wines", "Proline"),
        ),
        records=178,
        complete=178,
        uci=109,
    ),
}


@dataclass(frozen=True, slots=True)
class PaperTables:
    """The tables that are available; without a folder only Wine, CR and CS."""

    folder: Path | None = None

    def frame(self, name: str) -> pl.DataFrame:
        """All records and columns of a file, unchanged."""
        described = paper_table(name)
        path = self.path(name)
        if path is not None:
            return _read(path, described)
        if name == "wine":
            return _wine_of_scikit_learn()
        fetched = "" if described.uci is None else ", or get it with --download"
        raise InputError(
            f"The table {name!r} is not there ({self._looked_for(described)}); name the folder that holds it with "
            f"--data DIR or HUSHWOOD_DATA{fetched}."
        )

    def table(self, name: str) -> Table:
        """The complete records of a table with its class, without identifiers.

        Not for Boston, whose numeric class each experiment cuts in its own way.
        """
        import polars as pl

        from hushwood.tables.reading import read

        described = paper_table(name)
        frame = self.frame(name).drop(described.identifiers).drop_nulls()
        frame = frame.with_columns(pl.col(described.categories).cast(pl.String))
        return read(frame, target=described.target, response="class").table

    def path(self, name: str) -> Path | None:
        """The file of a table, if it exists."""
        if self.folder is None:
            return None
        path = self.folder / paper_table(name).file
        return path if path.is_file() else None

    def has(self, name: str) -> bool:
        """Whether a table is available without a download."""
        return name in (*GENERATED, "wine") or self.path(name) is not None

    def _looked_for(self, described: PaperTable) -> str:
        return "no folder was named" if self.folder is None else f"no file {self.folder / described.file}"


def paper_table(name: str) -> PaperTable:
    """The description of a table's file."""
    if name not in PAPER_TABLES:
        raise unknown_name("table of the papers", name, PAPER_TABLES)
    return PAPER_TABLES[name]


def _read(path: Path, described: PaperTable) -> pl.DataFrame:
    """The file, checked to be the one that the papers used."""
    import polars as pl

    try:
        frame = pl.read_csv(path, infer_schema_length=None)
    except pl.exceptions.PolarsError as fault:
        reason = str(fault).partition("\n")[0]
        raise InputError(
            f"{path} cannot be read as a table ({reason}); put the papers' file there."
        ) from fault
    differs = differences(frame.columns, frame.height, frame.drop_nulls().height, described)
    if differs:
        raise InputError(f"{path} is not the papers' table: {differs}. Put the papers' file there.")
    return frame


def differences(columns: Sequence[str], records: int, complete: int, described: PaperTable) -> str:
    """How a table differs from the papers'; empty if it does not."""
    lacking = [column for column in described.columns if column not in columns]
    if lacking:
        return f"it has no column {', '.join(map(repr, lacking))}"
    if records != described.records:
        return f"it has {records:,} records instead of {described.records:,}"
    if complete != described.complete:
        return f"{complete:,} of its records are complete instead of {described.complete:,}"
    return ""


def _wine_of_scikit_learn() -> pl.DataFrame:
    """Wine with the column names of the file, class first; the values are the same."""
    import polars as pl
    from sklearn.datasets import load_wine

    bunch = load_wine()
    target, *names = PAPER_TABLES["wine"].columns
    frame = pl.DataFrame(bunch.data, schema=names).with_columns(pl.col("Magnesium", "Proline").cast(pl.Int64))
    return frame.insert_column(0, pl.Series(target, bunch.target + 1))
