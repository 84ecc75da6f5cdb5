"""`hushwood verify`, `accept`, `compare` and `policies` as a user runs them, and what other commands say then."""

from __future__ import annotations

import json
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hushwood as hw
from hushwood.cli import printing, trees
from hushwood.cli.release import show_release
from hushwood.jobs.folder import exchange, whole_folders
from hushwood.policies.policy import built_in_names
from support.command_line import Command, refused, released
from support.held_back import make_held_back
from support.release_parts import files_in, part_of


def test_a_sound_release_says_so(hushwood: Command, people_csv: Path) -> None:
    released(hushwood, people_csv)

    done = hushwood("verify", "out", people_csv)

    assert done.code == 0
    assert "The certificate holds" in done.out
    assert done.out.count("ok  ") == 6
    assert "counts of categories in leaves are those that the key draws" in done.out
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


WHY = ("--reason", "for the archive only", "--by", "the data office")


def test_a_release_that_was_held_back(hushwood: Command) -> None:
    make_held_back(Path.cwd())

    checked = hushwood("verify", "out")
    assert checked.code == 0
    said = "--  The release was not cleared by the policy 'public': not enough is proven.\n"
    assert said in checked.out

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
    assert hushwood("accept", "out", *WHY).code == 0
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
    trees._show(replace(hw.publish_tree(people_csv, target="ill", k=3), folder=Path("out")))
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
    first = (files_in("out") / "released.csv").read_bytes()
    released(hushwood, people_csv, "--force", "-q")
    assert {path.name for path in Path("out").iterdir()} == {"not-cleared", "private"}
    assert (files_in("out") / "released.csv").read_bytes() != first
    assert hushwood("verify", "out", people_csv).code == 0


def test_two_releases_side_by_side(hushwood: Command, people_csv: Path) -> None:
    for name, technique in (("one", "framework"), ("two", "copula-synthesis")):
        hushwood("release", people_csv, "--class", "ill", "--technique", technique, "-o", name, "--quiet")
    done = hushwood("compare", "one", "two", "--original", people_csv, "--json", "both.json")
    assert done.code == 0, done.err
    assert done.out.startswith("A  one: ")
    assert "linkage.excess ≤ 0.05" in done.out
    assert json.loads(Path("both.json").read_text("utf-8"))["releases"][1]["technique"] == "copula-synthesis"
    assert hushwood("compare", "one", "two", "--quiet").out == ""
    refused(hushwood("compare", "one", "nowhere"), "not the folder of a release")


def test_all_policies_are_listed(hushwood: Command) -> None:
    done = hushwood("policies")
    assert done.code == 0
    assert [name for name in built_in_names() if name not in done.out] == []


def test_some_are_explained_with_their_sources(hushwood: Command) -> None:
    done = hushwood("policies", "ema-0070", "internal")
    assert done.code == 0
    assert "at most 9 points" in done.out
    assert "European Medicines Agency, Policy 0070" in " ".join(done.out.split())
    assert "Membership is not asked" in done.out


def test_a_policy_of_ones_own(hushwood: Command) -> None:
    Path("ours.toml").write_text(
        'title = "Ours"\nrecipient = "partners"\nsays = "For partners."\nsource = "our board"\n'
        '[[limits]]\ndisclosure = "identity"\nmeasure = "linkage.excess"\nat_most = 0.03\nsource = "our board"\n',
        "utf-8",
    )
    done = hushwood("policies", "ours.toml")
    assert done.code == 0
    assert "at most 3 points" in done.out


def test_an_unknown_policy(hushwood: Command) -> None:
    refused(hushwood("policies", "publik"), "Did you mean 'public'?")
