"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, cast

import typer

from hushwood.errors import InputError

if TYPE_CHECKING:
    from hushwood.tables.class_column import Response
    from hushwood.tables.reading import Reading
    from hushwood.tables.schema import Role
    from hushwood.tables.taxonomies import Taxonomy

TableFile = Annotated[Path, typer.Argument(metavar="TABLE", help="CSV (also .gz), Parquet or Arrow file.")]
SchemaFile = Annotated[
    Path | None,
    typer.Option(
        "--schema", metavar="FILE", help="Schema file (TOML), as `hushwood inspect --save` writes it."
    ),
]
Identifier = Annotated[
    list[str] | None,
    typer.Option(
        metavar="COLUMN", help="Column that names people; dropped from the release. May be repeated."
    ),
]
QuasiIdentifier = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN", help="Column an intruder may know. May be repeated.")
]
Confidential = Annotated[
    list[str] | None, typer.Option(metavar="COLUMN", help="Column that must stay secret. May be repeated.")
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Column to copy as it is, unprotected. May be repeated."),
]
Missing = Annotated[
    str,
    typer.Option(
        metavar="TEXTS",
        help='Texts that mean "missing", with commas between: "?,NA".',
        show_default="an empty field",
    ),
]
Encoding = Annotated[str, typer.Option(metavar="NAME", help="Encoding of a CSV file, such as latin-1.")]
Separator = Annotated[
    str | None,
    typer.Option(
        metavar="SIGN", help="Separator of a CSV file, such as ; or tab.", show_default="found in the file"
    ),
]
Infinite = Annotated[
    str,
    typer.Option(metavar="refuse|missing", help="Whether infinite numbers are refused or taken as missing."),
]
ClassBins = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Cut a numeric class into so many groups of about equal size, for learning."
    ),
]
ClassThreshold = Annotated[
    float | None, typer.Option(metavar="X", help="Cut a numeric class in two at this value, for learning.")
]
EscapeFormulas = Annotated[
    bool,
    typer.Option(
        "--escape-formulas",
        help="Put a quotation mark before texts of a released CSV that a spreadsheet would run as formulas.",
    ),
]


def _limit_bytes(command: typer.Context, limit: int | None) -> int | None:
    """Hold the command to the limit until it ends, whatever file it reads and however deep."""
    if limit is not None:
        from hushwood.tables.input_files import max_bytes

        command.with_resource(max_bytes(limit))
    return limit


MaxBytes = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Most bytes that a table may take once it is unpacked.",
        show_default="4 GiB",
        callback=_limit_bytes,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


class Roles(NamedTuple):
    """The columns named for each role."""

    identifier: Sequence[str] | None = None
    quasi_identifier: Sequence[str] | None = None
    confidential: Sequence[str] | None = None
    ignored: Sequence[str] | None = None

    def by_column(self) -> dict[str, Role]:
        """Role of every named column."""
        names_of: dict[Role, Sequence[str] | None] = {
            "identifier": self.identifier,
            "quasi-identifier": self.quasi_identifier,
            "confidential": self.confidential,
            "ignored": self.ignored,
        }
        found: dict[str, Role] = {}
        for role, names in names_of.items():
            for name in names or ():
                if found.setdefault(name, role) != role:
                    raise InputError(
                        f"Column {name!r} cannot be both {found[name]} and {role}; choose one role."
                    )
        return found


class Form(NamedTuple):
    """How the file is written."""

    missing: str = ""
    encoding: str = "utf-8"
    separator: str | None = None
    infinite: str = "refuse"


class ClassCut(NamedTuple):
    """How a numeric class is cut into groups."""

    bins: int | None = None
    threshold: float | None = None


def read_input(
    table: Path,
    target: str | None,
    schema: Path | None,
    roles: Roles,
    form: Form,
    cut: ClassCut,
    response: Response = "class",
) -> Reading:
    """Read the table as the options say."""
    from hushwood.errors import unknown_name
    from hushwood.jobs.roles import check_named
    from hushwood.tables.reading import read

    if form.infinite not in {"refuse", "missing"}:
        raise unknown_name("value of --infinite", form.infinite, ("refuse", "missing"))
    named = roles.by_column()
    reading = read(
        table,
        target=target,
        schema=schema,
        roles=named,
        missing=[text for text in form.missing.split(",") if text],
        encoding=form.encoding,
        separator={"\\t": "\t", "tab": "\t"}.get(form.separator, form.separator) if form.separator else None,
        infinite=cast("Any", form.infinite),
        class_bins=cut.bins,
        class_threshold=cut.threshold,
        response=response,
    )
    check_named(reading.table.schema, named)
    return reading


def hierarchies(texts: Sequence[str], encoding: str) -> dict[str, Taxonomy]:
    """The hierarchy of every column named as COLUMN=FILE."""
    from hushwood.tables.taxonomies import read_hierarchy

    found = {}
    for text in texts:
        column, sign, file = text.rpartition("=")
        if not sign or not column or not file:
            raise InputError(f"A hierarchy is given as COLUMN=FILE; {text!r} was given.")
        found[column] = read_hierarchy(Path(file), column, encoding)
    return found


def share(text: str) -> float:
    """A number or a fraction such as 1/3."""
    numerator, _, denominator = text.partition("/")
    try:
        value = float(numerator) / float(denominator or 1)
    except (ValueError, ZeroDivisionError) as fault:
        raise InputError(f"Noise is a number or a fraction such as 1/3; {text!r} was given.") from fault
    return value
