"""Texts written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.jobs.whole_files import check_other_file, write_whole


def test_a_text_replaces_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    write_whole("né\n", tmp_path / "a")

    assert (tmp_path / "a").read_text(encoding="utf-8") == "né\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_missing_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="could not be written: No such file or directory; give another file"
    ):
        write_whole("x", tmp_path / "no" / "a")


def test_an_input_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n")
    (tmp_path / "link").symlink_to(tmp_path / "t.csv")

    check_other_file(tmp_path / "new", [tmp_path / "t.csv"])
    with pytest.raises(InputError, match="is the table itself"):
        check_other_file(tmp_path / "link", [tmp_path / "gone", tmp_path / "t.csv"])
