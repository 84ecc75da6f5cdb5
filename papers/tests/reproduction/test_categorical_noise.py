"""Chapter 6 of the thesis on eight generated tables: no data folder is needed, and the seeds are public."""

from __future__ import annotations

import pytest

from hushwood_papers.categorical_noise.categorical_noise import EXPERIMENT
from hushwood_papers.categorical_noise.noise_runs import LABELS
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Measured
from hushwood_papers.reproducing.comparison import counted, rows_of
from hushwood_papers.reproducing.printed_numbers import printed
from hushwood_papers.reproducing.running import measured_here


@pytest.fixture(scope="module")
def measured() -> Measured:
    """Two of the eight tables have the tree of figure 6.9; four noise runs on each."""
    return measured_here(EXPERIMENT, EXPERIMENT.small, PaperTables())


def test_leaf_one_is_near_the_printed_one(measured: Measured) -> None:
    """Printed: 132 Ford, 62 Toyota, 48 Nissan and 5 Holden (errata C11)."""
    cars = {car: measured.numbers[f"leaf 1, {car}"] for car in ("Ford", "Toyota", "Nissan", "Holden")}
    assert cars == {"Ford": [145, 144], "Toyota": [67, 70], "Nissan": [36, 41], "Holden": [7, 4]}
    assert measured.numbers["leaf 1, Ford - Toyota"] == [145 * 67, 144 * 70]


def test_cactus_finds_table_6_3_in_every_table(measured: Measured) -> None:
    for key in ("the cluster of CACTUS", "CACTUS finds one pair of cars", "DETECTIVE finds more"):
        assert measured.claims[key].holds
        assert measured.claims[key].numbers.endswith("in 8 of 8 generated tables; half of them are required")
    assert "in 2 of 8 generated tables" in measured.claims["the tree of figure 6.9"].numbers


@pytest.mark.parametrize(
    ("tree", "wanted"),
    [
        ("See5, country", [[0, 0], [0, 0], [1.5, 3], [0.75, 0], [0.75, 0]]),
        ("See5, car make", [[2.25, 0], [0.75, 3], [0, 0], [0, 0], [0, 0]]),
        ("See5, profession", [[0, 0], [0, 0], [0, 0], [3, 1.5], [0, 1.5]]),
        ("See5, status", [[0, 0], [3, 0], [0, 0], [0, 3], [0, 0]]),
        ("J48, car make", [[2.25, 0], [0.75, 0], [0, 0], [0, 0], [0, 3]]),
        ("J48, profession", [[0, 0.75], [0, 0], [0, 0], [1.5, 0.75], [1.5, 1.5]]),
    ],
)
def test_labels_of_three_trees(measured: Measured, tree: str, wanted: list[list[float]]) -> None:
    assert [measured.numbers[f"{tree}: {name}"] for name in LABELS] == wanted


def test_which_rows_of_tables_6_4_and_6_5_are_likely(measured: Measured) -> None:
    """Of eight noise runs one can tell little, but that three equal trees of Profession are not to be expected."""
    holds = {key: claim.holds for key, claim in measured.claims.items() if key.endswith("three trees")}
    assert holds["See5, car make: three trees"]
    assert holds["J48, car make: three trees"]
    assert holds["J48, profession: three trees"]
    assert not holds["See5, country: three trees"]
    assert not holds["See5, profession: three trees"]


def test_strict_noise_leaves_the_cars_alone(measured: Measured) -> None:
    """The Status tree tests them nearly everywhere; the literal noise changes nearly half."""
    changed = measured.numbers["records whose Car Make is another one, %"]
    strictly = measured.numbers["records whose Car Make is another one, with strict CAPT, %"]
    assert min(changed) > 44
    assert strictly == pytest.approx([0, 4700 / 399], abs=1e-3)


def test_every_row_has_a_verdict_and_the_charts_their_numbers(measured: Measured) -> None:
    told = printed(EXPERIMENT.name)
    found = counted(row.verdict for row in rows_of(measured, told))
    assert (found["agrees"], found["possible"], found["differs"]) == (14, 4, 14)
    assert found["cannot be compared"] == 39
    charts = EXPERIMENT.draw(measured, told.by_key())
    assert [len(chart.rows) for chart in charts] == [20, 20]
    assert charts[0].rows[5][:3] == ("car make: Exactly Same", "2", "1.125")
