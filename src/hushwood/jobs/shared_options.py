"""Options that releasing and tuning share: the key, the ledger, and what the table is handed out for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

from hushwood.errors import InputError
from hushwood.parameters import OneOf, Option

_RUN, _POLICY = "Run", "Policy"
_UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30}
LEAST_MEMORY = 500_000_000  # the program itself and its libraries take half of it


def memory_from_text(text: str) -> int:
    """Bytes from a size such as 2GB or 800MB.

    >>> memory_from_text("2GB"), memory_from_text("1.5 GiB")
    (2000000000, 1610612736)
    """
    number = text.strip().upper().rstrip("BIKMG").strip()
    unit = text.strip().upper()[len(number) :].strip()
    try:
        size = int(float(number) * _UNITS[unit])
    except (KeyError, ValueError, OverflowError):
        raise InputError(f"--memory takes a size such as 2GB or 800MB; {text!r} was given.") from None
    if size < LEAST_MEMORY:
        raise InputError(f"--memory must be at least 500MB; {text!r} was given.")
    return size


Memory = Annotated[
    int,
    Option(
        "Memory that --engine streaming may use, and above which auto chooses it.",
        metavar="SIZE",
        panel=_RUN,
        default="2GB",
        reads=memory_from_text,
    ),
]
Seed = Annotated[
    str | bytes | int | None,
    Option(
        "Secret of 64 hex digits, to repeat a release. Other users of this machine can see a command line, so "
        "prefer --seed-file.",
        metavar="HEX",
        panel=_RUN,
        default="a fresh one",
        reads=str,  # a number is for experiments in Python
    ),
]
SeedFile = Annotated[
    Path | None,
    Option("File that holds the secret, such as an old private/key.", metavar="FILE", panel=_RUN),
]
ReuseKey = Annotated[
    bool,
    Option("Allow a secret that made a different release; the two together may undo the noise.", panel=_RUN),
]
LedgerFile = Annotated[
    Path | None,
    Option(
        "File that records keys and tables, to notice a second release; it holds no data and no names.",
        metavar="FILE",
        panel=_RUN,
        default="ledger.json in your state folder, or what HUSHWOOD_LEDGER names",
    ),
]
RowKey = Annotated[
    str | None,
    Option(
        "Unique column that identifies the rows: the same person then gets the same noise wherever the row stands. It "
        "is dropped from the release unless you give it a role. Needed for databases.",
        metavar="COLUMN",
        panel=_RUN,
        default="the position of the row",
    ),
]
SparkMaster = Annotated[
    str | None,
    Option(
        "The Spark cluster that --engine spark works on.",
        metavar="URL",
        panel=_RUN,
        default="local[*], or what spark-submit says",
    ),
]
Query = Annotated[
    str | None,
    Option(
        "What to read from a database, instead of the table that its address names.",
        metavar="SQL",
        default="the table",
    ),
]
To = Annotated[
    str | None,
    Option(
        "Also write a release that is cleared into a database: postgresql://USER@SERVER/DATABASE?table=NAME, "
        "duckdb:///FILE?table=NAME or sqlite:///FILE?table=NAME.",
        metavar="ADDRESS",
        default="nowhere",
    ),
]
Links = Annotated[
    Literal["auto", "declared", "none"],
    OneOf(("auto", "declared", "none")),
    Option(
        "Links between columns that the release keeps, such as that of a city and its state: those found in the table "
        "and declared in the schema, only those declared, or none.",
        metavar="auto|declared|none",
    ),
]
Purpose = Annotated[
    str,
    Option(
        "What the table is handed out for; printed on the sign-off page.",
        metavar="TEXT",
        panel=_POLICY,
        default="a line to fill in by hand",
    ),
]
RowsArePeople = Annotated[
    str | None,
    Option(
        "Why every row is another person although rows repeat as those of one person do; published in the manifest and "
        "on the sign-off page.",
        metavar='"REASON"',
    ),
]


def kept_columns(texts: Sequence[str]) -> dict[str, str]:
    """The reason for every column named as COLUMN=REASON; a name that contains = can only be given in Python."""
    found: dict[str, str] = {}
    for text in texts:
        column, sign, reason = text.partition("=")
        if not sign:
            raise InputError(f'Say why the column is kept: --keep {column}="reason"; {text!r} was given.')
        found[column] = reason
    return found


Keep = Annotated[
    Mapping[str, str],
    Option(
        "Release a column although it looks as if it identifies people; the reason is published in the manifest. "
        "May be repeated.",
        metavar='COLUMN="REASON"',
        reads=kept_columns,
    ),
]
