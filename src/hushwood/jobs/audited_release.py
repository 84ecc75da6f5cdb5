"""The release that an audit judges: what its folder, or who made it, says of its rows and of how it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.evaluation.evaluation import About
from hushwood.jobs.folder.made_again import KnownRelease
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    arguments_as_released,
    is_source,
    preparation_notes,
    preparation_of,
    release_folder,
)
from hushwood.measures.models.grown import builder_for
from hushwood.policies.policy import built_in_names, policy_named
from hushwood.releasing.perturbed import Perturbed
from hushwood.releasing.planning import why_used
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.pairs.pairing import NONE, ROWS, Pair
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import Preparation
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.table import Table
from hushwood.tree_publishing.released import cells_behind
from hushwood.trees.builder_options import BuilderOptions
from hushwood.trees.options import CONSTANTS, Builder

if TYPE_CHECKING:
    import polars as pl

OTHER_TABLE = "The release was made from another version of this table, so its noise laws are not used."


@dataclass(frozen=True, slots=True)
class Released:
    """A release to judge: a file, a frame or a folder, and what is known of a release that is still in memory."""

    source: object
    folder: ReleaseFolder | None
    known: KnownRelease

    @classmethod
    def of(cls, source: object, known: KnownRelease) -> Released:
        """Open the folder, if it is one that a release made."""
        return cls(source, release_folder(Path(source)) if isinstance(source, str | Path) else None, known)

    @property
    def table(self) -> object:
        """The released table, as a file or a frame."""
        return self.folder.released if self.folder else self.source

    @property
    def labels(self) -> Labels | None:
        """The release's key, by column: the categories that its labels stand for."""
        if self.folder is not None:
            return self.folder.labels
        return self.known.made.labels if self.known.made else None

    def how_to_read(self, path: Path, given: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool | None]:
        """The arguments of `read` for the original's file, and whether the release was made from it (None: unknown).

        It is read as for the release in the folder where they name neither a class nor a schema.
        """
        folder = self.folder
        if folder is None:
            return given, None
        if folder.private is None and not any(given.get(word) for word in ("target", "schema", "roles")):
            raise InputError(
                "The private part of the release is not here, so nothing says how to read the original; name the class "
                "with --class, or the role of a column."
            )
        same = is_source(folder, path) if path.is_file() else None
        if folder.private is None or given.get("target") or given.get("schema"):
            return given, same
        if same is False:
            raise InputError(
                f"{folder.share.parent} was not made from {path}; give that table, or judge them all the same with "
                "--class."
            )
        return arguments_as_released(folder, given), same

    def prepared_as(self, original: Table) -> tuple[Released, Preparation, tuple[str, ...]]:
        """How the table of the release was prepared, with notes; of another table than this one nothing is known."""
        made = self.known.made
        if self.folder is None and made is not None and made.is_of(original):
            return self, made.preparation, preparation_notes(made.preparation)
        release = replace(self, known=replace(self.known, made=None))
        if self.folder is None and made is not None:
            return release, Preparation(), (OTHER_TABLE,)
        return release, *preparation_of(self.folder, original.schema)

    def made_up(self, *, declared: bool = False) -> bool:
        """Whether no record stands for an original one; what is said of a table that was replaced does not count."""
        paired = None if self.known.made is None else self.known.made.paired
        if self.folder is not None and self.folder.table_as_written:
            paired = not self.folder.made_up
        if declared and paired:
            raise InputError(
                "Every record of this release stands for one of the original; omit --made-up (made_up in Python)."
            )
        return declared or paired is False

    def match_of(self, wanted: str | None) -> str | None:
        """Hushwood's releases keep the order of the rows unless they were shuffled and the map is not here.

        Where a shuffled table was replaced, the map says nothing, and the rows themselves decide. In a synthesis no row
        belongs to another, whatever is asked.
        """
        folder = self.folder
        if folder is None:
            return NONE if self.made_up() else wanted
        if self.made_up():
            if wanted not in {None, NONE}:
                raise InputError(
                    f"The records of {folder.share.parent} were made up and stand for no one, so they cannot be paired "
                    f"by {wanted!r}; omit --match."
                )
            return NONE
        if wanted is not None:
            return wanted
        if folder.made_up:
            return None
        if folder.shuffled and folder.trusted_order is None:
            return NONE if folder.table_as_written and folder.order is None else None
        return ROWS

    def order_for(self, wanted: str | None) -> Integers | None:
        """The original row of every released row, if rows are to stand for one another and that is known."""
        if wanted not in {None, ROWS}:
            return None
        if self.folder is None:
            return self.known.order
        return None if self.folder.made_up else self.folder.trusted_order

    def unused_laws(self, original: Table, pair: Pair, same: bool | None) -> str | None:
        """Why what the folder says of how the release was made cannot be used; None if it can."""
        folder, unused = self.folder, "so neither its certificate nor its noise laws are used."
        if folder is None:
            return None
        if folder.seal == "broken" or folder.changed_private_files:
            return f"The manifest or the private part of the release is NOT as it was written, {unused}"
        if not folder.table_as_written:
            return (
                f"The released table is NOT the file that the release wrote: its checksum differs, {unused}"
            )
        if same is False:
            return OTHER_TABLE
        if any(name in original.columns for name in pair.left_out):
            return "Some columns cannot be compared, so the release's noise laws are not used."
        return None

    def knowing(self, pair: Pair, original: Table, perturbed: Perturbed | None) -> Pair:
        """The pair with what released numbers stand for, if the release is ours and as it was written."""
        folder = self.folder
        if perturbed is not None:
            return pair.knowing(perturbed.stands_for(original))
        if folder is None or folder.has_laws or not folder.table_as_written or folder.seal == "broken":
            return pair
        return replace(pair, stands_for=cells_behind(folder.plan.get("stands_for", {}), pair.released))

    def builder(
        self, asked: BuilderOptions, perturbed: Perturbed | None, records: int
    ) -> tuple[Builder, tuple[str, ...]]:
        """What grows the trees that are compared: what grew those of the release, unless another one is asked for.

        A manifest announces it, too; the rest is compared by the yardstick of the table.
        """
        announced, notes = self._announced()
        usual = builder_for(records)
        return asked.over(perturbed.builder if perturbed else builder_announced(announced, usual)), notes

    def _announced(self) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """The parameters that the manifest of the release names, and a note if only the table in its folder was given.

        A manifest that was changed, or that describes another table, announces nothing.
        """
        if self.folder is None and self.known.announced is not None:
            return self.known.announced, ()
        around = self.folder or _folder_around(self.source)
        if around is None or around.seal == "broken" or not around.table_as_written:
            return {}, ()
        note = (
            f"{self.source} lies in a release folder, so trees are grown as its manifest says; give the folder itself "
            "and its noise laws are used too."
        )
        return around.manifest["parameters"], () if self.folder else (note,)

    def about(self, original: str) -> About:
        """The names of both tables and, of a release of our own, how it was made."""
        from hushwood.version import __version__

        name = Path(self.source).name if isinstance(self.source, str | Path) else "a table in memory"
        about = About(original, name, __version__)
        if self.folder is None:
            return about
        technique, parameters = self.folder.manifest["technique"], self.folder.manifest["parameters"]
        why = why_used(technique, parameters)
        return replace(about, technique=technique, noise=parameters.get("noise"), why=why)

    def undone_notes(self, original: Reading) -> Iterator[str]:
        """A warning about releases from before full-precision columns had a grid: no measure shows what bits reveal."""
        full = [a.name for a in original.table.schema.inputs if a.kind == "numeric" and a.precision is None]
        if self.folder is not None and self.folder.manifest["version"] == 1 and full:
            yield (
                "This release is from a version whose noise can be undone from the low-order bits of "
                f"{', '.join(full)}; the risks below do not include that. Make the release again before you hand it "
                "out."
            )


