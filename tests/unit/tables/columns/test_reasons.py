from __future__ import annotations

import pytest

from hushwood.tables.columns.reasons import reason_of, sort_of
from hushwood.tables.schema import Attribute

TWO, THREE = ("0", "1"), ("a", "b", "c")


@pytest.mark.parametrize(
    ("attribute", "sort", "line"),
    [
        (Attribute("a", "numeric", precision=0, low=0, high=9), "", 'kind = "categorical"'),
        (Attribute("a", "numeric", precision=0, low=1990, high=2020), "years", 'kind = "categorical"'),
        (Attribute("a", "numeric", storage="Date", precision=0), "dates", 'kind = "categorical"'),
        (Attribute("a", "numeric", storage="Time", precision=0), "times", 'kind = "categorical"'),
        (Attribute("a", "categorical", storage="Int64", categories=TWO), "flag", 'kind = "numeric"'),
        (Attribute("a", "categorical", storage="String", categories=THREE), "", "ordered = true"),
        (Attribute("a", "categorical", storage="String", categories=TWO), "", ""),
        (
            Attribute("a", "categorical", storage="String", categories=THREE, ordered=True),
            "ordered",
            "ordered = false",
        ),
        (
            Attribute("a", "categorical", storage="String", categories=THREE, hierarchy="icd-10"),
            "ICD-10",
            'hierarchy = "none"',
        ),
        (
            Attribute("a", "categorical", storage="Int64", categories=THREE, hierarchy="prefix"),
            "codes",
            'kind = "numeric"',
        ),
        (Attribute("a", "categorical", "class", "String", categories=THREE), "", 'role = "ordinary"'),
        (Attribute("a", "numeric", "identifier", "Int64"), "", 'role = "ordinary"'),
    ],
)
def test_every_sort_has_a_line_that_changes_it(attribute: Attribute, sort: str, line: str) -> None:
    assert sort_of(attribute) == sort
    assert reason_of(attribute).line == line


def test_a_column_that_identifies_people_is_proposed_for_dropping() -> None:
    found = reason_of(Attribute("a", "categorical", why="texts"), "free text")
    assert (found.why, found.line) == ("texts; looks like free text", 'role = "identifier"')
