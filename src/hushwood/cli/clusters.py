"""`hushwood clusters`: which values of a table are similar, and under which rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hushwood.cli.options import MaxBytes, TableFile, with_options
from hushwood.cli.printing import say
from hushwood.jobs.judging_requests import ClusterRequest
from hushwood.jobs.requests import InputOptions

if TYPE_CHECKING:
    from rich.table import Table

    from hushwood.jobs.clusters import ClusteredColumn, FoundClusters

ClassColumn = Annotated[
    str | None, typer.Option("--class", metavar="COLUMN", help="The class column, if there is one.")
]
Json = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write everything that was found as JSON.")
]
Most = Annotated[int, typer.Option(min=1, metavar="N", help="Pairs or groups to show of each column.")]
_VALUES_SHOWN = 6


@with_options
def clusters(
    table: TableFile,
    inputs: InputOptions,
    request: ClusterRequest,
    target: ClassColumn = None,
    most: Most = 8,
    json: Json = None,
    max_bytes: MaxBytes = None,
) -> None:
    """Show which values are similar: what CAPT would draw among.

    Example: hushwood clusters adult.csv --class income --column occupation
    """
    import json as plain

    from hushwood.jobs.clusters import clusters_of
    from hushwood.jobs.folder.release_files import PRIVATE_FILE_MODE, check_separate, write_whole
    from hushwood.jobs.inputs import read_input

    found = clusters_of(read_input(table, inputs.arguments(target)).table, request)
    if json is not None:
        check_separate(json, [table])
        text = plain.dumps(found.to_json(), ensure_ascii=False, indent=1)
        write_whole(text + "\n", json, PRIVATE_FILE_MODE)
    _show(found, most)
    say("This describes the original table: keep it private.")


def _show(found: FoundClusters, most: int) -> None:
    from rich.console import Console

    grown = "" if found.grown_on == found.records else f", trees grown on {found.grown_on:,} of them"
    say(f"{found.clustering}: {found.records:,} records{grown}")
    if found.clusters is not None:
        _show_clusters(found, most)
    console = Console()
    for column in found.columns:
        say("")
        if not column.groups:
            say(f"{column.name}: nothing explains its {column.values} values.")
        elif column.pairs:
            console.print(_pairs(column, most))
        else:
            console.print(_groups(column, most))


def _show_clusters(found: FoundClusters, most: int) -> None:
    """The clusters of records, and the weights of the columns."""
    sizes = found.clusters or ()
    shown = ", ".join(f"{size:,}" for size in sizes[:most])
    which = "they hold" if len(sizes) <= most else "the largest hold"
    say(f"{len(sizes)} clusters of records; {which} {shown}." if sizes else "No clusters of records.")
    say(f"{found.in_no_cluster:,} records are in none.")
    weights = ", ".join(f"{name} {weight:g}" for name, weight in (found.weights or {}).items())
    say(f"Weights: {weights or 'no column has a tree'}.")


def _pairs(column: ClusteredColumn, most: int) -> Table:
    rows: list[tuple[str, ...]] = [
        (" - ".join(pair.values), f"{pair.product:,.0f}", f"{pair.strength:.3f}", " | ".join(pair.leaves))
        for pair in column.pairs[:most]
    ]
    leaves, pairs = len(column.groups), len(column.pairs)
    title = f"{column.name}: {column.values} values, {leaves} leaves, {pairs} similar pairs"
    return _table(title, ("similar values", "product", "strength", "where"), rows, pairs - len(rows))


def _groups(column: ClusteredColumn, most: int) -> Table:
    rows: list[tuple[str, ...]] = []
    for group in column.groups[:most]:
        values = [f"{name or 'missing'} {count:,}" for name, count in group.values.items()]
        more = f" and {len(values) - _VALUES_SHOWN} more" if len(values) > _VALUES_SHOWN else ""
        rows.append((f"{group.records:,}", ", ".join(values[:_VALUES_SHOWN]) + more))
    title = f"{column.name}: {column.values} values, {len(column.groups)} groups"
    return _table(title, ("records", "values"), rows, len(column.groups) - len(rows))


def _table(title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]], left_out: int) -> Table:
    """A table of texts that cannot control the terminal."""
    from rich.table import Table
    from rich.text import Text

    from hushwood.errors import visible

    shown = Table(
        title=Text(visible(title)),
        title_justify="left",
        caption=f"{left_out} more; --most shows more, --json all" if left_out else None,
        caption_justify="left",
    )
    for heading in headings:
        shown.add_column(heading)
    for row in rows:
        shown.add_row(*(Text(visible(cell)) for cell in row))
    return shown
