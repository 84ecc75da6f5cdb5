"""Measures and attacks run on a pair, each compared with the untouched table and pure noise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hushwood.evaluation.case import Case, noise_table
from hushwood.evaluation.controls import Control
from hushwood.evaluation.evaluate import Findings, evaluate
from hushwood.evaluation.levels import FULL, Level
from hushwood.measures.registry import MEASURES
from hushwood.random_streams import Streams
from hushwood.tables.pairs.pairing import Pair, paired_tables
from hushwood.tables.table import Table
from support.rearranged_tables import column_by_column_shuffled
from support.sample_release import credit_table
from support.table_pairs import STREAMS

FEW = FULL.only(["rule_types", "sers", "unchanged_cells", "k_anonymity", "linkage", "membership"])


@cache
def original() -> Table:
    return credit_table(300)


def released() -> Table:
    return column_by_column_shuffled(original(), 7)


@cache
def found(level: Level = FEW) -> Findings:
    return evaluate(Case(paired_tables(original(), released()), STREAMS), level)


def test_everything_is_asked_in_the_order_of_the_level() -> None:
    assert tuple(answer.name for answer in found().measures) == FEW.measures
    assert list(dict.fromkeys(a.name for a in found().attacks)) == list(FEW.attacks)


def test_each_number_is_compared_with_untouched_and_noise() -> None:
    answers = {answer.name: answer for answer in found().measures}

    assert answers["unchanged_cells"].untouched == 1
    assert answers["unchanged_cells"].noise is not None
    assert answers["unchanged_cells"].noise < 0.3
    assert answers["rule_types"].untouched == MEASURES["rule_types"]().best
    linkage = next(a for a in found().attacks if a.name == "linkage")
    assert linkage.reason is None
    assert linkage.untouched is not None
    assert linkage.untouched > 0.9


def test_without_references_only_the_release_is_judged() -> None:
    for answer in found(replace(FEW, references=False)).measures:
        assert (answer.untouched, answer.noise) == (None, None)
    assert all(a.untouched is None for a in found(replace(FEW, references=False)).attacks)


def test_what_cannot_be_found_out_says_so() -> None:
    unpaired = replace(paired_tables(original(), released()), partner=None, match="none")

    answers = evaluate(Case(unpaired, STREAMS), FEW)

    reasons = {answer.name: answer.reason for answer in answers.measures}
    assert "not paired" in (reasons["unchanged_cells"] or "")
    assert reasons["sers"] is None
    assert all(answer.reason for answer in answers.attacks)


def test_a_control_is_used_where_people_from_outside_are_needed() -> None:
    table = original()
    inside, outside = np.arange(200), np.arange(200, 300)
    control = Control(
        paired_tables(table.take(inside), table.take(inside), table.take(outside)), inside, outside
    )

    findings = evaluate(Case(paired_tables(table, released()), STREAMS, controls=(control,)), FEW)

    results = {answer.name: answer for answer in findings.attacks}
    assert results["membership"].attempts == 100
    assert results["linkage"].attempts == 300
    advantage, beyond_chance = results["membership"].excess, results["linkage"].excess
    assert advantage is not None
    # Both halves of the 100 people from outside take their turn, each with as many members.
    assert (advantage.over, advantage.attempts, advantage.control_attempts) == ("control", 100, 100)
    assert advantage.value == pytest.approx(1.0)  # the throw-away release is the table itself
    assert beyond_chance is not None
    assert (beyond_chance.over, beyond_chance.attempts, beyond_chance.releases) == ("chance", 500, 2)
    assert any(name.startswith("linkage: ") for name in findings.records)
    assert not any(name.startswith("membership: ") for name in findings.records)


def test_large_tables_are_sampled_but_groups_are_counted_whole() -> None:
    level = replace(FEW, most_records=100)

    findings = evaluate(Case(paired_tables(original(), released()), STREAMS), level)

    assert findings.pair.original.rows == 100
    some, whole = (
        {answer.name: answer.value or 0.0 for answer in judged.measures if answer.reason is None}
        for judged in (findings, found())
    )
    assert some["sers"] <= np.log2(100) < whole["sers"]
    assert {len(values) for values in findings.records.values()} == {100}
    assert some["k_anonymity"] == whole["k_anonymity"]
    assert some["unchanged_cells"] == whole["unchanged_cells"]


def test_brief_measures_give_their_number_alone() -> None:
    brief = found(replace(FEW, brief=frozenset({"sers"}))).measures
    (sers,) = (answer for answer in brief if answer.name == "sers")

    assert sers.value is not None
    assert not sers.details


def test_pure_noise_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def counted(table: Table, streams: Streams) -> Table:
        drawn.append(table.rows)
        return noise_table(table, streams)

    monkeypatch.setattr("hushwood.evaluation.case.noise_table", counted)
    evaluate(Case(paired_tables(original(), released()), STREAMS), FEW)

    assert drawn == [300]


def test_stages_are_reported() -> None:
    seen: list[tuple[str, int, int]] = []

    evaluate(
        Case(paired_tables(original(), released()), STREAMS), FEW, stage=lambda *stage: seen.append(stage)
    )

    assert seen[0] == ("measuring rule types", 0, 6)
    assert ("attacking: linkage", 4, 6) in seen
    assert seen[-1] == ("arranging the findings", 6, 6)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_tiny_tables_are_judged(rows: int) -> None:
    table = original().take(np.arange(rows))
    pair: Pair = paired_tables(table, table)

    for answer in evaluate(Case(pair, STREAMS), FULL).measures:
        assert answer.reason or np.isfinite(answer.value or 0.0), answer.name
