from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.jobs.roles import check_named
from hushwood.tables.schema import Attribute, Schema

SCHEMA = Schema((Attribute("age", "numeric"), Attribute("name", "categorical", "identifier")))


def test_names_that_are_there() -> None:
    check_named(SCHEMA, ["name", "age"])


def test_names_that_are_not() -> None:
    with pytest.raises(InputError, match=r"no column 'namex'\. Did you mean 'name'"):
        check_named(SCHEMA, ["age", "namex"])
