"""What `hushwood tune` and `release --tune` print, write and refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import Command, refused
from support.people_files import SEED

ONE = ("--technique", "copula-synthesis")
LENIENT = """
title = "T"
recipient = "internal"
says = "S"
source = "a test"
[[limits]]
disclosure = "attribute"
measure = "attribute_inference.excess"
at_most = 0.9
source = "a test"
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    path = tmp_path / "lenient.toml"
    path.write_text(LENIENT, "utf-8")
    return path


def test_the_winner_is_explained_and_the_last_line_says_what_to_send(
    hushwood: Command, people_csv: Path, policy: Path
) -> None:
    done = hushwood("tune", people_csv, "--class", "ill", *ONE, "--policy", policy, "-o", "out")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "copula-synthesis is the most useful release that the policy lenient clears" in said
    assert "The map of all that was tried: out/private/map.html" in said
    assert done.out.splitlines()[-1].startswith("Send out/share;")
    assert "comparing 1 way to release on 120 records" in done.err
    assert Path("out/private/tuning.json").is_file()
    assert not Path("out.tuning.jsonl").exists()


def test_nothing_cleared_ends_with_1(hushwood: Command, people_csv: Path, policy: Path) -> None:
    strict = ("--limit", "attribute_inference<=0.000001")
    done = hushwood("tune", people_csv, "--class", "ill", *ONE, "--policy", policy, *strict, "-o", "out")
    assert done.code == 1
    assert "No release was found that the policy lenient clears." in done.out
    assert Path("out/not-cleared").is_dir()


def test_release_can_tune(hushwood: Command, people_csv: Path, policy: Path) -> None:
    words = ("--class", "ill", *ONE, "--policy", policy, "--seed", SEED, "--quiet")
    assert hushwood("release", people_csv, "--tune", *words, "-o", "one").code == 0
    other = hushwood("tune", people_csv, *words, "-o", "two")
    assert (other.code, other.out) == (0, "")
    assert Path("one/share/released.csv").read_bytes() == Path("two/share/released.csv").read_bytes()
    assert Path("one/private/tuning.json").read_text("utf-8") == Path("two/private/tuning.json").read_text(
        "utf-8"
    )


def test_refusals_are_one_sentence(hushwood: Command, people_csv: Path) -> None:
    words = ("tune", people_csv, "--class", "ill")
    refused(hushwood(*words), "-o DIR")
    refused(hushwood(*words, "--technique", "copula", "-o", "out"), "Did you mean")
    refused(hushwood("release", *words[1:], "--tune", "--k", "20", "-o", "out"), "omit --k")
    assert not Path("out").exists()
