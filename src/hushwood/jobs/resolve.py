"""A request resolved before any table is opened: all that can be refused without data is refused here, and only here.

What needs the columns of the table is refused by the plan (`releasing/recipes`) and by the gate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.jobs.folder.keys import streams_for
from hushwood.jobs.folder.whole_folders import check_free, check_outside
from hushwood.jobs.requests import ReleaseRequest
from hushwood.policies.policy import Policy, policy_named
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.allowed_recipes import check_rows_together
from hushwood.releasing.recipes import check_recipe, recipe_named
from hushwood.tables.schema import UNIT_ROLES, Schema
from hushwood.tables.sql.addresses import address_of, is_address

if TYPE_CHECKING:
    from hushwood.trees.forest import Forest


@dataclass(frozen=True, slots=True)
class Resolved:
    """A request that can be carried out as far as it can be known: its hierarchies and its forest are read."""

    request: ReleaseRequest
    policy: Policy
    streams: Streams
    forest: Forest | None


def resolve(
    request: ReleaseRequest | Resolved, source: object, arguments: Mapping[str, Any] | None = None
) -> Resolved:
    """Refuse what cannot be done with any table, and read everything but the table.

    `source` is a path, an address, a frame, or what was read already; `arguments` are those of `reading.read`.
    """
    if isinstance(request, Resolved):
        return request
    said = arguments or {}
    units = declared_units(said, source)
    if not request.tune:
        check_recipe(request.options)
    _check_engine(source, request, units)
    if request.to is not None:
        _check_destination(request.to, source, request)
    check_folder(request.output, request.force, source)
    # What loads libraries comes last: numpy, then the attacks that the policy limits, then the techniques.
    streams = streams_for(request.seed, request.seed_file)
    policy = policy_named(request.policy, request.limits)
    if not request.tune:
        _check_techniques(request.options, units)
    return Resolved(_with_hierarchies(request, said), policy, streams, _forest(request))


def check_output(output: Path | None, dry_run: bool) -> None:
    """Refuse a request that does not say where the result goes."""
    if output is None and not dry_run:
        raise InputError("Name the folder to create with -o DIR, or look first with --dry-run.")


def check_folder(output: Path | None, force: bool, source: object) -> None:
    """Refuse a folder that is taken, or that a file or a folder to be read lies in."""
    if output is None:
        return
    check_free(output, force)
    path = _path_of(source)
    if path is not None:
        check_outside(path, output)


def declared_units(arguments: Mapping[str, Any], source: object = None) -> dict[str, str]:
    """The columns of persons and households with their roles, as the arguments of `reading.read` name them.

    A source that was read already names its own.
    """
    roles = dict(arguments.get("roles") or {})
    schema = arguments.get("schema")
    if schema is None and not isinstance(source, str | Path | None):
        schema = _schema_of(source)
    if schema is not None:
        from hushwood.tables.reading import declared_columns

        roles = {name: fields.get("role") for name, fields in declared_columns(schema).items()} | roles
    return {name: role for name, role in roles.items() if role in UNIT_ROLES}


def _schema_of(source: object) -> Schema | None:
    """The schema of what was read already."""
    from hushwood.tables.reading import Reading
    from hushwood.tables.table import Table

    table = source.table if isinstance(source, Reading) else source
    return table.schema if isinstance(table, Table) else None


def _path_of(source: object) -> Path | None:
    """The file or the folder that is read, or was."""
    if isinstance(source, str | Path):
        return None if "://" in str(source) else Path(source)
    from hushwood.tables.reading import Reading

    return source.path if isinstance(source, Reading) else None


def check_in_memory(units: Mapping[str, str]) -> None:
    """Refuse persons and households in tables that are read in batches: their rows may lie anywhere."""
    if units:
        raise InputError(
            "People with several rows (--person, --household) need the whole table in memory, because a person's rows "
            "may lie anywhere; give a file or a frame and use --engine memory."
        )


def check_rows_are_persons(units: Mapping[str, str], what: str, instead: str) -> None:
    """Refuse columns of persons and households where only rows are counted."""
    for name, role in units.items():
        raise InputError(
            f"{what} counts rows, so it would take every row of a {role} ({name!r}) for another person; {instead}."
        )


def resolve_search(
    request: ReleaseRequest | Resolved,
    source: object,
    arguments: Mapping[str, Any] | None = None,
    techniques: Sequence[str] = (),
) -> Resolved:
    """The same for a search among `techniques`; without any, it passes over those that cannot do what is asked."""
    if isinstance(request, Resolved):
        return request
    _check_search(request, source, declared_units(arguments or {}, source))
    usual = request.options.technique == PerturbOptions().technique
    for name in techniques or (() if usual else (request.options.technique,)):
        recipe_named(name)
        _check_techniques(replace(request.options, technique=name), {})
    return resolve(replace(request, tune=True), source, arguments)


def _check_techniques(options: PerturbOptions, units: Mapping[str, str]) -> None:
    """Refuse parameters that the techniques do not allow, and techniques that cannot keep rows together."""
    from hushwood.releasing.planning import techniques_of  # loads the techniques, and numba with some

    techniques = techniques_of(options)
    if units:
        check_rows_together(options, techniques)


def _check_search(request: ReleaseRequest, source: object, units: Mapping[str, str]) -> None:
    if is_address(source):
        raise InputError("--tune searches on a file; write the table to a Parquet file first.")
    if request.evidence == "none":
        raise InputError("Tuning compares releases by their evidence; use --evidence quick or full.")
    if request.options.k is not None:
        raise InputError("Tuning chooses k itself; omit --k, or release without --tune.")
    if request.options.noise_apart:
        raise InputError(
            "Tuning chooses one noise for all columns; omit noise for single columns, --noise-influential and "
            "--noise-innocent, or release without --tune."
        )
    if request.forest is not None:
        raise InputError(
            "Tuning grows a forest for every release that it tries; omit --forest, or release without --tune."
        )
    instead = "release without the search, and enlarge --k as the verdict advises until it is cleared"
    check_rows_are_persons(units, "The search", instead)


def _check_engine(source: object, request: ReleaseRequest, units: Mapping[str, str]) -> None:
    """Refuse an engine that cannot work on this kind of source."""
    engine = request.options.engine
    database, frame = is_address(source), not isinstance(source, str | Path)
    on_spark = engine == "spark" or type(source).__module__.startswith("pyspark.")
    if database or on_spark or engine == "streaming":
        check_in_memory(units)
    if database and request.row_key is None:
        raise InputError(
            "A table in a database has no order by which its rows could be told apart; name a unique column with "
            "--row-key COLUMN."
        )
    if database and engine == "spark":
        raise InputError(
            "--engine spark does not read databases; use auto, or give Spark's own table in Python."
        )
    if engine == "streaming" and frame and _path_of(source) is None:
        raise InputError(
            "--engine streaming reads files; this table is in memory already, so use auto or memory, or give the file."
        )


def _check_destination(to: str, source: object, request: ReleaseRequest) -> None:
    """Refuse a database that the release could not be written to."""
    if not is_address(to):
        raise InputError(
            "--to takes the address of a table, such as postgresql://USER@SERVER/DATABASE?table=NAME, "
            "duckdb:///FILE?table=NAME or sqlite:///FILE?table=NAME."
        )
    if request.output is None:
        raise InputError(
            "--to writes a release that is kept; name its folder with -o DIR, without --dry-run."
        )
    target = address_of(to)
    if isinstance(source, str) and is_address(source):
        original = address_of(source)
        if (original.scheme, original.place, original.table) == (target.scheme, target.place, target.table):
            raise InputError("--to names the table itself, which is never written to; name another table.")
    from hushwood.tables.sql.tables import check_target

    check_target(target, request.force)


def _with_hierarchies(request: ReleaseRequest, arguments: Mapping[str, Any]) -> ReleaseRequest:
    if not request.options.hierarchies and not request.options.coarsens_itself:
        return request
    from hushwood.jobs.preparing import with_hierarchies

    return with_hierarchies(request, arguments)


def _forest(request: ReleaseRequest) -> Forest | None:
    if not isinstance(request.forest, Path):
        return request.forest
    from hushwood.trees.model_file import read_forest

    return read_forest(request.forest)
