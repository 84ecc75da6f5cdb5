from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables.frames.table_frames import released_frame
from support.visits import STREAMS, table_of_visits, visits


def spread(frame: pl.DataFrame) -> float:
    """The usual difference of the rows of a person."""
    return float(frame.group_by("patient").agg(pl.col("pressure").std())["pressure"].drop_nulls().mean())  # type: ignore[arg-type]


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-extended-framework"])
def test_a_number_that_only_one_person_has_is_blurred_in_however_many_rows(technique: str) -> None:
    draw, people, rows = np.random.default_rng(3), 150, 12
    who = np.repeat(np.arange(people), rows)
    price = np.round(draw.lognormal(6, 0.6, people), 2)
    other = np.round(draw.lognormal(6, 0.6, len(who)), 2)
    frame = pl.DataFrame(
        {
            "patient": who,
            "age": draw.integers(18, 90, people)[who],
            "cost": np.where(draw.random(len(who)) < 0.85, price[who], other),
            "ill": draw.choice(["yes", "no"], len(who)),
        }
    )
    released = perturb(table_of_visits(frame), PerturbOptions(technique), STREAMS).table.columns["cost"]
    assert np.isin(price, released).mean() < 0.3
    assert np.quantile(released, [0.2, 0.5, 0.8]) == pytest.approx(
        np.quantile(frame["cost"], [0.2, 0.5, 0.8]), rel=0.05
    )


def test_rows_of_a_released_person_resemble_each_other() -> None:
    frame = visits(600)
    done = perturb(table_of_visits(frame), PerturbOptions(), STREAMS)
    released = released_frame(done.table)
    assert spread(frame) < 3.5
    assert spread(released) < 5
    assert float(frame["pressure"].std()) > 9  # type: ignore[arg-type]
    before, after = (
        np.corrcoef(f.drop_nulls()["age"], f.drop_nulls()["pressure"])[0, 1] for f in (frame, released)
    )
    assert abs(before - after) < 0.1


def test_numbers_of_rows_are_handed_out_within_segments() -> None:
    frame = visits()
    done = perturb(table_of_visits(frame), PerturbOptions(), STREAMS)
    units = done.units
    assert units is not None
    assert units.of_row is not None
    segment = done.segments.ids[units.original.first]
    before, after = units.original.rows, np.bincount(units.of_row)
    assert (before != after).any()
    for place in np.unique(segment):
        assert sorted(before[segment == place]) == sorted(after[segment == place])
