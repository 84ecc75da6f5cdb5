"""First paper, section 4: two repeats of its thirty experiments on WBC, with fixed seeds."""

from __future__ import annotations

from functools import cache

import pytest

from hushwood_papers.innocent_noise.noise_2003 import EXPERIMENT
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.comparison import about_printed, counted, rows_of
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import measured_here
from support.real_data import data_folder


@cache
def measured() -> Measured:
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables(data_folder()))


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("TIA, trees of 20 with the root of the original", [20, 20]),
        ("TIA, trees of 20 very similar to the original", [16, 17]),
        ("LIA, trees of 10 with the root of the original", [10, 10]),
        ("LIA, trees of 10 very similar to the original", [9, 8]),
        ("LIA, rules of the original found again in %, mean of its trees", [97.5, 86]),
        ("noise in % of the value", [28.1162, 27.7121]),
        ("truncate: LIA, trees of 10 very similar to the original", [8, 1]),
        ("reflect: TIA, trees of 20 that are exactly the original", [7, 9]),
        ("leaves of the original tree", [4, 10]),
        ("total innocent attributes", [6, 2]),
    ],
)
def test_numbers_of_two_repeats(key: str, values: list[float]) -> None:
    assert list(measured().numbers[key]) == pytest.approx(values, abs=1e-3)


def test_new_attributes_stay_deep_and_most_rules_stay() -> None:
    claims = measured().claims
    assert claims["most rules remain"].holds
    assert "8 trees of 40 test new attributes, 8 of them only in deep nodes" in (
        claims["new attributes only in deep nodes"].numbers
    )
    assert "of all 3 such trees 3 do" in claims["the other trees keep the root and some rules"].numbers
    assert not claims["TIA trees are similar"].holds


def test_every_printed_number_has_a_row_and_a_chart_is_drawn() -> None:
    told = printed(EXPERIMENT.name)
    found = counted(row.verdict for row in rows_of(measured(), told))
    assert about_printed(found) == len(told.numbers) + len(told.claims)
    assert (found["agrees"], found["possible"], found["differs"]) == (6, 0, 2)
    assert len(EXPERIMENT.draw(measured(), told.by_key())) == 1
