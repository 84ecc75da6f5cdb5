from __future__ import annotations

import math

import pytest

from hushwood.errors import InputError
from hushwood.tables.extras import library


def test_a_library_that_is_there() -> None:
    assert library("math", "Tables", "sql") is math


def test_one_that_is_not_is_named_with_the_extra_that_brings_it() -> None:
    with pytest.raises(InputError) as found:
        library("no_such_library", ".xlsx files", "files")
    assert str(found.value) == (
        ".xlsx files need libraries that are not installed here; install them with pip install '.[files]' in "
        "Hushwood's folder."
    )
