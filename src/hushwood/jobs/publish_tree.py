"""Publish a tree with a table that gives it again: write, check what is on disk, and only then show the folder.

The command and the Python API both call `publish_tree`; releases with noise are made in `release`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.evaluation.publication import Publication
from hushwood.jobs.folder.release_files import (
    Writer,
    check_table,
    input_warnings,
    order_warnings,
    secret_order,
    write_text,
)
from hushwood.jobs.folder.release_folder import TPP
from hushwood.jobs.folder.whole_folders import (
    FOREST,
    leftover_warnings,
    whole_folder,
)
from hushwood.jobs.gate import check_declared
from hushwood.jobs.inputs import read_input
from hushwood.jobs.requests import PublishRequest
from hushwood.jobs.resolve import check_folder, check_rows_are_persons, declared_units
from hushwood.random_streams import Streams, fresh_secret
from hushwood.stages import Stage, silent
from hushwood.tables.reading import Reading
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.tree_publishing.document import described, publication_document
from hushwood.tree_publishing.options import TreePlan, plans_for, response_of
from hushwood.tree_publishing.publish import Published, publish
from hushwood.tree_publishing.released import intervals_behind, label_key
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import write_forest

if TYPE_CHECKING:
    from hushwood.jobs.verify_tree import CheckedTree

__all__ = ["PublishRequest", "TreePublication", "pmml_name", "publish_tree"]

TREE, MODEL, REPORT = "tree.json", "tree.pmml", "report.html"


@dataclass(frozen=True)
class TreePublication:
    """A published tree: the table as the kind of frame it came in, the forest, and all that explains them."""

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

    @cached_property
    def publication(self) -> Publication:
        """The document as reports read it."""
        return Publication.from_json(self.document)

    def to_html(self) -> str:
        """The report, as the folder holds it."""
        from hushwood.reports.tree.page import tree_report

        return tree_report(self.publication)


def publish_any(
    source: object,
    arguments: Mapping[str, Any],
    plans: Sequence[TreePlan],
    request: PublishRequest,
    stage: Stage = silent,
) -> TreePublication:
    """Read a table with the arguments of `reading.read`; publish a tree by each plan, or one that suits its class."""
    _check_request(source, arguments, request)
    response = {"response": response_of(plans)} if plans else {}
    reading = read_input(source, {**arguments, **response})
    trees = plans_for(plans, reading.table.schema)
    return _published(reading, replace(request, options=replace(request.options, trees=trees)), stage)


def publish_tree(reading: Reading, request: PublishRequest, stage: Stage = silent) -> TreePublication:
    """Publish a tree and its table; nothing is left behind if any part of it fails."""
    _check_request(reading, {}, request)
    return _published(reading, request, stage)


def _check_request(source: object, arguments: Mapping[str, Any], request: PublishRequest) -> None:
    """Refuse what can be refused before the table is read."""
    units = declared_units(arguments, source)
    check_rows_are_persons(units, "A published tree", "give a table with one row each")
    check_folder(request.output, request.force, source)


def _published(reading: Reading, request: PublishRequest, stage: Stage) -> TreePublication:
    check_table(reading)
    classes = reading.table.schema.classes
    if len(classes) != 1:
        found = ", ".join(repr(a.name) for a in classes) or "no column"
        raise InputError(
            f"A published tree predicts one class, but {found} is declared so; name one with --class."
        )
    if reading.table.schema.weight is not None:
        raise InputError(
            "A published tree counts the people in the table, so it takes no weights; omit --weight, and drop the "
            f"column with --identifier {shlex.quote(reading.table.schema.weight.name)} if it tells something."
        )
    reading = reading.of_present_categories()
    check_declared(reading.table, request.keep, hidden=_never_exact(reading.table.schema))
    with whole_folder(request.output, request.force) as aside:
        streams = Streams(fresh_secret())
        published = publish(reading.table, request.options, stage, streams)
        if request.escape_formulas:
            # Anyone who checks the tree has only the two files, so the tree file says how to read the table.
            grown = {**published.forest.grown, "escaped_formulas": True}
            published = replace(published, forest=replace(published.forest, grown=grown))
        return _write(Writer(aside, reading, streams, request.escape_formulas), request, published, stage)


def _never_exact(schema: Schema) -> list[str]:
    """Numbers and dates: they become intervals or one value, so that neither a day nor a record number goes out."""
    return [attribute.name for attribute in schema.inputs if attribute.kind == "numeric"]


def _write(writer: Writer, request: PublishRequest, published: Published, stage: Stage) -> TreePublication:
    from hushwood.reports.tree.page import tree_report
    from hushwood.tables.frames.table_frames import released_frame
    from hushwood.tree_publishing.document import tree_accuracy

    reading, forest = writer.reading, published.forest
    original, new = reading.table, published.table
    if request.shuffle_rows:
        order = secret_order(range(new.rows), writer.streams)
        writer.keep_order(order)
        original, new = original.take(order), new.take(order)
    stage("writing the table", 0, 1)
    checked = _write_table_and_tree(writer, original, new, published, request, stage)
    stage("measuring the accuracy", 0, 1)
    accuracy = tree_accuracy(reading.table, forest, request.options)
    warnings = (*input_warnings(reading, request.escape_formulas), *published.warnings)
    if not request.shuffle_rows:
        warnings += tuple(order_warnings(reading.table, but=(forest.class_name,)))
    # Doubts about the original's columns and rows are its owner's: only what growing said goes into the page.
    document = publication_document(
        reading.table,
        writer.released.name,
        published,
        request.options,
        checked.rebuilt,
        accuracy,
        published.warnings,
    )
    if request.output is not None:
        stage("writing the report", 0, 1)
        write_text(writer.share / REPORT, tree_report(Publication.from_json(document)))
    options = described(request.options)
    write_forest(forest, writer.private / FOREST)
    behind, key = intervals_behind(reading.table, published), label_key(reading.table, published)
    writer.write_private(
        {"recipe": TPP, "input": dict(reading.form), "options": options, "stands_for": behind}
    )
    about = {
        "technique": TPP,
        "parameters": options | {"trees": len(forest.trees)},
        "steps": [],
        "privacy": {"k": checked.k, "l": dict(checked.diversity)},
    }
    about |= {"labels": key} if key else {}
    about |= {"kept_columns": dict(request.keep)} if request.keep else {}
    manifest = writer.write_manifest(about, checked.certificate.to_json())
    return TreePublication(
        lambda: reading.frame_like(released_frame(new)),
        forest,
        manifest,
        document,
        (*warnings, *leftover_warnings(request.output)),
        request.output,
        published.k,
        dict(published.l),
    )


def _write_table_and_tree(
    writer: Writer,
    original: Table,
    new: Table,
    published: Published,
    request: PublishRequest,
    stage: Stage,
) -> CheckedTree:
    """Write what is handed out and check it as a stranger would."""
    from hushwood.jobs.verify_tree import checked_on_disk
    from hushwood.trees.pmml import write_pmml

    forest, options, tree = published.forest, request.options, writer.share / TREE
    writer.write_table(new)
    write_forest(forest, tree)
    for place in range(len(forest.trees)):
        write_pmml(forest, writer.share / pmml_name(place), place)
    stage("checking what was written", 0, 1)
    by = original.schema.quasi_identifiers
    by += (forest.class_name,) if options.class_in_groups else ()
    return checked_on_disk(original, writer.released, tree, writer.reading.released_form, options, by)


def pmml_name(place: int) -> str:
    """The PMML file of a tree, counted from 0.

    >>> pmml_name(0), pmml_name(1)
    ('tree.pmml', 'tree-2.pmml')
    """
    return MODEL if place == 0 else f"tree-{place + 1}.pmml"
