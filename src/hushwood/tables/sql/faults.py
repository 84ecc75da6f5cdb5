"""What a database refused, as one sentence without a password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import Address

_NOISE = re.compile(
    r"\b(IO|INVALID_ARGUMENT|NOT_FOUND|UNKNOWN|INTERNAL|ALREADY_EXISTS): |\[(libpq|SQLite)\] "
)
# Where a driver begins to repeat the query, which says nothing new.
_REPEATS = re.compile(r"\s*\n\s*(Query was:|query:|LINE 1:).*", re.DOTALL)
_LONGEST = 300
_LOST = re.compile(
    "server closed the connection|terminating connection|no connection to the server|reset by peer", re.I
)
_ADVICE = (
    (re.compile("no such table|relation .* does not exist|Table with name"), "Check the name of the table."),
    (re.compile("no password supplied"), "Give the password in PGPASSWORD or ~/.pgpass."),
    (re.compile("authentication failed"), "Check the user, and the password in PGPASSWORD or ~/.pgpass."),
    (
        re.compile("refused|translate|timeout|No such file"),
        "Check the server, its port and whether it is running.",
    ),
    (
        re.compile("failed to open|not a valid DuckDB|not a database"),
        "Check that the file is a database of this kind.",
    ),
)


@contextmanager
def said_plainly(address: Address, doing: str, *, untouched: str = "nothing was released") -> Iterator[None]:
    """Turn whatever a database's library raises into one sentence; its own text may hold the whole address."""
    try:
        yield
    except InputError:
        raise
    except Exception as fault:
        # Libraries raise their own families, Arrow's and the system's; Hushwood's own faults pass.
        if not _from_database(fault):
            raise
        raise InputError(_sentence(address, doing, untouched, str(fault))) from None


def _from_database(fault: Exception) -> bool:
    family = {module.partition(".")[0] for kind in type(fault).__mro__ if (module := kind.__module__)}
    return bool(family & {"adbc_driver_manager", "duckdb", "_duckdb", "pyarrow"}) or isinstance(
        fault, OSError
    )


def _sentence(address: Address, doing: str, untouched: str, text: str) -> str:
    said = _NOISE.sub("", address.without_secrets(_REPEATS.sub("", text)))[:_LONGEST].rstrip(".? ")
    where = f"{address.product} at {address.place}"
    if _LOST.search(said):
        return (
            f"{where} ended the connection while {doing} ({said}), and {untouched}. Run the command again when it is "
            "back; with the same seed it gives the same values."
        )
    advice = next((f" {what}" for pattern, what in _ADVICE if pattern.search(said)), "")
    return f"{where} refused while {doing}, and {untouched} ({said}).{advice}"
