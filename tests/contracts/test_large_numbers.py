"""The largest numbers that a column may hold go through every technique, measure and attack without overflowing.

Options that are absurdly large or small give a release or one sentence, and so do numbers that single precision lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.schema import LARGEST_NUMBER
from hushwood.tables.table import Table
from hushwood.techniques.coarsening import Coarsening
from hushwood.techniques.protocol import Technique
from hushwood.techniques.suppression import Suppression
from support.mixed_tables import grown_forest, mixed_table, number
from support.technique_variants import VARIANTS, released_by

NUMBERS = ("count", "price", "ratio")
LARGE = {name: technique for name, technique in VARIANTS.items() if technique.perturbs in {"numeric", "any"}}
# The usual step of 3 is below what such numbers can tell apart, and refused.
LARGE["COARSEN"] = Coarsening(("count: 1e60, top 5e69", "job: 0"))


@pytest.fixture(scope="module")
def table() -> Table:
    """Three continuous columns that reach both ends, with gaps, among categories."""
    plain = mixed_table(5, 150)
    schema, columns = plain.schema, {}
    for name in NUMBERS:
        values = plain.columns[name] - np.nanmean(plain.columns[name])
        columns[name] = values / np.nanmax(np.abs(values)) * LARGEST_NUMBER
        ends = float(np.nanmin(columns[name])), float(np.nanmax(columns[name]))
        schema = schema.with_attribute(number(name, *ends, None))
    return plain.with_columns(columns, schema)


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    return intersections(table, grown_forest(table, min_leaf=8))


@pytest.mark.parametrize("technique", LARGE.values(), ids=LARGE)
def test_every_number_is_released_as_a_number(technique: Technique, table: Table, segments: Segments) -> None:
    released = released_by(technique, table, segments, Streams(bytes(range(32))))
    for name in NUMBERS:
        before, after = table.columns[name], released.columns[name]
        assert not np.isinf(after).any()
        lost = np.isnan(after) & ~np.isnan(before)
        match technique.promise_for(table.schema[name]).missing:
            case "same" | "filled":
                assert not lost.any()
            case "dealt":
                assert np.isnan(after).sum() == np.isnan(before).sum()
            case "drawn":
                assert np.isnan(after).mean() < np.isnan(before).mean() + 0.15
            case other:
                assert isinstance(technique, Suppression), other


def test_measures_and_attacks_overflow_nowhere(table: Table) -> None:
    """Warnings are errors here, and numpy warns of every overflow."""
    frame = frame_from_table(table)
    done = hw.release(frame, target="risk", evidence="none", seed="12" * 32)
    found = hw.audit(frame, done.frame, target="risk", evidence="full")
    asked = {entry["name"] for entry in (*found.document["measures"], *found.document["attacks"])}
    answers = [found[name] for name in sorted(asked)]
    assert len(answers) > 30
    values = [answer.value for answer in answers if answer.answer.reason is None]
    assert len(values) > 10
    assert np.isfinite(values).all()


PLACES = np.arange(60)
PEOPLE = pl.DataFrame(
    {
        "pay": PLACES * 13 % 59 / 2,
        "age": PLACES * 7 % 50,
        "sex": np.where(PLACES % 3, "f", "m"),
        "ill": np.where(PLACES * 7 % 50 > 20, "yes", "no"),
    }
)
WIDE: list[Mapping[str, Any]] = [
    *(
        {name: 2**63 - 1}
        for name in ("k", "blur", "trees", "min_leaf", "rare_below", "forest_rows", "part_rows")
    ),
    *({"blur": size} for size in (2**31 - 1, 2**31, 10**30)),
    *({"chunk_rows": 2**64}, {"threads": 0}, {"threads": 2**63}, {"memory": 10**30}),
    *({"class_bins": bins, "target": "pay"} for bins in (2**31 - 1, 2**62, 2**64)),
    *({"technique": "mdav", "settings": {"mdav": {"k": k}}} for k in (2**31 - 1, 2**62, 10**30)),
    *(
        {"coarsen": [f"{column}={step}"]}
        for column in ("pay", "age")
        for step in ("1e-300", "5e-324", "1.7e308")
    ),
    *({"top_code": ["pay=1.7e308"]}, {"bottom_code": ["pay=-1.7e308"]}, {"suppress": ["age >= 1e308"]}),
    *({"technique": "forest-framework", "noise": noise} for noise in (5e-324, 1.7e308, float("nan"))),
    {"limits": ["linkage<=1e308"]},
]


@pytest.mark.parametrize("options", WIDE, ids=str)
def test_absurd_options_give_a_release_or_one_sentence(options: Mapping[str, Any]) -> None:
    try:
        done = hw.release(PEOPLE, **{"target": "ill", "evidence": "none", **options})
    except InputError as refused:
        assert str(refused).endswith(" was given.") or "choose" in str(refused) or "such as" in str(refused)
    else:
        assert done.frame.height == 60


@pytest.mark.parametrize("value", [1e50, -1e69, 5e-324])
@pytest.mark.parametrize(
    "technique",
    [
        "segment-shuffle",
        "forest-framework",
        "framework",
        "cart-synthesis",
        "forest-synthesis",
        "copula-synthesis",
    ],
)
def test_one_value_that_single_precision_lacks(technique: str, value: float) -> None:
    """The fold that a teacher did not see may hold it."""
    frame = PEOPLE.with_columns(pay=pl.Series([value, *(PLACES[1:] * 13 % 59).astype(float)]))
    done = hw.release(
        frame,
        target="ill",
        technique=technique,
        evidence="none",
        keep={"pay": "invented"},
        seed="12" * 32,
        reuse_key=True,
    )
    assert done.frame.height == 60
    assert np.isfinite(done.frame["pay"].to_numpy()).all()


def test_two_numbers_of_which_one_has_no_row_of_digits() -> None:
    frame = PEOPLE.with_columns(pay=pl.Series(np.where(PLACES % 2, 1e20, 2.0)))
    done = hw.release(frame, target="ill", evidence="none")
    assert sorted(done.frame["pay"].unique()) == [2.0, 1e20]
