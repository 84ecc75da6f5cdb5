"""Wrong draws that were planted are found by the checks that honest ones pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import polars as pl
import pytest

import hushwood as hw
from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams, group_order
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.tables import resampling
from hushwood.tables.resampling import copied_rows
from hushwood.tables.table import Table
from hushwood.techniques.sequential import drawn_counts
from hushwood.techniques.sequential.drawn_counts import drawn_columns
from hushwood.techniques.sequential.hand_outs import Slots
from support.mixed_tables import category, number, table_of, target

SEGMENTS, RECORDS = 1_500, 20
ROWS = 400
Fault = Callable[[pytest.MonkeyPatch], None]


def two_columns(noise: float) -> Floats:
    """How often many segments hand out a category that half of their records have, in two columns."""
    groups = np.repeat(np.arange(SEGMENTS), RECORDS)
    column = np.tile(np.arange(RECORDS) % 2, SEGMENTS).astype(np.int32)
    slots = Slots.of(groups, range(len(groups)), Streams(bytes(range(32))), "SEGMENT-SHUFFLE")
    found = drawn_columns({"a": column, "b": column}, ["a", "b"], {}, slots, noise)
    return np.array([found[name].reshape(SEGMENTS, RECORDS).sum(axis=1) for name in "ab"], float)


def check_variance() -> None:
    """That of a Dirichlet law, and of the steps, which round to a whole number."""
    for noise in (0.5, 1.0, 4.0):
        drawn = noise * RECORDS / 4 * RECORDS / (RECORDS + noise)
        for counts in two_columns(noise):
            assert 0.85 * drawn < counts.var() < 1.15 * drawn + 0.25


def check_columns_apart() -> None:
    """Of small noise the start decides where a step ends, of large noise the weights do."""
    for noise in (0.002, 1.0):
        one, other = two_columns(noise)
        assert abs(np.corrcoef(one, other)[0, 1]) < 4 / np.sqrt(SEGMENTS)


def check_people() -> None:
    """A third of the people, and a little more, is not drawn; copies are known."""
    table = sorted_people()
    for key in range(5):
        drawn, ids = resampling.resampled(table, Streams(bytes([key] * 32)))
        assert drawn.rows == ROWS
        assert 0.3 < 1 - len(np.unique(resampling.people_behind(ids))) / ROWS < 0.44


def check_slots() -> None:
    """Whoever is in a slot has no more of its values than anyone else in the segment."""
    table = sorted_people()
    options = PerturbOptions(k=ROWS, teacher="none", threads=1)
    same = []
    for key in range(5):
        streams = Streams(bytes([key] * 32))
        people = resampling.resampled(table, streams)[0]
        done = perturb(table, options, streams)
        same += [(people.columns[name] == done.table.columns[name]).mean() for name in ("town", "ill")]
    chance = [0.25, 0.5] * 5
    assert np.mean(same) == pytest.approx(np.mean(chance), abs=0.05)


def check_file() -> None:
    """Nor does the order of the file tell where in the table its records came from."""
    frame = pl.DataFrame(
        {"age": np.arange(ROWS) // 8, "town": np.repeat(list("abcd"), ROWS // 4)}
    ).with_columns(ill=pl.Series(["no", "yes"]).repeat_by(ROWS // 2).explode())
    done = hw.release(frame, target="ill", k=50, seed="3c" * 32, reuse_key=True, evidence="none")
    place = np.arange(ROWS)
    # Records stay in their leaves, so in the order of the table the file would be sorted by what the trees test.
    assert abs(np.corrcoef((done.frame["ill"] == "yes").to_numpy(), place)[0, 1]) < 0.2
    assert done.row_order is None


def sorted_people() -> Table:
    rows = np.arange(ROWS)
    return table_of(
        {
            "age": (number("age", 0, 99), (rows * 7 % 97).tolist()),
            "town": (category("town", "abcd"), (rows // (ROWS // 4)).tolist()),
            "ill": (target("ill", "ny"), (rows // (ROWS // 2)).tolist()),
        }
    )


def weights_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_counts, "weights", lambda u, noise: np.ones(len(u)))


def noise_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_counts, "weights", lambda u, noise: -np.log1p(-u))


def one_weight_for_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Slots.uniform
    monkeypatch.setattr(Slots, "uniform", lambda slots, name, *rest: honest(slots, "", *rest))


def one_start_for_all_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Streams.uniform

    def uniform(streams: Streams, purpose: str, name: str, draw: int, rows: Rows) -> Floats:
        return honest(streams, purpose, "" if draw == drawn_counts._START else name, draw, rows)

    monkeypatch.setattr(Streams, "uniform", uniform)


def everybody_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "times_drawn", lambda people, streams: np.ones(people, np.uint8))


def copies_as_other_people(monkeypatch: pytest.MonkeyPatch) -> None:
    def renumbered(times: Array, first: int = 0) -> tuple[Integers, Integers]:
        places, _ = copied_rows(times, first)
        return places, np.arange(len(places)) * resampling.COPIES

    monkeypatch.setattr(resampling, "copied_rows", renumbered)


def slots_in_the_order_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Slots, "in_random_order", lambda slots, name, draw: group_order(slots.groups))


def file_in_the_order_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def kept(rows: Any, streams: Streams) -> Integers:
        return np.arange(len(rows))

    monkeypatch.setattr("hushwood.jobs.release_ways.secret_order", kept)


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        fault(monkeypatch)
        yield


CHECKS = (check_variance, check_columns_apart, check_people, check_slots, check_file)
FAULTS: dict[Fault, Callable[[], None]] = {
    weights_forgotten: check_variance,
    noise_forgotten: check_variance,
    one_weight_for_all_columns: check_columns_apart,
    one_start_for_all_columns: check_columns_apart,
    everybody_drawn_once: check_people,
    copies_as_other_people: check_people,
    slots_in_the_order_of_the_table: check_slots,
    file_in_the_order_of_the_table: check_file,
}


@pytest.mark.parametrize("check", CHECKS)
def test_honest_draws_pass(check: Callable[[], None]) -> None:
    check()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    with planted(fault), pytest.raises(AssertionError):
        FAULTS[fault]()
