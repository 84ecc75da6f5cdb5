from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.read_options import ReadOptions, read_options


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"class_bins": 1}, "--class-bins must be 2 or more"),
        ({"class_bins": 2, "class_threshold": 1.0}, "not both"),
        ({"class_threshold": float("nan")}, "finite"),
        ({"class_threshold": float("inf")}, "finite"),
        ({"response": "numberx"}, "Did you mean 'number'"),
        ({"infinite": "missingx"}, "Did you mean 'missing'"),
    ],
)
def test_what_no_table_can_be_read_with_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_options(given)


def test_nothing_given_is_the_default() -> None:
    assert read_options({"encoding": None, "missing": (), "target": "ill"}) == ReadOptions(target="ill")


def test_the_form_is_what_differs_from_the_default() -> None:
    form = ReadOptions(missing=["?"], date_format="dd.mm.yyyy", decimal=",", target="ill").form(None)
    usual = {"encoding": "auto", "separator": None, "infinite": "refuse"}
    assert form == {"missing": ["?"], "decimal": ",", "date_format": ["dd.mm.yyyy"], **usual}
