"""The comparison of lists of candidates: its page, its tables, and what it says of a table and itself."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from membership_by_list import jobs
from membership_page import PAGE, Done, all_done, counted, filled, three, truths
from membership_tables import made_up
from membership_utility import Coding, auc, distances, overlap

TABLE = made_up(400, 6)


def test_the_page_says_what_the_results_say() -> None:
    page = PAGE.read_text("utf-8")
    assert filled(page, all_done()) == page
    assert page.count("<!-- list: ") == page.count("<!-- end of list -->")


def test_every_job_has_a_name_of_its_own() -> None:
    names = [job.name for job in jobs()]
    assert len(set(names)) == len(names)


def test_a_made_up_table_has_heavy_tails_rare_levels_and_the_same_people_again() -> None:
    table = made_up(1_000, 9)
    tail = table["n3"].cast(pl.Float64).to_numpy()
    assert tail.max() > 10 * np.median(tail)
    fewest = min(
        table.group_by(name).len()["len"].to_numpy().min() for name in table.columns if name[0] == "c"
    )
    assert fewest < 10
    assert table.equals(made_up(1_000, 9))


def test_a_table_is_like_itself() -> None:
    coding = Coding(TABLE, "y")
    assert distances(coding, TABLE, TABLE) == {"pair_tv": 0.0, "one_way_tv": 0.0, "association_error": 0.0}
    same = overlap(TABLE, TABLE, "y")
    assert same is not None
    assert same["intervals_meet"] == same["estimate_inside"] == 1
    assert same["significant_kept"] == same["significant"]


def test_independent_columns_are_far_from_the_table_in_pairs_alone() -> None:
    chance = np.random.default_rng(1)
    mixed = TABLE.select(column[chance.permutation(TABLE.height)] for column in TABLE)
    coding = Coding(TABLE, "y")
    found = distances(coding, TABLE, mixed)
    assert found["one_way_tv"] == 0
    assert found["pair_tv"] > 0.05
    own, other = auc(coding, TABLE, TABLE), auc(coding, mixed, TABLE)
    assert own is not None
    assert other is not None
    assert own > 0.9 > other


def test_a_line_has_its_coefficient() -> None:
    x = np.arange(200.0)
    table = pl.DataFrame({"x": x, "y": 3 * x + np.sin(x)})
    turned = table.with_columns(-pl.col("x"))
    found = overlap(table, turned, "y")
    assert found is not None
    assert (found["terms"], found["intervals_meet"], found["significant_kept"]) == (1, 0, 0)


def test_verdicts_are_counted_by_the_truth_of_their_table() -> None:
    checks = {f"list_membership.{name}": ["pass"] for name in ("advantage", "at_1_percent", "at_10_percent")}
    truth = {"advantage": [0.12, 0.11, 0.13], "at_1_percent": [0.02, 0.01, 0.03], "rows": 100}
    done = [
        Done("truth", "a", {}, 0, truth),
        Done("truth", "b", {}, 0, {**truth, "advantage": [0.1, 0.08, 0.12]}),
        Done("truth", "cmc", {}, 0, truth),
        *(
            Done("verdict", name, {}, key, {"status": "cleared", "checks": checks})
            for name in "ab"
            for key in (0, 1)
        ),
    ]
    assert [d.table for d in truths(done)] == ["a", "b"]
    assert counted(done) == {"verdicts": 4, "passed": 4, "right": 2, "cleared": 4, "cleared right": 2}


@pytest.mark.parametrize(
    ("value", "shown"), [(0.12345, ".123"), (-0.01, "−.010"), (None, "–"), (1.0, "1.000")]
)
def test_numbers_for_people(value: float | None, shown: str) -> None:
    assert three(value) == shown
