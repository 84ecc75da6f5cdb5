"""Links that are declared must fit the columns, and turn off what is found."""

from __future__ import annotations

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.links.declared import DeclaredLinks, check_links, without_loose
from hushwood.tables.links.links import Combinations, Condition, Determines, Link, Order, Sum
from hushwood.tables.reading import read

SCHEMA = read(
    pl.DataFrame({"sex": ["f", "m", "f"], "job": ["a", "b", None], "low": [1, 2, 3], "high": [2, 3, 5]}),
    roles={"job": "confidential"},
).table.schema


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (Order(("low", "hihg")), "no column 'hihg'.*high"),
        (Order(("low", "sex")), "column 'sex' is categorical"),
        (Sum("low", ("sex",)), "column 'sex' is categorical"),
        (Combinations(("sex", "low")), "column 'low' is numeric"),
        (Condition("low", ("1",), "sex", ("f",)), "column 'low' is numeric"),
        (Condition("sex", ("f",), "low", ("1",)), "can only have to be missing. Use allowed = \\[\\]"),
        (Condition("sex", ("male",), "job", ("a",)), "no category of 'sex' 'male'"),
        (Condition("sex", ("m",), "job", ("c",)), "no category of 'job' 'c'"),
    ],
)
def test_a_link_must_fit_its_columns(link: Link, said: str) -> None:
    with pytest.raises(InputError, match=f"my.toml, link of kind '{type(link).__name__.lower()}': .*{said}"):
        check_links(DeclaredLinks((link,)), SCHEMA, "my.toml")


def test_links_that_fit() -> None:
    fine: tuple[Link, ...] = (
        Order(("low", "high")),
        Determines("sex", ("low",)),
        Condition("sex", ("f",), "low", (None,)),
        Condition("job", (None,), "sex", ("f",)),
    )
    check_links(DeclaredLinks(fine, (Order(("high", "low")),)), SCHEMA, "my.toml")


def test_what_is_loose_is_taken_out() -> None:
    found: tuple[Link, ...] = (
        Determines("city", ("county", "state")),
        Condition("sex", ("m",), "pregnant", ("no",)),
        Order(("low", "high")),
        Sum("pay", ("net", "tax")),
    )
    loose = (Determines("city", ("state",)), Condition("sex", ("any",), "pregnant", ("any",)), found[3])
    assert without_loose(found, loose) == (Determines("city", ("county",)), found[2])
    assert without_loose(found[:1], (Determines("city", ("state", "county")),)) == ()
