"""Everything that is won back from one release.

One column next to its original: distances by hand, and the reasons for taking a column as it is.
"""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction.miner import (
    OTHERS,
    Announced,
    ColumnBack,
    WonBack,
    column_back,
    recovered_by,
    win_back,
)
from hushwood.reconstruction.recovered import KnownColumn, NotRecovered, Recovered
from hushwood.reconstruction.registry import ESTIMATORS
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Sadp, TendickMatloff
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.protocol import Technique
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.swap import Swap
from hushwood.techniques.warner import Warner
from hushwood.trees.options import Builder, GrowOptions
from support.disguised_tables import answers_table, disguised, people
from support.mixed_tables import category, number, table_of, target

BUILDER = Builder(GrowOptions(min_leaf=10))


def won_back(table: Table, technique: Technique, *names: str, original: Table | None = None) -> WonBack:
    return win_back(Announced(table, dict.fromkeys(names, (technique,)), BUILDER), original, intervals=8)


@pytest.mark.parametrize("together", [False, True])
def test_answers_of_warner(together: bool) -> None:
    true = people(3_000, 3)
    groups = [range(5)] if together else [[column] for column in range(5)]
    said = answers_table(disguised(true, 0.8, groups, 4))
    found = won_back(said, Warner(0.8, together), *"abcde", original=answers_table(true))
    assert found.tree is not None
    assert "Du and Zhan" in found.tree.way
    assert found.tree.accuracy["recovered"] > 0.9
    assert set(found.tree.accuracy) == {"original", "released", "recovered"}
    for name in "abcde":
        after, before = found[name].apart("recovered"), found[name].apart("released")
        assert after is not None
        assert before is not None
        assert after < max(before, 0.03)
    assert found["f"].exact


def test_means_by_class_by_hand() -> None:
    """The noise drew everything back to the mean of 4 by 0.8: the 8 of the ill were a 9."""
    doses, ill = [0.0, 4.0, 8.0, 4.0], [0, 0, 1, 0]
    table = table_of({"dose": (number("dose", 0, 8), doses), "ill": (target("ill", ("no", "yes")), ill)})
    found = won_back(table, TendickMatloff(noise=0.5625, bounded=False), "dose", original=table)
    means = {mean.label: mean for mean in found.class_means}
    assert means["yes"].recovered == pytest.approx(9.0)
    assert (means["yes"].released, means["yes"].original) == (8.0, 8.0)
    assert means["no"].recovered == pytest.approx(4 + (8 / 3 - 4) / 0.8)
    assert found.to_json()["class_means"][0]["column"] == "dose"


def test_without_a_class_there_is_no_tree() -> None:
    table = table_of({"dose": (number("dose", 0, 9), np.arange(10.0).tolist())})
    found = won_back(table, Sadp(), "dose")
    assert found.tree is None
    assert found["dose"].recovered is not None
    with pytest.raises(KeyError):
        found["price"]


def test_coarser_columns_are_not_compared() -> None:
    """A range is no value: neither its distribution nor a tree of it says anything about original numbers."""
    doses, ill = [0.0, 4.0, 8.0, 4.0], [0, 0, 1, 0]
    table = table_of({"dose": (number("dose", 0, 8), doses), "ill": (target("ill", ("no", "yes")), ill)})
    found = won_back(table, Mondrian(), "dose", original=table)
    assert found["dose"].apart("released") is None
    assert found["ill"].apart("released") == 0.0
    assert found.tree is not None
    assert found.tree.accuracy == {}
    assert "coarser" in found.notes[0]


def told(codes: list[int], categories: str = "ab") -> Table:
    return table_of({"said": (category("said", categories), codes)})


def seen(released: Table, original: Table | None, *techniques: Technique) -> ColumnBack:
    (name,) = released.columns
    known = KnownColumn(released, name, techniques, intervals=4)
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
    found = recovered_by(KnownColumn(told([0, 1]), "said", (technique,)))
    assert isinstance(found, NotRecovered)
    assert says in found.reason
    assert found.exact is exact


@pytest.mark.parametrize("acronym", sorted(TECHNIQUES))
def test_every_technique_is_undone_or_says_why_not(acronym: str) -> None:
    technique = TECHNIQUES[acronym]()
    numbers = technique.perturbs == "numeric"
    column = number("said", 0, 9) if numbers else category("said", ("a", "b"))
    table = table_of({"said": (column, [0, 1] * 10)})
    found = recovered_by(KnownColumn(table, "said", (technique,)))
    assert isinstance(found, Recovered) or found.reason.endswith(".")
    assert not isinstance(found, Recovered) or acronym in ESTIMATORS
