"""The first 15.1 % of every leaf, unsearched: the printed sum comes out."""

from __future__ import annotations

import pytest

from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.thesis_frameworks.frameworks_adult import first_share, plain_numbers, plain_split
from hushwood_papers.thesis_frameworks.training_records import ADULT_LEAF_SIZES, ADULT_TEST_RECORDS
from support.real_data import data_folder


def test_a_share_of_every_leaf() -> None:
    wanted = first_share(0.151)
    assert all(abs(taken - 0.151 * size) <= 0.5 for taken, size in zip(wanted, ADULT_LEAF_SIZES, strict=True))
    assert list(wanted) != list(ADULT_TEST_RECORDS), "not the numbers that were searched for"


@pytest.mark.parametrize(
    ("share", "records", "right"),
    [(0.151, [25_607, 4_555], [21_772, 3_813]), (0.15, [25_637, 4_525], [21_795, 3_790])],
)
def test_the_tree_is_right_on_25585_records(share: float, records: list[int], right: list[int]) -> None:
    found = plain_split(PaperTables(data_folder()), share)
    assert found["records"] == records
    assert found["right"] == right
    assert sum(found["right"]) == 25_585 == 21_763 + 3_822


def test_numbers_name_the_reading() -> None:
    numbers = plain_numbers({"records": [90, 10], "right": [80, 7], "leaves": 3})
    assert numbers["plain reading, the first 15.1 % of every leaf: right on all 100 records"] == [87]
    assert len(numbers) == 6
