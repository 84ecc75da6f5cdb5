"""Tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood_papers.reproducing.running import Done, KeptOutcomes


def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "kept", {"size": 3})
    assert kept.read() == {}
    kept.add("a", Done({"x": [1.5, None]}, 0.25))
    kept.add("b", Done({}, 1.0))
    assert kept.read() == {"a": Done({"x": [1.5, None]}, 0.25), "b": Done({}, 1.0)}


def test_a_line_that_was_cut_off_counts_for_nothing(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "kept", {"size": 3})
    kept.read()
    kept.add("a", Done({}, 1.0))
    with kept.path.open("a") as file:
        file.write('{"task": "b", "outc')
    assert set(kept.read()) == {"a"}
    kept.add("c", Done({}, 2.0))
    assert set(kept.read()) == {"a", "c"}


def test_outcomes_of_another_run_are_not_mixed_in(tmp_path: Path) -> None:
    old = KeptOutcomes(tmp_path / "kept", {"size": 3})
    old.read()
    old.add("a", Done({}, 1.0))
    assert KeptOutcomes(tmp_path / "kept", {"size": 4}).read() == {}
    assert old.read() == {}


def test_a_file_that_is_something_else_is_begun_anew(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "kept", {"size": 3})
    kept.path.write_text("not JSON at all\n")
    assert kept.read() == {}
    kept.add("a", Done({}, 1.0))
    assert set(kept.read()) == {"a"}


def test_forgetting_removes_the_file(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "kept", {"size": 3})
    kept.read()
    kept.forget()
    kept.forget()
    assert not kept.path.exists()


def test_no_number_that_json_lacks_is_kept(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "kept", {})
    with pytest.raises(ValueError, match="JSON"):
        kept.add("a", Done({"x": float("nan")}, 1.0))


def test_a_folder_that_cannot_be_written_to_is_told_of(tmp_path: Path) -> None:
    kept = KeptOutcomes(tmp_path / "no folder" / "kept", {})
    with pytest.raises(InputError, match="could not be written"):
        kept.read()
