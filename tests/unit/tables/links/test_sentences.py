"""Links in plain English."""

from __future__ import annotations

from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Order
from hushwood.tables.links.sentences import publicly, says


def test_every_kind_has_a_sentence() -> None:
    assert says(Determines("word", ("fee", "grade"))) == "word determines fee and grade"
    assert says(Combinations(("a", "b", "c"))) == "only some combinations of a, b and c occur"
    assert says(Order(("low", "usual", "high"))) == "low <= usual <= high"
    assert says(Constant("house", ("rooms",))) == "one value of rooms within house"
    assert says(Condition("smoker", ("never", None), "brand", (None,))) == (
        "if smoker is never or missing, brand is missing"
    )
    several = Condition("a", ("1", "2", "3", "4", "5"), "b", ("x", "y"))
    assert says(several) == "if a is 1, 2, 3 or 2 others, b is x or y"


def test_values_are_not_for_everybody() -> None:
    assert publicly(Condition("town", ("Zxqv",), "b", ("x",))) == "b depends on town"
