"""What COARSEN releases; the law against draws is in the contract suites."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import whole_table
from hushwood.tables.table import Table
from hushwood.techniques.coarsening import Coarsening
from oracles.generalisation import categorical_lm, numeric_lm
from support.mixed_tables import category, number, table_of, target
from support.small_random_tables import plain_column
from support.technique_variants import released_by

STREAMS = Streams(bytes(32))
LOSS = "generalisation_loss"
NAN = float("nan")


def people() -> Table:
    return table_of(
        {
            "age": (number("age", 17, 90), [17, 18, 22, 23, NAN, 90]),
            "ward": (category("ward", ("13053", "13068", "14850", "148")), [0, 1, 2, 3, -1, 0]),
            "zip": (category("zip", ("13053", "13068", "1067")), [0, 1, 2, 2, -1, 0]),
            "ill": (target("ill", ("no", "yes")), [0, 1, 0, 1, 0, 1]),
        }
    )


def test_a_small_table_by_hand() -> None:
    table = people()
    out = released_by(Coarsening(("age: 5, top 85", "ward: 3", "zip: 2")), table, whole_table(table), STREAMS)
    assert plain_column(out, "age") == [15, 20, 20, 25, None, 85]
    assert plain_column(out, "ward") == ["130*", "130*", "148*", "148", None, "130*"]
    # A postcode that lost its leading zero gets it back.
    assert plain_column(out, "zip") == ["13***", "13***", "01***", "01***", None, "13***"]
    assert plain_column(out, "ill") == plain_column(table, "ill")


def test_what_released_numbers_stand_for() -> None:
    table = people()
    perturber = Coarsening(("age: 5, top 85",)).prepare(table, ["age", "zip"], whole_table(table))
    low, high = perturber.intervals(table.columns)["age"]
    assert low.tolist()[:4] == [13, 18, 18, 23]
    assert high.tolist()[:4] == [17, 22, 22, 27]
    assert (low[5], high[5]) == (83, 90)  # 83 and 84 are rounded to 85 too
    assert np.isnan(low[4])
    assert perturber.covers("zip").tolist() == [False]  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["0.5", "2.5", "0.07", "12"])
def test_every_number_lies_in_what_it_stands_for_and_neighbours_do_not(text: str) -> None:
    """On a grid of hundredths: the interval holds exactly the values that are released alike."""
    values = np.arange(-300, 700) / 100
    table = table_of(
        {"x": (number("x", -3, 6.99, 2), values.tolist()), "y": (target("y", "no"), [0, 1] * 500)}
    )
    perturber = Coarsening((f"x: {text}, bottom 0" if text != "0.07" else f"x: {text}",)).prepare(
        table, ["x"], whole_table(table)
    )
    out = perturber.perturb(table.columns, np.zeros(1000, int), range(1000), STREAMS)["x"]
    low, high = perturber.intervals(table.columns)["x"]
    for value in np.unique(out):
        same = values[out == value]
        inside = values[(values >= low[out == value][0] - 1e-9) & (values <= high[out == value][0] + 1e-9)]
        assert inside.tolist() == same.tolist()


def test_the_loss_of_a_coarsened_table_is_what_its_cells_stand_for(tmp_path: Any) -> None:
    chance = np.random.default_rng(2)
    rows = 60
    day = chance.integers(0, 1_000, rows)
    frame = pl.DataFrame(
        {
            "age": chance.integers(18, 90, rows),
            "visit": pl.Series(day).cast(pl.Int32).cast(pl.Date),
            "zip": [f"{13000 + 10 * int(z)}" for z in chance.integers(0, 30, rows)],
            "ill": ["no", "yes"] * (rows // 2),
        }
    ).with_columns(pl.col("zip").cast(pl.String))
    rules = ("age: 10", "visit: year", "zip: 3")
    made = hw.release(
        frame, target="ill", technique="coarsen", coarsen=rules, evidence="none", output=tmp_path / "out"
    )
    assert made.frame["visit"].unique().sort().to_list() == [
        date(1970, 1, 1),
        date(1971, 1, 1),
        date(1972, 1, 1),
    ]
    assert made.manifest["parameters"]["coarsen"] == ["age=10", "visit=year", "zip=3"]
    found = hw.audit(frame, tmp_path / "out", target="ill", only=[LOSS])[LOSS]
    lost = {column["name"]: column["lm"] for column in found.details["columns"]}
    ages = frame["age"].to_list()
    tens = [10 * ((age + 5) // 10) for age in ages]
    wanted = [numeric_lm(ten - 5, ten + 4, min(ages), max(ages)) for ten in tens]
    assert lost["age"] == pytest.approx(sum(wanted) / rows)
    years = [(0, 364), (365, 729), (730, 1095)]
    wanted = [numeric_lm(*next(y for y in years if y[0] <= d <= y[1]), day.min(), day.max()) for d in day]
    assert lost["visit"] == pytest.approx(sum(wanted) / rows)
    zips = frame["zip"].unique().to_list()
    wanted = [categorical_lm([z for z in zips if z[:3] == own[:3]], zips) for own in frame["zip"]]
    assert lost["zip"] == pytest.approx(sum(wanted) / rows)


@pytest.mark.filterwarnings("ignore::hushwood.errors.HushwoodWarning")
def test_an_intruder_is_judged_by_the_law(tmp_path: Any) -> None:
    """Three groups by age rounded to 10, nine people each: everyone is one of nine."""
    frame = pl.DataFrame({"age": [18, 20, 22, 38, 40, 42, 58, 60, 62] * 3, "c": ["n", "y", "n"] * 9})
    hw.release(
        frame, target="c", technique="coarsen", coarsen=("age: 10",), evidence="none", output=tmp_path / "o"
    )
    found = hw.audit(frame, tmp_path / "o", target="c", only=["reidentification_entropy"])
    assert found["reidentification_entropy"].value == pytest.approx(np.log2(9))
    assert found["reidentification_entropy"].details["likelihood"] == "laws"


def test_a_release_needs_rules() -> None:
    frame = pl.DataFrame({"age": list(range(20, 60)), "c": ["n", "y"] * 20})
    with pytest.raises(InputError, match="Say what to coarsen with coarsen, such as coarsen="):
        hw.release(frame, target="c", technique="coarsen")
