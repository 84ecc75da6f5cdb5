from __future__ import annotations

import json

import numpy as np
import pytest

from hushwood.attacks.membership import WAYS, Membership
from hushwood.attacks.protocol import Knowledge, MemberGuesses, Scenario
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from support.intruders import UNITS, attacked, barely_hidden, knowing, people, unrelated
from support.mixed_tables import number, table_of
from support.planted_members import PLANTED, Planted
from support.rearranged_tables import in_another_unit
from support.table_pairs import STREAMS

EVERYTHING = Scenario("whole record", "", ("age", "school", "income", "town", "job", "rich"))


def test_by_hand() -> None:
    released = table_of({"age": (number("age", -50, 50), [-40.0, 10.0])})
    targets = table_of({"age": (number("age", -50, 50), [-50.0, 12.0, 40.0, -39.0, 45.0])})
    knowledge = knowing(targets, ["age"])
    for share, expected in ((0.5, [1, 3]), (0.6, [0, 1, 3]), (0.2, [3]), (0.99, [0, 1, 2, 3])):
        guessed = Membership(members=share).guess(knowledge, released, STREAMS)
        assert np.flatnonzero(guessed.member).tolist() == expected


def test_equally_near_people_are_told_apart_by_chance() -> None:
    table = people(1, 400)
    guessed = Membership().guess(knowing(table, tuple(table.columns)), table, STREAMS)
    assert set(guessed.score.tolist()) == {0.0}
    assert guessed.member.sum() == 200
    assert 70 < guessed.member[:200].sum() < 130


@pytest.mark.parametrize("way", WAYS)
def test_every_way_wins_where_only_it_can_see(way: str) -> None:
    found = PLANTED[way](1).attacked()
    rates = {one["by"]: one["success"] for one in found.details["variants"]}
    others = [rate for by, rate in rates.items() if by != way]
    margin = {"unique values": 0.01, "density ratio, 5 neighbours": 0.04}.get(way, 0.05)
    assert rates[way] > 0.65
    assert rates[way] >= max(others) + margin
    assert found.details["strongest"]["by"] == way
    assert found.success == rates[way]
    assert "better than guessing" in found.verdict
    assert found.interval[0] > found.naive


@pytest.mark.parametrize("way", ["unique values", "rare pairs", "density ratio, 1 neighbour", "class loss"])
def test_the_nearest_record_hardly_sees_these(way: str) -> None:
    assert PLANTED[way](1).successes()["nearest record"] < 0.62


@pytest.mark.parametrize("release", ["pure noise", "fresh sample"])
def test_every_way_stays_at_its_base_rate(release: str) -> None:
    original, holdout = people(11, 1000), people(12, 2000)
    released = unrelated(original, 13) if release == "pure noise" else people(14, 1000)
    found = Planted(original, released, holdout).attacked()
    assert len(found.details["variants"]) == len(WAYS)
    assert found.verdict == "no better than guessing"
    for way in found.details["variants"]:
        assert way["advantage_interval"][0] <= 0 <= way["advantage_interval"][1]
        assert way["area_interval"][0] <= 0.5 <= way["area_interval"][1]
        assert way["found_at_1_percent_interval"][0] <= 0.01
        assert abs(way["success"] - 0.5) < 0.08


def test_untouched_and_weak() -> None:
    table, others = people(1, 1500), people(2, 3000)
    for released in (table, barely_hidden(table, 2, 0.003)):
        found = attacked(Membership(), EVERYTHING, table, released, holdout=others)
        assert found.interval[0] > found.naive == 0.5
        assert found.details["found_at_1_percent"] > 0.5
        assert found.details["area_interval"][0] > 0.9


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_the_share_of_members_is_a_parameter(share: float) -> None:
    original, holdout = people(11, 1000), people(12, 4000)
    blind = Planted(original, unrelated(original, 13), holdout).attacked(members=share)
    assert blind.naive == pytest.approx(share**2 + (1 - share) ** 2)
    assert blind.verdict == "no better than guessing"
    assert all(abs(way["advantage"]) < 0.15 for way in blind.details["variants"])
    seen = Planted(original, original, holdout).attacked(members=share)
    assert seen.details["strongest"]["members"] == share
    assert seen.details["advantage"] > 0.9


def test_a_share_must_leave_room_for_both() -> None:
    for share in (0.0, 1.0, 1.5):
        with pytest.raises(InputError, match="members must be above 0 and below 1"):
            Membership(members=share)
    with pytest.raises(InputError, match="by must be"):
        Membership(by="magic")


def test_ways_that_cannot_be_tried_say_why() -> None:
    planted = PLANTED["rare pairs"](1)
    reasons = planted.attacked().details["not_tried"]
    assert [(one["by"], one["reason"]) for one in reasons] == [
        ("class loss", "The release has fewer than two classes.")
    ]
    alone = Planted(planted.original, planted.released, planted.holdout.take(np.arange(1)))
    details = alone.attacked().details
    assert "variants" not in details
    assert {one["by"] for one in details["not_tried"]} == set(WAYS) - {"nearest record"}


def test_the_reference_is_neither_in_the_table_nor_among_the_targets() -> None:
    seen: list[Knowledge] = []

    class Watched(Membership):
        def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> MemberGuesses:
            seen.append(knowledge)
            return super().guess(knowledge, released, streams)

    table, others = people(1, 300), people(2, 300)
    attacked(Watched(), EVERYTHING, table, table, holdout=others)
    assert len(seen) == len(WAYS)
    for knowledge in seen:
        reference = set(knowledge.reference["income"])
        assert len(reference) == 150
        assert reference <= set(others.columns["income"])
        assert reference.isdisjoint(knowledge.columns["income"])
        assert reference.isdisjoint(table.columns["income"])


def test_reports_get_a_sentence_and_a_table_of_all_ways() -> None:
    details = PLANTED["unique values"](1).attacked().details
    attack = Membership()
    said = attack.remarks(details)
    assert said.startswith(
        "Strongest way: unique values. It names 100 % of the members and 0 % of the others"
    )
    assert said.endswith("finds 100 % of the members; guessing would find 1 %.")
    (table,) = attack.tables(details)
    assert table.rows[0] == ("unique values", 1.0, 1.0, 1.0, 1.0)
    assert {row[0] for row in table.rows} == set(WAYS)
    assert attack.tables({}) == ()
    assert attack.remarks({}) == ""


def test_findings_are_plain_data() -> None:
    details = PLANTED["nearest record"](1).attacked().details
    assert json.loads(json.dumps(dict(details), allow_nan=False)) == details


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_zero_point_unit_and_sign_do_not_matter(unit: tuple[float, float]) -> None:
    table, others = people(1, 500), people(2, 1000)
    released = barely_hidden(table, 2, 0.01)
    before = attacked(Membership(), EVERYTHING, table, released, holdout=others).details["variants"]
    tables = [in_another_unit(t, *unit) for t in (table, released, others)]
    after = attacked(Membership(), EVERYTHING, tables[0], tables[1], holdout=tables[2]).details["variants"]
    for one, other in zip(before, after, strict=True):
        # Distances are rounded to a grid, so that two people may change places at the limit.
        assert other["success"] == pytest.approx(one["success"], abs=0.01)
