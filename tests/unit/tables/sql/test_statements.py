from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.statements import asked_query, check_names, quoted_table


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
