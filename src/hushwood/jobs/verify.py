"""Check a release against its manifest: are the files as they were written, and does the certificate hold?

Only the key can tell whether the manifest itself is as it was written. The certificate needs the original and the
private part; the checksums need neither.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from hushwood.arrays import Integers
from hushwood.errors import InputError
from hushwood.jobs.folder.manifests import CLEARED, file_checksum, held_back
from hushwood.jobs.folder.release_files import secret_order
from hushwood.jobs.folder.release_folder import (
    ReleaseFolder,
    arguments_as_released,
    as_perturbed,
    is_source,
    options_of,
    preparation_of,
    read_as_released,
    release_folder,
)
from hushwood.jobs.folder.whole_folders import FOREST, MANIFEST, NOT_CLEARED, ROW_ORDER, SHARE, unlisted
from hushwood.jobs.judging_requests import VerifyRequest
from hushwood.jobs.key_order import ROW_KEY, in_key_order
from hushwood.releasing.certificate import BATCH_ROWS, Certificate, Certifying, Claims, in_slices
from hushwood.releasing.certifying.draw import check_draw
from hushwood.releasing.engines.streaming.exchange import ROW, Exchange
from hushwood.releasing.fitted import joined
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.formats.files import BatchesOnDisk, parts_of
from hushwood.tables.frames.storage import text_columns
from hushwood.tables.frames.table_frames import table_from_frame
from hushwood.tables.long.files import expected_bytes
from hushwood.tables.long.keyed_rows import RowKey
from hushwood.tables.long.table import LongTable, Looking, read_long
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.resampling import drawn_on_disk, resampled
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import promise_from_json
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json, read_forest

COPIES = 4  # of both tables, as read and as arrays, that a certificate in memory takes


@dataclass(frozen=True, slots=True)
class VerifiedPoint:
    """One thing that was checked; `holds` is None where that was not possible."""

    sentence: str
    holds: bool | None


@dataclass(frozen=True, slots=True)
class Verified:
    """All checks of a release, and the certificate if it was repeated."""

    checks: tuple[VerifiedPoint, ...]
    certificate: dict[str, Any] | None

    @property
    def holds(self) -> bool:
        """Whether nothing differs among what could be checked."""
        return all(check.holds is not False for check in self.checks)


def verify(folder: Path, original: Path | None = None, request: VerifyRequest | None = None) -> Verified:
    """Compare the files with the manifest's checksums and, with the original, repeat the certificate."""
    request = request or VerifyRequest()
    found, checks = verified_folder(folder)
    checks += _foreign_files(found)
    if original is None:
        return Verified(
            (*checks, VerifiedPoint("The certificate was not repeated: give the original too.", None)), None
        )
    model = found.private_file(FOREST)
    if model is None:
        sentence = "The certificate was not repeated: the private part of the release is not here."
        return Verified((*checks, VerifiedPoint(sentence, None)), None)
    if found.changed_private_files:
        sentence = "The certificate was not repeated: the private part is not as it was written."
        return Verified((*checks, VerifiedPoint(sentence, None)), None)
    if found.drawn and found.streams is None:
        sentence = "The certificate was not repeated: the people were drawn by the key, which is not here."
        return Verified((*checks, VerifiedPoint(sentence, None)), None)
    source = _source(found, original)
    if source.holds is False:
        return Verified((*checks, source), None)
    certificate = _certificate(found, original, read_forest(model), request)
    said = certificate.to_json()
    broken = [VerifiedPoint(f"A promise is broken: {fault}.", False) for fault in certificate.faults]
    drawn = _draw(found, original, read_forest(model), request)
    return Verified((*checks, source, *broken, _same(found, said), *drawn), said)


def verified_folder(folder: Path) -> tuple[ReleaseFolder, list[VerifiedPoint]]:
    """A release, and everything about it that can be checked without the original."""
    found = release_folder(folder)
    if found is None:
        raise InputError(f"{folder} holds no release (no {MANIFEST}); give a folder that a release made.")
    checks = [_seal(found), *_clearance(found)]
    checks += [_file(found, name, checksum) for name, checksum in sorted(found.manifest["files"].items())]
    checks += [
        VerifiedPoint(f"{name} is not the file that was written: its checksum differs.", False)
        for name in found.changed_private_files
    ]
    return found, checks


