"""SQL texts: names in quotation marks, and the query that a request asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import Address


def quoted(name: str) -> str:
    """A name of a column or table as SQL writes it, whatever characters it has.

    >>> quoted('a"b')
    '"a""b"'
    """
    return '"' + name.replace('"', '""') + '"'


def table_parts(name: str) -> tuple[str | None, str]:
    """The schema, if one is named, and the table.

    >>> table_parts("public.people"), table_parts("people")
    (('public', 'people'), (None, 'people'))
    """
    schema, dot, table = name.partition(".")
    return (schema, table) if dot else (None, name)


def quoted_table(name: str) -> str:
    """A table, with its schema if that is named."""
    schema, table = table_parts(name)
    return quoted(table) if schema is None else f"{quoted(schema)}.{quoted(table)}"


def asked_query(address: Address, query: str | None) -> str:
    """What to read: the table that the address names, or a query."""
    if (address.table is None) == (not query):
        raise InputError(
            f"Say which table to read from {address.place}: name it with ?table=NAME at the end of the address, or "
            'give a query with --query "SELECT ...", and not both.'
        )
    if address.table is None:
        return (query or "").strip().rstrip(";")
    return f"SELECT * FROM {quoted_table(address.table)}"  # noqa: S608 - names are quoted


def check_names(names: Sequence[str]) -> None:
    """Refuse a query that gives two columns the same name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"The query has two columns that are called {twice[0]!r}; give one another name with AS."
        )
