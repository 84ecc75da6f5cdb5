"""Measures and attacks run on a pair, each beside the untouched table and pure noise."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from hushwood.attacks.protocol import Attacked, NotAttackable
from hushwood.evaluation.evaluate import Findings, evaluate
from hushwood.evaluation.levels import FULL, Level
from hushwood.measures.protocol import Measurement, NotComputable
from hushwood.measures.registry import MEASURES
from hushwood.tables.pairing import Pair, paired_tables
from hushwood.tables.table import Table
from rearranged_tables import column_by_column_shuffled
from sample_release import credit_table
from table_pairs import STREAMS

FEW = FULL.only(["rule_types", "sers", "unchanged_cells", "k_anonymity", "linkage", "membership"])


@cache
def original() -> Table:
    return credit_table(300)


def released() -> Table:
    return column_by_column_shuffled(original(), 7)


@cache
def found(level: Level = FEW) -> Findings:
    return evaluate(paired_tables(original(), released()), level, STREAMS)


def test_everything_is_asked_in_the_order_of_the_level() -> None:
    assert tuple(answer.measure.name for answer in found().answers) == FEW.measures
    assert list(dict.fromkeys(a.attack.name for a in found().attempts)) == list(FEW.attacks)


def test_each_number_stands_beside_untouched_and_noise() -> None:
    answers = {a.measure.name: a for a in found().answers}

    assert answers["unchanged_cells"].untouched == 1
    assert answers["unchanged_cells"].noise is not None
    assert answers["unchanged_cells"].noise < 0.3
    assert answers["rule_types"].untouched == MEASURES["rule_types"]().best
    linkage = next(a for a in found().attempts if a.attack.name == "linkage")
    assert isinstance(linkage.result, Attacked)
    assert linkage.untouched is not None
    assert linkage.untouched > 0.9


def test_without_references_only_the_release_is_judged() -> None:
    for answer in found(replace(FEW, references=False)).answers:
        assert (answer.untouched, answer.noise) == (None, None)
    assert all(a.untouched is None for a in found(replace(FEW, references=False)).attempts)


def test_what_cannot_be_found_out_says_so() -> None:
    unpaired = replace(paired_tables(original(), released()), partner=None, match="none")

    answers = evaluate(unpaired, FEW, STREAMS)

    by_name = {a.measure.name: a.result for a in answers.answers}
    assert isinstance(by_name["unchanged_cells"], NotComputable)
    assert isinstance(by_name["sers"], Measurement)
    assert all(isinstance(a.result, NotAttackable) for a in answers.attempts)


def test_a_control_is_used_where_people_from_outside_are_needed() -> None:
    table = original()
    control = paired_tables(
        table.take(np.arange(200)), table.take(np.arange(200)), table.take(np.arange(200, 300))
    )

    attempts = evaluate(paired_tables(table, released()), FEW, STREAMS, control=control).attempts

    results = {a.attack.name: a.result for a in attempts}
    assert isinstance(results["membership"], Attacked)
    assert isinstance(results["linkage"], Attacked)
    assert results["membership"].attempts == 200
    assert results["linkage"].attempts == 300


def test_large_tables_are_sampled_but_groups_are_counted_whole() -> None:
    level = replace(FEW, most_records=100)

    findings = evaluate(paired_tables(original(), released()), level, STREAMS)

    assert findings.pair.original.rows == 100
    some, whole = (
        {a.measure.name: a.result.value for a in judged.answers if isinstance(a.result, Measurement)}
        for judged in (findings, found())
    )
    assert some["sers"] <= np.log2(100) < whole["sers"]
    assert some["k_anonymity"] == whole["k_anonymity"]
    assert some["unchanged_cells"] == whole["unchanged_cells"]


def test_brief_measures_give_their_number_alone() -> None:
    brief = found(replace(FEW, brief=frozenset({"sers"}))).answers
    result = next(a.result for a in brief if a.measure.name == "sers")

    assert isinstance(result, Measurement)
    assert not result.details


def test_stages_are_told() -> None:
    seen: list[tuple[str, int, int]] = []

    evaluate(paired_tables(original(), released()), FEW, STREAMS, stage=lambda *told: seen.append(told))

    assert seen[0] == ("measuring rule types", 0, 6)
    assert ("attacking: linkage", 4, 6) in seen
    assert seen[-1] == ("arranging the findings", 6, 6)


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_tiny_tables_are_judged(rows: int) -> None:
    table = original().take(np.arange(rows))
    pair: Pair = paired_tables(table, table)

    for answer in evaluate(pair, FULL, STREAMS).answers:
        if isinstance(answer.result, Measurement):
            assert np.isfinite(answer.result.value), answer.measure.name