def _clearance(folder: ReleaseFolder) -> list[VerifiedPoint]:
    """What the manifest says about whether the release may be handed out; nothing if no policy was asked."""
    manifest = folder.manifest
    verdict, accepted, held = manifest.get("verdict"), manifest.get("accepted"), held_back(manifest)
    if held and folder.share.absolute().name == SHARE:
        sentence = (
            f"The release was not cleared, and it lies in {SHARE} without having been accepted: rename it to "
        )
        return [VerifiedPoint(f"{sentence}{NOT_CLEARED}.", False)]
    by = "" if verdict is None else f" by the policy {verdict['policy']!r}"
    if accepted is not None:
        sentence = f"The release was not cleared{by}; {accepted['by']} accepted it on {accepted['on']}"
        return [VerifiedPoint(f"{sentence}, for this reason: {accepted['reason']}", None)]
    if held or (verdict is not None and verdict["status"] != CLEARED):
        proven = verdict is not None and verdict["status"] == "not proven"
        return [
            VerifiedPoint(
                f"The release was not cleared{by}{': not enough is proven' if proven else ''}.", None
            )
        ]
    return [] if verdict is None else [VerifiedPoint(f"The release was cleared{by}.", True)]


def _seal(folder: ReleaseFolder) -> VerifiedPoint:
    match folder.seal:
        case "whole":
            return VerifiedPoint("The manifest is as it was written: its MAC fits the key.", True)
        case "broken":
            return VerifiedPoint(
                "The manifest is not the one that was written: its MAC does not fit the key.", False
            )
        case "none":
            sentence = (
                "This release is from before manifests had a MAC, so only its checksums can be vouched for."
            )
        case _:
            sentence = (
                "The key is not here, so only checksums can be vouched for, not the manifest they stand in."
            )
    return VerifiedPoint(sentence, None)


def _file(folder: ReleaseFolder, name: str, checksum: str) -> VerifiedPoint:
    path = folder.share / Path(name).name
    if not path.is_file() and not parts_of(path):
        return VerifiedPoint(f"{name} is missing.", False)
    if file_checksum(path) != checksum:
        return VerifiedPoint(f"{name} is not the file that was written: its checksum differs.", False)
    return VerifiedPoint(f"{name} is as it was written.", True)


def _foreign_files(folder: ReleaseFolder) -> list[VerifiedPoint]:
    """What lies among the files to hand out and is none of them: it might be the original."""
    names = (Path(name).name for name in folder.manifest["files"])
    return [
        VerifiedPoint(
            f"{path.name} is not a file of the release and would go out with it; move it away.", False
        )
        for path in unlisted(folder.share, names)
    ]


def _source(folder: ReleaseFolder, original: Path) -> VerifiedPoint:
    if original.is_dir():
        sentence = "Whether this is the original is checked by its records alone: it is a folder of files."
        return VerifiedPoint(sentence, None)
    if not original.is_file():
        raise InputError(f"There is no file {original}; check the name and the folder you are in.")
    same = is_source(folder, original)
    if same is None:
        return VerifiedPoint("Whether this is the original could not be checked: the key is not here.", None)
    if same:
        return VerifiedPoint("The original is the table that was released.", True)
    return VerifiedPoint(
        "The original is not the table that was released: its keyed checksum differs.", False
    )


def _certificate(
    folder: ReleaseFolder, original: Path, forest: Forest, request: VerifyRequest
) -> Certificate:
    """Send every record of both files through every tree, and check what columns promise."""
    written = folder.manifest["certificate"]
    # Manifests written before columns made promises have none.
    columns = written.get("columns")
    promises = columns and {name: promise_from_json(said) for name, said in columns.items()}
    with tempfile.TemporaryDirectory(prefix="hushwood-verify-") as scratch:
        source = _opened(folder, original, request, Path(scratch))
        back = BatchesOnDisk(
            folder.released,
            form=source.form,
            as_text=text_columns(source.schema),
            escaped_formulas=folder.escaped_formulas,
            like=source.schema,
        )
        claims = Claims(
            bool(written["claimed"]), promises, not folder.made_up, folder.claimed_links(source.schema)
        )
        certifying = Certifying(
            source.schema,
            source.rows,
            forest_to_json(forest),
            claims,
            threads=request.threads,
            typed=back.typed,
        )
        deque(certifying.add_file(source.batches, back, source.size), maxlen=0)
        return certifying.finish()


def _draw(
    folder: ReleaseFolder, original: Path, forest: Forest, request: VerifyRequest
) -> Iterator[VerifiedPoint]:
    """Whether the counts of the file are those that the key draws; nothing if nobody was drawn."""
    options, streams = options_of(folder, request.threads), folder.streams
    if not folder.drawn or options is None or streams is None:
        return
    found = None
    if not in_batches(folder, original, request.memory):
        reading = as_perturbed(folder, read_as_released(folder, original))[0]
        table = in_key_order(reading, folder.plan.get(ROW_KEY), streams).reading.table
        back = BatchesOnDisk(
            folder.released,
            form=reading.released_form,
            as_text=text_columns(table.schema),
            escaped_formulas=folder.escaped_formulas,
            like=table.schema,
        )
        released = joined([table_from_frame(one, table.schema) for one in back.batches(BATCH_ROWS)])
        if not unit_columns(table.schema) and not options.blanks_afterwards:
            found = check_draw(table, released, forest, options, streams)
    if found is None:
        yield VerifiedPoint(
            "Whether the counts are those that the key draws was not checked: that is done for tables in memory, "
            "without links between columns or blanked cells, and with a row for every person.",
            None,
        )
        return
    counts = f"{found.same:,} of {found.counts:,} counts of categories in leaves are those that the key draws"
    near = f"{found.near:,} of the {found.large:,} larger ones lie within two standard errors of the people's"
    yield VerifiedPoint(f"{counts}; {near}.", found.same == found.counts)


