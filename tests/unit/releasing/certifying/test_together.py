from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hushwood.releasing.certifying.together import Together

from hushwood.errors import BrokenCertificate
from hushwood.releasing.certificate import certify
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables.frames.table_frames import released_frame
from hushwood.techniques.laws.promises import NUMBERED, Promise
from hushwood.trees.model_file import forest_to_json
from support.visits import STREAMS, table_of_visits

PROMISES = {"who": NUMBERED, "age": Promise(per="who")}


def looked_at(*batches: tuple[list[Any], list[Any], list[float], list[int]]) -> Together:
    found = Together("who", PROMISES, [9])
    for names, numbers, ages, leaves in batches:
        found.add(
            pl.Series(names, dtype=pl.String),
            pl.Series(numbers),
            {"age": np.array(ages)},
            [np.array(leaves, np.int32)],
        )
    return found


def test_persons_are_counted_over_batches() -> None:
    found = looked_at(
        (["a", "b"], ["2", "1"], [5.0, 7.0], [1, 2]), (["a", None], ["2", "3"], [5.0, np.nan], [1, 1])
    )
    assert found.fault() is None
    assert found.said() == {"units": 3, "whole": 3}


@pytest.mark.parametrize(
    ("batch", "says"),
    [
        ((["a", "a", "b"], [1, 1, 2], [5.0, 6.0, 7.0], [1, 1, 1]), "several values in one 'who' (1 of 2)"),
        ((["a", "a", "b"], [1, 1, 3], [5.0, 5.0, 7.0], [1, 1, 1]), "does not number its 2 units"),
        ((["a", "a", "b"], [1, 1, 1], [5.0, 5.0, 5.0], [1, 1, 1]), "does not number its 2 units"),
        ((["a", "a", "b"], ["1", "1", "b"], [5.0, 5.0, 5.0], [1, 1, 1]), "does not number its 2 units"),
    ],
    ids=["differs", "gap", "lost", "name"],
)
def test_what_is_wrong_is_said(batch: Any, says: str) -> None:
    fault = looked_at(batch).fault()
    assert fault is not None
    assert says in fault


def test_a_split_person_is_not_whole() -> None:
    found = looked_at((["a", "b"], [1, 2], [5.0, 7.0], [1, 2]), (["a"], [1], [5.0], [2]))
    assert found.said() == {"units": 2, "whole": 1}


@pytest.mark.parametrize("technique", ["segment-shuffle", "forest-framework", "rpt"])
def test_the_certificate_counts_persons(technique: str) -> None:
    table = table_of_visits()
    done = perturb(table, PerturbOptions(technique), STREAMS)
    model, promises = forest_to_json(done.forest), done.plan.promises(table.schema)
    frame = released_frame(done.table)
    claimed = done.plan.keeps_segments
    found = certify(table, frame, model, claimed, promises=promises)
    found.check()
    units = frame["patient"].n_unique()
    assert found.to_json()["together"] == {"patient": {"units": units, "whole": units}}
    # One row gets another person's sex, and the counts of rows stay the same.
    other = pl.when(pl.col("sex") == "f").then(pl.lit("m")).otherwise(pl.lit("f"))
    broken = frame.with_columns(sex=pl.when(pl.int_range(pl.len()) == 0).then(other).otherwise(pl.col("sex")))
    with pytest.raises(BrokenCertificate):
        certify(table, broken, model, claimed, promises=promises).check()
