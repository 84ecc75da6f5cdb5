"""One column next to its original: distances by hand, and the reasons for taking a column as it is."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction.miner import OTHERS, ColumnBack, column_back, recovered_by
from hushwood.reconstruction.recovered import Known, NotRecovered, Recovered
from hushwood.reconstruction.registry import ESTIMATORS
from hushwood.tables.table import Table
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.protocol import Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.swap import Swap
from hushwood.techniques.warner import Warner
from support.mixed_tables import category, number, table_of


def told(codes: list[int], categories: str = "ab") -> Table:
    return table_of({"said": (category("said", categories), codes)})


def seen(released: Table, original: Table | None, *techniques: Technique) -> ColumnBack:
    (name,) = released.columns
    known = Known(released, name, techniques, intervals=4)
    return column_back(known, recovered_by(known), original)


def test_distances_of_categories_by_hand() -> None:
    """Released 62 to 38 under a truth of 0.8 means 70 to 30; the original had 68, 30 and 2 that no record has now."""
    column = seen(told([0] * 62 + [1] * 38), told([0] * 68 + [1] * 30 + [2] * 2, "abc"), Warner(truth=0.8))
    assert column.labels == ("a", "b")
    assert column.original is not None
    np.testing.assert_allclose(column.original, [0.68, 0.3, 0.02])
    assert column.apart("released") == pytest.approx((0.06 + 0.08 + 0.02) / 2)
    assert column.apart("recovered") == pytest.approx((0.02 + 0.02) / 2)
    told_all = column.to_json()
    assert told_all["distance"]["recovered"] == pytest.approx(0.02)
    assert told_all["recovered_by"] == "inverse matrix"
    assert OTHERS not in column.labels


def test_numbers_beyond_the_released_range_count_in_the_last_interval() -> None:
    released = table_of({"age": (number("age", 0, 8), [0.0, 2.0, 5.0, 8.0])})
    original = table_of({"age": (number("age", -1, 20), [-1.0, 2.5, 5.0, 20.0])})
    column = seen(released, original)
    assert (column.exact, column.apart("released"), column.apart("recovered")) == (True, 0.0, None)
    assert column.limits is not None
    assert column.limits.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]


def test_without_the_original_there_is_no_distance() -> None:
    assert seen(told([0, 1]), None, Warner()).apart("released") is None


@pytest.mark.parametrize(
    ("technique", "says", "exact"),
    [
        (Swap(), "changed places", True),
        (Mondrian(), "coarser", False),
        (Gadp(), "GADP has no law that can be inverted", False),
    ],
)
def test_reasons(technique: Technique, says: str, exact: bool) -> None:
    found = recovered_by(Known(told([0, 1]), "said", (technique,)))
    assert isinstance(found, NotRecovered)
    assert says in found.reason
    assert found.exact is exact


@pytest.mark.parametrize("acronym", sorted(TECHNIQUES))
def test_every_technique_is_undone_or_says_why_not(acronym: str) -> None:
    technique = TECHNIQUES[acronym]()
    numbers = technique.perturbs == "numeric"
    column = number("said", 0, 9) if numbers else category("said", ("a", "b"))
    table = table_of({"said": (column, [0, 1] * 10)})
    found = recovered_by(Known(table, "said", (technique,)))
    assert isinstance(found, Recovered) or found.reason.endswith(".")
    assert not isinstance(found, Recovered) or acronym in ESTIMATORS
