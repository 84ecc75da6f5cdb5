"""Everything that is won back from one release."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.reconstruction.miner import Announced, WonBack, win_back
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Sadp, TendickMatloff
from hushwood.techniques.mondrian import Mondrian
from hushwood.techniques.protocol import Technique
from hushwood.techniques.warner import Warner
from hushwood.trees.options import Builder, GrowOptions
from support.disguised_tables import answers_table, disguised, people
from support.mixed_tables import number, table_of, target

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