def builder_announced(parameters: Mapping[str, Any], usual: Builder) -> Builder:
    """The builder that the parameters in a manifest name; the usual one if they name none."""
    grown, trees, k = (parameters.get(name) for name in ("grown", "trees", "k"))
    if not isinstance(grown, Mapping) or grown.get("variant") not in CONSTANTS or type(trees) is not int:
        return usual
    return replace(usual.with_trees(trees).like(grown), smallest_segment=k if type(k) is int else None)


def _folder_around(released: object) -> ReleaseFolder | None:
    """The release whose table this file is, if its folder can be read."""
    path = Path(released) if isinstance(released, str | Path) else None
    if path is None or not path.is_file():
        return None
    try:
        folder = release_folder(path.parent)
    except InputError:
        return None
    return folder if folder is not None and folder.released.resolve() == path.resolve() else None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """The released rows that are judged, and how `pair_up` pairs them with those of the original."""

    released: pl.DataFrame
    match: str | None
    order: Integers | None = None
    notes: tuple[str, ...] = ()


def frame_of(source: object, original: Reading, *, escaped_formulas: bool = False) -> pl.DataFrame:
    """A file or a frame as a Polars frame; text values that mean missing in the original mean it here."""
    from hushwood.tables.formats.files import read_frame, without_texts
    from hushwood.tables.frames.any_frame import to_polars
    from hushwood.tables.frames.storage import frame_from_table

    missing = original.form.get("missing", ())
    if isinstance(source, Table):
        return frame_from_table(source)
    if not isinstance(source, str | Path):
        return without_texts(to_polars(source), missing)
    return read_frame(
        Path(source),
        missing=missing,
        form=TextForm.of(original.form).for_release(),
        as_text=text_columns(original.table.schema),
        escaped_formulas=escaped_formulas,
        like=original.table.schema,
    )


def untried_notes(folder: ReleaseFolder | None) -> Iterator[str]:
    """What the verdict of an older release did not try, though its policy asks for it now."""
    said = None if folder is None else folder.manifest.get("verdict")
    if said is None or said["policy"] not in built_in_names():
        return
    tried = {check["check"] for check in said["checks"]}
    asked = (str(one.quantity) for one in policy_named(said["policy"]).requirements)
    new = [name for name in asked if name not in tried]
    if new:
        yield (
            f"The verdict that came with this release is from before its policy asked for {', '.join(new)}, and says "
            "nothing of that."
        )


def holdout_notes(pair: Pair) -> Iterator[str]:
    """A warning if the held-out people seem to be in the table."""
    from hushwood.tables.frames.storage import frame_from_table

    if pair.holdout is None:
        return
    before, outside = (_different(frame_from_table(table)) for table in (pair.original, pair.holdout))
    both = outside.join(before, on=before.columns, how="semi", nulls_equal=True).height
    if 2 * both > outside.height:
        yield (
            f"{both:,} of {outside.height:,} different held-out records are in the original too; a control must "
            "consist of people who were never in the table, so comparisons with it cannot be trusted."
        )


def _different(records: pl.DataFrame) -> pl.DataFrame:
    """The different records, under names that Polars does not take for patterns."""
    records.columns = [f"column {place}" for place in range(records.width)]
    return records.unique()
