from __future__ import annotations

import pyarrow as pa
import pytest

from hushwood.errors import InputError
from hushwood.tables.sql.addresses import address_of
from hushwood.tables.sql.faults import said_plainly

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
