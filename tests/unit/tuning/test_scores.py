"""One candidate on one ground: shared splits, places between pure noise and the untouched table, plain data."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.tuning.candidates import Candidate, candidates_for
from hushwood.tuning.scores import NOISE, UNTOUCHED, Ground, Notes, Score, corner, key_of, score, yardsticks
from hushwood.tuning.search import Question
from support.tuned_scores import QUICKLY, made_score, small_table, two_checks


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


KEY = bytes(range(32))


def test_notes_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "out.tuning.jsonl"
    Notes(path, "about", KEY).add("ground", made_score("a"))
    again = Notes(path, "about", KEY)
    assert again.get("ground", "a") == made_score("a")
    assert again.get("ground", "b") is None
    assert again.get("another ground", "a") is None


def test_a_line_that_was_cut_off_is_forgotten_and_the_others_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    notes = Notes(path, "about", KEY)
    notes.add("ground", made_score("a"))
    notes.add("ground", made_score("b"))
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    again = Notes(path, "about", KEY)
    assert again.get("ground", "a") == made_score("a")
    assert again.get("ground", "b") is None
    again.add("ground", made_score("b"))
    assert Notes(path, "about", KEY).get("ground", "b") == made_score("b")


def test_another_table_or_key_starts_over(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    Notes(path, "about", KEY).add("ground", made_score("a"))
    assert Notes(path, "something else", KEY).get("ground", "a") is None
    assert key_of(path, "about") is None  # the file is about something else now
    Notes(path, "something else", KEY).add("ground", made_score("a"))
    assert Notes(path, "something else", bytes(32)).get("ground", "a") is None


def test_the_key_is_found_again_and_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    assert key_of(path, "about") is None
    Notes(path, "about", KEY)
    assert key_of(path, "about") == KEY
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_holds_something_else_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("mine\n", "utf-8")
    assert key_of(path, "about") is None
    with pytest.raises(InputError, match="move it away"):
        Notes(path, "about", KEY)
    assert path.read_text("utf-8") == "mine\n"


def test_notes_whose_first_line_was_cut_off_start_over(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "notes"
    Notes(path, "about", KEY)
    path.write_text(path.read_text("utf-8")[:40], "utf-8")
    Notes(path, "about", KEY)
    assert json.loads(path.read_text("utf-8"))["about"] == "about"


def test_closed_notes_leave_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    notes = Notes(path, "about", KEY)
    notes.add("ground", made_score("a"))
    notes.close()
    assert not path.exists()


def test_without_a_path_scores_are_known_in_memory_only() -> None:
    notes = Notes(None, "", b"")
    notes.add("ground", made_score("a"))
    assert notes.get("ground", "a") == made_score("a")
    notes.close()
