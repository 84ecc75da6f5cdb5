"""The tables of the papers by their names: read from a folder, from scikit-learn where it has them, or generated.

What a file's columns are is said here once; experiments take the records and columns they need from it. Where files
come from when there is no folder is in `download`.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    """A file in the folder of tables, its class, and the columns that are not what they look like.

    `categories` are columns of whole numbers that name something; `identifiers` are dropped.
    """

    file: str
    target: str
    categories: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()


PAPER_TABLES: Mapping[str, PaperTable] = {
    "abalone": PaperTable("abalone/abalone.csv", "Rings"),
    "adult": PaperTable("adult/adult.csv", "income"),
    "boston": PaperTable("boston/boston.csv", "MEDV", ("CHAS",)),
    "bupa": PaperTable("bupa/bupa.csv", "selector"),
    "cmc": PaperTable(
        "cmc/cmc.csv",
        "contraceptive_method",
        (
            *("wife_edu", "husband_edu", "wife_religion", "wife_working"),
            *("husband_occupation", "standard_of_living_index", "media_exposure"),
        ),
    ),
    "crx": PaperTable("crx/crx.csv", "A16"),
    "iris": PaperTable("iris/iris.csv", "class"),
    "mushroom": PaperTable("mushroom/mushroom.csv", "poisonous"),
    "wbc": PaperTable("wbc/wbc.csv", "Class", identifiers=("Sample_code_number",)),
    "wine": PaperTable("wine/wine.csv", "class"),
}


@dataclass(frozen=True, slots=True)
class PaperTables:
    """The tables that can be had here; without a folder only Wine, CR and CS."""

    folder: Path | None = None

    def frame(self, name: str) -> pl.DataFrame:
        """All records and columns of a file, as they are in it."""
        import polars as pl

        described = paper_table(name)
        path = self.path(name)
        if path is not None:
            return pl.read_csv(path, infer_schema_length=None)
        if name == "wine":
            return _wine_of_scikit_learn()
        raise InputError(
            f"The table {name!r} is not there ({self._looked_for(described)}); name the folder that holds it with "
            "--data DIR or HUSHWOOD_DATA, or get it with --download."
        )

    def table(self, name: str) -> Table:
        """The complete records of a table, identifiers dropped, with its class.

        Not for Boston, whose class is a number that each experiment cuts in its own way.
        """
        import polars as pl

        from hushwood.tables.reading import read

        described = paper_table(name)
        frame = self.frame(name).drop(described.identifiers).drop_nulls()
        frame = frame.with_columns(pl.col(described.categories).cast(pl.String))
        return read(frame, target=described.target).table

    def path(self, name: str) -> Path | None:
        """The file of a table, if it is there."""
        if self.folder is None:
            return None
        path = self.folder / paper_table(name).file
        return path if path.is_file() else None

    def has(self, name: str) -> bool:
        """Whether a table can be had without a download."""
        return name in (*GENERATED, "wine") or self.path(name) is not None

    def _looked_for(self, described: PaperTable) -> str:
        return "no folder was named" if self.folder is None else f"no file {self.folder / described.file}"


def paper_table(name: str) -> PaperTable:
    """What is known of a file."""
    if name not in PAPER_TABLES:
        raise unknown_name("table of the papers", name, PAPER_TABLES)
    return PAPER_TABLES[name]


def _wine_of_scikit_learn() -> pl.DataFrame:
    """Wine with the names that the file has, class first; the values are the same, the test says."""
    import polars as pl
    from sklearn.datasets import load_wine

    bunch = load_wine()
    names = (
        *("Alcohol", "Malicacid", "Ash", "Alcalinity_of_ash", "Magnesium", "Total_phenols", "Flavanoids"),
        *("Nonflavanoid_phenols", "Proanthocyanins", "Color_intensity", "Hue"),
        *("OD280_OD315_of_diluted_wines", "Proline"),
    )
    frame = pl.DataFrame(bunch.data, schema=list(names)).with_columns(
        pl.col("Magnesium", "Proline").cast(pl.Int64)
    )
    return frame.insert_column(0, pl.Series("class", bunch.target + 1))
