"""What is asked of a database, and what it refuses, in plain sentences."""

from __future__ import annotations

import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.databases import check_names, quoted_table
from hushwood.tables.sql.tables import asked_query, said_plainly


def test_names_cannot_leave_their_quotation_marks() -> None:
    assert quoted_table('x"; DROP TABLE people; --') == '"x""; DROP TABLE people; --"'
    assert quoted_table("care.people") == '"care"."people"'


def test_a_table_or_a_query_is_read_but_not_both_and_not_neither() -> None:
    table, none = address_of("sqlite:///a.db?table=t"), address_of("sqlite:///a.db")
    assert asked_query(table, None) == 'SELECT * FROM "t"'
    assert asked_query(none, "SELECT 1; ") == "SELECT 1"
    for address, query in ((table, "SELECT 1"), (none, None), (none, "")):
        with pytest.raises(InputError, match="Say which table to read from a"):
            asked_query(address, query)


def test_columns_of_one_name_are_refused() -> None:
    check_names(["a", "b"])
    with pytest.raises(InputError, match="two columns that are called 'a'"):
        check_names(["a", "b", "a"])


SERVER = address_of("postgresql://ann:hidden-4@server/clinic?table=people")


def test_what_a_driver_says_becomes_one_sentence_without_the_password() -> None:
    with pytest.raises(InputError) as found, said_plainly(SERVER, "it was read"):
        raise pa.ArrowInvalid(
            "IO: [libpq] bad\n\tURI postgresql://ann:hidden-4@server/clinic\n\nQuery was: SELECT"
        )
    said = str(found.value)
    assert "hidden-4" not in said
    assert said.startswith(
        "PostgreSQL at ann@server/clinic refused while it was read, and nothing was released (bad URI"
    )
    assert "SELECT" not in said
    assert found.value.__cause__ is None
    assert found.value.__suppress_context__


def test_a_lost_connection_says_what_to_do() -> None:
    with (
        pytest.raises(
            InputError, match=r"ended the connection while .* with the same seed it gives the same values"
        ),
        said_plainly(SERVER, "it was read"),
    ):
        raise OSError("server closed the connection unexpectedly")


def test_our_own_faults_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), said_plainly(SERVER, "it was read"):
        raise ZeroDivisionError
    with pytest.raises(InputError, match=r"^as it is$"), said_plainly(SERVER, "it was read"):
        raise InputError("as it is")
