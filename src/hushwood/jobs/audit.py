"""Audit a release, no matter who made it: every measure, every attack, one evaluation.

The command and the Python API both call `audit`; a release of our own is judged by its own noise laws.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.evaluation.case import Case
from hushwood.evaluation.controls import control_releases
from hushwood.evaluation.whole_table import LinkTally, WholeTable
from hushwood.jobs.audited_release import Released, SideBySide, frame_of, holdout_notes, untried_notes
from hushwood.jobs.folder.made_again import KnownRelease
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    arguments_as_released,
    as_published,
    is_source,
    perturbed_again,
)
from hushwood.jobs.inputs import read_input
from hushwood.jobs.judging import AUDIT_SECRET, Audit, AuditPlan, judge
from hushwood.jobs.judging_requests import AuditRequest
from hushwood.jobs.persons import MAP, read_map
from hushwood.jobs.preparing import prepared_for
from hushwood.jobs.resolve import check_in_memory, declared_units
from hushwood.random_streams import Streams
from hushwood.releasing.perturbed import Perturbed
from hushwood.stages import Stage, silent
from hushwood.tables.frames.storage import texts_of
from hushwood.tables.links.finding import Wanted, chosen_links
from hushwood.tables.long.files import expected_bytes
from hushwood.tables.pairs.pairing import Pair, pair_up
from hushwood.tables.persons.units import Units, numbered, outermost, unit_columns, units_of
from hushwood.tables.persons.views import unit_pair
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import LINKS
from hushwood.tables.recoding.taxonomies import Taxonomy, check_complete
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.jobs.audited_on_disk import TablesOnDisk

# An audit in memory holds both tables several times over: as read, as arrays, in one coding, and as samples.
COPIES = 4


def audit(
    original: object,
    released: object,
    request: AuditRequest | None = None,
    reading: Mapping[str, Any] | None = None,
    stage: Stage = silent,
    known: KnownRelease | None = None,
) -> Audit:
    """Judge a release: a file, a frame, or a folder that `hushwood release` made.

    `reading` are the arguments of `read` for the original; a file is read as for the release in the folder where they
    name neither a class nor a schema. `known` is what is known of a release in memory; a folder knows it itself.
    """
    given = reading or {}
    asked = AuditPlan.of(request or AuditRequest(), encoding=given.get("encoding") or "auto")
    release = Released.of(released, known or KnownRelease())
    folder, asks, streams = release.folder, asked.request, Streams(AUDIT_SECRET)
    if folder is not None and folder.hierarchies:
        asked = replace(asked, taxonomies={**folder.hierarchies, **asked.taxonomies})
    with _both_tables(original, release, asked, given, stage) as tables:
        _check_hierarchies(tables.read, asked.taxonomies)
        stage("reading the release", 0, 1)
        release, preparation, changed = release.prepared_as(tables.read.table)
        prepared, read_as = prepared_for(preparation, tables.read.table), tables.read.table.schema
        tables.read, assumed = as_published(folder, tables.read.prepared(preparation))
        links, chosen = _links(tables, release, asks.links, read_as)
        rows = tables.side_by_side(release)
        table, outside = tables.read.table, None
        if asks.holdout is not None:
            outside = preparation.coarse.on_frame(frame_of(asks.holdout, tables.read), read_as)
        pair = _paired(table, rows, release, asked, outside)
        people = people_in(table, rows.released, pair, release, outside)
        pair = replace(pair, made_up=release.made_up(declared=asks.made_up))
        perturbed, unused = _how_made(tables, release, pair)
        pair = release.knowing(pair, table, perturbed)
        builder, announced = release.builder(asks.builder, perturbed, table.rows)
        notes = (*unused, *assumed, *changed, *chosen, *tables.notes, *announced, *holdout_notes(pair))
        notes += tuple(untried_notes(folder))
        counted = tables.count(pair, perturbed, links, stage)
        case = Case(
            pair,
            streams,
            perturbed,
            people,
            counted=counted,
            links=links.facts(),
            taxonomies=asked.taxonomies,
            builder=builder,
            threads=asks.threads,
            about=release.about(tables.read.name),
            notes=(*(w.sentence for w in tables.read.warnings), *notes, *release.undone_notes(tables.read)),
            source=table,
        )
        if perturbed is not None and pair.holdout is None and asked.compares:
            effort = asked.level.effort
            controls = control_releases(table, perturbed.options, effort, streams, stage)
            case = replace(case, controls=controls)
        judged = judge(case, asked, stage)
        return replace(judged, evaluation=prepared.with_losses(judged.evaluation))


@contextmanager
def _both_tables(
    original: object, release: Released, asked: AuditPlan, given: Mapping[str, Any], stage: Stage
) -> Iterator[TablesInMemory | TablesOnDisk]:
    """Read the original, and know where the release lies; `given` are the arguments of `reading.read`."""
    if not in_batches(original, release.table, asked.request):
        yield TablesInMemory(original, release, asked, given)
        return
    check_in_memory(declared_units(arguments_as_released(release.folder, given) if release.folder else given))
    from hushwood.jobs.audited_on_disk import TablesOnDisk

    with tempfile.TemporaryDirectory(prefix="hushwood-audit-") as scratch:
        stage("reading the table", 0, 1)
        yield TablesOnDisk(Path(str(original)), release, asked, given, Path(scratch))


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


class TablesInMemory:
    """Both tables in memory: all of their records are judged."""

    notes: tuple[str, ...] = ()

    def __init__(
        self, original: object, release: Released, asked: AuditPlan, given: Mapping[str, Any]
    ) -> None:
        self.asked = asked
        if isinstance(original, str | Path):
            arguments, self.same = release.how_to_read(Path(original), given)
            read = read_input(Path(original), arguments)
        else:
            read = original if isinstance(original, Reading) else read_input(original, given)
            self.same = None if release.folder is None else is_source(release.folder, read)
        self.read = read.of_present_categories()

    def side_by_side(self, release: Released) -> SideBySide:
        """The whole release, and how its rows correspond to the original's."""
        wanted = self.asked.request.match
        escaped = release.folder is not None and release.folder.escaped_formulas
        frame = frame_of(release.table, self.read, escaped_formulas=escaped)
        return SideBySide(frame, release.match_of(wanted), release.order_for(wanted))

    def made_again(self, folder: ReleaseFolder, released: Table) -> Perturbed | None:
        """How the release was made, worked out again."""
        return perturbed_again(folder, self.read, released, self.asked.request.threads)

    def count(
        self, pair: Pair, perturbed: Perturbed | None, links: LinkTally, stage: Stage
    ) -> WholeTable | None:
        """Count links; nothing else has to be counted, because all records are judged."""
        links.add(pair.original, pair.released, pair.generalised)
        return None


