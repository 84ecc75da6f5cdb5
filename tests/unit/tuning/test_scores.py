"""One candidate on one ground: shared splits, places between pure noise and the untouched table, plain data."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.tuning.candidates import Candidate, candidates_for
from hushwood.tuning.scores import NOISE, UNTOUCHED, Ground, Score, corner, score, yardsticks
from hushwood.tuning.search import Question
from support.tuned_scores import QUICKLY, small_table, two_checks


@cache
def ground() -> Ground:
    question = Question(small_table(), two_checks(), Streams(bytes(range(32))), Streams(bytes(32)))
    return question.sample(QUICKLY.rungs[0])


def one(technique: str) -> Candidate:
    return candidates_for(ground().table, [technique])[0]


def test_the_corners_are_the_ends_of_utility() -> None:
    untouched, noise = corner(UNTOUCHED, ground()), corner(NOISE, ground())
    assert untouched.utility == 1.0
    assert noise.utility < 0.3  # a single split, where the ends are means over all
    linkage = {score.label: score.risks[0].value or 0.0 for score in (untouched, noise)}
    assert linkage[UNTOUCHED] > 0.9
    assert linkage[NOISE] < 0.1


def test_a_release_lies_between_the_corners_and_the_same_seed_gives_the_same_score() -> None:
    found = score(one("segment-shuffle"), ground())
    assert 0.3 < found.utility < 1.0
    assert [risk.check for risk in found.risks] == ["linkage.excess", "attribute_inference.excess"]
    assert found == score(one("segment-shuffle"), ground())
    assert set(found.measures) == {measure.name for measure in yardsticks()}


def test_records_that_are_made_up_cannot_be_linked() -> None:
    linkage = score(one("copula-synthesis"), ground()).risks[0]
    assert (linkage.value, linkage.status) == (None, "pass")
    assert "stands for one person" in linkage.reason


def test_tables_without_a_class_are_scored_by_columns_that_others_predict() -> None:
    table = small_table()
    target = table.schema.class_attribute
    assert target is not None
    without = replace(table, schema=table.schema.with_role([target.name], "ordinary"))
    question = Question(without, two_checks(), Streams(bytes(range(32))), Streams(bytes(32)))
    found = score(one("copula-synthesis"), question.sample(QUICKLY.rungs[0]))
    assert "prediction_accuracy" in found.measures
    assert 0.0 <= found.utility <= 1.0


def test_built_in_policies_are_tried_on_the_same_evidence() -> None:
    """None can clear by two attacks alone, but one with these limits does."""
    found = score(one("segment-shuffle"), ground())
    assert found.cleared_by == ()
    assert found.cleared == all(risk.high <= risk.at_most for risk in found.risks if risk.value is not None)


def test_rare_levels_are_treated_as_in_the_release() -> None:
    way = Candidate("x", PerturbOptions(technique="copula-synthesis", rare="suppress", rare_below=60), "x")
    assert score(way, ground()).utility != score(one("copula-synthesis"), ground()).utility


def test_a_score_is_plain_data() -> None:
    found = score(one("copula-synthesis"), ground())
    assert Score.from_json(json.loads(json.dumps(found.to_json()))) == found


def test_utility_may_be_measured_on_more_splits_than_risk() -> None:
    more = replace(ground(), splits=3)
    found = score(one("copula-synthesis"), more)
    assert (len(found.splits), found.releases) == (3, 1)
    # The first split is shared, and so are its seeds; only the ends of the scale are the same by design.
    assert found.splits[0] == pytest.approx(score(one("copula-synthesis"), ground()).splits[0])
    assert found.risks == score(one("copula-synthesis"), ground()).risks


def test_a_table_that_cannot_be_split_is_refused() -> None:
    with pytest.raises(InputError, match="tuning needs 50 or more"):
        Question(small_table(40), two_checks(), Streams(bytes(32)), Streams(bytes(32))).whole(1)
