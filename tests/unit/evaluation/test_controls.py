"""Throw-away releases: who is in them, who is not, and how many there are."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from hushwood.evaluation.controls import PARTS, Control, Effort, control_releases, pair_of
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import Perturbed, perturb
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.table import Table
from support.sample_release import credit_table
from support.table_pairs import STREAMS

ROWS = 200
NOISE = PerturbOptions("framework", min_leaf=20)


@cache
def table() -> Table:
    return credit_table(ROWS)


@cache
def controls(most: int = 50_000) -> tuple[Control, ...]:
    return control_releases(table(), NOISE, Effort(most_records=most), STREAMS)


@pytest.mark.parametrize(
    ("records", "number"),
    [(49, 0), (50, 6), (1_999, 6), (2_000, 6), (2_400, 5), (3_000, 4), (12_000, 1), (10_000_000, 1)],
)
def test_short_tables_are_released_more_often(records: int, number: int) -> None:
    assert Effort().number(records) == number


def test_more_effort_makes_more() -> None:
    assert Effort(outsiders=20_000, releases=24).number(300) == 24
    assert Effort(outsiders=20_000, releases=24).number(12_000) == 5


def test_people_are_in_it_or_outside_of_it() -> None:
    for control in controls():
        assert sorted((*control.inside, *control.outside)) == list(range(ROWS))
        assert len(control.outside) in {ROWS // PARTS, ROWS // PARTS + 1}
        assert (np.diff(control.inside) > 0).all()
        assert (np.diff(control.outside) > 0).all()


def test_everyone_is_outside_equally_often() -> None:
    times = np.zeros(ROWS, int)
    for control in controls():
        times[control.outside] += 1
    assert len(controls()) == 6
    assert (times == 2).all()
    first, second = ({tuple(c.outside) for c in half} for half in (controls()[:3], controls()[3:]))
    assert not first & second


def test_the_records_are_those_of_the_table() -> None:
    for control in controls():
        for name, values in table().columns.items():
            assert np.array_equal(control.pair.original.columns[name], values[control.inside], equal_nan=True)
            assert control.pair.holdout is not None
            assert np.array_equal(control.pair.holdout.columns[name], values[control.outside], equal_nan=True)
        assert control.pair.released.rows == len(control.inside)
        assert control.pair.partner is not None
        assert not np.array_equal(
            control.pair.released.columns["age"], control.pair.original.columns["age"], equal_nan=True
        )


def test_the_same_streams_give_the_same_releases() -> None:
    again = control_releases(table(), NOISE, Effort(), STREAMS)
    for one, other in zip(controls(), again, strict=True):
        assert one.inside.tolist() == other.inside.tolist()
        assert frame_from_table(one.pair.released).equals(frame_from_table(other.pair.released))
    strange = control_releases(table(), NOISE, Effort(releases=1), Streams(bytes(32)))[0]
    assert strange.inside.tolist() != controls()[0].inside.tolist()


def test_no_two_releases_have_the_same_noise() -> None:
    """The same person is changed by other draws in another release."""
    first, second = controls()[0], controls()[1]
    both, here, there = np.intersect1d(first.inside, second.inside, return_indices=True)
    assert len(both) >= ROWS // PARTS
    incomes = (first.pair.released.columns["income"][here], second.pair.released.columns["income"][there])
    assert np.mean(incomes[0] == incomes[1]) < 0.2


def test_a_long_table_is_sampled() -> None:
    for control in controls(60):
        assert (len(control.inside), len(control.outside)) == (40, 20)
    used = {row for control in controls(60) for row in (*control.inside, *control.outside)}
    assert 60 < len(used) <= 120  # another sample in the second round


def test_segments_are_as_large_as_in_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 records have k = 20, with exact counts; the 133 of a throw-away release would have k = 13 on their own.

    Drawn counts have the segments that the law asks of the whole table.
    """
    asked: list[int | None] = []

    def noted(part: Table, options: PerturbOptions, *rest: Any) -> Perturbed:
        asked.append(options.smallest_segment(part.rows))
        return perturb(part, options, *rest)

    monkeypatch.setattr("hushwood.evaluation.controls.perturb", noted)
    exact, drawn = PerturbOptions(redraw=0), PerturbOptions()
    control_releases(table(), exact, Effort(releases=2), STREAMS)
    assert asked == [exact.smallest_segment(ROWS)] * 2 == [20] * 2
    control_releases(table(), drawn, Effort(releases=1), STREAMS)
    assert asked[2] == min(drawn.settled(table(), ROWS).k or 0, 2 * ROWS // 3)


def test_made_up_records_have_no_partners() -> None:
    (control,) = control_releases(table(), PerturbOptions("cart-synthesis"), Effort(releases=1), STREAMS)
    assert control.pair.made_up
    assert control.pair.partner is None
    assert control.pair.holdout is not None


def test_new_categories_are_read_as_an_audit_reads_them() -> None:
    """Generalised values are none of the table's, so both tables get a common coding, and the hold-out too."""
    made = perturb(table(), PerturbOptions("mondrian", settings={"mondrian": {"k": 50}}), STREAMS)
    assert made.table.schema != table().schema
    pair = pair_of(table(), made, credit_table(100, seed=9))
    assert pair.original.schema == pair.released.schema
    assert "home" in pair.generalised
    assert pair.holdout is not None
    assert pair.holdout.rows == 100
    assert pair.partner is not None
    assert pair.partner.tolist() == list(range(ROWS))


def test_stages_are_counted() -> None:
    seen: list[tuple[str, int, int]] = []
    control_releases(
        table(),
        NOISE,
        Effort(releases=2),
        STREAMS,
        lambda name, done, total: seen.append((name, done, total)),
    )
    assert seen == [("making throw-away releases for comparison", done, 2) for done in range(2)]
