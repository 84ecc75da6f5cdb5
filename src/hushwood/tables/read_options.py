"""How a table is read: every argument of `read`, with its default, its check and its option of the command.

Light to import: the command, the manifest and the web app read them from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

from hushwood.errors import InputError
from hushwood.parameters import FINITE, INTERNAL, AtLeast, Checked, Option
from hushwood.tables.schema import Role, Schema
from hushwood.value_types import CLOSED

if TYPE_CHECKING:
    from hushwood.tables.csv.dialect import Dialect

AUTO = "auto"
Infinite = Literal["refuse", "missing"]
# How to treat the class column: as categories, as a number, or ("auto") as a number only if it has too many values.
Response = Literal["auto", "class", "number"]


class WayEntry(TypedDict):
    """A way in which a column of a text file is written, as plan.json holds it (see `csv.ways`)."""

    kind: str
    decimal: NotRequired[str]
    thousands: NotRequired[str]
    pattern: NotRequired[str]
    zone: NotRequired[str]
    places: NotRequired[int]
    pointed: NotRequired[bool]


def _names(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(",") if part)


def _separator(text: str) -> str:
    return {"\\t": "\t", "tab": "\t"}.get(text, text)


@dataclass(frozen=True)
class FormOptions(Checked):
    """What command and Python say in the same words: how a file is written, and how its class and weight are taken."""

    missing: Annotated[
        Sequence[str],
        Option(
            'Texts that mean "missing", separated by commas: "?,NA".',
            metavar="TEXTS",
            default="an empty field",
            reads=_names,
        ),
    ] = ()
    encoding: Annotated[
        str,
        Option(
            "Encoding of a CSV file, such as latin-1.",
            metavar="NAME",
            default="found in the file: UTF-8, UTF-16 or Windows-1252",
        ),
    ] = AUTO
    separator: Annotated[
        str | None,
        Option(
            "Separator of a CSV file, such as ; or tab.",
            metavar="SIGN",
            default="found in the file",
            reads=_separator,
        ),
    ] = None
    decimal: Annotated[
        str | None,
        Option(
            "Decimal sign of the numbers in a CSV file: a comma or a point.",
            metavar="SIGN",
            default="found in the file",
        ),
    ] = None
    date_format: Annotated[
        str | Sequence[str],
        Option(
            "How dates in a CSV file are written, such as dd.mm.yyyy; of one column as COLUMN=dd.mm.yyyy. May be "
            "repeated.",
            metavar="FORMAT",
            default="found in the file",
            reads=tuple,
            repeated=True,
        ),
    ] = ()
    sheet: Annotated[
        str | None,
        Option("Sheet of a spreadsheet that has several.", metavar="NAME", default="the only one"),
    ] = None
    infinite: Annotated[
        Infinite,
        Option("Refuse infinite numbers or treat them as missing.", metavar="refuse|missing"),
    ] = "refuse"
    class_bins: Annotated[
        int | None,
        AtLeast(2),
        Option("Cut a numeric class into this many groups of about equal size, for learning.", metavar="N"),
    ] = None
    class_threshold: Annotated[
        float | None,
        FINITE,
        Option("Cut a numeric class in two at this value, for learning.", metavar="X"),
    ] = None
    response: Annotated[
        Response,
        Option(
            "Whether a class of numbers is learnt as classes or as a number, by regression trees; auto: as a number if "
            "it has more than 50 values.",
            metavar="auto|class|number",
        ),
    ] = "auto"
    weight: Annotated[
        str | None,
        Option(
            "Column of survey weights: how many people of the population a record stands for. Trees, class counts and "
            "measures of utility use it; it is changed like any number.",
            metavar="COLUMN",
        ),
    ] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.class_bins is not None and self.class_threshold is not None:
            raise InputError("Use either --class-bins or --class-threshold, not both.")


@dataclass(frozen=True)
class _ColumnOptions:
    target: str | Sequence[str] | None = None
    schema: Schema | Path | str | None = None
    roles: Mapping[str, Role] | None = None


@dataclass(frozen=True)
class ReadOptions(FormOptions, _ColumnOptions):
    """The arguments of `read`; `ways` are those in which an earlier reading found the columns of a text file."""

    ways: Annotated[Mapping[str, Annotated[WayEntry, CLOSED]] | None, INTERNAL] = None

    @property
    def about_columns(self) -> bool:
        """Whether anything is said of the columns of a table that was read already."""
        said = (self.roles, self.target, self.schema, self.class_bins, self.class_threshold, self.weight)
        return self.response != "auto" or any(each not in (None, {}) for each in said)

    def form(self, dialect: Dialect | None) -> dict[str, Any]:
        """The arguments that say how a file is written, to read it in the same way again."""
        form: dict[str, Any] = {
            "missing": list(self.missing),
            "encoding": self.encoding,
            "separator": None if dialect is None else dialect.separator,
            "infinite": self.infinite,
        }
        usual = ReadOptions()
        for name in ("response", "sheet", "decimal"):
            value = getattr(self, name)
            form |= {} if value == getattr(usual, name) else {name: value}
        if self.date_format:
            form["date_format"] = (
                [self.date_format] if isinstance(self.date_format, str) else list(self.date_format)
            )
        if dialect is not None and dialect.ways:
            form["ways"] = {name: way.to_json() for name, way in dialect.ways.items()}
        return form


# The arguments that say how a file is written: the private plan holds them.
FORM = ("missing", "encoding", "separator", "decimal", "date_format", "ways", "sheet", "infinite", "response")


def read_options(given: Mapping[str, Any]) -> ReadOptions:
    """The arguments of `read` as they were given; None and nothing stand for the default."""
    return ReadOptions(**{name: value for name, value in given.items() if value not in (None, ())})