def _check_hierarchies(original: Reading, taxonomies: Mapping[str, Taxonomy]) -> None:
    """A hierarchy must know all categories of its column."""
    for name, taxonomy in taxonomies.items():
        attribute = original.table.schema[name]
        if attribute.kind == "categorical":
            check_complete(taxonomy, attribute.categories)


def _links(
    tables: TablesInMemory | TablesOnDisk, release: Released, wanted: Wanted, read_as: Schema
) -> tuple[LinkTally, tuple[str, ...]]:
    """The links that are counted in both tables: those of the release, where they are known, else of the original."""
    folder, prepared = release.folder, tables.read.table.schema
    if wanted == "none":
        return LinkTally(()), ()
    if folder is not None and LINKS in folder.plan:
        claimed = folder.claimed_links(prepared) if folder.table_as_written else None
        return LinkTally(prepared.links, claimed), ()
    chosen = chosen_links(wanted, read_as, tables.read.table, tables.read.batches)
    return LinkTally(chosen.links), chosen.notes


def _paired(
    original: Table, rows: SideBySide, release: Released, asked: AuditPlan, holdout: pl.DataFrame | None
) -> Pair:
    """Both tables in one coding."""
    pair = pair_up(
        original,
        rows.released,
        Streams(AUDIT_SECRET),
        match=rows.match,
        order=rows.order,
        taxonomies=asked.taxonomies,
        holdout=holdout,
        labels=release.labels,
    )
    return replace(pair, notes=(*pair.notes, *rows.notes))


