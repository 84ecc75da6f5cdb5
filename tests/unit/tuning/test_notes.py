"""Scores that outlive a search that was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.tuning.notes import Notes, key_of
from support.tuned_scores import made_score

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
