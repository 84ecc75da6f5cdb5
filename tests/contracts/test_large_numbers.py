"""The largest numbers that a column may hold go through every technique, measure and attack without overflowing."""

from __future__ import annotations

import numpy as np
import pytest

import hushwood as hw
from hushwood.random_streams import Streams
from hushwood.segments.partition import intersections
from hushwood.segments.segments import Segments
from hushwood.tables.frames.table_frames import frame_from_table
from hushwood.tables.schema import LARGEST_NUMBER
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Technique
from hushwood.techniques.suppression import Suppression
from support.mixed_tables import grown_forest, mixed_table, number
from support.technique_variants import VARIANTS, released_by

NUMBERS = ("count", "price", "ratio")
LARGE = {name: technique for name, technique in VARIANTS.items() if technique.perturbs in {"numeric", "any"}}


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
