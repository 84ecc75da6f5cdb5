"""A release on disk: its manifest, its files, and how it was made.

`release` writes such folders; `audit` and `verify` read them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.jobs.folder.keys import streams_for
from hushwood.jobs.folder.made_again import made_again
from hushwood.jobs.folder.manifests import (
    changed_private_files,
    check_manifest,
    check_plan,
    check_version_and_names,
    file_checksum,
    is_input,
    seal_fits,
)
from hushwood.jobs.folder.release_files import read_order
from hushwood.jobs.folder.whole_folders import (
    FOREST,
    KEY,
    MANIFEST,
    MANIFEST_FORMAT,
    PLAN,
    PRIVATE,
    ROW_ORDER,
    SCHEMA,
    SHARED,
    check_finished,
    shared_part,
)
from hushwood.jobs.inputs import read_input
from hushwood.json_texts import parsed_json
from hushwood.random_streams import Streams
from hushwood.tables.links.links import Link, kind_of
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.reading import AnyReading, Reading
from hushwood.tables.recoding.preparation import Preparation, preparation_from_json
from hushwood.tables.recoding.taxonomies import Taxonomy, taxonomies_from_json
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.trees.model_file import read_forest

if TYPE_CHECKING:
    from hushwood.releasing.options import PerturbOptions
    from hushwood.releasing.perturb import Perturbed

TPP = "tpp"  # a published tree: values are generalised, and no chance is involved


@dataclass(frozen=True)
class ReleaseFolder:
    """A folder that `hushwood release` made, read once; `private` is None where only the released files are there.

    `share` is what holds those: share/, not-cleared/, or whatever the recipient called it.
    """

    share: Path
    private: Path | None
    manifest: Mapping[str, Any]

    @property
    def released(self) -> Path:
        """The released table."""
        return self.share / str(self.manifest["output"]["file"])

    @property
    def escaped_formulas(self) -> bool:
        """Whether formulas in the released table have marks before them."""
        return bool(self.manifest["output"].get("escaped_formulas", False))

    @cached_property
    def order(self) -> Integers | None:
        """The original row of every released row, if they were shuffled and the map is here."""
        path = self.private_file(ROW_ORDER)
        return None if path is None else read_order(path)

    @property
    def shuffled(self) -> bool:
        """Whether the rows of the release are in another order than the original's."""
        return any(Path(name).name == ROW_ORDER for name in self.manifest.get("private_files", ()))

    @cached_property
    def table_as_written(self) -> bool:
        """Whether the released table is the file that the manifest describes."""
        return bool(file_checksum(self.released) == self.manifest["output"]["sha256"])

    @property
    def trusted_order(self) -> Integers | None:
        """The map of the rows if nothing here has changed: another table would be paired at random and look safe."""
        whole = self.seal != "broken" and not self.changed_private_files and self.table_as_written
        return self.order if whole else None

    @property
    def made_up(self) -> bool:
        """Whether no released record stands for an original one."""
        return not self.manifest["output"].get("records_have_partners", True)

    @property
    def drawn(self) -> bool:
        """Whether the people were drawn from the table first."""
        return any(step.get("row_order") == "drawn" for step in self.manifest.get("steps", ()))

    @property
    def labels(self) -> Labels:
        """The release's key, by column: the categories that its labels stand for."""
        found: Labels = {} if self.seal == "broken" else self.manifest.get("labels", {})
        return found

    def claimed_links(self, schema: Schema) -> tuple[Link, ...]:
        """The links of the prepared table that the manifest says are kept."""
        said = self.manifest["certificate"].get("links", ())
        kept = [(link["kind"], tuple(link["columns"])) for link in said if link["kept"]]
        return tuple(link for link in schema.links if (kind_of(link), link.columns) in kept)

    @cached_property
    def hierarchies(self) -> Mapping[str, Taxonomy]:
        """The hierarchies that categories were generalised by, as far as they were given."""
        said = {} if self.seal == "broken" or not self.has_laws else self.plan.get("options", {})
        return taxonomies_from_json(said.get("hierarchies", {}))

    @property
    def has_laws(self) -> bool:
        """Whether noise laws stand behind the release; a published tree has none."""
        return bool(self.manifest["technique"] != TPP)

    @cached_property
    def plan(self) -> Mapping[str, Any]:
        """What plan.json says about how the release was made; empty if it is not here."""
        path = self.private_file(PLAN)
        if path is None:
            return {}
        plan = _json(path)
        check_plan(plan, path)
        return plan

    @cached_property
    def streams(self) -> Streams | None:
        """The streams of the release's key, if it is here."""
        key = self.private_file(KEY)
        return None if key is None else streams_for(None, key)

    @cached_property
    def seal(self) -> Literal["whole", "broken", "unchecked", "none"]:
        """Whether the manifest is as written: unchecked without the key, none before manifests had a MAC."""
        if self.manifest["version"] == 1:
            # The private plan knows the version, so that a manifest cannot be passed off as an old one.
            return "none" if self.plan.get("manifest_version", 1) == 1 else "broken"
        streams = self.streams
        if streams is None:
            return "unchecked"
        return "whole" if seal_fits(self.manifest, streams) else "broken"

    @cached_property
    def changed_private_files(self) -> list[str]:
        """Private files that have changed since they were written, as far as checksums can say."""
        streams = self.streams
        if streams is None or self.private is None:
            return []
        return changed_private_files(self.manifest, self.private, streams)

    def private_file(self, name: str) -> Path | None:
        """A file of the private part, if it is here."""
        path = None if self.private is None else self.private / name
        return path if path is not None and path.is_file() else None


