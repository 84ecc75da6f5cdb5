"""What an audit knows of the release it judges: how to read the original, how rows correspond, how it was made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.evaluation.evaluation import About
from hushwood.evaluation.whole_table import LinkTally
from hushwood.jobs.audit_request import AuditRequest
from hushwood.jobs.folder.made_again import Made
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    arguments_as_released,
    is_source,
    preparation_notes,
    preparation_of,
)
from hushwood.releasing.perturb import Perturbed
from hushwood.releasing.recipes import why_used
from hushwood.tables.links.choosing import ChosenLinks, Wanted
from hushwood.tables.long.sizes import expected_bytes
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import LINKS, Preparation
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.released import cells_behind

if TYPE_CHECKING:
    import polars as pl

# Works out again how a release was made, given its folder and the released table.
Again = Callable[[ReleaseFolder, Table], Perturbed | None]


# An audit in memory holds both tables several times over: as read, as arrays, in one coding, and as samples.
COPIES = 4
OTHER_TABLE = "The release was made from another version of this table, so its noise laws are not used."


def in_batches(original: object, released: object, request: AuditRequest) -> bool:
    """Whether both tables are read in batches, and everything but counts is measured on a sample."""
    paths = [Path(source) for source in (original, released) if isinstance(source, str | Path)]
    if len(paths) < 2 or request.engine == "memory":
        if request.engine == "streaming":
            raise InputError(
                "--engine streaming reads files; a table is in memory already, so use auto or memory, or give its file."
            )
        return False
    if request.engine == "streaming" or any(path.is_dir() for path in paths):
        return True
    return COPIES * sum(map(expected_bytes, paths)) > request.memory


def how_to_read(
    path: Path, folder: ReleaseFolder | None, given: Mapping[str, Any]
) -> tuple[Mapping[str, Any], bool | None]:
    """The arguments of `read` for the file of the original, and whether the release was made from it (None: unknown).

    It is read as for the release in the folder where they name neither a class nor a schema.
    """
    unnamed = not (given.get("target") or given.get("schema"))
    silent_about_it = not any(given.get(word) for word in ("target", "schema", "roles"))
    if folder is not None and folder.private is None and silent_about_it:
        raise InputError(
            "The private part of the release is not here, so nothing says how to read the original; name the class "
            "with --class, or the role of a column."
        )
    same = is_source(folder, path) if folder is not None and path.is_file() else None
    if folder is None or folder.private is None or not unnamed:
        return given, same
    if same is False:
        raise InputError(
            f"{folder.share.parent} was not made from {path}; give that table, or judge them all the same with "
            "--class."
        )
    return arguments_as_released(folder, given), same


def links_to_count(
    wanted: Wanted, folder: ReleaseFolder | None, prepared: Schema, find: Callable[[], ChosenLinks]
) -> tuple[LinkTally, tuple[str, ...]]:
    """The links that are counted in both tables: those of the release, where they are known, else of the original."""
    if wanted == "none":
        return LinkTally(()), ()
    if folder is not None and LINKS in folder.plan:
        claimed = folder.claimed_links(prepared) if folder.table_as_written else None
        return LinkTally(prepared.links, claimed), ()
    chosen = find()
    return LinkTally(chosen.links), chosen.notes


def made_up(folder: ReleaseFolder | None, made: Made | None = None, *, declared: bool = False) -> bool:
    """Whether no record stands for an original one; what is said of a table that was replaced does not count."""
    known = folder is not None and folder.table_as_written
    if declared and (made.paired if made else known and folder is not None and not folder.made_up):
        raise InputError(
            "Every record of this release stands for one of the original; omit --made-up (made_up in Python)."
        )
    return declared or (made is not None and not made.paired) or (known and bool(folder and folder.made_up))


def known_of(
    folder: ReleaseFolder | None, made: Made | None, original: Table
) -> tuple[Made | None, Preparation, tuple[str, ...]]:
    """How a release in memory was made, how its table or that of a folder was prepared, and notes.

    Of another table than the one in memory, nothing is known.
    """
    if folder is not None or made is None:
        return None, *preparation_of(folder, original.schema)
    if not made.is_of(original):
        return None, Preparation(), (OTHER_TABLE,)
    return made, made.preparation, preparation_notes(made.preparation)


def order_of(folder: ReleaseFolder | None, known: Integers | None) -> Integers | None:
    """The original row of every released row, if they stand for one another and that is known."""
    if folder is None:
        return known
    return None if folder.made_up else folder.trusted_order


def match_of(wanted: str | None, folder: ReleaseFolder | None) -> str | None:
    """Hushwood's releases keep the order of the rows unless they were shuffled and the map is not here.

    Where a shuffled table was replaced, the map says nothing, and the rows themselves decide. In a synthesis no row
    belongs to another, whatever is asked.
    """
    if folder is not None and made_up(folder):
        if wanted not in {None, "none"}:
            raise InputError(
                f"The records of {folder.share.parent} were made up and stand for no one, so they cannot be paired by "
                f"{wanted!r}; omit --match."
            )
        return "none"
    if wanted is not None or folder is None:
        return wanted
    if folder.made_up:
        return None
    if folder.shuffled and folder.trusted_order is None:
        return "none" if folder.table_as_written and folder.order is None else None
    return "rows"


def perturbed_for(
    folder: ReleaseFolder, original: Reading, same: bool | None, pair: Pair, again: Again
) -> tuple[Perturbed | None, tuple[str, ...]]:
    """How the release was made, worked out by `again`; or a note that says why that is not used."""
    unused = "so neither its certificate nor its noise laws are used."
    if folder.seal == "broken" or folder.changed_private_files:
        return None, (f"The manifest or the private part of the release is NOT as it was written, {unused}",)
    if not folder.table_as_written:
        return None, (
            f"The released table is NOT the file that the release wrote: its checksum differs, {unused}",
        )
    if same is False:
        return None, (OTHER_TABLE,)
    if any(name in original.table.columns for name in pair.left_out):
        return None, ("Some columns cannot be compared, so the release's noise laws are not used.",)
    perturbed = again(folder, pair.released)
    if perturbed is None and folder.has_laws:
        return None, ("The private part of the release is not here, so its noise laws are not used.",)
    if perturbed is None and "stands_for" not in folder.plan:
        return None, ("What the published numbers stand for is not known here, so they count as exact.",)
    return perturbed, ()


def knowing(pair: Pair, folder: ReleaseFolder | None, original: Reading, perturbed: Perturbed | None) -> Pair:
    """The pair with what released numbers stand for, if the release is ours and as it was written."""
    if perturbed is not None:
        return pair.knowing(perturbed.stands_for(original.table))
    if folder is None or folder.has_laws or not folder.table_as_written or folder.seal == "broken":
        return pair
    return replace(pair, stands_for=cells_behind(folder.plan.get("stands_for", {}), pair.released))


def undone_notes(folder: ReleaseFolder | None, original: Reading) -> Iterator[str]:
    """A warning about releases from before full-precision columns had a grid: no measure shows what bits reveal."""
    full = [a.name for a in original.table.schema.inputs if a.kind == "numeric" and a.precision is None]
    if folder is not None and folder.manifest["version"] == 1 and full:
        yield (
            f"This release is from a version whose noise can be undone from the low-order bits of {', '.join(full)}; "
            "the risks below do not include that. Make the release again before you hand it out."
        )


def about_audit(original: Reading, released: object, folder: ReleaseFolder | None) -> About:
    """The names of both tables and, of a release of our own, how it was made."""
    from hushwood.version import __version__

    name = Path(released).name if isinstance(released, str | Path) else "a table in memory"
    about = About(original.name, name, __version__)
    if folder is None:
        return about
    technique, parameters = folder.manifest["technique"], folder.manifest["parameters"]
    why = why_used(technique, parameters)
    return replace(about, technique=technique, noise=parameters.get("noise"), why=why)


def holdout_notes(pair: Pair) -> Iterator[str]:
    """A warning if the held-out people seem to be in the table."""
    from hushwood.tables.frames.table_frames import frame_from_table

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
