"""`hushwood accept` as a user runs it, and what other commands say before and after."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hushwood as hw
from hushwood.cli import printing, publish_tree
from hushwood.cli.release import show_release
from hushwood.jobs.folder import exchange, whole_folders
from support.command_line import Command, refused, released
from support.held_back import make_held_back
from support.tiny_releases import part_of

WHY = ("--reason", "for the archive only", "--by", "the data office")


def test_a_release_that_was_held_back(hushwood: Command) -> None:
    make_held_back(Path.cwd())

    checked = hushwood("verify", "out")
    assert checked.code == 0
    assert "--  The release was not cleared by the policy 'public'.\n" in checked.out

    done = hushwood("accept", "out", *WHY)
    assert (done.code, done.err) == (0, "")
    first, second = done.out.splitlines()
    assert first == "Send out/share; never send out/private, it can undo the release."
    assert second.startswith("The manifest that is handed out says: accepted by the data office on 20")
    assert second.endswith(", for this reason: for the archive only")

    checked = hushwood("verify", "out", "people.csv")
    assert checked.code == 0
    assert "policy 'public'; the data office accepted it on 20" in checked.out
    assert ", for this reason: for the archive only\n" in checked.out
    refused(hushwood("accept", "out", *WHY), "nothing to accept")


def test_quiet_says_nothing(hushwood: Command) -> None:
    make_held_back(Path.cwd())
    done = hushwood("accept", "out", *WHY, "-q")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert Path("out/share/released.csv").is_file()


def test_refusals(hushwood: Command, people_csv: Path) -> None:
    refused(hushwood("accept", "nowhere", *WHY), "nowhere holds no release")
    assert hushwood("accept", "out", "--by", "me").code == 2
    assert hushwood("accept", "out", "--reason", "why").code == 2
    released(hushwood, people_csv)
    refused(hushwood("accept", "out", *WHY), "out/share is not held back")
    refused(hushwood("accept", "out", "--reason", "a\x1bb", "--by", "me"), "cannot be seen")


def test_only_what_may_be_sent_is_to_be_sent(hushwood: Command, capsys: pytest.CaptureFixture[str]) -> None:
    del hushwood
    make_held_back(Path.cwd())
    printing.say_what_to_send(Path("out"), "never send out/private")
    assert capsys.readouterr().out == (
        "Do not send out/not-cleared: the release is not cleared.\n"
        "To take responsibility for it: hushwood accept out --reason TEXT --by NAME\n"
    )
    Path("out/not-cleared").rename("out/share")
    printing.say_what_to_send(Path("out"), "never send out/private")
    assert capsys.readouterr().out == "Send out/share; never send out/private.\n"


def test_what_releases_and_publications_say_about_it(
    hushwood: Command, people_csv: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del hushwood
    make_held_back(Path.cwd())
    show_release(replace(hw.release(people_csv, target="ill", evidence="none"), folder=Path("out")))
    said = capsys.readouterr().out
    assert "Do not send out/not-cleared: the release is not cleared.\n" in said
    assert "Send" not in said
    publish_tree._show(replace(hw.publish_tree(people_csv, target="ill", k=3), folder=Path("out")))
    said = capsys.readouterr().out
    assert "Read out/not-cleared/report.html first.\nDo not send out/not-cleared" in said
    assert "Send" not in said


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_run_that_is_stopped_says_what_it_left(
    hushwood: Command, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    make_held_back(Path.cwd())
    put, make_durable = exchange.put_in_place, exchange.make_durable

    def stopped_before(folder: Path) -> None:
        signal.raise_signal(signal.SIGTERM)
        make_durable(folder)

    def stopped_at(*given: Any) -> None:
        signal.raise_signal(signal.SIGTERM)
        put(*given)

    if where == "before":
        monkeypatch.setattr(whole_folders, "make_durable", stopped_before)
    else:
        monkeypatch.setattr(whole_folders, "put_in_place", stopped_at)
    done = hushwood("accept", "out", *WHY)
    left = "out is as it was" if where == "before" else "the release in out is complete"
    assert (done.code, done.err) == (143, f"hushwood: Stopped; {left}.\n")
    assert part_of(Path("out")) == ("not-cleared" if where == "before" else "share")
    assert not Path(".hushwood-out").exists()


def test_a_held_back_release_is_replaced_and_its_key_is_remembered(
    hushwood: Command, people_csv: Path
) -> None:
    make_held_back(Path.cwd())
    again = (
        "release",
        people_csv,
        "--class",
        "ill",
        "--evidence",
        "none",
        "-q",
        "--seed-file",
        "out/private/key",
    )
    other = hushwood(*again, "-o", "other", "--technique", "framework", "--ledger", "new.json")
    refused(other, "already made")
    refused(
        hushwood("release", "out/not-cleared/released.csv", "--class", "ill", "-o", "out", "--force"),
        "belongs",
    )
    refused(hushwood(*again, "-o", "out"), "is not empty")
    released(hushwood, people_csv, "--force", "-q")
    assert {path.name for path in Path("out").iterdir()} == {"share", "private"}
    assert hushwood("verify", "out", people_csv).code == 0