def release_folder(path: Path) -> ReleaseFolder | None:
    """The release in a folder, or in the folder around its share/ or not-cleared/; None if there is no manifest."""
    if not path.is_dir():
        return None
    around = path.absolute().parent
    for folder in (path, around):
        check_finished(folder)
    part = shared_part(path)
    if part is not None:
        share, private = path / part, path / PRIVATE
    elif (path / MANIFEST).is_file():
        share, private = path, around / PRIVATE
        if path.absolute().name in SHARED:
            shared_part(around)  # which refuses both
    else:
        return None
    manifest = _json(share / MANIFEST)
    if not {"files", "input", "output", "certificate", "parameters"} <= manifest.keys():
        raise InputError(f"{share / MANIFEST} is damaged; fetch or make the release again.")
    if manifest.get("format") != MANIFEST_FORMAT:
        raise InputError(f"{share / MANIFEST} is not the manifest of a release; give another folder.")
    check_manifest(manifest, share / MANIFEST)
    check_version_and_names(manifest, share)
    return ReleaseFolder(share, private if private.is_dir() else None, manifest)


def arguments_as_released(folder: ReleaseFolder, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """How the original was read for the release; what `given` says of its columns counts more."""
    from hushwood.jobs.requests import InputOptions

    usual = InputOptions().arguments(None)
    other = {name: value for name, value in (given or {}).items() if value and value != usual[name]}
    return dict(folder.plan.get("input", {})) | {"schema": folder.private_file(SCHEMA)} | other


def read_as_released(folder: ReleaseFolder, original: Path) -> Reading:
    """The original read in the way it was read for the release."""
    return read_input(original, arguments_as_released(folder))


def as_perturbed(folder: ReleaseFolder | None, original: Reading) -> tuple[Reading, tuple[str, ...]]:
    """The original prepared as for the release, coarser and without rare levels, and notes about that."""
    preparation, notes = preparation_of(folder, original.table.schema)
    return replace(original, table=preparation.on_table(original.table)), notes


def preparation_of(folder: ReleaseFolder | None, schema: Schema) -> tuple[Preparation, tuple[str, ...]]:
    """How the table of a release was prepared, for the original as it is read now, and notes about that."""
    preparation = Preparation() if folder is None else preparation_from_json(folder.plan, schema)
    return preparation, preparation_notes(preparation)


def preparation_notes(preparation: Preparation) -> tuple[str, ...]:
    """What is to be said about a comparison with the prepared original."""
    coarse, rare, notes = preparation.coarse, preparation.rare, []
    if coarse:
        notes.append(
            f"The release was made of a coarser table, in {', '.join(coarse.recodings)}; it is compared with the "
            "original after that, and an intruder who knows the original values makes them coarser too."
        )
    if rare.changed:
        became = "grouped" if rare.rule == "group" else "blanked"
        notes.append(
            f"The release {became} levels that fewer than {rare.below} records have, in {', '.join(rare.levels)}; it "
            "is compared with the original after that."
        )
    return tuple(notes)


def as_published(folder: ReleaseFolder | None, original: AnyReading) -> tuple[AnyReading, tuple[str, ...]]:
    """The original with the quasi-identifiers of a published tree if none are declared, and a note about that."""
    schema = original.table.schema
    if folder is None or folder.plan.get("recipe") != TPP or schema.in_role("quasi-identifier"):
        return original, ()
    table = replace(original.table, schema=schema.with_role(schema.quasi_identifiers, "quasi-identifier"))
    note = (
        "No quasi-identifiers are declared, so those of the published tree are used: all columns except the class and "
        "the confidential ones."
    )
    return replace(original, table=table), (note,)


def is_source(folder: ReleaseFolder, original: Reading | Path) -> bool | None:
    """Whether the release was made from this very table; None without the key."""
    streams = folder.streams
    return None if streams is None else is_input(folder.manifest, original, streams)


def perturbed_again(
    folder: ReleaseFolder, reading: Reading, released: Table, threads: int
) -> Perturbed | None:
    """How a release was made, its laws worked out again; None for a published tree or without the private part.

    Of a long table they were learnt on a sample, which only the key finds again.
    """
    from hushwood.jobs.key_order import ROW_KEY, sampled_by_key
    from hushwood.releasing.fitting import Sample

    options, model = options_of(folder, threads), folder.private_file(FOREST)
    if model is None or options is None:
        return None
    table, streams, sample = reading.table, folder.streams, None
    if not unit_columns(table.schema):
        if streams is None and table.rows > options.forest_rows:
            return None
        if streams is not None:
            sample = sampled_by_key(table, folder.plan.get(ROW_KEY), options.forest_rows, streams)
    certificate, learnt_on = folder.manifest["certificate"], Sample.at(sample, table)
    return made_again(table, released, options, read_forest(model), certificate, learnt_on)


def perturbed_sample(
    folder: ReleaseFolder, sample: Table, places: Integers, rows: int, released: Table, threads: int
) -> Perturbed | None:
    """The plan, the segments and the laws of a release, for the sample of a table of that many rows.

    None for a published tree, without the private part, and without the key, which alone finds the sample again.
    """
    from hushwood.releasing.fitting import Sample

    options, model, streams = options_of(folder, threads), folder.private_file(FOREST), folder.streams
    if options is None or model is None or streams is None or len(places) > options.forest_rows:
        return None
    options, certificate = options.with_noise_of(sample.schema), folder.manifest["certificate"]
    learnt_on = Sample(sample, sample.schema, rows, places)
    return made_again(sample, released, options, read_forest(model), certificate, learnt_on)


def options_of(folder: ReleaseFolder, threads: int) -> PerturbOptions | None:
    """The options of a release; None for a published tree or without the private part."""
    from hushwood.releasing.options import PerturbOptions

    plan = folder.plan
    if folder.private_file(FOREST) is None or "options" not in plan or not folder.has_laws:
        return None
    known = {field.name for field in fields(PerturbOptions)}
    # Releases from before there was a blur have none, and nobody was drawn for them.
    given: dict[str, Any] = {"blur": 0, "redraw": 0} | {
        k: tuple(v) if isinstance(v, list) else v for k, v in plan["options"].items() if k in known
    }
    options = PerturbOptions(**given, threads=threads)
    return replace(
        options,
        hierarchies=folder.hierarchies,
        settings=with_tuples(options.settings),
    )


def with_tuples(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Settings with tuples, which JSON turned into lists."""

    def restored(value: Any) -> Any:
        return tuple(map(restored, value)) if isinstance(value, list) else value

    return {name: {k: restored(v) for k, v in given.items()} for name, given in settings.items()}


def _json(path: Path) -> dict[str, Any]:
    try:
        found = parsed_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise InputError(
            f"{path} cannot be read, so the release is damaged; fetch or make it again."
        ) from fault
    if not isinstance(found, dict):
        raise InputError(f"{path} is damaged; fetch or make the release again.")
    return found
