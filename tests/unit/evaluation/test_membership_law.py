"""What the law of counts predicts of whole releases, worked out from their segments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.evaluation.membership_law import LawFacts, law_facts
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.perturb import perturb
from hushwood.releasing.perturbed import Learnt, Perturbed
from hushwood.tables.table import Table
from hushwood.techniques.laws.counts import advantage
from support.mixed_tables import category, number, table_of, target

STREAMS = Streams(bytes(range(32)))


def two_halves(rows: int = 400) -> Table:
    """Who is old is ill; four towns, and ages in tenths, which say who is ill: 10 - 1 + 4 - 1 free counts."""
    age = np.arange(rows) % 100
    return table_of(
        {
            "age": (number("age", 0, 99), age.tolist()),
            "town": (category("town", "abcd"), (np.arange(rows) // 100 % 4).tolist()),
            "ill": (target("ill", "ny"), (age >= 50).astype(int).tolist()),
        }
    )


def released(table: Table, technique: str = "segment-shuffle", **more: Any) -> Perturbed:
    options = PerturbOptions(
        technique, threads=1, **{**({"k": 150} if "segment" in technique else {}), **more}
    )
    return perturb(table, options, STREAMS)


def facts(table: Table, **more: Any) -> LawFacts:
    found = law_facts(table, released(table, teacher="tree", **more))
    assert found is not None
    return found


def test_exact_counts_of_two_segments() -> None:
    found = facts(two_halves(), redraw=0)
    assert (found.noise, found.cells, found.people) == (0, 12, 200)
    assert found.listed == pytest.approx(advantage(12, 200, 1 / 3, 0))
    assert found.all_but_one == 1


@pytest.mark.parametrize("redraw", [1.0, 3.0])
def test_drawn_counts_have_the_noise_of_both_draws(redraw: float) -> None:
    table = two_halves()
    found = facts(table, redraw=redraw, k=400)
    assert (found.noise, found.people) == (1 + redraw, 400), "one segment"
    assert found.listed == pytest.approx(advantage(12, 400, 1 / 3, 1 + redraw))
    assert found.all_but_one == pytest.approx(advantage(12, 400, 0, 1 + redraw))
    assert found.listed < found.all_but_one < facts(table, redraw=0, k=400).listed


def test_segments_count_by_their_people() -> None:
    """A segment of 300 and one of 100: three quarters of the people have the first's advantage."""
    table = two_halves()
    done = released(table, redraw=0, teacher="none")
    ids = (np.arange(400) >= 300).astype(np.int32)
    found = law_facts(table, replace(done, segments=replace(done.segments, ids=ids)))
    assert found is not None
    assert found.people == 0.75 * 300 + 0.25 * 100
    assert found.listed == pytest.approx(
        0.75 * advantage(12, 300, 1 / 3, 0) + 0.25 * advantage(12, 100, 1 / 3, 0)
    )


def test_a_sample_stands_for_the_segments_of_the_whole_table() -> None:
    table = two_halves()
    done = released(table, redraw=0, teacher="none")
    found = law_facts(table, replace(done, learnt=Learnt(400, 4000)))
    assert found is not None
    assert found.people == 2000


def test_other_techniques_release_no_counts_of_segments_or_some() -> None:
    table = two_halves()
    assert law_facts(table, released(table, "cart-synthesis")) is None
    assert law_facts(table, released(table, "gadp")) is None
    swapped = law_facts(table, released(table, "forest-framework"))
    assert swapped is not None, "SWAP and RPT keep the counts of town and class in every segment"
    assert swapped.noise == 0
    assert swapped.all_but_one == 1
