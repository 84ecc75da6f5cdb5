"""`hushwood verify` as a user runs it."""

from __future__ import annotations

from pathlib import Path

from support.command_line import Command, refused, released
from support.release_parts import files_in


def test_a_sound_release_says_so(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)

    done = hushwood("verify", "out", people_csv)

    assert done.code == 0
    assert "The certificate holds" in done.out
    assert done.out.count("ok  ") == 5
    assert done.out.count("--  ") == 1
    assert "--  The release was not cleared by the policy" in done.out
    assert "its MAC fits the key" in done.out
    assert hushwood("verify", "out", people_csv, "--quiet").out == ""


def test_a_changed_file_is_exit_code_1(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)
    path = files_in("out") / "dictionary.md"
    path.write_text(path.read_text() + "more")

    done = hushwood("verify", "out", "--quiet")

    assert done.code == 1
    assert "dictionary.md is not the file that was written" in done.err


def test_no_release_or_no_original_is_exit_code_2(hushwood: Command, people_csv: Path) -> None:
    refused(hushwood("verify", "nowhere"), "holds no release")
    released(hushwood, people_csv)
    refused(hushwood("verify", "out", "gone.csv"), "There is no file gone.csv")
