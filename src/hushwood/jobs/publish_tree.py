"""Publish a tree with a table that gives it again: write aside, check what is on disk, and only then show the folder.

The command and the Python API both call `publish_tree`; releases with noise are made in `release`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.jobs.checksums import keyed_checksum, table_digest
from hushwood.jobs.folders import (
    FOREST,
    KEY,
    MANIFEST_FORMAT,
    PLAN,
    PRIVATE,
    ROW_ORDER,
    SCHEMA,
    SHARE,
    check_free,
    check_outside,
    leftover_warnings,
    whole_folder,
)
from hushwood.jobs.manifests import VERSION, sealed
from hushwood.jobs.release_files import (
    PRIVATE_FILE_MODE,
    check_table,
    released_suffix,
    warned_of,
    write_json,
    write_text,
)
from hushwood.jobs.release_folder import TPP
from hushwood.jobs.row_order import order_warnings, shuffled
from hushwood.jobs.tree_document import described, publication_document
from hushwood.random_streams import Streams, fresh_secret
from hushwood.tables.reading import Reading
from hushwood.tables.schema_file import write_schema_file
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions
from hushwood.tree_publishing.publish import Published, Stage, publish
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import write_forest

if TYPE_CHECKING:
    from hushwood.jobs.tree_on_disk import Checked

TREE, MODEL, REPORT, MANIFEST_NAME = "tree.json", "tree.pmml", "report.html", "manifest.json"


@dataclass(frozen=True, slots=True)
class PublishRequest:
    """What is asked of a published tree, and where it goes."""

    options: PublishOptions = field(default_factory=PublishOptions)
    output: Path | None = None
    force: bool = False
    shuffle_rows: bool = False
    escape_formulas: bool = False


@dataclass(frozen=True)
class TreePublication:
    """A published tree: the table in the kind it came in, the forest, and all that explains them."""

    make_frame: Callable[[], Any] = field(repr=False)
    forest: Forest
    manifest: dict[str, Any]
    document: dict[str, Any]
    warnings: tuple[str, ...]
    folder: Path | None
    k: int
    l: Mapping[str, float]

    @cached_property
    def frame(self) -> Any:
        """The released table as the kind of frame that was given; a Polars frame if it was a file."""
        return self.make_frame()

    def to_html(self) -> str:
        """The report, as the folder holds it."""
        from hushwood.reports.tree_page import tree_report

        return tree_report(self.document)


def publish_tree(
    reading: Reading, request: PublishRequest, stage: Stage = lambda name, done, total: None
) -> TreePublication:
    """Publish a tree and its table; nothing is left behind if any part of it fails."""
    check_table(reading)
    reading = reading.of_present_categories()
    if request.output is not None:
        check_free(request.output, request.force)
        if reading.path is not None:
            check_outside(reading.path, request.output)
    with whole_folder(request.output, request.force) as aside:
        streams = Streams(fresh_secret())
        published = publish(reading.table, request.options, stage, streams)
        if request.escape_formulas:
            # Whoever checks the tree has the two files alone, so the tree file tells how to read the table.
            grown = {**published.forest.grown, "escaped_formulas": True}
            published = replace(published, forest=replace(published.forest, grown=grown))
        return _write(aside, reading, request, published, streams, stage)


def _write(
    aside: Path,
    reading: Reading,
    request: PublishRequest,
    published: Published,
    streams: Streams,
    stage: Stage,
) -> TreePublication:
    from hushwood.jobs.tree_accuracy import tree_accuracy
    from hushwood.reports.tree_page import tree_report
    from hushwood.tables.frames import released_frame

    share = aside / SHARE
    original, new = reading.table, published.table
    if request.shuffle_rows:
        order = shuffled(original.rows, streams)
        original, new = original.take(order), new.take(order)
        np.save(aside / PRIVATE / ROW_ORDER, order)
    stage("writing the table", 0, 1)
    checked = _write_table_and_tree(share, original, new, published, request, reading, stage)
    stage("measuring the accuracy", 0, 1)
    accuracy = tree_accuracy(reading.table, published.forest, request.options)
    warnings = (*warned_of(reading, request.escape_formulas), *published.warnings)
    if not request.shuffle_rows:
        warnings += tuple(order_warnings(reading.table, but=(published.forest.class_name,)))
    # Doubts about the original's columns and rows are its owner's: only what growing said goes into the page.
    document = publication_document(
        reading, published, request.options, checked.rebuilt, accuracy, published.warnings
    )
    if request.output is not None:
        stage("writing the report", 0, 1)
        write_text(share / REPORT, tree_report(document))
    _write_private(aside / PRIVATE, reading, request, published.forest, streams)
    manifest = _manifest(aside, reading, request, published, streams, checked)
    write_json(share / MANIFEST_NAME, manifest)
    return TreePublication(
        lambda: reading.frame_like(released_frame(new)),
        published.forest,
        manifest,
        document,
        (*warnings, *leftover_warnings(request.output)),
        request.output,
        published.k,
        dict(published.l),
    )


def _write_table_and_tree(
    share: Path,
    original: Table,
    new: Table,
    published: Published,
    request: PublishRequest,
    reading: Reading,
    stage: Stage,
) -> Checked:
    """Write what is handed out and look at it again as a stranger would."""
    from hushwood.jobs.tree_on_disk import checked_on_disk
    from hushwood.tables.files import write_frame
    from hushwood.tables.frames import released_frame
    from hushwood.trees.pmml import write_pmml

    released, options = share / f"released{released_suffix(reading)}", request.options
    write_frame(
        released_frame(new),
        released,
        separator=reading.separator or ",",
        escape_formulas=request.escape_formulas,
    )
    write_forest(published.forest, share / TREE)
    for place in range(len(published.forest.trees)):
        write_pmml(published.forest, share / pmml_name(place), place)
    stage("checking what was written", 0, 1)
    by = original.schema.quasi_identifiers
    by += (published.forest.class_name,) if options.class_in_groups else ()
    return checked_on_disk(original, released, share / TREE, reading.separator, options, by)


def pmml_name(place: int) -> str:
    """The PMML file of a tree, counted from 0.

    >>> pmml_name(0), pmml_name(1)
    ('tree.pmml', 'tree-2.pmml')
    """
    return MODEL if place == 0 else f"tree-{place + 1}.pmml"


def _write_private(
    folder: Path, reading: Reading, request: PublishRequest, forest: Forest, streams: Streams
) -> None:
    write_text(folder / KEY, streams.secret.hex() + "\n")
    write_forest(forest, folder / FOREST)
    write_schema_file(reading.table.schema, folder / SCHEMA)
    plan = {
        "format": "hushwood-plan",
        "version": 1,
        "manifest_version": VERSION,
        "recipe": TPP,
        "input": dict(reading.form),
        "options": described(request.options),
    }
    write_json(folder / PLAN, plan)
    for path in folder.iterdir():
        path.chmod(PRIVATE_FILE_MODE)


def _manifest(
    aside: Path,
    reading: Reading,
    request: PublishRequest,
    published: Published,
    streams: Streams,
    checked: Checked,
) -> dict[str, Any]:
    from hushwood.version import __version__

    content = {
        "format": MANIFEST_FORMAT,
        "version": VERSION,
        "hushwood": __version__,
        "technique": TPP,
        "parameters": described(request.options) | {"trees": len(published.forest.trees)},
        "steps": [],
        "privacy": {"k": checked.k, "l": dict(checked.diversity)},
        "key_id": streams.key_id,
        "input": {"keyed_checksum": keyed_checksum(table_digest(reading), streams)},
        "output": {
            "file": f"released{released_suffix(reading)}",
            "records": checked.certificate.records,
            "escaped_formulas": request.escape_formulas,
        },
        "certificate": checked.certificate.to_json(),
    }
    return sealed(content, aside, streams)