@dataclass(frozen=True, slots=True)
class _Original:
    """The original, prepared as for the release and in the order of its records, in batches of `size` records."""

    schema: Schema
    rows: int
    form: TextForm | None
    size: int
    batches: Iterator[Table]


def _opened(folder: ReleaseFolder, original: Path, request: VerifyRequest, scratch: Path) -> _Original:
    """The original, or the people drawn from it, in memory if both tables fit there, or else on disk."""
    order, key = folder.order, folder.plan.get(ROW_KEY)
    drawn = folder.streams if folder.drawn else None
    if not in_batches(folder, original, request.memory):
        reading = as_perturbed(folder, read_as_released(folder, original))[0]
        table = reading.table
        if drawn is not None:
            table, ids = resampled(in_key_order(reading, key, drawn).reading.table, drawn)
            order = secret_order(ids, drawn)
        _check_length(order, table.rows)
        table = table if order is None else table.take(order)
        return _Original(
            table.schema, table.rows, reading.released_form, BATCH_ROWS, in_slices(table, BATCH_ROWS)
        )
    by_key = None if drawn is None or key is None else RowKey(key, drawn)
    looking = Looking(request.memory, request.threads, row_key=by_key)
    long = read_long(original, scratch, arguments_as_released(folder), looking)
    records = long.records.prepared(preparation_of(folder, long.records.schema)[0])
    _check_length(order, records.rows)
    size = records.batch_rows(request.memory // 2)
    if drawn is not None:
        records = drawn_on_disk(records, drawn, scratch, size)
        order = secret_order(records.row_ids(0, records.rows), drawn)
    if order is None:
        batches: Iterator[Table] = (batch for _, batch in records.batches(size))
    else:
        batches = _sorted_on_disk(records, order, scratch, size)
    return _Original(records.schema, records.rows, long.released_form, size, batches)


def in_batches(folder: ReleaseFolder, original: Path, memory: int) -> bool:
    """Whether the two tables are too long for the memory."""
    if original.is_dir():
        return True
    return COPIES * (expected_bytes(original) + expected_bytes(folder.released)) > memory


def _sorted_on_disk(table: LongTable, order: Integers, scratch: Path, size: int) -> Iterator[Table]:
    """The original's records in the order of the release."""
    partner = np.empty(table.rows, np.int64)
    partner[order] = np.arange(table.rows)
    sorting = Exchange(scratch / "order", -(-table.rows // size))
    for first, records in table.batches(size):
        to = partner[first : first + records.rows]
        sorting.add(sorting.packed({ROW: to, **records.columns}, to // size, records.carried))
    for number in range(sorting.buckets):
        columns, carried = sorting.bucket(number), sorting.carried(number)
        place = np.argsort(columns.pop(ROW))
        yield Table(
            records.schema,
            {name: values[place] for name, values in columns.items()},
            pl.DataFrame() if carried is None else carried[place],
            len(place),
        )
    sorting.close()


def _check_length(order: Integers | None, rows: int) -> None:
    """The map of the rows may belong to another table."""
    if order is not None and len(order) != rows:
        raise InputError(
            f"{ROW_ORDER} has {len(order):,} rows, but the original has {rows:,}; give the table that was released."
        )


def _same(folder: ReleaseFolder, certificate: dict[str, Any]) -> VerifiedPoint:
    written = folder.manifest["certificate"]
    kept = f"{certificate['kept']:,} of {certificate['records']:,} records "
    if folder.made_up:
        whom = "a drawn person who" if folder.drawn else "an original record that"
        kept += f"can be matched with {whom} follows the same rules"
    else:
        kept += "follow the same rules in every tree"
    if certificate == written and not written["claimed"]:
        return VerifiedPoint(f"No certificate was claimed, and the count is as it was written: {kept}.", True)
    if certificate == written:
        return VerifiedPoint(f"The certificate holds: {kept}.", True)
    if certificate["kept"] != written["kept"]:
        return VerifiedPoint(
            f"The certificate differs: {kept}; the manifest says {written['kept']:,}.", False
        )
    names = sorted(name for name in {*certificate, *written} if certificate.get(name) != written.get(name))
    return VerifiedPoint(f"The certificate differs in {', '.join(names)}, although {kept}.", False)
