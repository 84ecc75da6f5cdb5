from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.excess import excess_of
from hushwood.attacks.judging.running import run_attack
from hushwood.attacks.list_membership import NEAREST, WAYS, ListMembership
from hushwood.attacks.protocol import Attacked, MemberGuesses
from hushwood.evaluation.controls import Effort
from hushwood.policies.policy import policy_named
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions
from hushwood.tables.table import Table
from support.intruders import knowing, people
from support.listed_people import as_listed, thrown_away, wide_table
from support.mixed_tables import number, table_of

STREAMS = Streams(bytes(range(32)))
LIMITS = {
    asked.quantity.aspect: asked.at_most
    for asked in policy_named("public").requirements
    if asked.quantity.name == "list_membership"
}


def ends(found: Excess) -> dict[str, tuple[float, float, float]]:
    return {"advantage": (found.value, *found.interval), **found.further}


def test_by_hand() -> None:
    released = table_of({"age": (number("age", -50, 50), [-40.0, 10.0])})
    targets = table_of({"age": (number("age", -50, 50), [-50.0, 12.0, 40.0, -39.0, 45.0, 30.0])})
    knowledge = knowing(targets, ["age"])
    # By ranks: three targets are one place from a released age, then one two places.
    for share, expected in ((2 / 3, [0, 1, 3, 5]), (0.5, [0, 1, 3])):
        guessed = ListMembership(NEAREST, share).guess(knowledge, released, STREAMS)
        assert np.flatnonzero(guessed.member).tolist() == expected


def test_all_ways_at_once_are_each_by_itself() -> None:
    table, released = people(1, 120), people(2, 100)
    knowledge, attack = knowing(table, table.schema.names), ListMembership()
    ways = attack.variants()
    for way, together in zip(ways, attack.all_guesses(ways, knowledge, released, STREAMS), strict=True):
        alone = way.guess(knowledge, released, STREAMS)
        assert isinstance(together, MemberGuesses)
        assert np.array_equal(alone.score, together.score)
        assert np.array_equal(alone.member, together.member)
    assert len(ways) == len(WAYS)


def test_everybody_is_on_the_list() -> None:
    (one,) = as_listed(90, 1)
    found = run_attack(one.trial)
    assert isinstance(found, Attacked)
    assert found.attempts == 90
    assert found.naive == pytest.approx(2 / 3 * 2 / 3 + 1 / 3 * 1 / 3)
    assert found.success == 1.0


def partly_copied(original: Table, number: int) -> Table:
    """Three people in ten as they are; of the others every column is shuffled among them."""
    chance = np.random.default_rng(number)
    rows = np.flatnonzero(chance.random(original.rows) > 0.3)
    columns = {}
    for name, values in original.columns.items():
        columns[name] = values.copy()
        columns[name][rows] = values[chance.permutation(rows)]
    return original.with_columns(columns)


def test_people_who_are_copied_are_found() -> None:
    found = excess_of(as_listed(400, 6, partly_copied), 400)
    assert found is not None
    broken = {name for name, (value, low, _) in ends(found).items() if low > LIMITS[name] and value > low}
    assert broken == set(LIMITS)


@cache
def segment_shuffled() -> Excess:
    """Segments of 50 with exact counts, the table of 600 people and 12 columns; by 6 throw-away releases."""
    table = wide_table(600, 12)
    releases = thrown_away(table, PerturbOptions(k=50, redraw=0), Effort(outsiders=10**6, releases=6))
    found = excess_of(releases, table.rows)
    assert found is not None
    return found


def test_exact_counts_of_small_segments_are_never_cleared() -> None:
    found = segment_shuffled()
    assert found.value > 0.25
    assert found.interval[0] > LIMITS["advantage"]
    assert found.further["at_1_percent"][1] > LIMITS["at_1_percent"]


def test_a_synthesis_has_no_partners_and_is_attacked() -> None:
    table = wide_table(300, 8)
    options = PerturbOptions(technique="cart-synthesis")
    releases = thrown_away(table, options, Effort(outsiders=10**6, releases=3))
    assert all(one.trial.partner is None for one in releases)
    found = excess_of(releases, table.rows)
    assert found is not None
    assert found.attempts == 600


def test_remarks_say_how_far_everything_gets() -> None:
    details = {
        "advantage": 0.2,
        "advantage_interval": [0.1, 0.3],
        "strongest": {"by": "leaf"},
        "further": {name: list(one) for name, one in segment_shuffled().further.items()},
    }
    said = ListMembership().remarks(details)
    assert "leaf, an advantage of 20.0 points (interval 10.0 to 30.0)" in said
    assert "worst-off 5 %" in said
    assert "worst-off" not in ListMembership().remarks({**details, "further": {}})
