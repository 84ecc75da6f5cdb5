from __future__ import annotations

import pytest

from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.document import stands_for
from hushwood.tree_publishing.released import Part

AGE = Attribute("age", "numeric", precision=0)
BORN = Attribute("born", "numeric", storage="Date", precision=0)
CITY = Attribute("city", "categorical")


@pytest.mark.parametrize(
    ("part", "attribute", "words"),
    [
        (Part(27.0, 9), AGE, "all values"),
        (Part(27.0, 9, high=27.5), AGE, "up to 27.5"),
        (Part(30.0, 9, low=27.5), AGE, "above 27.5"),
        (Part(30.0, 9, low=27.5, high=44.0), AGE, "above 27.5, up to 44"),
        (Part(19724.0, 9, low=19723.5), BORN, "above 2024-01-01"),
        (Part("{a, b}", 9, values=("a", "b")), CITY, "a, b"),
        (Part(None, 9, values=("missing",)), CITY, "missing"),
        (Part(None, 9), CITY, "missing"),
        (Part("ALL", 9), CITY, "all values"),
        (
            Part("{...}", 9, values=tuple("abcdefghijklmno")),
            CITY,
            "a, b, c, d, e, f, g, h, i, j, k, l and 3 more",
        ),
    ],
)
def test_what_a_released_value_stands_for(part: Part, attribute: Attribute, words: str) -> None:
    assert stands_for(part, attribute) == words
