from __future__ import annotations

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.attacks.protocol import Scenario
from hushwood.attacks.search.predicates import count_matches
from hushwood.attacks.singling_out import Mode, SinglingOut, distinct_rows
from hushwood.tables.table import Table
from support.intruders import (
    UNITS,
    attacked,
    barely_hidden,
    in_words,
    knowing,
    only,
    people,
    unrelated,
)
from support.mixed_tables import category, mixed_table, number, table_of
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS

ALONE = Scenario("release alone", "", ())
MODES: tuple[Mode, ...] = ("multivariate", "univariate")
each_mode = pytest.mark.parametrize("mode", MODES)


def share(mode: Mode, original: Table, released: Table, naive: bool = False) -> float:
    """How many of the predicates of one way to attack single out a person of the original."""
    attack = SinglingOut(mode)
    say = attack.naive if naive else attack.guess
    counts, _ = count_matches(say(knowing(released), released, STREAMS), original.columns)
    return float((counts == 1).mean())


def few_digits(table: Table) -> dict[str, Array]:
    return {n: np.rint(v * 64) / 64 for n, v in table.columns.items() if v.dtype.kind == "f"}


def test_both_ways_are_tried() -> None:
    assert [way.mode for way in SinglingOut().variants()] == list(MODES)
    shares = attacked(SinglingOut(), ALONE, people(1, 300), people(1, 300)).details["variants"]
    assert [part["mode"] for part in shares] == list(MODES)


@each_mode
def test_every_predicate_fits_one_distinct_released_row(mode: Mode) -> None:
    table = mixed_table(5, 300)
    predicates = SinglingOut(mode).guess(knowing(table), table, STREAMS)
    assert len(predicates) > 50
    assert set(count_matches(predicates, distinct_rows(table.columns), most=9)[0].tolist()) == {1}


@each_mode
def test_no_more_predicates_than_asked_for(mode: Mode) -> None:
    table = people(1, 200)
    assert len(SinglingOut(mode).guess(knowing(table), table, STREAMS)) == 200


def test_by_hand_one_attribute() -> None:
    table = table_of(
        {
            "age": (number("age", -5, 40), [20, -5, 20, 40, float("nan"), 20]),
            "job": (category("job", ("cook", "nurse", "pilot")), [0, 0, 1, 1, 2, 0]),
        }
    )
    found = in_words(SinglingOut("univariate").guess(knowing(table), table, STREAMS), table)
    # The last row is the first again, so the fives are distinct: age 20 twice, cook twice, nurse twice.
    assert set(found) == {
        frozenset({("age", "<=", -5.0)}),
        frozenset({("age", "==", -5.0)}),
        frozenset({("age", ">=", 40.0)}),
        frozenset({("age", "==", 40.0)}),
        frozenset({("age", "missing", None)}),
        frozenset({("job", "==", "pilot")}),
    }


def test_only_named_attributes_are_used() -> None:
    table = people(1, 300)
    for mode in MODES:
        predicates = SinglingOut(mode).guess(knowing(table, ["age", "town"]), table, STREAMS)
        assert set(predicates.column) == ({"age", "town"} if mode == "multivariate" else {"age"})


@each_mode
def test_the_untouched_table_gives_everybody_away(mode: Mode) -> None:
    table = people(1, 1000)
    assert share(mode, table, table) == 1.0
    assert share(mode, table, table, naive=True) < 0.5


def test_a_weak_release_is_worse_than_guessing_and_noise_is_not() -> None:
    table = people(1, 2000)
    weak = attacked(SinglingOut(), ALONE, table, barely_hidden(table, 2))
    assert weak.interval[0] > weak.naive
    noise = attacked(SinglingOut(), ALONE, table, unrelated(table, 3), targets=400)
    assert noise.interval[0] <= noise.naive <= noise.interval[1]


def test_columns_shuffled_on_their_own_are_noise_to_several_attributes() -> None:
    table = people(1, 2000)
    chance = np.random.default_rng(4)
    shuffled = table.with_columns({name: chance.permutation(v) for name, v in table.columns.items()})
    assert (
        abs(share("multivariate", table, shuffled) - share("multivariate", table, shuffled, naive=True))
        < 0.06
    )


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
@each_mode
def test_zero_point_unit_and_sign_do_not_matter(mode: Mode, unit: tuple[float, float]) -> None:
    table = people(1, 400)
    released = barely_hidden(table, 2, 0.002)
    # Numbers of few digits, so that shifts and scales are exact.
    table, released = (t.with_columns(few_digits(t)) for t in (table, released))
    before = share(mode, table, released)
    assert share(mode, in_another_unit(table, *unit), in_another_unit(released, *unit)) == before
    assert 0 < before < 1


@each_mode
def test_tables_without_hold_give_no_predicates(mode: Mode) -> None:
    constant = table_of({"age": (number("age", 7, 7), [7.0] * 20 + [8.0] * 20)})
    twice = only(constant, ["age"]).take(np.arange(40))
    predicates = SinglingOut(mode).guess(knowing(twice), twice, STREAMS)
    assert set(in_words(predicates, twice)) <= {
        frozenset({("age", operator, value)}) for operator in ("<=", ">=", "==") for value in (7.0, 8.0)
    }
    empty = constant.take(np.zeros(0, int))
    assert len(SinglingOut(mode).guess(knowing(constant), empty, STREAMS)) == 0
    assert len(SinglingOut(mode).naive(knowing(constant), empty, STREAMS)) == 0


def test_the_same_key_gives_the_same_predicates() -> None:
    table = people(1, 300)
    first, second = (SinglingOut().guess(knowing(table), table, STREAMS) for _ in range(2))
    assert in_words(first, table) == in_words(second, table)
