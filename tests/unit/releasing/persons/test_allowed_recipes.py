from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.allowed_recipes import check_recipe
from hushwood.releasing.recipes import techniques_of


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (PerturbOptions(technique="cart-synthesis"), "makes up one record after the other"),
        (PerturbOptions(technique="mondrian"), "treats rows, not persons"),
        (PerturbOptions(technique="mdav"), "treats rows, not persons"),
        (PerturbOptions(suppress=("age >= 80",)), "blanks single rows"),
    ],
    ids=["synthesis", "mondrian", "mdav", "suppress"],
)
def test_what_works_on_rows_is_refused(options: PerturbOptions, says: str) -> None:
    with pytest.raises(InputError, match=says):
        check_recipe(options, techniques_of(options))