def _how_made(
    tables: TablesInMemory | TablesOnDisk, release: Released, pair: Pair
) -> tuple[Perturbed | None, tuple[str, ...]]:
    """How the release was made, worked out again; or a note that says why that is not used."""
    table, folder, made = tables.read.table, release.folder, release.known.made
    if folder is None:
        known = made is not None and not set(pair.left_out) & set(table.columns)
        return made.again(table, pair.released) if made is not None and known else None, ()
    unused = release.unused_laws(table, pair, tables.same)
    if unused is not None:
        return None, (unused,)
    perturbed = tables.made_again(folder, pair.released)
    if perturbed is None and folder.has_laws:
        return None, ("The private part of the release is not here, so its noise laws are not used.",)
    if perturbed is None and "stands_for" not in folder.plan:
        return None, ("What the published numbers stand for is not known here, so they count as exact.",)
    return perturbed, ()


def people_in(
    original: Table,
    released: pl.DataFrame,
    pair: Pair,
    release: Released,
    holdout: pl.DataFrame | None = None,
) -> Pair | None:
    """The pair with one record for every person or household; None if every row is a person."""
    units = outermost(original)
    if units is None:
        return None
    name = unit_columns(original.schema)[0]
    after = _released_units(name, units, released, pair)
    numbers = _numbers(units, release)
    if numbers is not None and len(numbers) == units.count and name in released.columns:
        there = released[name].cast(pl.String).cast(pl.Int64, strict=False).fill_null(0)
        partner: Integers | None = _found(numbers, there.gather(after.first).to_numpy())
    else:
        partner = None if pair.made_up else _partners(name, original, units, released, after, pair)
    outside = None if holdout is None else _named(holdout, name)
    return unit_pair(pair, units, after, partner, outside)


def _named(frame: pl.DataFrame, name: str) -> Units:
    return units_of(frame[name]) if name in frame.columns else numbered(np.arange(frame.height))


def _released_units(name: str, units: Units, released: pl.DataFrame, pair: Pair) -> Units:
    """The rows of the release that belong together: its own column says so, or the rows they were made from."""
    if name in released.columns:
        return units_of(released[name])
    if pair.partner is None or (pair.partner < 0).any() or len(pair.partner) != released.height:
        raise InputError(
            f"The release has no column {name!r}, and its rows are not paired with those of the original, so nothing "
            "says which of them belong together; name the column with --identifier instead."
        )
    of_row = np.empty(released.height, np.int64)
    of_row[pair.partner] = units.of_row
    return Units(of_row, np.unique(of_row, return_index=True)[1])


def _partners(
    name: str,
    original: Table,
    units: Units,
    released: pl.DataFrame,
    after: Units,
    pair: Pair,
) -> Integers | None:
    """The released unit of every original one: by the paired rows, or by the names themselves."""
    if pair.partner is not None and (pair.partner >= 0).all():
        to = after.of_row[pair.partner]
        if (to == to[units.first][units.of_row]).all():
            return np.asarray(to[units.first])
    if name not in released.columns:
        return None
    both = pl.concat([texts_of(original.carried[name]), texts_of(released[name])]).rank("dense").fill_null(0)
    ids = np.asarray(both.to_numpy(), np.int64)
    before, there = ids[units.first], ids[original.rows + after.first]
    partner = _found(before, there)
    partner[before == 0] = -1
    return partner if (partner >= 0).any() else None


def _numbers(units: Units, release: Released) -> Integers | None:
    """The numbers that persons got, in the order of their first rows; by the private map, if nothing there changed."""
    folder = release.folder
    path = None if folder is None else folder.private_file(MAP)
    if release.known.numbers is not None or folder is None or path is None:
        return release.known.numbers
    whole = folder.seal != "broken" and not folder.changed_private_files and folder.table_as_written
    return read_map(path, units) if whole else None


def _found(wanted: Integers, there: Integers) -> Integers:
    """The place of every wanted number among others; -1 where it is not."""
    order = np.argsort(there, kind="stable")
    place = np.clip(np.searchsorted(there[order], wanted), 0, max(len(there) - 1, 0))
    found = order[place]
    return np.where(there[found] == wanted, found, -1)
